package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// actorCount is how many actors the world has that is held against a floor, and callsEach
// how often each is called.
const (
	actorCount = 1000
	callsEach  = 20
)

// actors are sessions that take a lock and a connection and ask a registry, and
// as many events in a log with a bare switch for each.
func actors() []work {
	all := []work{
		{"actors", worldOf(actorCount)},
		{"actors/floor", func() (func() (int, error), error) {
			cli.TuneMemory(os.LookupEnv)
			return func() (int, error) {
				const events = 100_000
				log := trace.NewLog(0)
				log.Observe(func(trace.Event) {})
				return pingPong(actorCount, events, func() {
					log.Append(trace.Event{Type: "session", Step: "a"})
				})
			}, nil
		}},
	}
	for _, n := range []int{100, 1000, 10_000} {
		all = append(all, work{fmt.Sprintf("actors/%d", n), worldOf(n)})
	}
	return all
}

// worldOf prepares a world of n actors, with the collector of the command, which plays scenarios.
func worldOf(n int) func() (func() (int, error), error) {
	return func() (func() (int, error), error) {
		cli.TuneMemory(os.LookupEnv)
		spec := busyActors(n)
		return func() (int, error) { return sessions(spec) }, nil
	}
}

func busyActors(n int) *actor.Spec {
	spec := &actor.Spec{Registries: []*actor.RegistrySpec{{
		Name: "r", TTL: 300 * time.Second, QuarantineAfter: 600 * time.Second, SweepEvery: 300 * time.Second, HeartbeatEvery: 120 * time.Second,
		SkewTolerance: 300 * time.Second, RecoverHeartbeat: true, RecoverRegister: true,
	}}}
	for i := range n {
		spec.Actors = append(spec.Actors, &actor.ActorSpec{
			Name: fmt.Sprint("a", i), Registry: "r", MaxHops: 8,
			Locks: []*actor.LockSpec{{Name: "l", Capacity: 1, MaxQueue: -1}},
			Pools: []*actor.PoolSpec{{Name: "p", Size: 2}},
			Handlers: []*actor.HandlerSpec{{
				Name: "h", Takes: time.Second, Timeout: 120 * time.Second, Locks: []actor.LockRef{{Name: "l", Own: true}}, Uses: []string{"p"},
			}},
		})
	}
	return spec
}

func sessions(spec *actor.Spec) (int, error) {
	clock := sched.New()
	log := trace.NewLog(10_000_000)
	world := actor.New(clock, spec, actor.Env{
		Emit: func(e trace.Event) {
			e.At = clock.Elapsed()
			log.Append(e)
		},
		Next:     func([]string, actor.Origin) (actor.Strike, error) { return actor.Strike{}, wire.ErrPass },
		Pending:  func(string, actor.Origin) bool { return false },
		Classify: failure.Cuga().Classify,
		Draw:     func(string, string, int) *rand.Rand { return rand.New(rand.NewPCG(1, 1)) },
	})
	err := clock.Run(func(ctx context.Context) {
		world.Start(ctx)
		var tasks []*sched.Task
		for i, a := range spec.Actors {
			tasks = append(tasks, clock.Go(ctx, a.Name, i, func(ctx context.Context) {
				for range callsEach {
					world.Call(ctx, actor.Call{Target: actor.Target{Actor: a.Name, Name: "h"}, Origin: actor.Origin{Call: a.Name}})
				}
			}))
		}
		for _, task := range tasks {
			_ = task.Wait(ctx)
		}
		world.Stop()
	})
	return len(log.Events()), err
}

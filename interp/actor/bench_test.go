package actor_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// busy is a world of n actors with a lock and a pool each, which share a
// registry.
func busy(n int) *actor.Spec {
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

// A thousand actors with a hundred calls each: a hundred thousand sessions, each
// with a lock, a connection and a registry to ask. The events are those of the
// trace.
func BenchmarkThousandActors(b *testing.B) {
	spec := busy(1000)
	b.ReportAllocs()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	total, before := 0, m.TotalAlloc
	for b.Loop() {
		s := newStage(spec)
		log := trace.NewLog(10_000_000)
		s.forget, s.log = true, log
		if err := s.clock.Run(func(ctx context.Context) {
			s.world.Start(ctx)
			var tasks []*sched.Task
			for i, a := range spec.Actors {
				tasks = append(tasks, s.clock.Go(ctx, a.Name, i, func(ctx context.Context) {
					for range 100 {
						s.world.Call(ctx, actor.Call{Target: actor.Target{Actor: a.Name, Name: "h"}, Origin: actor.Origin{Call: a.Name}})
					}
				}))
			}
			for _, task := range tasks {
				_ = task.Wait(ctx)
			}
			s.world.Stop()
		}); err != nil {
			b.Fatal(err)
		}
		total += len(log.Events())
	}
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(m.TotalAlloc-before)/float64(total), "B/event")
}

// Shows that what a world holds grows with the sessions that live, and not with
// those that are over: after nine times as many calls it holds as much, and with
// four times as many sessions under way at most five times as much.
func TestMemoryIsLinearInLiveSessions(t *testing.T) {
	held := func(live, before int) uint64 {
		s := newStage(busy(live))
		s.forget = true
		var bytes uint64
		if err := s.clock.Run(func(ctx context.Context) {
			s.world.Start(ctx)
			call := func(ctx context.Context, i, times int) {
				for range times {
					name := fmt.Sprint("a", i)
					s.world.Call(ctx, actor.Call{Target: actor.Target{Actor: name, Name: "h"}, Origin: actor.Origin{Call: name}})
				}
			}
			var tasks []*sched.Task
			for i := range live {
				tasks = append(tasks, s.clock.Go(ctx, "caller", i, func(ctx context.Context) { call(ctx, i, before+1) }))
			}
			_ = s.clock.Sleep(ctx, time.Duration(before)*time.Second+500*time.Millisecond) // in the middle of the last session
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			bytes = m.HeapAlloc
			for _, task := range tasks {
				_ = task.Wait(ctx)
			}
			s.world.Stop()
		}); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	base := held(1, 0)
	few, later, many := held(500, 1)-base, held(500, 9)-base, held(2000, 1)-base
	if later > few*3/2 {
		t.Errorf("after 9 calls of each actor %d bytes are held, after one %d", later, few)
	}
	if many > 5*few {
		t.Errorf("with 2000 sessions under way %d bytes are held, with 500 %d", many, few)
	}
}

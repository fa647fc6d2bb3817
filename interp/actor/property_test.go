package actor_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/trace/tracetest"
	"github.com/scenario-lang/scenario/wire"
)

var sequences = flag.Int("sequences", 10_000, "random sequences of each property")

// stage is a world on a clock of its own, with what it said.
type stage struct {
	clock  *sched.Scheduler
	world  *actor.World
	events []trace.Event
	// forget keeps no events here, and log is where they go beside, if anywhere.
	forget bool
	log    *trace.Log
}

func newStage(spec *actor.Spec) *stage {
	s := &stage{clock: sched.New()}
	s.world = actor.New(s.clock, spec, actor.Env{
		Emit: func(e trace.Event) {
			e.At = s.clock.Elapsed()
			if s.log != nil {
				s.log.Append(e)
			}
			if !s.forget {
				s.events = append(s.events, e)
			}
		},
		Next:     func([]string, actor.Origin) (actor.Strike, error) { return actor.Strike{}, wire.ErrPass },
		Pending:  func(string, actor.Origin) bool { return false },
		Classify: failure.Cuga().Classify,
		Draw:     func(string, string, int) *rand.Rand { return rand.New(rand.NewPCG(1, 1)) },
	})
	return s
}

// model is what a lock or pool must do, written down as plainly as can be: who
// waits, in which order, and how many hold.
type model struct {
	capacity, held int
	queue          []string
}

func (m *model) wait(who string) { m.queue = append(m.queue, who) }

// grant says what is wrong with a grant, "" for nothing. Grants of one instant
// take effect in the order of the tasks, so who is served or gives up at this
// very instant was passed over by nobody.
func (m *model) grant(who string, later []trace.Event) string {
	ahead := m.queue
	if i := slices.Index(m.queue, who); i >= 0 {
		ahead = m.queue[:i]
	}
	for _, o := range ahead {
		if !settles(o, later) {
			return fmt.Sprintf("%s was served before %s", who, o)
		}
	}
	m.leave(who)
	if m.held++; m.held > m.capacity {
		return fmt.Sprintf("%d of %d are taken", m.held, m.capacity)
	}
	return ""
}

// settles reports whether a wait ends at the instant of the first event.
func settles(who string, later []trace.Event) bool {
	for _, e := range later {
		if e.At != later[0].At {
			return false
		}
		if e.Call == who && e.Text("action") != "wait" && e.Type != trace.LockWait {
			return true
		}
	}
	return false
}

// idle says who waits although there is room, "" for nobody.
func (m *model) idle() string {
	if m.held < m.capacity && len(m.queue) > 0 {
		return m.queue[0] + " waits, and there is room"
	}
	return ""
}

func (m *model) leave(who string) {
	m.queue = slices.DeleteFunc(m.queue, func(o string) bool { return o == who })
}

// Shows with random calls, cancellations, kills and restarts that a lock and a
// pool serve first come, first served, never more than they have, and are free
// in the end however their holders ended: no wake-up is lost, or the run would
// not end.
func TestLocksAndPoolsAgreeWithTheirModel(t *testing.T) {
	for n := range *sequences {
		r := rand.New(rand.NewPCG(uint64(n), 19))
		lock := &actor.LockSpec{Name: "l", Capacity: 1 + r.IntN(3), MaxQueue: -1, AcquireTimeout: time.Duration(r.IntN(3)) * 2 * time.Second}
		pool := &actor.PoolSpec{Name: "p", Size: 1 + r.IntN(2), AcquireTimeout: time.Duration(r.IntN(3)) * 3 * time.Second}
		spec := &actor.ActorSpec{
			Name: "a", MaxHops: 8, Locks: []*actor.LockSpec{lock}, Pools: []*actor.PoolSpec{pool},
			Handlers: []*actor.HandlerSpec{{Name: "h", Takes: 3 * time.Second, Timeout: time.Duration(r.IntN(2)) * 4 * time.Second, Locks: []actor.LockRef{{Name: "l", Own: true}}, Uses: []string{"p"}}},
			Tools:    []*actor.ToolSpec{{Name: "t", Takes: 2 * time.Second, Uses: []string{"p"}}},
		}
		s := newStage(&actor.Spec{Actors: []*actor.ActorSpec{spec}})
		err := s.clock.Run(func(ctx context.Context) {
			s.world.Start(ctx)
			var tasks []*sched.Task
			for i := range 3 + r.IntN(8) {
				at, target := time.Duration(r.IntN(12))*time.Second, []string{"h", "t"}[r.IntN(2)]
				giveUp := time.Duration(1+r.IntN(20)) * time.Second
				tasks = append(tasks, s.clock.Go(ctx, fmt.Sprint("call ", i), i, func(ctx context.Context) {
					_ = s.clock.SleepAs(ctx, sched.Start, at)
					own, cancel := s.clock.WithTimeout(ctx, giveUp)
					defer cancel()
					s.world.Call(own, actor.Call{Target: actor.Target{Actor: "a", Name: target}, Origin: actor.Origin{Call: fmt.Sprint(i)}})
				}))
			}
			if r.IntN(2) == 0 {
				at := time.Duration(r.IntN(15)) * time.Second
				tasks = append(tasks, s.clock.Go(ctx, "kill", 100, func(ctx context.Context) {
					_ = s.clock.SleepAs(ctx, sched.Start, at)
					s.world.Kill("a", "event.e")
					_ = s.clock.Sleep(ctx, 2*time.Second)
					s.world.Restart("a", "event.e")
				}))
			}
			for _, task := range tasks {
				_ = task.Wait(ctx)
			}
			s.world.Stop()
		})
		if err != nil {
			t.Fatalf("sequence %d: %v", n, err)
		}
		locks, pools := &model{capacity: lock.Capacity}, &model{capacity: pool.Size}
		for i, e := range s.events {
			wrong := ""
			if i > 0 && e.At > s.events[i-1].At {
				wrong = locks.idle() + pools.idle()
			}
			if wrong != "" {
				t.Fatalf("sequence %d: before %s %s", n, e.At, wrong)
			}
			switch {
			case e.Type == trace.LockWait:
				locks.wait(e.Call)
			case e.Type == trace.Lock:
				wrong = locks.grant(e.Call, s.events[i:])
			case e.Type == trace.Unlock:
				locks.held--
			case e.Type == trace.Pool && e.Text("action") == "wait":
				pools.wait(e.Call)
			case e.Type == trace.Pool && e.Text("action") == "acquire":
				wrong = pools.grant(e.Call, s.events[i:])
			case e.Type == trace.Pool && e.Text("action") == "release":
				pools.held--
			case e.Type == trace.Pool, e.Type == trace.Timeout && e.Text("layer") == "lock":
				locks.leave(e.Call)
				pools.leave(e.Call)
			case e.Type == trace.Route, e.Type == trace.SessionEnd:
				locks.leave(e.Call)
				pools.leave(e.Call)
			case e.Type == trace.Registry && e.Text("to") == "dead":
				locks.queue, pools.queue = nil, nil // all who waited inside are told at this instant
			}
			if wrong != "" {
				t.Fatalf("sequence %d: at %s %s", n, e.At, wrong)
			}
		}
		if locks.held != 0 || pools.held != 0 || len(locks.queue)+len(pools.queue) > 0 {
			t.Fatalf("sequence %d: %d places and %d connections are still held", n, locks.held, pools.held)
		}
		if rest := tracetest.Unended(s.events); len(rest) > 0 {
			t.Fatalf("sequence %d: %s of %s has no end", n, rest[0].Type, rest[0].Call)
		}
	}
}

// Shows with random kills, restarts and operators that a registry changes a
// state only for the reason that it gives: the silence is computed here from
// when the actor was up, and nothing else.
func TestRegistryAgreesWithItsModel(t *testing.T) {
	reg := &actor.RegistrySpec{
		Name: "r", TTL: 300 * time.Second, QuarantineAfter: 600 * time.Second, SweepEvery: 300 * time.Second, HeartbeatEvery: 120 * time.Second,
		SkewTolerance: 300 * time.Second, RecoverHeartbeat: true, RecoverRegister: true,
	}
	changes := 0
	for n := range *sequences {
		r := rand.New(rand.NewPCG(uint64(n), 74))
		s := newStage(&actor.Spec{Actors: []*actor.ActorSpec{{Name: "a", Registry: "r", MaxHops: 8}}, Registries: []*actor.RegistrySpec{reg}})
		type life struct{ from, to time.Duration }
		var lives []life
		err := s.clock.Run(func(ctx context.Context) {
			s.world.Start(ctx)
			_ = s.clock.Sleep(ctx, 0)
			for range 1 + r.IntN(6) {
				_ = s.clock.SleepAs(ctx, sched.Start, time.Duration(1+r.IntN(900))*time.Second+time.Millisecond)
				switch r.IntN(5) {
				case 0, 1:
					s.world.Kill("a", "event.e")
				case 2:
					s.world.Restart("a", "event.e")
				case 3:
					s.world.Quarantine("a", "event.e")
				case 4:
					s.world.Activate("a", "event.e")
				}
			}
			_ = s.clock.Sleep(ctx, 1000*time.Second)
			s.world.Stop()
		})
		if err != nil {
			t.Fatalf("sequence %d: %v", n, err)
		}
		state := ""
		for _, e := range s.events {
			to, reason := e.Text("to"), e.Text("reason")
			if e.Text("registry") == "" {
				switch {
				case to == "running":
					lives = append(lives, life{e.At, -1})
				case to == "dead" && len(lives) > 0 && lives[len(lives)-1].to < 0:
					lives[len(lives)-1].to = e.At
				}
				continue
			}
			silent := time.Duration(-1)
			for _, l := range lives {
				for beat, at := 0, l.from; at < e.At && (l.to < 0 || at < l.to); beat++ {
					silent = e.At - at
					at = l.from + 5*time.Second + time.Duration(beat)*120*time.Second
				}
			}
			alive := lives[len(lives)-1].to < 0
			legal := map[string]bool{
				"registered":              state == "" && to == "active",
				"liveness_ttl_expired":    state == "active" && to == "stale" && silent > reg.TTL && silent <= reg.QuarantineAfter,
				"liveness_ttl_2x_expired": state != "quarantined" && to == "quarantined" && silent > reg.QuarantineAfter,
				"re_registered":           state != "active" && to == "active" && alive,
				"heartbeat_recovery":      state == "quarantined" && to == "active" && alive,
				"health_restored":         state == "stale" && to == "active" && alive,
				"operator":                state != to,
			}
			if !legal[reason] || e.Text("from") != state {
				t.Fatalf("sequence %d: at %s %s -> %s for %s after %s of silence", n, e.At, e.Text("from"), to, reason, silent)
			}
			state = to
			changes++
		}
	}
	if changes < *sequences {
		t.Errorf("only %d changes: the sequences show nothing", changes)
	}
}

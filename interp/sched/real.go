package sched

import (
	"context"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// NewReal returns a scheduler on the real clock: tasks take turns as on a
// virtual one, and between events it waits for real. Events that are late run
// in the order they were due.
func NewReal() *Scheduler { return onReal(&realClock{clock: wire.System()}) }

// NewShared is [NewReal] for tasks that share what they use with other
// goroutines. The clock is that of all of them, and the scheduler counts from
// start, also where it runs later. The stage guards what is shared: whoever
// calls Run holds it, and the scheduler leaves it while it waits for an instant
// or for [Scheduler.External], and at no other time. Who holds the stage
// meanwhile may use [Scheduler.Post] alone.
func NewShared(clock wire.Clock, start time.Time, stage sync.Locker) *Scheduler {
	return onReal(&realClock{clock: clock, origin: start, stage: stage})
}

func onReal(r *realClock) *Scheduler {
	s := New()
	s.EventLimit = 0
	s.real = r
	s.inbox.bell = make(chan struct{}, 1)
	s.real.begin()
	return s
}

// A realClock is the part of a scheduler that differs on the real clock. A
// nil one belongs to a virtual scheduler.
type realClock struct {
	clock wire.Clock
	start time.Time
	// origin is the start of a clock that is shared, and stage what its
	// scheduler leaves while it waits; zero and nil for one that is not.
	origin   time.Time
	stage    sync.Locker
	external int // calls that run beside the tasks
}

func (r *realClock) begin() {
	r.start = r.origin
	if r.start.IsZero() {
		r.start = r.clock.Now()
	}
}

func (r *realClock) elapsed() time.Duration { return r.clock.Now().Sub(r.start) }

// busy reports whether calls run beside the tasks.
func (r *realClock) busy() bool { return r != nil && r.external > 0 }

// waits reports whether it had to wait for an instant. It waits until then or
// until the bell rings.
func (r *realClock) waits(at int64, bell <-chan struct{}) bool {
	d := time.Duration(at) - r.elapsed()
	if d <= 0 {
		return false
	}
	due, stop := r.clock.WithTimeout(context.Background(), d)
	defer stop()
	r.idle(func() {
		select {
		case <-due.Done():
		case <-bell:
		}
	})
	return true
}

// idle waits, and lets others have the stage meanwhile.
func (r *realClock) idle(wait func()) {
	if r.stage != nil {
		r.stage.Unlock()
		defer r.stage.Lock()
	}
	wait()
}

// start is the instant that the clock counts from.
func (s *Scheduler) start() time.Time {
	if s.real != nil {
		return s.real.start
	}
	return epoch
}

// External runs f, a blocking call, on a goroutine of its own and returns when
// f has. The other tasks go on meanwhile, so f must not touch what they use,
// nor wait through the scheduler. It must return soon after ctx ends, whose
// methods it may use; External itself waits for f whatever becomes of ctx. A
// panic in f is one of the task. External panics on a virtual clock, where
// nothing may take real time.
func (s *Scheduler) External(ctx context.Context, why string, f func()) {
	t, _ := s.caller(ctx, "External")
	if s.real == nil {
		panic("sched: External was called on a virtual clock (" + why + "): only a scheduler of NewReal can run a blocking call")
	}
	var panicked any
	s.real.external++
	go func() {
		defer func() {
			panicked = recover()
			s.inbox.put(func() {
				s.real.external--
				t.wake(Completion)
			})
		}()
		f()
	}()
	_ = t.park(nil, why, nil)
	if panicked != nil {
		panic(panicked)
	}
}

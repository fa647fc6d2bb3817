package sched

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A Scheduler owns a clock, the events on it, and the tasks that wait for
// them. It runs once.
type Scheduler struct {
	// Limit is the latest instant, counted from the start, that a run may
	// reach; New sets 100 years. A run that would pass it ends with a
	// [LimitError].
	Limit time.Duration
	// EventLimit is how many events a run may have, zero for any number; New
	// sets 10 million and NewReal zero. It ends a loop that waits but gets
	// nowhere.
	EventLimit uint64

	now    int64 // nanoseconds since the start; unused on the real clock
	seq    uint64
	events uint64
	heap   heap
	dead   int // entries of heap whose event was withdrawn

	root    *scope
	current *Task // the running task, nil between tasks
	order   int   // the owner order of what runs
	tasks   taskList
	spare   []*coroutine // whose tasks have ended

	onDeadlock func([]Wait) bool
	err        error // what ends the run early
	state      atomic.Uint32
	inbox      inbox
	real       *realClock // nil on the virtual clock

	mu sync.Mutex // guards the hooks and channels of all scopes
}

// The states of a scheduler.
const (
	idle uint32 = iota
	running
	tearing // tasks are unwound: no task waits any more
	ended
)

const (
	limitDefault      = 100 * 365 * 24 * time.Hour
	eventLimitDefault = 10_000_000
)

// epoch is where virtual clocks start.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// New returns a scheduler on a virtual clock that stands at
// 2000-01-01T00:00:00Z.
func New() *Scheduler {
	s := &Scheduler{Limit: limitDefault, EventLimit: eventLimitDefault, order: mainOrder}
	s.root = &scope{s: s, parent: context.Background(), deadline: never}
	return s
}

// mainOrder puts the main task before the owners declared in a scenario, which
// count from 0.
const mainOrder = -1

// Run runs main as the task "main" of order -1 and returns when every task has
// ended; events that are still pending then never happen. It returns nil, or a
// *[DeadlockError], a *[PanicError] or a *[LimitError] after it has unwound
// every task that was left: their deferred functions have run and no coroutine
// is left behind. runtime.Goexit in a task, as testing.T.FailNow calls it,
// unwinds the others and ends the caller of Run.
func (s *Scheduler) Run(main func(ctx context.Context)) (err error) {
	if !s.state.CompareAndSwap(idle, running) {
		return errors.New("sched: this scheduler has run already: make a new one for each run")
	}
	if s.real != nil {
		s.real.begin()
	}
	s.Go(s.root, "main", mainOrder, main)
	defer func() {
		if v := recover(); v != nil {
			s.err = newPanicError("", v)
		}
		s.teardown()
		err = s.err
	}()
	s.loop()
	return nil
}

// loop runs events in order until no task is left or the run has failed.
func (s *Scheduler) loop() {
	for s.tasks.len > 0 && s.err == nil {
		if s.inbox.full.Load() {
			s.inbox.run()
			continue
		}
		next := s.peek()
		switch {
		case next == nil && s.real.busy():
			s.real.idle(s.inbox.wait)
		case next == nil:
			s.stuck()
		case s.real != nil && s.real.waits(next.at, s.inbox.bell):
			// Something may have happened meanwhile: look again.
		default:
			s.step(next)
		}
	}
}

// step runs the next event.
func (s *Scheduler) step(next *entry) {
	at, target := next.at, next.ev.target
	if s.beyond(at) {
		s.fail(s.limitError(at, target.label(), target.recurs()))
		return
	}
	s.order = next.order()
	next.ev.seq = 0
	s.heap.pop()
	s.events++
	s.now = at
	target.due()
}

// Events reports how many events have run.
func (s *Scheduler) Events() uint64 { return s.events }

// Pending reports how many events are due at some time, wake-ups of tasks
// included.
func (s *Scheduler) Pending() int { return len(s.heap) - s.dead }

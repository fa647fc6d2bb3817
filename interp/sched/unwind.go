package sched

import (
	"context"
	"errors"
)

// unwind is the panic that runs the deferred functions of a parked task when
// its run is torn down. As an ordinary error it would be retried, and
// runtime.Goexit would end the caller of Run as well.
type unwind struct{}

func (unwind) String() string { return "the scheduler unwinds this task" }

// Unwinding reports whether a recovered panic value is the one that unwinds a
// task of a run that was torn down. Code of a task that recovers from panics
// must panic again with it. A task that waits while it unwinds, in a deferred
// function, is unwound further.
func Unwinding(v any) bool {
	_, ok := v.(unwind)
	return ok
}

// errTornDown is the cause of the main context's end when a run is torn down.
var errTornDown = errors.New("sched: the run was torn down")

// fail ends the run with err. The first error counts; a panic in a task that
// was unwound because of it is added.
func (s *Scheduler) fail(err error) {
	if s.err != nil {
		err = errors.Join(s.err, err)
	}
	s.err = err
}

// teardown unwinds the tasks that are left, the latest first, as deferred
// calls do. Calls beside the tasks are waited for before, so that no deferred
// function runs while its task's call does.
func (s *Scheduler) teardown() {
	defer s.state.Store(ended)
	defer s.dismiss()
	if s.tasks.len == 0 {
		return
	}
	s.state.Store(tearing)
	s.current = nil
	s.guard(func() { s.root.end(context.Canceled, errTornDown) })
	for s.real.busy() {
		s.real.idle(s.inbox.wait)
		for s.inbox.full.Load() {
			s.guard(s.inbox.run)
		}
	}
	s.unwindAll()
}

// guard keeps a panic of f from stopping the teardown.
func (s *Scheduler) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			s.fail(newPanicError("", v))
		}
	}()
	f()
}

// unwindAll goes on with the other tasks when one of them ends its goroutine.
func (s *Scheduler) unwindAll() {
	defer func() {
		if s.tasks.len > 0 {
			s.unwindAll()
		}
	}()
	for t := s.tasks.last; t != nil; t = s.tasks.last {
		t.unwind()
	}
}

func (t *Task) unwind() {
	defer t.finish()
	if t.co == nil {
		return
	}
	s := t.s
	s.current = t
	defer func() { s.current = nil }()
	t.co.stop()
}

package sched

import (
	"context"
	"fmt"
)

// A Task is a function that takes turns with the others.
type Task struct {
	s     *Scheduler
	name  string
	order int
	ctx   context.Context
	f     func(ctx context.Context)

	// co is where the task runs; nil before its first turn.
	co *coroutine

	ev   event    // its next turn
	hook hook     // in the context it waits under
	why  string   // what it waits for
	on   obstacle // where it queues, nil if nowhere
	err  error    // what its wait will return

	prev, after *Task // in the list of live tasks
	returned    bool  // f has, or has panicked
	done        bool  // and everybody knows
	panicked    *PanicError
	joiners     []*Task
}

// An obstacle is what a task queues at.
type obstacle interface {
	// withdraw takes a task back whose context has ended.
	withdraw(t *Task)
	// holder names the tasks in the way, or is empty.
	holder() string
}

// Go makes a task that starts at the present instant, in the class Start and
// in the given owner order. f gets ctx as it is. Names appear in deadlocks and
// need not be unique. A task made while the run is torn down never starts.
func (s *Scheduler) Go(ctx context.Context, name string, order int, f func(ctx context.Context)) *Task {
	s.scopeOf(ctx, "Go")
	t := &Task{s: s, name: name, order: order, ctx: ctx, f: f}
	if s.state.Load() >= tearing {
		t.done = true
		return t
	}
	t.ev.target = t
	t.hook.target = t
	s.tasks.add(t)
	s.schedule(&t.ev, s.instant(), Start, order)
	return t
}

// Name returns the name given to Go.
func (t *Task) Name() string { return t.name }

// Done reports whether the task has ended.
func (t *Task) Done() bool { return t.done }

// Wait waits for the task to end and returns nil, or ctx's error if ctx ends
// first. A waiter resumes in the class Completion. It returns nil at once for
// a task that has ended.
func (t *Task) Wait(ctx context.Context) error {
	waiter, c := t.s.caller(ctx, "Wait")
	if t.done {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t.joiners = append(t.joiners, waiter)
	return waiter.park(c, fmt.Sprintf("the end of task %q", t.name), t)
}

func (t *Task) withdraw(waiter *Task) { t.joiners = without(t.joiners, waiter) }

func (t *Task) holder() string { return "" }

// due gives the task its turn.
func (t *Task) due() {
	s := t.s
	if t.co == nil {
		t.co = s.coroutine()
		t.co.task = t
	}
	s.current = t
	t.co.next()
	s.current = nil
	if t.returned {
		s.keep(t.co)
		t.finish()
	}
}

func (t *Task) label() string { return t.name }

func (t *Task) recurs() bool { return false }

// play runs the task's function to its end, however that comes.
func (t *Task) play() {
	defer func() {
		t.returned = true
		if v := recover(); v != nil && !Unwinding(v) {
			t.panicked = newPanicError(t.name, v)
		}
	}()
	t.f(t.ctx)
}

// finish takes an ended task off the list and wakes who waits for it.
func (t *Task) finish() {
	s := t.s
	t.done = true
	s.kill(&t.ev)
	s.tasks.remove(t)
	if t.panicked != nil {
		s.fail(t.panicked)
	}
	for _, waiter := range t.joiners {
		waiter.wake(Completion)
	}
	t.joiners = nil
	t.f, t.ctx, t.co = nil, nil, nil
}

// park leaves the task until something wakes it, or c ends if it is not nil,
// and returns what the wait came to.
func (t *Task) park(c *scope, why string, on obstacle) error {
	t.why, t.on, t.err = why, on, nil
	if c != nil {
		c.attach(&t.hook)
	}
	resumed := t.co.yield(struct{}{})
	if c != nil {
		t.s.detach(&t.hook)
	}
	t.on = nil
	if !resumed {
		panic(unwind{})
	}
	return t.err
}

// wake gives a parked task its turn at the present instant.
func (t *Task) wake(class Class) {
	t.s.schedule(&t.ev, t.s.instant(), class, t.order)
}

// scopeEnded wakes a task whose context has ended under it.
func (t *Task) scopeEnded(c *scope) {
	if t.on != nil {
		t.on.withdraw(t)
	}
	t.err = c.Err()
	t.wake(Completion)
}

// spin counts a wait of no time as an event, so that a loop of them meets the
// limit.
func (t *Task) spin() {
	s := t.s
	if now := s.instant(); s.beyond(now) {
		s.fail(s.limitError(now, t.name, false))
		_ = t.park(nil, "the end of the run", nil)
	}
	s.events++
}

// caller returns the running task and the nearest scope of its context, nil
// if it cannot end.
func (s *Scheduler) caller(ctx context.Context, op string) (*Task, *scope) {
	t := s.current
	if t == nil {
		panic("sched: " + op + " was called outside of a task: an event without a task must not wait; start one with Go")
	}
	if s.state.Load() == tearing {
		panic(unwind{})
	}
	return t, s.scopeOf(ctx, op)
}

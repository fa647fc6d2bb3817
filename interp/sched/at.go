package sched

import "time"

// At runs f once, d from now, as an event of its own: between tasks, on no
// task's stack. f must not wait; it may do anything else that a task may. The
// event does not keep the run alive, and stop withdraws it.
func (s *Scheduler) At(class Class, order int, d time.Duration, f func()) (stop func()) {
	e := &plain{s: s, f: f}
	e.ev.target = e
	s.schedule(&e.ev, s.after(d), class, order)
	return e.stop
}

// A plain is an event without a task.
type plain struct {
	s  *Scheduler
	ev event
	f  func()
}

func (e *plain) due() { e.f() }

func (e *plain) stop() { e.s.kill(&e.ev) }

func (e *plain) label() string { return noTask }

// noTask stands for the name of a task where there is none.
const noTask = "(an event without a task)"

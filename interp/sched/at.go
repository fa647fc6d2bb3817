package sched

import "time"

// At runs f once, d from now, as an event of its own: between tasks, on no
// task's stack. f must not wait; it may do anything else that a task may. The
// event does not keep the run alive, and stop withdraws it.
func (s *Scheduler) At(class Class, order int, d time.Duration, f func()) (stop func()) {
	return s.AtNamed("", class, order, d, f)
}

// AtNamed is At for an event that people know by a name, such as "a heartbeat":
// the message says it where the run ends at a limit.
func (s *Scheduler) AtNamed(name string, class Class, order int, d time.Duration, f func()) (stop func()) {
	e := &plain{s: s, f: f, name: name}
	e.ev.target = e
	s.schedule(&e.ev, s.after(d), class, order)
	return e.stop
}

// A plain is an event without a task.
type plain struct {
	s  *Scheduler
	ev event
	f  func()
	// name is what people call it, "" for nothing.
	name string
}

func (e *plain) due() { e.f() }

func (e *plain) stop() { e.s.kill(&e.ev) }

func (e *plain) label() string {
	if e.name == "" {
		return noTask
	}
	return e.name
}

func (e *plain) recurs() bool { return e.name != "" }

// noTask stands for the name of a task where there is none.
const noTask = "(an event without a task)"

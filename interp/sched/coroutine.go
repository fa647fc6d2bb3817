package sched

import "iter"

// A coroutine runs tasks, one after the other: a step that begins where
// another one ended finds a stack that has grown already, and growing one
// costs as much as all switches of a short run.
type coroutine struct {
	task *Task
	// next gives the task its turn, which ends in yield; stop makes the yield
	// it waits in false.
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// coroutine returns one that waits for a task, a new one if there is none.
func (s *Scheduler) coroutine() *coroutine {
	if n := len(s.spare) - 1; n >= 0 {
		c := s.spare[n]
		s.spare = s.spare[:n]
		return c
	}
	c := &coroutine{}
	c.next, c.stop = iter.Pull(c.body)
	return c
}

func (c *coroutine) body(yield func(struct{}) bool) {
	c.yield = yield
	for more := true; more; more = yield(struct{}{}) {
		c.task.play()
	}
}

// keep takes back a coroutine whose task has ended.
func (s *Scheduler) keep(c *coroutine) {
	c.task = nil
	s.spare = append(s.spare, c)
}

// dismiss ends the coroutines that no task needs any more.
func (s *Scheduler) dismiss() {
	for _, c := range s.spare {
		c.stop()
	}
	s.spare = nil
}

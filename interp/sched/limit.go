package sched

import (
	"fmt"
	"time"
)

// A LimitError says that a run was ended because it went on for too long.
type LimitError struct {
	// Task names the task whose event would have passed the limit.
	Task string
	// Recurs says that Task is no task but the name of an event that comes again
	// and again by itself.
	Recurs bool
	// At is the time since the start at which the run was ended.
	At time.Duration
	// Limit is the instant that may not be passed, zero if the number of
	// events was the limit.
	Limit time.Duration
	// Events is the number of events that may not be passed, zero if the
	// instant was the limit.
	Events uint64
}

func (e *LimitError) Error() string {
	if e.Events > 0 && e.Recurs {
		return fmt.Sprintf("the run had its limit of %d events at %v, last for %s: that is due too often for a run of this length", e.Events, e.At, e.Task)
	}
	if e.Events > 0 {
		return fmt.Sprintf("the run had its limit of %d events at %v, last for task %q: a loop that waits probably never ends",
			e.Events, e.At, e.Task)
	}
	return fmt.Sprintf("the run stood at %v and would have passed its limit of %v for task %q: nothing is due before; wait for less, or without end",
		e.At, e.Limit, e.Task)
}

// What the runs of the scenarios of one file may have together. Each of ten thousand has so
// many all the same, and each of more its part of what those have, but never fewer than the
// least.
const (
	eventsTogether = 3 * eventLimitDefault
	eventsOfMany   = 1 << 12
	many           = 10_000
	eventsLeast    = 1 << 9
)

// Share gives the scheduler of one of so many runs its part of the events that they may
// have together. One that comes again and again by itself, such as a heartbeat, is in no
// trace, and counts only here.
func (s *Scheduler) Share(runs int) {
	n := uint64(max(1, runs))
	s.EventLimit = min(eventLimitDefault, max(eventsTogether/n, eventsOfMany*many/max(many, n), eventsLeast))
}

// beyond reports whether an event at an instant may not run.
func (s *Scheduler) beyond(at int64) bool {
	return at > int64(s.Limit) || s.EventLimit > 0 && s.events >= s.EventLimit
}

// limitError says which limit an event of a task is beyond.
func (s *Scheduler) limitError(at int64, task string, recurs bool) error {
	if at > int64(s.Limit) {
		return &LimitError{Task: task, At: s.Elapsed(), Limit: s.Limit, Recurs: recurs}
	}
	return &LimitError{Task: task, At: s.Elapsed(), Events: s.EventLimit, Recurs: recurs}
}

package sched

import (
	"fmt"
	"strings"
	"time"
)

// A Wait is what one task of a deadlock waits for.
type Wait struct {
	Task string
	// Why is what it waits for.
	Why string
	// Holder names the tasks that hold the semaphore it waits for, and is
	// empty for any other wait.
	Holder string
}

func (w Wait) String() string {
	text := fmt.Sprintf("task %q waits for %s", w.Task, w.Why)
	if w.Holder != "" {
		text += ", held by " + w.Holder
	}
	return text
}

// A DeadlockError says that tasks were left and nothing could wake them.
type DeadlockError struct {
	// At is the time since the start.
	At time.Duration
	// Waits are those of all tasks, by owner order, then by age.
	Waits []Wait
}

func (e *DeadlockError) Error() string {
	waits := make([]string, len(e.Waits))
	for i, w := range e.Waits {
		waits[i] = w.String()
	}
	return fmt.Sprintf("deadlock at %v: nothing is due that could end a wait: %s", e.At, strings.Join(waits, "; "))
}

// OnDeadlock has f called when tasks are left and no event is due. f returns
// true if it did something about it, such as cancelling a context; the run
// then goes on if an event came of it, and otherwise ends with a
// *[DeadlockError]. f must not wait. A later call replaces f.
func (s *Scheduler) OnDeadlock(f func(waits []Wait) bool) { s.onDeadlock = f }

// stuck offers a deadlock to its handler, and ends the run if that did not
// help.
func (s *Scheduler) stuck() {
	deadlock := &DeadlockError{At: s.Elapsed(), Waits: s.waits()}
	if s.onDeadlock != nil && s.onDeadlock(s.waits()) && (s.peek() != nil || s.inbox.full.Load()) {
		return
	}
	s.fail(deadlock)
}

func (s *Scheduler) waits() []Wait {
	var waits []Wait
	for _, t := range s.tasks.sorted() {
		w := Wait{Task: t.name, Why: t.why}
		if t.on != nil {
			w.Holder = t.on.holder()
		}
		waits = append(waits, w)
	}
	return waits
}

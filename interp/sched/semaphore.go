package sched

import (
	"context"
	"slices"
)

// A Semaphore admits a number of tasks at a time, first come, first served. A
// mutex is a Semaphore of capacity 1.
type Semaphore struct {
	s        *Scheduler
	capacity int
	inUse    int
	queue    []*Task
	holders  []*Task // of inUse slots, those taken by tasks, oldest first
}

// NewSemaphore returns a semaphore with free slots. One without capacity
// admits nobody.
func (s *Scheduler) NewSemaphore(capacity int) *Semaphore {
	return &Semaphore{s: s, capacity: capacity}
}

// Acquire takes a slot, and waits for one if none is free. It returns ctx's
// error, without a slot, if ctx ends before the task has resumed with one: a
// slot that was granted at that very instant goes to the next in the queue.
// why says in a deadlock what is waited for.
func (m *Semaphore) Acquire(ctx context.Context, why string) error {
	t, c := m.s.caller(ctx, "Acquire")
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.TryAcquire() {
		return nil
	}
	m.queue = append(m.queue, t)
	return t.park(c, why, m)
}

// TryAcquire takes a slot if one is free, and reports whether it did. While
// tasks wait, none is.
func (m *Semaphore) TryAcquire() bool {
	if m.inUse >= m.capacity {
		return false
	}
	m.inUse++
	if t := m.s.current; t != nil {
		m.holders = append(m.holders, t)
	}
	return true
}

// Release gives a slot back. If tasks wait, the first of them gets it and
// resumes at this instant, in the class Start and in its own order. Any task
// or event may release; it panics when no slot is taken.
func (m *Semaphore) Release() {
	if m.inUse <= 0 {
		panic("sched: a semaphore was released more often than it was acquired")
	}
	m.disown()
	m.pass()
}

// disown takes a holder off the list: the releasing task, or else the oldest.
func (m *Semaphore) disown() {
	before := len(m.holders)
	m.holders = without(m.holders, m.s.current)
	if len(m.holders) == before && before >= m.inUse {
		m.holders = slices.Delete(m.holders, 0, 1)
	}
}

// pass gives a slot that has no holder to the first in the queue, or frees it.
func (m *Semaphore) pass() {
	if len(m.queue) == 0 {
		m.inUse--
		return
	}
	t := m.queue[0]
	m.queue[0] = nil
	m.queue = m.queue[1:]
	m.holders = append(m.holders, t)
	t.wake(Start)
}

// withdraw takes back a task that queues or was just granted a slot. A task
// that queues has no pending turn.
func (m *Semaphore) withdraw(t *Task) {
	if t.ev.seq == 0 {
		m.queue = without(m.queue, t)
		return
	}
	m.holders = without(m.holders, t)
	m.pass()
}

func (m *Semaphore) holder() string { return names(m.holders) }

// Waiting reports how many tasks wait for a slot.
func (m *Semaphore) Waiting() int { return len(m.queue) }

// InUse reports how many slots are taken, those granted at this instant
// included.
func (m *Semaphore) InUse() int { return m.inUse }

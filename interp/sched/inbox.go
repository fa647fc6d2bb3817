package sched

import (
	"sync"
	"sync/atomic"
)

// Post has f run between tasks, before the next event. It is the one way into
// a run from another goroutine, for instance to cancel a context when the user
// interrupts. What another goroutine posts to a virtual run comes at no
// particular instant, so its trace is no longer reproducible. f must not wait,
// and never runs if the run has ended before.
func (s *Scheduler) Post(f func()) { s.inbox.put(f) }

// An inbox holds what other goroutines want to be done.
type inbox struct {
	full atomic.Bool // there is something in list
	mu   sync.Mutex
	list []func()
	bell chan struct{} // rings when something was put; nil on the virtual clock
}

func (b *inbox) put(f func()) {
	b.mu.Lock()
	b.list = append(b.list, f)
	b.full.Store(true)
	b.mu.Unlock()
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// run does the oldest thing in the inbox.
func (b *inbox) run() { b.take()() }

func (b *inbox) take() func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.list[0]
	b.list = b.list[1:]
	b.full.Store(len(b.list) > 0)
	return f
}

// wait returns when something may have been put since the last call.
func (b *inbox) wait() { <-b.bell }

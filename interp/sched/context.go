package sched

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// A scope is the scheduler's context. Its methods may be called from any
// goroutine.
type scope struct {
	s        *Scheduler
	parent   context.Context
	deadline int64 // never if it has none
	owner    string
	expiry   event // at the deadline, with cause
	cause    error

	ending      atomic.Pointer[ending]
	done        chan struct{} // nil until asked for
	first, last *hook
	up          hook // in the nearest scope above
}

// An ending is how a scope ended.
type ending struct{ err, cause error }

// WithCancel is context.WithCancel for this scheduler. The cancel function
// belongs to tasks and events: from another goroutine use [Scheduler.Post].
func (s *Scheduler) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	c := s.derive(ctx, "WithCancel")
	return c, func() { c.end(context.Canceled, nil) }
}

// WithCancelCause is [Scheduler.WithCancel] with a cause for [Cause].
func (s *Scheduler) WithCancelCause(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	c := s.derive(ctx, "WithCancelCause")
	return c, func(cause error) { c.end(context.Canceled, cause) }
}

// WithTimeout is context.WithTimeout on this clock. The deadline is an event
// of the class Deadline in the order of the task that calls. [wire.Forever] is
// no deadline.
func (s *Scheduler) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return s.WithTimeoutCause(ctx, d, nil)
}

// WithTimeoutCause is [Scheduler.WithTimeout] with a cause for [Cause], if it
// is this deadline that ends the context. As in package context, a deadline
// above that strikes earlier makes this one void.
func (s *Scheduler) WithTimeoutCause(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	c := s.derive(ctx, "WithTimeout")
	c.expireAt(s.after(d), cause)
	return c, func() { c.end(context.Canceled, nil) }
}

// derive makes a scope below ctx.
func (s *Scheduler) derive(ctx context.Context, op string) *scope {
	above := s.scopeOf(ctx, op)
	c := &scope{s: s, parent: ctx, deadline: never}
	c.up.target = c
	if above == nil {
		return c
	}
	c.deadline = above.deadline
	if !above.attach(&c.up) {
		c.scopeEnded(above)
	}
	return c
}

func (c *scope) expireAt(at int64, cause error) {
	if c.ending.Load() != nil || at == never || c.deadline < at {
		return
	}
	c.deadline, c.cause = at, cause
	if at <= c.s.instant() {
		c.due()
		return
	}
	c.owner = noTask
	if c.s.current != nil {
		c.owner = c.s.current.name
	}
	c.expiry.target = c
	c.s.schedule(&c.expiry, at, Deadline, c.s.order)
}

// due strikes the deadline.
func (c *scope) due() { c.end(context.DeadlineExceeded, c.cause) }

func (c *scope) label() string { return c.owner }

func (c *scope) recurs() bool { return false }

// scopeEnded passes the end of the scope above on.
func (c *scope) scopeEnded(above *scope) {
	how := above.ending.Load()
	c.end(how.err, how.cause)
}

// end ends the scope once, and what is below it in the order it was attached.
// A nil cause is the error itself.
func (c *scope) end(err, cause error) {
	if cause == nil {
		cause = err
	}
	if !c.settle(&ending{err, cause}) {
		return
	}
	c.s.kill(&c.expiry)
	c.s.detach(&c.up)
	for h := c.takeFirst(); h != nil; h = c.takeFirst() {
		h.target.scopeEnded(c)
	}
}

// settle records how the scope ended; only the first time does.
func (c *scope) settle(how *ending) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if !c.ending.CompareAndSwap(nil, how) {
		return false
	}
	if c.done != nil {
		close(c.done)
	}
	return true
}

func (c *scope) Deadline() (time.Time, bool) {
	if c.deadline == never {
		return time.Time{}, false
	}
	return c.s.start().Add(time.Duration(c.deadline)), true
}

// Done makes its channel when it is first asked for.
func (c *scope) Done() <-chan struct{} {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.ending.Load() != nil {
			close(c.done)
		}
	}
	return c.done
}

func (c *scope) Err() error {
	if how := c.ending.Load(); how != nil {
		return how.err
	}
	return nil
}

func (c *scope) Value(key any) any {
	switch key {
	case scopeKey{}:
		return c
	case causeKey:
		return c.causeCarrier()
	}
	return c.parent.Value(key)
}

func (c *scope) String() string { return "sched.Context" }

// scopeKey asks a context for the nearest scope above.
type scopeKey struct{}

// scopeOf returns the nearest scope of ctx, or nil if ctx cannot end. It
// panics on a context that something else than this scheduler can end: the end
// would not wake a task that waits.
func (s *Scheduler) scopeOf(ctx context.Context, op string) *scope {
	c, ok := ctx.(*scope)
	if !ok {
		c = nearest(ctx, op)
	}
	if c != nil && c.s != s {
		panic("sched: " + op + " was given a context of another scheduler")
	}
	return c
}

func nearest(ctx context.Context, op string) *scope {
	if ctx == nil {
		panic("sched: " + op + " was given a nil context")
	}
	done := ctx.Done()
	if done == nil {
		return nil
	}
	c, _ := ctx.Value(scopeKey{}).(*scope)
	if c == nil || c.Done() != done {
		panic(fmt.Sprintf("sched: %s was given a foreign context (%T) that would not wake a waiting task when it ends: "+
			"derive contexts with the clock's own WithCancel and WithTimeout, never with those of package context", op, ctx))
	}
	return c
}

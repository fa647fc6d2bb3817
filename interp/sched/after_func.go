package sched

import "context"

// AfterFunc is context.AfterFunc in step with the tasks: f runs within the call
// that ends ctx, in the order of registration, and must not wait. For a ctx
// that has ended f runs before the next event. stop reports whether it kept f
// from running.
func (s *Scheduler) AfterFunc(ctx context.Context, f func()) (stop func() bool) {
	if c := s.scopeOf(ctx, "AfterFunc"); c != nil {
		return c.AfterFunc(f)
	}
	return func() bool { return true }
}

// AfterFunc is what package context asks for to follow a foreign context
// without a goroutine. It may call with a lock held that f takes, so f never
// runs within AfterFunc itself.
func (c *scope) AfterFunc(f func()) (stop func() bool) {
	e := &ender{f: f}
	e.hook.target = e
	if !c.attach(&e.hook) {
		c.s.Post(f)
		return func() bool { return false }
	}
	return func() bool { return c.s.detach(&e.hook) }
}

// An ender is a function that runs at the end of a scope.
type ender struct {
	hook hook
	f    func()
}

func (e *ender) scopeEnded(*scope) { e.f() }

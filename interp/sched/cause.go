package sched

import "context"

// Cause returns why ctx ended: what was given to the cancel function of
// WithCancelCause or to WithTimeoutCause, or else ctx.Err(). It is nil while
// ctx has not ended. context.Cause gives the same answer.
func Cause(ctx context.Context) error { return context.Cause(ctx) }

// causeKey is the key with which package context asks a context for the
// cancellation it carries, seen by being asked.
var causeKey = func() any {
	var p keyProbe
	_ = context.Cause(&p)
	return p.key
}()

// A keyProbe remembers the last key it was asked for.
type keyProbe struct {
	context.Context
	key any
}

func (p *keyProbe) Value(key any) any {
	p.key = key
	return nil
}

// Err says that the context has ended: a live one is not asked for a cause.
func (*keyProbe) Err() error { return context.Canceled }

// causeCarrier answers causeKey: for an ended scope with a standard context
// that ended for the same cause, which is the only thing that context.Cause
// reads a cause from. Nothing can wait on that context, it has ended.
func (c *scope) causeCarrier() any {
	how := c.ending.Load()
	if how == nil || how.cause == how.err {
		return nil
	}
	carrier, end := context.WithCancelCause(context.Background())
	end(how.cause)
	return carrier.Value(causeKey)
}

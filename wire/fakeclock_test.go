package wire

import (
	"context"
	"time"
)

// fakeClock is a clock on which sleeping takes no real time: it moves the
// clock. It is for one goroutine.
type fakeClock struct{ now time.Time }

func newFakeClock() *fakeClock {
	return &fakeClock{now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) elapsed() time.Duration {
	return c.now.Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	deadline, ok := ctx.Deadline()
	switch {
	case ok && (d == Forever || deadline.Before(c.now.Add(d))):
		c.now = deadline
		return ctx.Err()
	case d == Forever:
		panic("fakeClock: an endless sleep under a context without a deadline")
	}
	c.now = c.now.Add(d)
	return ctx.Err()
}

func (c *fakeClock) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	f := &fakeCtx{Context: ctx, clock: c}
	return f, func() { f.end(context.Canceled) }
}

func (c *fakeClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	f := &fakeCtx{Context: ctx, clock: c, deadline: c.now.Add(d)}
	return f, func() { f.end(context.Canceled) }
}

type fakeCtx struct {
	context.Context
	clock    *fakeClock
	deadline time.Time
	err      error
}

func (f *fakeCtx) end(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *fakeCtx) Deadline() (time.Time, bool) {
	d, ok := f.Context.Deadline()
	if f.deadline.IsZero() || ok && d.Before(f.deadline) {
		return d, ok
	}
	return f.deadline, true
}

func (f *fakeCtx) Err() error {
	if f.err != nil {
		return f.err
	}
	if !f.deadline.IsZero() && !f.clock.now.Before(f.deadline) {
		f.end(context.DeadlineExceeded)
		return f.err
	}
	return f.Context.Err()
}

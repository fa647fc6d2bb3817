package adaptertest

import (
	"context"
	"errors"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A Clock is a wire.Clock on which sleeping takes no time: it moves the clock,
// or strikes the deadline that comes first. An endless sleep without a deadline
// is an error, so that no test can hang. It is for one goroutine.
type Clock struct {
	now time.Time
	// struck is the latest deadline that a sleep ran into.
	struck time.Time
}

var _ wire.Clock = (*Clock)(nil)

// NewClock returns a clock that stands where virtual time begins.
func NewClock() *Clock { return &Clock{now: epoch} }

var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Now reports the time that the sleeps so far have made it.
func (c *Clock) Now() time.Time { return c.now }

// Elapsed is the sum of the sleeps so far.
func (c *Clock) Elapsed() time.Duration { return c.now.Sub(epoch) }

var errEndless = errors.New("adaptertest: an endless sleep under a context without a deadline")

// Sleep moves the clock by d, or to ctx's deadline where that comes first.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	deadline, bounded := ctx.Deadline()
	if d == wire.Forever && !bounded {
		return errEndless
	}
	if bounded && (d == wire.Forever || c.now.Add(d).After(deadline)) {
		c.now, c.struck = deadline, deadline
		return ctx.Err()
	}
	c.now = c.now.Add(max(d, 0))
	return nil
}

// WithCancel returns a context of this clock without a deadline of its own.
func (c *Clock) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	child := &clockContext{Context: ctx, clock: c, done: make(chan struct{})}
	return child, child.cancel
}

// WithTimeout returns a context that a sleep ends once d has passed.
func (c *Clock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	child := &clockContext{Context: ctx, clock: c, done: make(chan struct{}), deadline: c.now.Add(d)}
	return child, child.cancel
}

type clockContext struct {
	context.Context
	clock     *Clock
	deadline  time.Time
	cancelled bool
	done      chan struct{}
}

func (c *clockContext) cancel() {
	if !c.cancelled {
		c.cancelled = true
		close(c.done)
	}
}

func (c *clockContext) Deadline() (time.Time, bool) {
	outer, bounded := c.Context.Deadline()
	if c.deadline.IsZero() || (bounded && outer.Before(c.deadline)) {
		return outer, bounded
	}
	return c.deadline, true
}

func (c *clockContext) Done() <-chan struct{} { return c.done }

func (c *clockContext) Err() error {
	switch deadline, bounded := c.Deadline(); {
	case c.cancelled:
		return context.Canceled
	case bounded && !c.clock.struck.Before(deadline):
		return context.DeadlineExceeded
	default:
		return c.Context.Err()
	}
}

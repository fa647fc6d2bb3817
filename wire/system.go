package wire

import (
	"context"
	"time"
)

// System returns the clock of package time, for code that runs outside a
// simulation. In the bubble of a testing/synctest test that time is fake, so
// waits there are exact and cost nothing.
//
// Its contexts are those of the standard library, and so any context can be
// used with it. It is safe for concurrent use and equal to every other one.
func System() Clock { return systemClock{} }

type systemClock struct{}

// Now reads the wall clock.
func (systemClock) Now() time.Time { return time.Now() }

// Sleep waits for d or until ctx ends. A wait that is due at the very instant
// of ctx's deadline has been waited, as on a virtual clock, where what
// completes comes before the deadlines of its instant.
func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	if d == Forever {
		<-ctx.Done()
		return ctx.Err()
	}
	due := time.Now().Add(d)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if deadline, ok := ctx.Deadline(); ok && ctx.Err() == context.DeadlineExceeded && !deadline.Before(due) {
			return nil
		}
		return ctx.Err()
	}
}

// WithCancel is context.WithCancel.
func (systemClock) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// WithTimeout is context.WithTimeout.
func (systemClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

package sut

import (
	"context"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A scaled clock goes so many times faster than the real one, from an instant on.
type scaled struct {
	wire.Clock
	start time.Time
	by    float64
}

// clockOf is the clock of a run that begins now.
func clockOf(scale float64) wire.Clock {
	if scale <= 0 || scale == 1 {
		return wire.System()
	}
	return &scaled{wire.System(), wire.System().Now(), scale}
}

// Now implements wire.Clock.
func (c *scaled) Now() time.Time {
	return c.start.Add(time.Duration(float64(c.Clock.Now().Sub(c.start)) * c.by))
}

// Sleep implements wire.Clock.
func (c *scaled) Sleep(ctx context.Context, d time.Duration) error {
	return c.Clock.Sleep(ctx, c.real(d))
}

// WithTimeout implements wire.Clock.
func (c *scaled) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return c.Clock.WithTimeout(ctx, c.real(d))
}

func (c *scaled) real(d time.Duration) time.Duration {
	if d == wire.Forever {
		return d
	}
	return time.Duration(float64(d) / c.by)
}

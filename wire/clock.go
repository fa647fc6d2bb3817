package wire

import (
	"context"
	"math"
	"time"
)

// Forever, given to [Clock.Sleep], parks the caller until its context ends. It
// schedules no event, so a simulation in which nothing else can happen is
// recognised as a deadlock and not run through to the end of time.
const Forever time.Duration = math.MaxInt64

// A Clock tells the time and waits. The engine, the policies, the adapters and
// the players take one and never touch package time's own clock.
//
// The contexts that a Clock makes must be used with that Clock alone: a
// context made by the standard library's With functions from one of them does
// not wake a sleeper.
type Clock interface {
	// Now reports the current time; a virtual clock begins at
	// 2000-01-01T00:00:00Z.
	Now() time.Time
	// Sleep waits for d or until ctx ends, and returns ctx's error in the
	// second case. A d of zero or less returns at once; [Forever] waits for
	// ctx alone.
	Sleep(ctx context.Context, d time.Duration) error
	// WithCancel is context.WithCancel on this clock.
	WithCancel(ctx context.Context) (context.Context, context.CancelFunc)
	// WithTimeout is context.WithTimeout on this clock.
	WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

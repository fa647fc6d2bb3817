package wire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that the system's clock waits exactly as long as it is told, until its
// context ends at the latest, and not at all where there is nothing to wait
// for.
func TestSystem(t *testing.T) {
	for _, c := range []struct {
		name           string
		wait           time.Duration
		deadline       time.Duration // of the context, 0 for none
		cancel         time.Duration // when the context is cancelled, 0 for never
		want           error
		took           time.Duration
		cancelledFirst bool
	}{
		{name: "waits", wait: 90 * time.Second, took: 90 * time.Second},
		{name: "a nanosecond", wait: 1, took: 1},
		{name: "nothing", wait: 0},
		{name: "less than nothing", wait: -time.Second},
		{name: "until the deadline", wait: time.Hour, deadline: time.Minute, want: context.DeadlineExceeded, took: time.Minute},
		{name: "until it is cancelled", wait: time.Hour, cancel: 3 * time.Second, want: context.Canceled, took: 3 * time.Second},
		{name: "due at the deadline", wait: time.Minute, deadline: time.Minute, took: time.Minute},
		{name: "due just behind the deadline", wait: time.Minute + 1, deadline: time.Minute, want: context.DeadlineExceeded, took: time.Minute},
		{name: "forever, until the deadline", wait: Forever, deadline: 1000 * time.Hour, want: context.DeadlineExceeded, took: 1000 * time.Hour},
		{name: "forever, until it is cancelled", wait: Forever, cancel: time.Second, want: context.Canceled, took: time.Second},
		{name: "cancelled before", wait: time.Hour, cancelledFirst: true, want: context.Canceled},
		{name: "cancelled before, with nothing to wait for", cancelledFirst: true, want: context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Timers of one instant fire in any order, so once is not enough.
			for range 50 {
				synctest.Test(t, func(t *testing.T) {
					clock := System()
					ctx, cancel := clock.WithCancel(t.Context())
					defer cancel()
					if c.deadline > 0 {
						ctx, cancel = clock.WithTimeout(ctx, c.deadline)
						defer cancel()
					}
					if c.cancel > 0 {
						time.AfterFunc(c.cancel, cancel)
					}
					if c.cancelledFirst {
						cancel()
					}
					began := clock.Now()
					if err := clock.Sleep(ctx, c.wait); err != c.want {
						t.Errorf("the sleep returned %v, want %v", err, c.want)
					}
					if took := clock.Now().Sub(began); took != c.took {
						t.Errorf("it took %s, want %s", took, c.took)
					}
				})
			}
		})
	}
}

// Shows that the system's clock reads the time that everybody else does, and
// that two are one.
func TestSystemNow(t *testing.T) {
	before := time.Now()
	now := System().Now()
	if after := time.Now(); now.Before(before) || now.After(after) {
		t.Errorf("it is %s, between %s and %s", now, before, after)
	}
	if System() != System() {
		t.Error("two clocks of the system differ")
	}
}

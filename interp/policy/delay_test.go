package policy

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func noDraw(t *testing.T) func() *rand.Rand {
	return func() *rand.Rand { t.Error("a wait without jitter has drawn"); return Draw(1, "", "", 0) }
}

// Without jitter the waits before retries 1, 2, 3 … are those of the formulas
// in the language's page, and nothing is drawn.
func TestDelays(t *testing.T) {
	s := time.Second
	for _, c := range []struct {
		name    string
		backoff Backoff
		want    []time.Duration
	}{
		{"V1 doubling from one second", Backoff{Base: s, Multiplier: 2, MaxDelay: 60 * s}, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 60 * s, 60 * s}},
		{"V3 tripling, ten at most", Backoff{Base: s, Multiplier: 3, MaxDelay: 10 * s}, []time.Duration{s, 3 * s, 9 * s, 10 * s}},
		{"V3 constant", Backoff{Base: s, Multiplier: 1, MaxDelay: 60 * s}, []time.Duration{s, s, s, s}},
		{"a base beyond the longest wait", Backoff{Base: 90 * s, Multiplier: 2, MaxDelay: 60 * s}, []time.Duration{60 * s, 60 * s}},
		{"half a millisecond times 1.5", Backoff{Base: 500 * time.Microsecond, Multiplier: 1.5, MaxDelay: s}, []time.Duration{500 * time.Microsecond, 750 * time.Microsecond, 1125 * time.Microsecond}},
		{"linear without increment", Backoff{Linear: true, Base: 2 * s}, []time.Duration{2 * s, 2 * s, 2 * s}},
		{"linear with increment", Backoff{Linear: true, Base: 2 * s, Increment: 3 * s}, []time.Duration{2 * s, 5 * s, 8 * s, 11 * s}},
		{"no base at all", Backoff{Multiplier: 2, MaxDelay: s}, []time.Duration{0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []time.Duration
			for n := range c.want {
				got = append(got, c.backoff.Delay(n+1, noDraw(t)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The last of a thousand waits whose power is beyond any number is the longest
// wait, or nothing where the base is nothing: never a negative one.
func TestDelayOfAnInfinitePower(t *testing.T) {
	b := Backoff{Base: time.Second, Multiplier: 1e9, MaxDelay: time.Minute}
	if got := b.Delay(1001, noDraw(t)); got != time.Minute {
		t.Errorf("got %s, want one minute", got)
	}
	b.Base = 0
	if got := b.Delay(1001, noDraw(t)); got != 0 {
		t.Errorf("without a base: got %s, want 0", got)
	}
	linear := Backoff{Linear: true, Base: 100 * 365 * 24 * time.Hour, Increment: 100 * 365 * 24 * time.Hour}
	if got := linear.Delay(1000, noDraw(t)); got < linear.Base {
		t.Errorf("a linear wait beyond any duration became %s", got)
	}
}

// Jitter of 0.2 on ten seconds draws from all of [8 s, 12 s] and from nothing
// else, and full jitter from all of [0, 10 s] (V13).
func TestJitterBounds(t *testing.T) {
	share := Backoff{Base: 10 * time.Second, Multiplier: 1, MaxDelay: 10 * time.Second, Jitter: 0.2}
	full := share
	full.Jitter, full.FullJitter = 0, true
	for _, c := range []struct {
		name      string
		backoff   Backoff
		low, high time.Duration
	}{{"share", share, 8 * time.Second, 12 * time.Second}, {"full", full, 0, 10 * time.Second}} {
		least, most := time.Hour, time.Duration(-1)
		var sum time.Duration
		const draws = 4000
		for n := 1; n <= draws; n++ {
			d := c.backoff.Delay(1, func() *rand.Rand { return Draw(7, "jitter", "answer", n) })
			least, most, sum = min(least, d), max(most, d), sum+d
		}
		width := c.high - c.low
		if least < c.low || most > c.high {
			t.Errorf("%s: waits from %s to %s leave [%s, %s]", c.name, least, most, c.low, c.high)
		}
		if least > c.low+width/50 || most < c.high-width/50 {
			t.Errorf("%s: waits from %s to %s do not use [%s, %s]", c.name, least, most, c.low, c.high)
		}
		if mean, middle := sum/draws, (c.low+c.high)/2; mean < middle-width/50 || mean > middle+width/50 {
			t.Errorf("%s: the mean %s is not near the middle %s", c.name, mean, middle)
		}
	}
}

// Jitter comes after the bound: it may exceed max_delay.
func TestJitterMayExceedMaxDelay(t *testing.T) {
	b := Backoff{Base: time.Hour, Multiplier: 2, MaxDelay: 10 * time.Second, Jitter: 0.5}
	beyond := false
	for n := range 100 {
		d := b.Delay(1, func() *rand.Rand { return Draw(1, "jitter", "s", n) })
		beyond = beyond || d > 10*time.Second
		if d < 5*time.Second || d > 15*time.Second {
			t.Fatalf("got %s, want 5 s to 15 s", d)
		}
	}
	if !beyond {
		t.Error("no wait was longer than max_delay")
	}
}

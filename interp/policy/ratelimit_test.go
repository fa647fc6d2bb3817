package policy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp/sched"
)

// caller is one call that asks a limit for a place.
type caller struct {
	at     time.Duration // when it asks
	tokens float64
	// extra is charged once it has its place, after a while.
	extra float64
	after time.Duration
	// patience is when it is cancelled, counted from asking; 0 for never.
	patience time.Duration
}

// outcome of a caller: "" at an instant, or why it got none.
type grant struct {
	At  time.Duration
	Why string
}

// ask runs callers against a limit, each as a task of its own in their order.
func ask(t *testing.T, cfg RateLimitConfig, callers []caller) []grant {
	t.Helper()
	clock := sched.New()
	limit := NewRateLimit(clock, "primary", cfg)
	grants := make([]grant, len(callers))
	err := clock.Run(func(ctx context.Context) {
		for i, c := range callers {
			clock.Go(ctx, fmt.Sprintf("call %d", i), i, func(ctx context.Context) {
				_ = clock.Sleep(ctx, c.at)
				own := ctx
				if c.patience > 0 {
					var cancel context.CancelFunc
					own, cancel = clock.WithTimeout(ctx, c.patience)
					defer cancel()
				}
				ok, err := limit.Take(own, c.tokens)
				grants[i].At = clock.Elapsed()
				switch {
				case err != nil:
					grants[i].Why = "cancelled"
				case !ok:
					grants[i].Why = "refused"
				case c.extra != 0:
					_ = clock.Sleep(ctx, c.after)
					limit.Charge(c.extra)
				}
			})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return grants
}

func plenty(requests, burst float64) RateLimitConfig {
	return RateLimitConfig{RequestsPerMinute: requests, TokensPerMinute: 1e9, Burst: burst}
}

func granted(seconds ...float64) []grant {
	var list []grant
	for _, s := range seconds {
		list = append(list, grant{At: time.Duration(s * float64(time.Second))})
	}
	return list
}

// Callers go when the two buckets let them, and no later.
func TestRateLimit(t *testing.T) {
	tokens := RateLimitConfig{RequestsPerMinute: 1e6, Burst: 1e6, TokensPerMinute: 100}
	s := time.Second
	for _, c := range []struct {
		name    string
		cfg     RateLimitConfig
		callers []caller
		want    []grant
	}{
		{"V41 two a minute, two at once", plenty(2, 2), []caller{{}, {}, {}, {}}, granted(0, 0, 30, 60)},
		{"a bucket that rested is full and no fuller", plenty(2, 2), []caller{{}, {}, {at: 600 * s}, {at: 600 * s}, {at: 600 * s}}, granted(0, 0, 600, 600, 630)},
		{"a share of a request stays in the bucket", plenty(6, 1), []caller{{}, {at: 15 * s}, {at: 15 * s}}, granted(0, 15, 25)},
		{"tokens are waited for", tokens, []caller{{tokens: 80}, {tokens: 50}, {tokens: 10}}, granted(0, 18, 24)},
		{"the longer of both waits counts", RateLimitConfig{RequestsPerMinute: 1, Burst: 1, TokensPerMinute: 60}, []caller{{tokens: 60}, {tokens: 30}, {tokens: 60}}, granted(0, 60, 120)},
		{"real usage beyond the estimate is charged afterwards", tokens, []caller{{tokens: 10, extra: 50}, {at: s, tokens: 50}}, granted(0, 6)},
		{"an overdrawn bucket is waited out", tokens, []caller{{tokens: 100, extra: 100}, {at: s, tokens: 100}}, granted(0, 120)},
		{"what was estimated too high comes back", tokens, []caller{{tokens: 100, extra: -90}, {at: s, tokens: 80}}, granted(0, 1)},
		{"but never more than the bucket holds", tokens, []caller{{tokens: 10, extra: -500}, {at: s, tokens: 100}, {at: s, tokens: 100}}, granted(0, 1, 61)},
		{"a charge while somebody waits makes him wait longer", tokens, []caller{{tokens: 100, extra: 50, after: 10 * s}, {tokens: 50}}, granted(0, 60)},
		{"and what comes back lets him go", tokens, []caller{{tokens: 100, extra: -50, after: 10 * s}, {tokens: 50}}, granted(0, 10)},
		{"what can never fit is refused at once and takes nothing", tokens, []caller{{tokens: 101}, {tokens: 100}}, []grant{{Why: "refused"}, {}}},
		{"also behind others", plenty(1, 0.5), []caller{{}}, []grant{{Why: "refused"}}},
		{"one who stops waiting takes nothing, and the next has his turn", plenty(1, 1), []caller{{}, {patience: 30 * s}, {}, {}}, []grant{{}, {At: 30 * s, Why: "cancelled"}, {At: 60 * s}, {At: 120 * s}}},
		{"nor one who leaves the middle of the queue", plenty(1, 1), []caller{{}, {}, {patience: 30 * s}, {}}, []grant{{}, {At: 60 * s}, {At: 30 * s, Why: "cancelled"}, {At: 120 * s}}},
		{"a small request does not pass a large one", tokens, []caller{{tokens: 100}, {at: s, tokens: 90}, {at: 2 * s, tokens: 1}}, granted(0, 54, 54.6)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ask(t, c.cfg, c.callers)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A rate so small that the next place is beyond any duration makes its caller
// wait, not go.
func TestRateLimitOfNearlyNothing(t *testing.T) {
	got := ask(t, plenty(1e-300, 1), []caller{{}, {patience: time.Hour}})
	if diff := cmp.Diff([]grant{{}, {At: time.Hour, Why: "cancelled"}}, got); diff != "" {
		t.Error(diff)
	}
}

// Whatever callers do, no stretch of time sees more requests than the bucket
// holds and the rate adds in it, grants come in the order of asking, and
// nobody waits while the bucket has what the first in the queue asks for.
func TestRateLimitProperty(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		cfg := plenty([]float64{1, 6, 60, 90}[r.IntN(4)], float64(1+r.IntN(5)))
		callers := make([]caller, 30)
		at := time.Duration(0)
		for i := range callers {
			at += time.Duration(r.IntN(20)) * time.Second / 2
			callers[i].at = at
			if r.IntN(3) == 0 {
				callers[i].patience = time.Duration(1+r.IntN(120)) * time.Second
			}
		}
		var times []time.Duration
		last := time.Duration(0)
		for i, g := range ask(t, cfg, callers) {
			if g.Why != "" {
				continue
			}
			if g.At < last || g.At < callers[i].at {
				t.Fatalf("seed %d: call %d went at %s, before one that asked earlier or before it asked", seed, i, g.At)
			}
			if perfect := fair(cfg, times, max(last, callers[i].at)); g.At-perfect > time.Microsecond {
				t.Fatalf("seed %d: call %d went at %s and might have gone at %s", seed, i, g.At, perfect)
			}
			last = g.At
			times = append(times, g.At)
		}
		for i := range times {
			for j := i; j < len(times); j++ {
				most := cfg.Burst + cfg.RequestsPerMinute*(times[j]-times[i]).Minutes()
				if n := float64(j - i + 1); n > most+1e-6 {
					t.Fatalf("seed %d: %g requests from %s to %s, at most %g may go", seed, n, times[i], times[j], most)
				}
			}
		}
	}
}

// fair is the first instant, not before at, at which one more grant after
// these keeps every stretch within its bound.
func fair(cfg RateLimitConfig, before []time.Duration, at time.Duration) time.Duration {
	for i, t := range before {
		n := float64(len(before) - i + 1)
		need := time.Duration((n - cfg.Burst) / cfg.RequestsPerMinute * float64(time.Minute))
		at = max(at, t+need)
	}
	return at
}

// A request costs its max_tokens and a quarter of its prompt, rounded up.
func TestEstimateTokens(t *testing.T) {
	for _, c := range []struct {
		maxTokens, characters int
		want                  float64
	}{{0, 0, 0}, {0, 1, 1}, {0, 4, 1}, {0, 5, 2}, {100, 10, 103}} {
		if got := EstimateTokens(c.maxTokens, c.characters); got != c.want {
			t.Errorf("%d and %d characters: %g, want %g", c.maxTokens, c.characters, got, c.want)
		}
	}
}

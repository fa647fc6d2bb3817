package policy

import (
	"context"
	"math"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// RateLimitConfig holds the two buckets in front of a target (semantics.md §6).
type RateLimitConfig struct {
	Name              string
	RequestsPerMinute float64
	TokensPerMinute   float64
	// Burst is the capacity of the request bucket.
	Burst float64
}

// A RateLimit makes callers wait their turn, first come, first served. Both
// buckets start full and refill continuously.
type RateLimit struct {
	clock            *sched.Scheduler
	turn             *sched.Semaphore
	why              string
	requests, tokens bucket
	// wake makes the first in the queue look again, nil while none sleeps.
	wake context.CancelFunc
}

// NewRateLimit returns a limit on the clock. name is for the text of a
// deadlock.
func NewRateLimit(clock *sched.Scheduler, name string, cfg RateLimitConfig) *RateLimit {
	return &RateLimit{
		clock:    clock,
		turn:     clock.NewSemaphore(1),
		why:      "the rate limit of target " + name,
		requests: bucket{capacity: cfg.Burst, perMinute: cfg.RequestsPerMinute, level: cfg.Burst},
		tokens:   bucket{capacity: cfg.TokensPerMinute, perMinute: cfg.TokensPerMinute, level: cfg.TokensPerMinute},
	}
}

// Take waits until one request of that many model tokens may go. ok is false
// when it is larger than the bucket and never can; err is the context's.
func (l *RateLimit) Take(ctx context.Context, tokens float64) (ok bool, err error) {
	if tokens > l.tokens.capacity || l.requests.capacity < 1 {
		return false, nil
	}
	if err := l.turn.Acquire(ctx, l.why); err != nil {
		return true, err
	}
	defer l.turn.Release()
	for {
		now := l.clock.Elapsed()
		wait := max(l.requests.wait(now, 1), l.tokens.wait(now, tokens))
		if wait == 0 {
			break
		}
		if err := l.nap(ctx, wait); err != nil {
			return true, err
		}
	}
	l.requests.level--
	l.tokens.level -= tokens
	return true, nil
}

// nap waits for the buckets to fill, or for a charge that changes how long that
// takes.
func (l *RateLimit) nap(ctx context.Context, wait time.Duration) error {
	nap, wake := l.clock.WithCancel(ctx)
	defer wake()
	l.wake = wake
	defer func() { l.wake = nil }()
	if err := l.clock.SleepAs(nap, sched.Start, wait); err == nil {
		return nil
	}
	// Woken or cancelled: a grant has its turn among the starts.
	return l.clock.SleepAs(ctx, sched.Start, 0)
}

// Charge takes what the answer cost beyond the estimate; a negative number
// gives back. The bucket may be overdrawn, which every caller that has not
// gone yet waits for, the first in the queue included.
func (l *RateLimit) Charge(tokens float64) {
	l.tokens.refill(l.clock.Elapsed())
	l.tokens.level = min(l.tokens.level-tokens, l.tokens.capacity)
	if l.wake != nil {
		l.wake()
	}
}

type bucket struct {
	capacity, perMinute, level float64
	at                         time.Duration
}

func (b *bucket) refill(now time.Duration) {
	b.level = min(b.capacity, b.level+(now-b.at).Minutes()*b.perMinute)
	b.at = now
}

// wait refills and reports how long until n are there, in whole nanoseconds;
// less than a thousandth of one is rounding, not waiting.
func (b *bucket) wait(now time.Duration, n float64) time.Duration {
	b.refill(now)
	wait := math.Ceil((n-b.level)*float64(time.Minute)/b.perMinute - 0.001)
	return time.Duration(max(0, min(wait, waitMax)))
}

// waitMax is longer than any run may be, and still a duration.
const waitMax = math.MaxInt64 / 2

// EstimateTokens is what a request is taken to cost before its answer is
// known: max_tokens plus a quarter of the prompt's characters, rounded up.
func EstimateTokens(maxTokens, promptChars int) float64 {
	return float64(maxTokens + (promptChars+3)/4)
}

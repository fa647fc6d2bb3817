package policy

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/sched"
)

// RateLimitKind is the rate limit of a target.
var RateLimitKind = &Kind{Name: "rate_limit", Reason: "rate_limit", Failure: failure.RateLimit, Read: readRateLimit}

// RateLimitConfig holds the two buckets in front of a target.
type RateLimitConfig struct {
	RequestsPerMinute float64
	TokensPerMinute   float64
	// Burst is the capacity of the request bucket.
	Burst float64

	ownAttrs
}

func readRateLimit(d Declaration) Config {
	cfg := &RateLimitConfig{RequestsPerMinute: d.Float("requests_per_minute"), TokensPerMinute: d.Float("tokens_per_minute"), ownAttrs: ownOf(d, "requests_per_minute", "tokens_per_minute", "burst")}
	cfg.Burst = cfg.RequestsPerMinute
	if d.Has("burst") {
		cfg.Burst = d.Float("burst")
	}
	for _, name := range []string{"requests_per_minute", "tokens_per_minute"} {
		if d.Has(name) && d.Float(name) <= 0 {
			d.Errorf(name, "Limit must be positive", "%q must be greater than 0.", name)
		}
	}
	switch {
	case d.Has("burst") && cfg.Burst < 1:
		d.Errorf("burst", "Limit must be positive", `"burst" must be at least 1, or no request could ever pass.`)
	case cfg.Burst > 0 && cfg.Burst < 1:
		d.Errorf("requests_per_minute", "Limit must be positive", `"burst" is requests_per_minute by default, and with less than 1 no request could ever pass: give burst = 1.`)
	}
	return cfg
}

// Kind implements Config.
func (*RateLimitConfig) Kind() *Kind { return RateLimitKind }

// JSON implements Config.
func (cfg *RateLimitConfig) JSON() []Member {
	return []Member{{"burst", cfg.Burst}, {"requests_per_minute", cfg.RequestsPerMinute}, {"tokens_per_minute", cfg.TokensPerMinute}}
}

// Text implements Config.
func (cfg *RateLimitConfig) Text() string {
	return fmt.Sprintf("%g requests a minute", cfg.RequestsPerMinute)
}

// Guard implements Config.
func (cfg *RateLimitConfig) Guard(h Host) Guard { return NewRateLimit(h.Clock, h.Target, *cfg) }

// Admit implements Guard.
func (l *RateLimit) Admit(ctx context.Context, c Call) (Pass, string, error) {
	tokens := c.Tokens()
	switch ok, err := l.Take(ctx, tokens); {
	case err != nil:
		return nil, "", err
	case !ok:
		return nil, fmt.Sprintf("a request of %g tokens can never pass its rate limit", tokens), nil
	}
	return &metered{limit: l, estimate: tokens}, "", nil
}

// metered is a call that a rate limit let pass.
type metered struct {
	limit    *RateLimit
	estimate float64
	cost     *int
}

// Ended implements Pass.
func (m *metered) Ended(d Dial) { m.cost = d.Tokens }

// Leave implements Pass: it charges what the answer cost beyond the estimate,
// once everybody knows how the call ended.
func (m *metered) Leave() {
	if m.cost != nil {
		m.limit.Charge(float64(*m.cost) - m.estimate)
	}
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

package policy

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/scenario-lang/scenario/failure"
)

// A Retry decides whether a failed round is followed by another, and when. The zero value never retries.
type Retry struct {
	Name    string
	Backoff Backoff
	// MaxRetries counts retries, never attempts.
	MaxRetries int
	// On lists what is retried; empty leaves it to the taxonomy.
	On []string
	// RespectRetryAfter takes the server's wait as a lower bound, up to
	// MaxRetryAfter; a longer one ends the call.
	RespectRetryAfter bool
	MaxRetryAfter     time.Duration
	// RetryAfterCap shortens the server's wait, as some programs do, so that
	// MaxRetryAfter never ends the call; 0 does not.
	RetryAfterCap time.Duration
	// RetryAfterJitter is the share of the server's wait, 0 to 1, of which a
	// drawn part is added to it, so that those who were told the same instant do
	// not come back at it together. It is added to a shortened wait, too.
	RetryAfterJitter float64
	// Limits are the limits on waits that the file gives: max_delay, retry_after_cap. There
	// are none for a policy of a standard module.
	Limits []string
}

// A Backoff computes waits. Linear waits grow by Increment, others by
// Multiplier up to MaxDelay.
type Backoff struct {
	Linear     bool
	Base       time.Duration
	Multiplier float64
	MaxDelay   time.Duration
	Increment  time.Duration
	// Jitter is a share of the wait, 0 to 1; FullJitter draws from [0, wait].
	Jitter     float64
	FullJitter bool
}

// Delay is the wait before retry n, where 1 is the first. The draw is used
// only with jitter, which may exceed MaxDelay.
func (b Backoff) Delay(n int, draw func() *rand.Rand) time.Duration {
	if !b.FullJitter && b.Jitter <= 0 {
		return b.delay(n, 0)
	}
	return b.delay(n, draw().Float64())
}

// Range is between which waits Delay draws that before retry n.
func (b Backoff) Range(n int) (low, high time.Duration) { return b.delay(n, 0), b.delay(n, 1) }

// Uncapped is the wait before retry n that no MaxDelay cuts short, before jitter.
func (b Backoff) Uncapped(n int) time.Duration {
	b.MaxDelay, b.Jitter, b.FullJitter = math.MaxInt64, 0, false
	return b.delay(n, 0)
}

// delay is the wait before retry n with a draw from 0 to 1.
func (b Backoff) delay(n int, drawn float64) time.Duration {
	var d float64
	if b.Linear {
		d = float64(b.Base) + float64(n-1)*float64(b.Increment)
	} else if b.Base > 0 {
		// The power may be infinite, and no multiple of a base of zero then.
		d = math.Min(float64(b.Base)*math.Pow(b.Multiplier, float64(n-1)), float64(b.MaxDelay))
	}
	switch {
	case b.FullJitter:
		d *= drawn
	case b.Jitter > 0:
		d *= 1 - b.Jitter + 2*b.Jitter*drawn
	}
	return time.Duration(math.Round(min(d, waitMax)))
}

// A Decision says what follows a failed round.
type Decision struct {
	Again bool
	Wait  time.Duration
	// Reason says why there is no further round.
	Reason string
}

// Reasons of a [Decision] against another round, as step.NAME.stop reads them.
const (
	StopCancelled     = "cancelled"
	StopTerminal      = "terminal"
	StopUsedUp        = "exhausted"
	StopNotRetryable  = "not_retryable"
	StopNotIdempotent = "not_idempotent"
	StopRetryAfter    = "wait_too_long"
)

// Decide says what follows the failure of round n, where 1 is the first. The
// call's own failure is last; tried holds the failure of every target dialled
// in the round, and one that may be retried is enough.
func (r Retry) Decide(n int, last failure.Failure, tried []failure.Failure, idempotent bool, draw func() *rand.Rand) Decision {
	if len(tried) == 0 {
		tried = []failure.Failure{last}
	}
	switch {
	case last.Kind == failure.Cancelled:
		return Decision{Reason: StopCancelled}
	case terminal(last):
		return Decision{Reason: StopTerminal}
	case n > r.MaxRetries:
		return Decision{Reason: StopUsedUp}
	case !r.anyRetryable(tried):
		return Decision{Reason: StopNotRetryable}
	case !idempotent && !allUnsent(tried):
		return Decision{Reason: StopNotIdempotent}
	}
	var drawn *rand.Rand
	once := func() *rand.Rand {
		if drawn == nil {
			drawn = draw()
		}
		return drawn
	}
	wait := r.Backoff.Delay(n, once)
	if r.RespectRetryAfter && last.HasRetryAfter {
		asked := last.RetryAfter
		if r.RetryAfterCap > 0 {
			asked = min(asked, r.RetryAfterCap)
		} else if asked > r.MaxRetryAfter {
			return Decision{Reason: StopRetryAfter}
		}
		if r.RetryAfterJitter > 0 {
			asked = r.Spread(asked, once().Float64())
		}
		wait = max(wait, asked)
	}
	return Decision{Again: true, Wait: wait}
}

// Spread is the wait that a server asks for with its jitter, by a draw from 0
// to 1.
func (r Retry) Spread(asked time.Duration, drawn float64) time.Duration {
	return time.Duration(math.Round(min(float64(asked)*(1+r.RetryAfterJitter*drawn), waitMax)))
}

// terminal reports whether the failure ends the call whatever the policy says.
// A broken contract that asks to be tried again does not.
func terminal(f failure.Failure) bool {
	if f.Kind == failure.Contract && f.Retryable {
		return false
	}
	return f.Mode != nil && f.Mode.Terminal
}

func (r Retry) anyRetryable(tried []failure.Failure) bool {
	for _, f := range tried {
		if r.retryable(f) {
			return true
		}
	}
	return false
}

func (r Retry) retryable(f failure.Failure) bool {
	if f.Kind == failure.Contract && f.Retryable {
		return true
	}
	return failure.MayRetry(f, r.On)
}

// allUnsent reports whether no request can have had an effect: it never reached
// its target, the connection was never made, or the server refused the work
// with 429, 503, or because it does not know the session.
func allUnsent(tried []failure.Failure) bool {
	for _, f := range tried {
		unsent := f.Unsent || f.StatusCode == 429 || f.StatusCode == 503 || f.Kind == failure.SessionExpired ||
			f.Kind == failure.Connection && (f.Cause == failure.Refused || f.Cause == failure.DNS || f.Cause == failure.TLS)
		if !unsent {
			return false
		}
	}
	return true
}

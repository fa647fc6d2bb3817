package policy

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
)

// std is the policy of the vectors: one second, doubling, three retries.
func std() Retry {
	return Retry{
		Name: "std", MaxRetries: 3, RespectRetryAfter: true, MaxRetryAfter: 2 * time.Minute,
		Backoff: Backoff{Base: time.Second, Multiplier: 2, MaxDelay: time.Minute},
	}
}

// seen classifies a failure as the engine does before a policy sees it.
func seen(f failure.Failure) failure.Failure { return failure.Cuga().Classify(f) }

func status(code int) failure.Failure {
	kind := failure.HTTPStatus
	if code == 429 {
		kind = failure.RateLimit
	}
	return seen(failure.Failure{Kind: kind, StatusCode: code})
}

func asked(f failure.Failure, wait time.Duration) failure.Failure {
	f.RetryAfter, f.HasRetryAfter = wait, true
	return f
}

func connection(cause failure.Cause) failure.Failure {
	return seen(failure.Failure{Kind: failure.Connection, Cause: cause})
}

var (
	outOfMemory = seen(failure.Failure{Kind: failure.Exception, Message: "out of memory"})
	isCancelled = failure.Failure{Kind: failure.Cancelled}
)

// What follows a failed round: each row is a sentence of the specification.
func TestDecide(t *testing.T) {
	again := func(wait time.Duration) Decision { return Decision{Again: true, Wait: wait} }
	stop := func(reason string) Decision { return Decision{Reason: reason} }
	with := func(change func(*Retry)) Retry { r := std(); change(&r); return r }
	on := func(list ...string) Retry { return with(func(r *Retry) { r.On = list }) }
	broken := seen(failure.Failure{Kind: failure.Contract})
	brokenAgain := broken
	brokenAgain.Retryable = true
	for _, c := range []struct {
		name   string
		policy Retry
		n      int
		last   failure.Failure
		once   bool // not idempotent
		want   Decision
	}{
		{"a 500 is tried again after the base", std(), 1, status(500), false, again(time.Second)},
		{"the third retry waits four seconds", std(), 3, status(500), false, again(4 * time.Second)},
		{"three retries are used up after four rounds", std(), 4, status(500), false, stop(StopUsedUp)},
		{"V9 the zero policy never retries", Retry{}, 1, status(500), false, stop(StopUsedUp)},
		{"a 400 is not retryable", std(), 1, status(400), false, stop(StopNotRetryable)},
		{"V11 out of memory is terminal", std(), 2, outOfMemory, false, stop(StopTerminal)},
		{"a cancellation stops", std(), 1, isCancelled, false, stop(StopCancelled)},

		{"cancelled comes before used up", std(), 9, isCancelled, false, stop(StopCancelled)},
		{"terminal comes before used up", std(), 9, outOfMemory, false, stop(StopTerminal)},
		{"used up comes before not retryable", std(), 4, status(400), false, stop(StopUsedUp)},
		{"not retryable comes before a long wait", std(), 1, asked(status(400), time.Hour), false, stop(StopNotRetryable)},

		{"V19 the server's wait is a lower bound", std(), 1, asked(status(429), 30*time.Second), false, again(30 * time.Second)},
		{"and only a lower bound", std(), 3, asked(status(429), 2*time.Second), false, again(4 * time.Second)},
		{"a server that asks for exactly max_retry_after gets it", std(), 1, asked(status(429), 2*time.Minute), false, again(2 * time.Minute)},
		{"a nanosecond more ends the call", std(), 1, asked(status(429), 2*time.Minute+1), false, stop(StopRetryAfter)},
		{"a server's wait may be shortened", with(func(r *Retry) { r.RetryAfterCap = 5 * time.Second }), 1, asked(status(429), time.Hour), false, again(5 * time.Second)},
		{"a short wait stays as it is under a cap", with(func(r *Retry) { r.RetryAfterCap = 5 * time.Second }), 1, asked(status(429), 3*time.Second), false, again(3 * time.Second)},
		{"a server's wait may be disregarded", with(func(r *Retry) { r.RespectRetryAfter = false }), 1, asked(status(429), time.Hour), false, again(time.Second)},

		{"a POST is not sent twice after a 500", std(), 1, status(500), true, stop(StopNotIdempotent)},
		{"nor after a timeout", std(), 1, seen(failure.Failure{Kind: failure.Timeout}), true, stop(StopNotIdempotent)},
		{"nor after a reset", std(), 1, connection(failure.Reset), true, stop(StopNotIdempotent)},
		{"a refused connection sent nothing", std(), 1, connection(failure.Refused), true, again(time.Second)},
		{"nor did a name that was not found", std(), 1, connection(failure.DNS), true, again(time.Second)},
		{"nor a failed handshake", std(), 1, connection(failure.TLS), true, again(time.Second)},
		{"429 says that it was not done", std(), 1, status(429), true, again(time.Second)},
		{"and so does 503", std(), 1, status(503), true, again(time.Second)},
		{"a POST that is not retryable is just that", std(), 1, status(400), true, stop(StopNotRetryable)},

		{"V16 400 is not on the list", on("429", "5xx"), 1, status(400), false, stop(StopNotRetryable)},
		{"a status on the list", on("404"), 1, status(404), false, again(time.Second)},
		{"a class on the list", on("5xx"), 1, status(501), false, again(time.Second)},
		{"a list of statuses says all", on("429"), 1, connection(failure.Reset), false, stop(StopNotRetryable)},
		{"and a status that is not listed not", on("429"), 1, status(500), false, stop(StopNotRetryable)},
		{"a kind on the list", on("connection"), 1, connection(failure.TLS), false, again(time.Second)},
		{"a list with a kind decides for failures without a status, too", on("connection"), 1, seen(failure.Failure{Kind: failure.Timeout}), false, stop(StopNotRetryable)},
		{"a cause on the list", on("connection.refused"), 1, connection(failure.Refused), false, again(time.Second)},
		{"and another cause", on("connection.refused"), 1, connection(failure.Reset), false, stop(StopNotRetryable)},
		{"a mode on the list that the taxonomy would not retry", on("AGENT_VALIDATION"), 1, status(400), false, again(time.Second)},
		{"a terminal mode stays terminal on a list of its kind", on("exception"), 1, outOfMemory, false, stop(StopTerminal)},

		{"a broken contract is terminal", std(), 1, broken, false, stop(StopTerminal)},
		{"unless it asks for another try", std(), 1, brokenAgain, false, again(time.Second)},
		{"whatever the list says", on("429"), 1, brokenAgain, false, again(time.Second)},
		{"and as often as the policy says", std(), 4, brokenAgain, false, stop(StopUsedUp)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.policy.Decide(c.n, c.last, nil, !c.once, noDraw(t))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The server's wait with its jitter is drawn from [asked, asked * 1.2], never
// less, also where it is shortened; the wait of the policy still is a lower bound.
func TestRetryAfterJitter(t *testing.T) {
	for _, c := range []struct {
		name      string
		cap       time.Duration
		asked     time.Duration
		n         int
		low, high time.Duration
	}{
		{"on top of what was asked for", 0, 30 * time.Second, 1, 30 * time.Second, 36 * time.Second},
		{"on top of a shortened wait", 10 * time.Second, time.Hour, 1, 10 * time.Second, 12 * time.Second},
		{"less than the wait of the policy", 0, time.Second, 3, 4 * time.Second, 4 * time.Second},
	} {
		r := std()
		r.RetryAfterCap, r.RetryAfterJitter = c.cap, 0.2
		seen, least, most := map[time.Duration]bool{}, time.Hour, time.Duration(0)
		for i := range uint64(400) {
			d := r.Decide(c.n, asked(status(429), c.asked), nil, true, func() *rand.Rand { return rand.New(rand.NewPCG(i, 7)) })
			seen[d.Wait], least, most = true, min(least, d.Wait), max(most, d.Wait)
		}
		if least < c.low || most > c.high {
			t.Errorf("%s: drawn from %s to %s, want %s to %s", c.name, least, most, c.low, c.high)
		}
		if width := c.high - c.low; width > 0 && (least > c.low+width/20 || most < c.high-width/20 || len(seen) < 350) {
			t.Errorf("%s: 400 draws reach from %s to %s with %d values", c.name, least, most, len(seen))
		}
	}
}

// After a gateway one target's failure that may be retried is enough, unless
// the call's own failure is terminal; a request that is not idempotent must
// have reached none of them.
func TestDecideAfterSeveralTargets(t *testing.T) {
	for _, c := range []struct {
		name       string
		tried      []failure.Failure
		idempotent bool
		again      bool
	}{
		{"retryable, then not", []failure.Failure{status(500), status(400)}, true, true},
		{"not, then retryable", []failure.Failure{status(400), status(500)}, true, true},
		{"neither", []failure.Failure{status(400), status(401)}, true, false},
		{"the last is terminal", []failure.Failure{status(500), outOfMemory}, true, false},
		{"a POST that one target may have done", []failure.Failure{status(500), connection(failure.Refused)}, false, false},
		{"a POST that none has done", []failure.Failure{status(503), connection(failure.Refused)}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := std().Decide(1, c.tried[len(c.tried)-1], c.tried, c.idempotent, noDraw(t))
			if d.Again != c.again {
				t.Errorf("Again is %v, want %v (%s)", d.Again, c.again, d.Reason)
			}
		})
	}
}

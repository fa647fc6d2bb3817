package policy

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
)

// template is a breaker of three failures that stays open for ten seconds.
func template() BreakerConfig {
	return BreakerConfig{Threshold: 3, Reset: 10 * time.Second, HalfOpenMax: 1, SuccessThreshold: 1, Ignore: []string{"rate_limit", "cancelled"}}
}

// bench is a breaker under test together with what it told of itself.
type bench struct {
	*Breaker
	t    *testing.T
	now  time.Duration
	told []string
}

func newBench(t *testing.T, cfg BreakerConfig) *bench {
	b := &bench{t: t}
	b.Breaker = NewBreaker(cfg, func(from, to State) {
		b.told = append(b.told, fmt.Sprintf("%s→%s at %s", from, to, b.now))
	})
	return b
}

// at sets the clock, in seconds.
func (b *bench) at(seconds float64) *bench {
	b.now = time.Duration(seconds * float64(time.Second))
	return b
}

func (b *bench) admit() *Admission {
	b.t.Helper()
	a := b.Admit(b.now)
	if a == nil {
		b.t.Fatalf("at %s a call was refused in state %s", b.now, b.State())
	}
	return a
}

func (b *bench) refuse() {
	b.t.Helper()
	if b.Admit(b.now) != nil {
		b.t.Fatalf("at %s a call was admitted in state %s", b.now, b.State())
	}
}

func (b *bench) succeed() { b.t.Helper(); b.admit().Success(b.now) }

func (b *bench) fail() {
	b.t.Helper()
	b.admit().Failure(b.now, failure.Failure{Kind: failure.HTTPStatus})
}

func (b *bench) failAs(kind failure.Kind) {
	b.t.Helper()
	b.admit().Failure(b.now, failure.Failure{Kind: kind})
}

func (b *bench) is(state State, failures int) {
	b.t.Helper()
	if b.State() != state || b.Failures() != failures {
		b.t.Errorf("at %s: %s with %d failures, want %s with %d", b.now, b.State(), b.Failures(), state, failures)
	}
}

func (b *bench) history(want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.told); diff != "" {
		b.t.Error(diff)
	}
}

// V22: three failures open it, a call one tenth of a second too early is
// refused, a call at exactly opened + reset is the probe, its success closes.
func TestV22Breaker(t *testing.T) {
	b := newBench(t, template())
	for _, s := range []float64{0, 1, 2} {
		b.at(s).fail()
	}
	b.at(3).refuse()
	b.at(11.9).refuse()
	b.at(12).succeed()
	b.at(13).succeed()
	b.is(Closed, 0)
	b.history("closed→open at 2s", "open→half_open at 12s", "half_open→closed at 12s")
}

// V24: a success sets the count of consecutive failures to zero.
func TestV24SuccessResetsTheCount(t *testing.T) {
	cfg := template()
	cfg.Threshold = 2
	b := newBench(t, cfg)
	b.fail()
	b.succeed()
	b.fail()
	b.is(Closed, 1)
	b.fail()
	b.is(Open, 2)
}

// V26: a failed probe opens it again, and the pause counts from that failure,
// not from its admission or the first opening.
func TestV26FailedProbeRestartsTheTimer(t *testing.T) {
	b := newBench(t, template())
	b.fail()
	b.fail()
	b.fail()
	probe := b.at(10).admit()
	b.at(14)
	probe.Failure(b.now, failure.Failure{Kind: failure.Timeout})
	b.at(23.9).refuse()
	b.at(24).succeed()
	b.history("closed→open at 0s", "open→half_open at 10s", "half_open→open at 14s", "open→half_open at 24s", "half_open→closed at 24s")
}

// V28: ignored kinds count neither as failure nor as success, neither while
// closed nor for a probe, whose place they give back.
func TestV28IgnoredKinds(t *testing.T) {
	cfg := template()
	cfg.Threshold = 2
	b := newBench(t, cfg)
	for range 5 {
		b.failAs(failure.RateLimit)
	}
	b.is(Closed, 0)
	b.fail()
	b.failAs(failure.Cancelled)
	b.is(Closed, 1)
	b.fail()
	b.at(10).failAs(failure.RateLimit)
	b.is(HalfOpen, 2)
	b.succeed()
	b.history("closed→open at 0s", "open→half_open at 10s", "half_open→closed at 10s")
}

// Reading the state changes nothing: an open breaker whose pause is over stays
// open until a call asks.
func TestReadingChangesNothing(t *testing.T) {
	b := newBench(t, template())
	b.fail()
	b.fail()
	b.fail()
	b.at(60).is(Open, 3)
	b.at(61).is(Open, 3)
	b.admit()
	b.is(HalfOpen, 3)
	b.history("closed→open at 0s", "open→half_open at 1m1s")
}

// While half open half_open_max calls are under way at once; every end, of
// whatever sort, lets another one in, and ending twice does so once.
func TestHalfOpenPlaces(t *testing.T) {
	cfg := template()
	cfg.HalfOpenMax, cfg.SuccessThreshold = 2, 3
	for name, end := range map[string]func(*Admission, time.Duration){
		"success":     (*Admission).Success,
		"released":    func(a *Admission, _ time.Duration) { a.Release() },
		"ignored":     func(a *Admission, now time.Duration) { a.Failure(now, failure.Failure{Kind: failure.RateLimit}) },
		"ended twice": func(a *Admission, now time.Duration) { a.Success(now); a.Release(); a.Success(now) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, cfg)
			b.fail()
			b.fail()
			b.fail()
			b.at(10)
			first := b.admit()
			b.admit()
			b.refuse()
			end(first, b.now)
			b.admit()
			b.refuse()
			b.is(HalfOpen, 3)
		})
	}
}

// success_threshold successes close it, those of calls that were under way
// together included.
func TestSuccessThreshold(t *testing.T) {
	cfg := template()
	cfg.HalfOpenMax, cfg.SuccessThreshold = 2, 2
	b := newBench(t, cfg)
	b.fail()
	b.fail()
	b.fail()
	x, y := b.at(10).admit(), b.admit()
	x.Success(b.now)
	b.is(HalfOpen, 3)
	y.Success(b.now)
	b.is(Closed, 0)
}

// Results of calls that were admitted before the last change of state count
// neither way, and give back no place that they never took.
func TestEarlierEras(t *testing.T) {
	t.Run("a late success does not close, nor reset the count", func(t *testing.T) {
		b := newBench(t, template())
		late := b.admit()
		b.fail()
		b.fail()
		b.fail()
		probe := b.at(10).admit()
		late.Success(b.now)
		b.is(HalfOpen, 3)
		b.refuse()
		probe.Success(b.now)
		b.is(Closed, 0)
	})
	t.Run("a late failure does not open", func(t *testing.T) {
		b := newBench(t, template())
		late := b.admit()
		b.fail()
		b.fail()
		b.fail()
		b.at(10).admit()
		late.Failure(b.now, failure.Failure{Kind: failure.Timeout})
		b.is(HalfOpen, 3)
		b.refuse()
	})
	t.Run("the second of two probes comes home after the first has failed", func(t *testing.T) {
		cfg := template()
		cfg.HalfOpenMax = 2
		b := newBench(t, cfg)
		b.fail()
		b.fail()
		b.fail()
		x, y := b.at(10).admit(), b.admit()
		b.at(11)
		x.Failure(b.now, failure.Failure{Kind: failure.Timeout})
		b.at(15)
		y.Success(b.now)
		b.is(Open, 3)
		b.at(20.9).refuse()
		b.at(21).admit()
	})
}

// A window of calls opens by the share of failures among the last ones, once
// there are enough of them.
func TestWindowOfCalls(t *testing.T) {
	cfg := template()
	cfg.WindowCalls, cfg.FailureRate, cfg.MinCalls = 4, 0.5, 4
	b := newBench(t, cfg)
	b.fail()
	b.fail()
	b.succeed()
	b.is(Closed, 2) // 2 of 3, but four are asked for
	b.succeed()
	b.is(Open, 2) // 2 of 4, on a success

	b = newBench(t, cfg)
	for _, ok := range []bool{false, true, true, true, false, true} {
		if ok {
			b.succeed()
		} else {
			b.fail()
		}
	}
	b.is(Closed, 1) // the first failure has left the window
	b.fail()
	b.is(Open, 2)
}

// A window of time forgets what is older, and ignored kinds are no calls of it.
func TestWindowOfTime(t *testing.T) {
	cfg := template()
	cfg.WindowTime, cfg.FailureRate, cfg.MinCalls = time.Minute, 0.5, 2
	b := newBench(t, cfg)
	b.at(0).fail()
	b.at(10).failAs(failure.RateLimit)
	b.is(Closed, 1)
	b.at(70).succeed() // alone in its window
	b.at(71).succeed()
	b.is(Closed, 0)
	b.at(72).fail()
	b.is(Closed, 1) // 1 of 3
	b.at(73).fail()
	b.is(Open, 2) // 2 of 4
}

// V38: the gauge knows three states by these names.
func TestV38StateNames(t *testing.T) {
	if diff := cmp.Diff([]State{"closed", "open", "half_open"}, []State{Closed, Open, HalfOpen}); diff != "" {
		t.Error(diff)
	}
}

package policy

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/failure"
)

// A State is the state of a circuit breaker.
type State string

// The three states; their value as a gauge is 0, 1 and 2 (V38).
const (
	Closed   State = "closed"
	Open     State = "open"
	HalfOpen State = "half_open"
)

// BreakerConfig is a template of breakers (semantics.md §6).
type BreakerConfig struct {
	Name string
	// Threshold is the number of consecutive failures that opens it, unless
	// one of the windows is set.
	Threshold int
	// WindowCalls or WindowTime make it count failures among the last calls,
	// or the calls of the last while.
	WindowCalls int
	WindowTime  time.Duration
	FailureRate float64
	MinCalls    int
	// Reset is how long it stays open; a call at exactly that instant is
	// admitted.
	Reset            time.Duration
	HalfOpenMax      int
	SuccessThreshold int
	// Ignore lists failure kinds that count neither way.
	Ignore []string
}

// A Breaker guards one target. Times are virtual, counted from the start of
// the run. It changes state only inside Admit and the methods of an
// [Admission]; reading it changes nothing.
type Breaker struct {
	cfg      BreakerConfig
	onChange func(from, to State)

	state     State
	openedAt  time.Duration
	failures  int       // consecutive
	window    []outcome // newest last
	probes    int       // in flight while half open
	successes int       // of probes
	era       int       // counts transitions: results of an earlier era do not count
}

type outcome struct {
	at     time.Duration
	failed bool
}

// NewBreaker returns a closed breaker. onChange is called on every transition.
func NewBreaker(cfg BreakerConfig, onChange func(from, to State)) *Breaker {
	return &Breaker{cfg: cfg, state: Closed, onChange: onChange}
}

// State reports the state as the last call left it: an open breaker whose
// reset has passed is open until a call asks.
func (b *Breaker) State() State { return b.state }

// Failures reports the consecutive failures, or those in the window.
func (b *Breaker) Failures() int {
	if !b.windowed() {
		return b.failures
	}
	n := 0
	for _, o := range b.window {
		if o.failed {
			n++
		}
	}
	return n
}

// An Admission is one admitted call. One of its methods must be called when the
// call ends; all further calls do nothing, nor does any on a nil Admission,
// which is that of a target without a breaker.
type Admission struct {
	b    *Breaker
	era  int
	done bool
}

// Admit asks for a call. It returns nil when the call is refused.
func (b *Breaker) Admit(now time.Duration) *Admission {
	if b.state == Open && now >= b.openedAt+b.cfg.Reset {
		b.probes, b.successes = 0, 0
		b.change(HalfOpen)
	}
	switch b.state {
	case Open:
		return nil
	case HalfOpen:
		if b.probes >= b.cfg.HalfOpenMax {
			return nil
		}
		b.probes++
	}
	return &Admission{b: b, era: b.era}
}

// Success ends the call with a success.
func (a *Admission) Success(now time.Duration) {
	if !a.end() {
		return
	}
	b := a.b
	if b.state == HalfOpen {
		if b.successes++; b.successes >= b.cfg.SuccessThreshold {
			b.clear()
			b.change(Closed)
		}
		return
	}
	b.failures = 0
	b.note(now, false)
}

// Failure ends the call with a failure; an ignored kind only gives its place
// back.
func (a *Admission) Failure(now time.Duration, f failure.Failure) {
	if a == nil {
		return
	}
	if slices.Contains(a.b.cfg.Ignore, string(f.Kind)) {
		a.Release()
		return
	}
	if !a.end() {
		return
	}
	b := a.b
	if b.state == HalfOpen {
		b.open(now)
		return
	}
	b.failures++
	b.note(now, true)
}

// Release ends the call without a result: cancelled, ended by an outer
// deadline, or a stream that was not read to its end.
func (a *Admission) Release() { a.end() }

// end gives a probe's place back and reports whether the result still counts.
func (a *Admission) end() bool {
	if a == nil || a.done {
		return false
	}
	a.done = true
	if a.era != a.b.era {
		return false
	}
	if a.b.state == HalfOpen {
		a.b.probes--
	}
	return true
}

// note counts an outcome of the closed state and opens if it is one too many.
func (b *Breaker) note(now time.Duration, failed bool) {
	if !b.windowed() {
		if failed && b.failures >= b.cfg.Threshold {
			b.open(now)
		}
		return
	}
	b.window = append(b.window, outcome{now, failed})
	for len(b.window) > 0 && (b.cfg.WindowCalls > 0 && len(b.window) > b.cfg.WindowCalls ||
		b.cfg.WindowTime > 0 && b.window[0].at <= now-b.cfg.WindowTime) {
		b.window = b.window[1:]
	}
	if n := len(b.window); n >= b.cfg.MinCalls && float64(b.Failures()) >= b.cfg.FailureRate*float64(n) {
		b.open(now)
	}
}

func (b *Breaker) windowed() bool { return b.cfg.WindowCalls > 0 || b.cfg.WindowTime > 0 }

func (b *Breaker) open(now time.Duration) {
	b.openedAt = now
	b.change(Open)
}

func (b *Breaker) clear() {
	b.failures = 0
	b.window = nil
}

func (b *Breaker) change(to State) {
	from := b.state
	b.state = to
	b.era++
	if b.onChange != nil {
		b.onChange(from, to)
	}
}

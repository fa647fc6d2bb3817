package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/schema"
)

// BreakerKind is the circuit breaker of a target.
var BreakerKind = &Kind{Name: "breaker", Reason: "circuit_open", Failure: failure.CircuitOpen, Read: readBreaker}

// A State is the state of a circuit breaker.
type State string

// The three states; their value as a gauge is 0, 1 and 2.
const (
	Closed   State = "closed"
	Open     State = "open"
	HalfOpen State = "half_open"
)

// BreakerConfig is a template of breakers.
type BreakerConfig struct {
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

	ownAttrs
}

func readBreaker(d Declaration) Config {
	cfg := &BreakerConfig{
		Threshold: d.Int("threshold"), FailureRate: d.Float("failure_rate"), MinCalls: d.Int("min_calls"),
		Reset: d.Duration("reset"), HalfOpenMax: d.Int("half_open_max"), SuccessThreshold: d.Int("success_threshold"), Ignore: d.FailureKinds("ignore"),
		ownAttrs: ownOf(d, "threshold", "reset", "half_open_max", "success_threshold", "ignore"),
	}
	cfg.readWindow(d)
	cfg.check(d)
	return cfg
}

// readWindow reads the mode that counts in a window, and refuses what means
// nothing without one.
func (cfg *BreakerConfig) readWindow(d Declaration) {
	switch w := d.Value("window").(type) {
	case nil:
		for _, name := range []string{"failure_rate", "min_calls"} {
			if d.Has(name) {
				d.Errorf(name, "Attribute without a window", "%q says something only together with window.", name)
			}
		}
	case float64:
		if w < 1 || w != float64(int(w)) {
			d.Errorf("window", "Wrong value", `The attribute "window" is a number of calls, an integer of at least 1, or a duration such as "60s".`)
		}
		cfg.WindowCalls = int(w)
	case string:
		length, ok := schema.ParseDuration(w)
		if !ok || length <= 0 {
			d.Errorf("window", "Wrong value", `The attribute "window" is a number of calls or a duration such as "60s", not %q.`, w)
		}
		cfg.WindowTime = length
	default:
		d.Errorf("window", "Wrong value", `The attribute "window" is a number of calls or a duration such as "60s".`)
	}
}

// check refuses a breaker of two modes, and one that never opens, or always.
func (cfg *BreakerConfig) check(d Declaration) {
	if cfg.WindowCalls > 0 {
		if d.Has("min_calls") && cfg.MinCalls > cfg.WindowCalls {
			d.Errorf("min_calls", "Breaker that can never open", "The window holds %d calls, and min_calls asks for %d.", cfg.WindowCalls, cfg.MinCalls)
		}
		cfg.MinCalls = min(cfg.MinCalls, cfg.WindowCalls)
	}
	if v, good := d.Value("failure_rate").(float64); good && v == 0 {
		d.Errorf("failure_rate", "Breaker that is always open", "With a failure_rate of 0 the breaker opens as soon as min_calls are in the window, also where all of them succeeded. Give the share of failures that opens it, such as 0.5.")
	}
	if (cfg.WindowCalls > 0 || cfg.WindowTime > 0) && d.Has("threshold") {
		d.Errorf("threshold", "Two modes of one breaker", `"threshold" counts consecutive failures and "window" a share of the calls: give one of them.`)
	}
}

// Kind implements Config.
func (*BreakerConfig) Kind() *Kind { return BreakerKind }

// JSON implements Config.
func (cfg *BreakerConfig) JSON() []Member {
	return []Member{
		{"failure_rate", cfg.FailureRate},
		{"half_open_max", cfg.HalfOpenMax},
		{"ignore", cfg.Ignore},
		{"min_calls", cfg.MinCalls},
		{"reset_ns", cfg.Reset},
		{"success_threshold", cfg.SuccessThreshold},
		{"threshold", cfg.Threshold},
		{"window_calls", cfg.WindowCalls},
		{"window_ns", span(cfg.WindowTime)},
	}
}

// Text implements Config.
func (cfg *BreakerConfig) Text() string {
	switch {
	case cfg.WindowCalls > 0:
		return fmt.Sprintf("opens at %g of the last %d calls, for %s", cfg.FailureRate, cfg.WindowCalls, cfg.Reset)
	case cfg.WindowTime > 0:
		return fmt.Sprintf("opens at %g of the calls of the last %s, for %s", cfg.FailureRate, cfg.WindowTime, cfg.Reset)
	}
	return fmt.Sprintf("opens after %d failures in a row, for %s", cfg.Threshold, cfg.Reset)
}

// Guard implements Config.
func (cfg *BreakerConfig) Guard(h Host) Guard {
	g := &breakerGuard{clock: h.Clock}
	g.Breaker = NewBreaker(*cfg, func(from, to State) { h.Changed(from, to, g.Failures()) })
	return g
}

// breakerGuard is a breaker on the clock of a run.
type breakerGuard struct {
	*Breaker
	clock *sched.Scheduler
}

// Admit implements Guard.
func (g *breakerGuard) Admit(context.Context, Call) (Pass, string, error) {
	if a := g.Breaker.Admit(g.clock.Elapsed()); a != nil {
		return a, "", nil
	}
	return nil, "the circuit breaker is " + strings.ReplaceAll(string(g.State()), "_", " "), nil
}

// Ended implements Pass.
func (a *Admission) Ended(d Dial) {
	switch {
	case d.Void:
		a.Release()
	case d.Failure == nil:
		a.Success(d.At)
	default:
		a.Failure(d.At, *d.Failure)
	}
}

// Leave implements Pass.
func (a *Admission) Leave() { a.Release() }

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
// call ends; all further calls do nothing.
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
// back, as cancellations do where they are not left out of the list.
func (a *Admission) Failure(now time.Duration, f failure.Failure) {
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

// Release ends the call without a result: it was never dialled, or its reader
// wanted no more.
func (a *Admission) Release() { a.end() }

// end gives a probe's place back and reports whether the result still counts.
func (a *Admission) end() bool {
	if a.done {
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

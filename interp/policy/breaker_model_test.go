package policy

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
)

// model is the breaker as it is specified, word by word: it keeps everything
// that happened since it was last closed and counts again whenever asked.
type model struct {
	cfg     BreakerConfig
	state   string
	opened  time.Duration
	changes int
	// results are the counted ends of calls while closed.
	results []modelResult
	// good are the successful probes since it became half open, live the
	// calls under way with the number of changes they have seen.
	good int
	live map[int]int
}

type modelResult struct {
	at     time.Duration
	failed bool
}

func (m *model) become(state string) {
	m.state = state
	m.changes++
	m.good = 0
	if state == "closed" {
		m.results = nil
	}
}

func (m *model) ask(now time.Duration, call int) bool {
	if m.state == "open" && now-m.opened >= m.cfg.Reset {
		m.become("half_open")
	}
	probes := 0
	for _, seen := range m.live {
		if seen == m.changes {
			probes++
		}
	}
	if m.state == "open" || m.state == "half_open" && probes >= m.cfg.HalfOpenMax {
		return false
	}
	m.live[call] = m.changes
	return true
}

// end ends a call; how is "success", "failure" or "nothing".
func (m *model) end(now time.Duration, call int, how string) {
	seen, under := m.live[call]
	delete(m.live, call)
	if !under || seen != m.changes || how == "nothing" {
		return
	}
	if m.state == "half_open" {
		if how == "failure" {
			m.opened = now
			m.become("open")
		} else if m.good++; m.good == m.cfg.SuccessThreshold {
			m.become("closed")
		}
		return
	}
	m.results = append(m.results, modelResult{now, how == "failure"})
	if m.tooMany(now) {
		m.opened = now
		m.become("open")
	}
}

func (m *model) tooMany(now time.Duration) bool {
	if m.cfg.WindowCalls == 0 && m.cfg.WindowTime == 0 {
		row := 0
		for i := len(m.results) - 1; i >= 0 && m.results[i].failed; i-- {
			row++
		}
		return row >= m.cfg.Threshold
	}
	calls, failures := 0, 0
	for i, r := range m.results {
		inside := m.cfg.WindowCalls > 0 && i >= len(m.results)-m.cfg.WindowCalls ||
			m.cfg.WindowTime > 0 && r.at > now-m.cfg.WindowTime
		if inside {
			calls++
			if r.failed {
				failures++
			}
		}
	}
	return calls >= m.cfg.MinCalls && float64(failures)/float64(calls) >= m.cfg.FailureRate
}

func randomBreaker(r *rand.Rand) BreakerConfig {
	cfg := BreakerConfig{
		Threshold: 1 + r.IntN(4), Reset: time.Duration(r.IntN(4)) * time.Second,
		HalfOpenMax: 1 + r.IntN(3), SuccessThreshold: 1 + r.IntN(3), Ignore: []string{"rate_limit"},
	}
	switch r.IntN(3) {
	case 1:
		cfg.WindowCalls = 1 + r.IntN(6)
		cfg.MinCalls = 1 + r.IntN(cfg.WindowCalls)
	case 2:
		cfg.WindowTime = time.Duration(1+r.IntN(5)) * time.Second
		cfg.MinCalls = 1 + r.IntN(4)
	}
	cfg.FailureRate = []float64{0.25, 0.5, 0.75, 1}[r.IntN(4)]
	return cfg
}

var sequences = flag.Uint64("sequences", 24_000, "random programs of calls")

// Random programs of calls that begin, overlap and end in
// every way take a breaker through the same states as the model.
func TestBreakerAgainstModel(t *testing.T) {
	visits := map[string]int{}
	for seed := range *sequences {
		if log := compareOnce(seed, visits); log != "" {
			t.Fatalf("program %d:\n%s", seed, log)
		}
	}
	for _, state := range []string{"closed", "open", "half_open"} {
		if visits[state] < int(*sequences)/3 {
			t.Errorf("the programs saw %s only %d times", state, visits[state])
		}
	}
}

// compareOnce runs one program and returns its log where the two differ.
func compareOnce(seed uint64, visits map[string]int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	cfg := randomBreaker(r)
	m := &model{cfg: cfg, state: "closed", live: map[int]int{}}
	changes := 0
	b := NewBreaker(cfg, func(State, State) { changes++ })
	var log strings.Builder
	fmt.Fprintf(&log, "%+v\n", cfg)
	admissions := map[int]*Admission{}
	var under []int
	now := time.Duration(0)
	for call := range 40 {
		now += []time.Duration{0, time.Nanosecond, time.Second / 2, time.Second, 3 * time.Second}[r.IntN(5)]
		if len(under) == 0 || r.IntN(2) == 0 {
			a, ok := b.Admit(now), m.ask(now, call)
			fmt.Fprintf(&log, "%s call %d: admitted %v, model %v\n", now, call, a != nil, ok)
			if (a != nil) != ok {
				return log.String()
			}
			if ok {
				admissions[call] = a
				under = append(under, call)
			}
		} else {
			i := r.IntN(len(under))
			ends := under[i]
			under = append(under[:i], under[i+1:]...)
			a := admissions[ends]
			how := [...]string{"success", "success", "failure", "failure", "failure", "release", "ignored"}[r.IntN(7)]
			switch how {
			case "success":
				a.Success(now)
				m.end(now, ends, how)
			case "failure":
				a.Failure(now, failure.Failure{Kind: failure.Timeout})
				m.end(now, ends, how)
			case "release":
				a.Release()
				m.end(now, ends, "nothing")
			case "ignored":
				a.Failure(now, failure.Failure{Kind: failure.RateLimit})
				m.end(now, ends, "nothing")
			}
			if r.IntN(3) == 0 {
				a.Success(now) // a second end does nothing
			}
			fmt.Fprintf(&log, "%s call %d ends: %s\n", now, ends, how)
		}
		visits[m.state]++
		if string(b.State()) != m.state || changes != m.changes {
			fmt.Fprintf(&log, "now %s after %d changes; model %s after %d\n", b.State(), changes, m.state, m.changes)
			return log.String()
		}
	}
	return ""
}

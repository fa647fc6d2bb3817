package coverage

import (
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// A Strike is one kind of failure that a scenario has at one address.
type Strike struct {
	*interp.CoveredStrike
	// Checks are those that read another value in a world without it, or in one in
	// which it goes on.
	Checks []interp.Reading
}

// Checked reports whether anything notices the strike.
func (s *Strike) Checked() bool { return len(s.Checks) > 0 }

// A Measured is what one scenario covers.
type Measured struct {
	Plan   *interp.Plan
	Result *interp.Result
	*interp.Coverage
	Strikes []*Strike
}

// Measure runs a scenario, and beside it the worlds in which what struck it does not
// come, or goes on to the end: two runs for each kind at each address. Closing done,
// where not nil, ends all of them.
func Measure(p *interp.Plan, done <-chan struct{}) *Measured {
	var parts []interp.Point
	result, seen := interp.RunObserved(p, interp.RunOptions{Done: done, Inject: func(at interp.Point) *interp.Injection {
		if at.Part() != "" && at.Part() != "lock" {
			parts = append(parts, at)
		}
		return nil
	}})
	m := &Measured{Plan: p, Result: result, Coverage: interp.Covered(p, result.Events)}
	m.addParts(parts)
	if result.Verdict != interp.Pass {
		return m
	}
	base := seen.Readings()
	limit := 500 + 40*len(result.Events)
	for _, s := range m.Coverage.Strikes {
		x := &Strike{CoveredStrike: s}
		if spared := m.Without(s); spared != nil {
			_, seen := interp.RunObserved(spared, interp.RunOptions{Done: done, EventLimit: limit})
			x.notice(base, seen)
		}
		lasting, seen := interp.RunObserved(p, interp.RunOptions{Done: done, EventLimit: limit, Inject: goesOn(s)})
		if lasting.Injected.Unfit == "" && lasting.Injected.Unanswered == "" {
			x.notice(base, seen)
		}
		m.Strikes = append(m.Strikes, x)
	}
	return m
}

// addParts adds the calls of actors, and of parts of them, that the run came to.
func (m *Measured) addParts(points []interp.Point) {
	for i := range points {
		p := &points[i]
		if !slices.ContainsFunc(m.Calls, func(c interp.CoveredCall) bool { return c.Address == p.Address }) {
			c := interp.CoveredCall{Address: p.Address, Kinds: interp.KindsAt(p)}
			c.Range.Filename, c.Range.Start.Line = m.Plan.File, m.Plan.Line
			m.Calls = append(m.Calls, c)
		}
	}
}

// notice adds the checks that read something else of another run.
func (s *Strike) notice(base []interp.Reading, other *interp.Observation) {
	list := other.Readings()
	for i := range min(len(base), len(list)) {
		if !base[i].Same(list[i]) && !slices.ContainsFunc(s.Checks, func(c interp.Reading) bool { return c.Kind == base[i].Kind && c.Range == base[i].Range }) {
			s.Checks = append(s.Checks, base[i])
		}
	}
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// evaluations says in a line for each invariant how often a run evaluated it.
func evaluations(r *interp.Result) []string {
	var lines []string
	for i := range r.Invariants {
		c := &r.Invariants[i]
		line := fmt.Sprintf("invariant %q: %s", c.Name, evaluated(c))
		if c.Unmet && c.Evaluated > 0 && !c.Standard {
			line += ", and its premise did not hold, so the run asked nothing of it"
		}
		lines = append(lines, line)
	}
	return lines
}

// evaluated says how often. What the standard library promises may be about
// something that a program does not do at all.
func evaluated(c *interp.InvariantCount) string {
	switch {
	case c.Evaluated == 1:
		return "evaluated once"
	case c.Evaluated > 0:
		return fmt.Sprintf("evaluated %d times", c.Evaluated)
	case c.Standard || c.Foreign:
		return "not applicable"
	}
	return "never evaluated"
}

// An invariantPlace is where an invariant is written.
type invariantPlace struct {
	file string
	line int
}

// idleInvariants are those that no run evaluated so far.
type idleInvariants map[invariantPlace]idleInvariant

type idleInvariant struct {
	interp.InvariantCount
	// passed says that a run with it passed: one that failed may have ended before
	// there was anything to evaluate.
	passed bool
}

func (s *Summary) addInvariants(r *interp.Result) {
	if len(r.Invariants) > 0 && s.idle == nil {
		s.idle = idleInvariants{}
	}
	for _, c := range r.Invariants {
		if c.Standard {
			continue
		}
		at := invariantPlace{c.Range.Filename, c.Range.Start.Line}
		all := s.idle[at]
		c.Evaluated += all.Evaluated
		c.Foreign = c.Foreign && (all.Name == "" || all.Foreign)
		s.idle[at] = idleInvariant{c, all.passed || r.Verdict == interp.Pass}
	}
}

// NeverEvaluated are the invariants that no run evaluated although one of them
// passed, in the order of their places. Those of the standard library are left
// out, those of an import that none of the scenarios is about, and where only a part
// of the scenarios ran those of files.
func (s *Summary) NeverEvaluated() []interp.InvariantCount {
	var list []interp.InvariantCount
	for _, c := range s.idle {
		if c.Evaluated == 0 && c.passed && !(c.Foreign && c.Imported) && (c.Own || !s.Partial) {
			list = append(list, c.InvariantCount)
		}
	}
	slices.SortFunc(list, func(a, b interp.InvariantCount) int {
		if n := strings.Compare(a.Range.Filename, b.Range.Filename); n != 0 {
			return n
		}
		return a.Range.Start.Line - b.Range.Start.Line
	})
	return list
}

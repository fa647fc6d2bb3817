package report

import (
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// Rows brings together what the rows of a scenario with for_each or matrix leave to all of them: a
// check that shows nothing in any row is told of with the last one, which fails if no check of any
// row shows something. Where not all rows ran and passed, nothing is said. Its zero value has seen
// no row.
type Rows struct{ open map[invariantPlace]*rows }

// rows are those of one scenario so far.
type rows struct {
	seen, empty int
	// unmet counts the rows in which a check shows nothing.
	unmet map[check]int
}

// A check is one by where it is written and by its name: what a dynamic block generates stands at
// one place.
type check struct {
	invariantPlace
	name string
}

// Add is a result as it is reported, and reports whether it is another one than that it was given,
// which it leaves as it is. Results come in the order in which they are reported.
func (s *Rows) Add(r *interp.Result) (told *interp.Result, changed bool) {
	if r.Row == nil || r.Verdict != interp.Pass {
		return r, false
	}
	at := invariantPlace{r.Plan.File, r.Plan.Line}
	all := s.open[at]
	if all == nil {
		if s.open == nil {
			s.open = map[invariantPlace]*rows{}
		}
		all = &rows{unmet: map[check]int{}}
		s.open[at] = all
	}
	all.add(r.Row)
	if all.seen < r.Row.Of {
		return r, false
	}
	delete(s.open, at)
	return all.told(r), true
}

func (all *rows) add(r *interp.Row) {
	all.seen++
	if r.Empty != nil {
		all.empty++
	}
	seen := map[check]bool{}
	for _, p := range r.Unmet {
		if at := checkOf(&p); !seen[at] {
			seen[at] = true
			all.unmet[at]++
		}
	}
}

func checkOf(p *interp.Problem) check {
	return check{invariantPlace{p.Range.Filename, p.Range.Start.Line}, p.Name}
}

// told is the result of the last row with what is true of all.
func (all *rows) told(last *interp.Result) *interp.Result {
	r, row := *last, last.Row
	r.Row, r.Relaxed, r.Problems = nil, slices.Clone(r.Relaxed), slices.Clone(r.Problems)
	for _, p := range row.Unmet {
		if all.unmet[checkOf(&p)] == row.Of {
			r.Relaxed = append(r.Relaxed, p)
		}
	}
	switch {
	case all.empty < row.Of:
	case row.Allowed:
		r.Relaxed = append(r.Relaxed, *row.Empty)
	default:
		r.Problems, r.Verdict = append(r.Problems, *row.Empty), interp.Fail
	}
	return &r
}

package search

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// report writes the case of a scenario that was explored.
func (x *exploration) report(r *explore.Report, j harness.Job) error {
	return x.told(exploredEntry(r, j.Source))
}

// reportUnrun writes the case of a scenario that is not explored.
func (x *exploration) reportUnrun(j harness.Job, why string) error {
	return x.told(report.Entry{Result: &interp.Result{Plan: j.Plan, Verdict: interp.Skip}, Reason: why})
}

func (x *exploration) told(e report.Entry) error {
	x.summary.Add(e.Result)
	return x.out.Add(e)
}

// exploredEntry is a search as reports have a run. A find is a failure, and the events
// are those of the run with the first of them. A scenario that does not pass by itself
// is what its run without a fault is.
func exploredEntry(r *explore.Report, source []byte) report.Entry {
	result := *r.Base
	e := report.Entry{Result: &result, Source: source}
	switch {
	case !r.Pass():
		return e
	case r.Unsteady != nil:
		result = *r.Unsteady
		return e
	}
	if tried, sets := r.Account.Tried(); tried < sets {
		result.Relaxed = append(slices.Clone(result.Relaxed), interp.Problem{
			Kind: interp.KindIgnored, Name: "search", Range: placeOf(r.World),
			Message: fmt.Sprintf("it ended before all was tried: %s of %s sets of faults", explore.Grouped(tried), explore.Grouped(sets)),
		})
	}
	for _, f := range r.Finds {
		if f.Known {
			continue
		}
		if result.Verdict == interp.Pass {
			result.Verdict, result.Events = interp.Fail, f.Events
			if n := len(f.Events); n > 0 {
				result.Virtual = f.Events[n-1].At
			}
		}
		result.Problems = append(result.Problems, interp.Problem{Kind: f.Oracle, Name: f.Name, Message: f.Under() + "\n" + f.Message, Range: f.Range})
	}
	return e
}

// placeOf is where a scenario stands.
func placeOf(w *explore.World) hcl.Range {
	at := hcl.Pos{Line: w.Line, Column: 1}
	return hcl.Range{Filename: w.File, Start: at, End: at}
}

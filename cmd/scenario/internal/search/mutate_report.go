package search

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/mutate"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// report writes a case for each mutant: one that is killed has passed. One that can be told
// from the original and is not killed has failed where the command does, because the score
// is below --min, and else is skipped: a report fails no pipeline that the command passes.
func (x *mutation) report(o *harness.Outputs, r *mutate.Report) error {
	var sum report.Summary
	for _, m := range r.Mutants {
		e := entryOf(m)
		if e.Result.Verdict == interp.Fail && !x.below(r) {
			e.Result.Verdict, e.Reason, e.Result.Problems = interp.Skip, string(m.Verdict)+": "+e.Result.Problems[0].Message, nil
		}
		sum.Add(e.Result)
		if err := o.Add(e); err != nil {
			return err
		}
	}
	sum.Incomplete = r.Interrupted
	return o.Close(sum)
}

// entryOf is a mutant as reports have scenarios.
func entryOf(m *mutate.Mutant) report.Entry {
	result := &interp.Result{Plan: &interp.Plan{File: m.File, Line: m.Line, Name: m.Declaration + ": " + m.Change}}
	e := report.Entry{Result: result, Source: m.Original}
	message := ""
	switch m.Verdict {
	case mutate.Killed:
		result.Verdict = interp.Pass
		return e
	case mutate.Survived:
		message = fmt.Sprintf("no scenario notices: in %q %s", m.By.Name, m.Difference)
		if m.Difference.Assert != "" {
			message += "\nit would be seen by " + m.Difference.Assert
		}
	case mutate.Unseen:
		message = m.Met()
	default:
		result.Verdict, e.Reason = interp.Skip, notCounted(m)
		return e
	}
	result.Verdict = interp.Fail
	result.Problems = []interp.Problem{{Kind: "mutant", Name: string(m.Verdict), Message: message, Range: m.Range}}
	return e
}

// notCounted says why a mutant has no say in the score.
func notCounted(m *mutate.Mutant) string {
	switch m.Verdict {
	case mutate.Equivalent:
		return "equivalent: no fault makes a difference"
	case mutate.Unshown:
		return "unshown: " + mutate.NoData
	case mutate.Unread:
		if m.Overridden {
			return "no scenario runs with the declaration as it is (overridden)"
		}
		return "no scenario reads the declaration"
	case mutate.Invalid:
		return "does not compile: " + m.Why
	}
	return "not tried"
}

// Package rows says what checks come to that show nothing in one row of a scenario with for_each or
// matrix, and may in another one.
//
//	result.Row = rows.Of(p, unmet)
package rows

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Of is a row in which some checks show nothing, nil where there are none.
func Of(p *plan.Plan, unmet []plan.Problem) *plan.Row {
	if len(unmet) == 0 {
		return nil
	}
	return &plan.Row{Of: p.Instances, Unmet: unmet}
}

// Why says why a check shows nothing in any of some rows, by what is true of one.
func Why(why string, of int) string {
	return fmt.Sprintf("in none of the %d rows of the scenario does it show anything, as in this one: %s, or add a row in which it does", of, why)
}

// Gate is that a scenario checks nothing, in this row alone or in all of them.
func Gate(p *plan.Plan, all bool) plan.Problem {
	place, in := hcl.Pos{Line: p.Line, Column: 1}, ""
	if all {
		in = fmt.Sprintf(" in any of its %d rows", p.Instances)
	}
	return plan.Problem{
		Kind: "gate", Name: plan.GateNoAssertion, Range: hcl.Range{Filename: p.File, Start: place, End: place},
		Message: "the scenario checks nothing" + in + ": all that it asserts holds of 0 of 0, or of what never ran or was not there.\nhint: say how many there have to be as well, such as length(…) > 0, or that a step ran; or allow = [\"" + plan.GateNoAssertion + "\"]",
	}
}

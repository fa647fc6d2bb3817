// Package less tells of assertions that hold and show less than they seem to: of what they find
// elsewhere, of waits that a program chooses by itself, and of a file as it was before a program ran.
//
//	why := less.Why(observed, assertion, ctx, told, value) // "" where nothing is to be told
package less

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/judge/found"
	"github.com/scenario-lang/scenario/interp/internal/judge/paced"
	"github.com/scenario-lang/scenario/interp/internal/judge/stale"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// May reports whether there may be something to tell of a condition.
func May(e hclsyntax.Expression) bool {
	return found.Asks(e) || paced.Reads(e) || stale.Reads(e)
}

// Why says of an assertion that holds what it may not show. told is what services answered, and value
// evaluates a part of its condition with other operands.
func Why(o *observe.Observed, a *plan.Assertion, ctx *hcl.EvalContext, told func() []string, value paced.Value) string {
	why := found.Elsewhere(a.Condition, ctx, found.About{Name: a.Name, Checks: o.Plan.Conditions, Told: told, Hide: o.Plan.Secrets.Text})
	if why == "" && o.Way == plan.Exec {
		why = stale.Why(a.Condition)
	}
	return cmp.Or(why, paced.Why(o, a.Condition, ctx, value))
}

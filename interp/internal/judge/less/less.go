// Package less tells of assertions that hold and show less than they seem to: of what they find
// elsewhere, of waits that a program chooses by itself, of a file as it was before a program ran, of how
// many values a histogram has, and of calls that are to come at one time and do not; and of those that show nothing of a wait,
// or compare a request with itself.
//
//	look := less.New(observed)
//	why := look.Why(assertion, ctx, needs, told, value) // "" where nothing is to be told
package less

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/found"
	"github.com/scenario-lang/scenario/interp/internal/judge/kept"
	"github.com/scenario-lang/scenario/interp/internal/judge/lost"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/judge/paced"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/served"
	"github.com/scenario-lang/scenario/interp/internal/judge/stale"
	"github.com/scenario-lang/scenario/interp/internal/judge/tallied"
	"github.com/scenario-lang/scenario/interp/internal/judge/unread"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// May reports whether there may be something to tell of a condition.
func May(e hclsyntax.Expression) bool {
	return found.Asks(e) || paced.Reads(e) || stale.Reads(e) || tallied.Asks(e) || lost.Asks(e) || kept.Asks(e) || served.Counts(e) || unread.Compares(e)
}

// A Look is at the assertions of a run.
type Look struct {
	waits paced.Waits
	// left is how many bytes of texts and of conditions may still be looked at for what is found
	// elsewhere: nothing of that is told of those behind them.
	left   int
	checks []hclsyntax.Expression
	others *otherwise.Others
	crowds *otherwise.Others
	again  *otherwise.Others
}

const (
	most = 64 << 20
	// bytesOfCondition is about as long to look at as a condition is.
	bytesOfCondition = 256
)

// New is a look at those of a run that passed.
func New(o *observe.Observed) *Look {
	return &Look{waits: paced.Waits{Run: o}, left: most, others: otherwise.Of(o, kept.Runs), crowds: otherwise.Of(o, served.Crowds), again: otherwise.Of(o, unread.Retries)}
}

func (l *Look) spend(bytes int) bool {
	l.left -= bytes
	return l.left >= 0
}

// Why says of an assertion that holds what it may not show. told is what services answered, and value
// evaluates a part of its condition with other operands; n is what the condition reads.
func (l *Look) Why(a *plan.Assertion, ctx *hcl.EvalContext, n *read.Needs, told func() []string, value paced.Value) string {
	o := l.waits.Run
	checks := func() []hclsyntax.Expression {
		if l.checks == nil {
			l.checks = o.Plan.Conditions()
		}
		l.spend(len(l.checks) * bytesOfCondition)
		return l.checks
	}
	why := ""
	if l.left >= 0 {
		why = found.Elsewhere(a.Condition, ctx, found.About{Name: a.Name, Checks: checks, Told: told, Hide: o.Plan.Secrets.Text, Spend: l.spend})
	}
	if why == "" && o.Way == plan.Exec {
		why = stale.Why(a.Condition)
	}
	if why == "" && lost.Asks(a.Condition) {
		why = lost.Why(a.Condition, ctx)
	}
	if why == "" {
		why = tallied.Why(a.Condition, ctx, o.Sut.Said)
	}
	return cmp.Or(why, l.waits.Why(a.Condition, ctx, value), l.crowded(a, ctx, n))
}

// crowded says of a condition on what an endpoint was asked that it says nothing of calls at one time. Nothing
// is asked of a check that takes much.
func (l *Look) crowded(a *plan.Assertion, ctx *hcl.EvalContext, n *read.Needs) string {
	if !served.Counts(a.Condition) {
		return ""
	}
	before := l.waits.Run.Work()
	if dsl.Evaluate(a.Condition, ctx); l.waits.Run.TookMuch(before) {
		return ""
	}
	return l.crowds.Condition(a.Condition, n)
}

// Nothing says of a part of an assertion that holds why it shows nothing, "" where each shows something:
// it is a least time that the answers keep alone, or one of 0, or it compares a request with itself. Nothing is
// asked of a check that takes much.
func (l *Look) Nothing(a *plan.Assertion, ctx *hcl.EvalContext, n *read.Needs) string {
	o := l.waits.Run
	times, requests := kept.Asks(a.Condition), unread.Compares(a.Condition)
	if before := o.Work(); times || requests {
		if dsl.Evaluate(a.Condition, ctx); o.TookMuch(before) {
			return ""
		}
	}
	for _, part := range dsl.Conjuncts(premise.Plainly(a.Condition)) {
		why := ""
		if times {
			why = l.others.Part(part, n)
		}
		if requests {
			why = cmp.Or(why, l.again.Part(part, n))
		}
		if why != "" {
			return why
		}
	}
	return ""
}

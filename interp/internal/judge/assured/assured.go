// Package assured tells of checks of a workflow that hold whatever the workflow does: that a step did not run
// which is a tool that no reply of the script asks for, that two steps overlap which only touch, and that as many
// waits are listed as there were retries.
//
//	list := assured.Checks(observed, result)
package assured

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Checks tells of the assertions and expectations of a run that passed, without those of which something is told
// already: the result has that. Nothing is told of what a program does.
func Checks(o *observe.Observed, result *plan.Result) (list []plan.Problem) {
	if o == nil || result.Verdict != plan.Pass || o.Driven() || o.Plan.BenchRun != nil {
		return nil
	}
	told := func(rng hcl.Range) bool {
		return slices.ContainsFunc(result.Relaxed, func(p plan.Problem) bool { return p.Range == rng })
	}
	l := &look{o: o, unasked: unasked(o)}
	for _, a := range o.Plan.Asserts {
		rng := dsl.Place(a.Condition.Range())
		if told(rng) || !l.asks(a.Condition) {
			continue
		}
		if l.ctx == nil {
			l.ctx = o.ObservedContext(o.Plan.Needs, nil)
		}
		if why, kind := l.why(a.Condition); why != "" {
			list = append(list, plan.Problem{Kind: kind, Partly: kind == plan.KindIdle, Name: "assert " + strconv.Quote(a.Name), Range: rng, Message: why})
		}
	}
	for _, x := range o.Plan.Expects {
		if t := l.toolOf(o.Steps[x.Address]); t != nil && !told(x.Rng) {
			list = append(list, plan.Problem{Kind: plan.KindElsewhere, Name: "expect " + strconv.Quote(x.Address), Range: x.Rng, Message: t.why()})
		}
	}
	return list
}

// A look is at the checks of a run.
type look struct {
	o       *observe.Observed
	ctx     *hcl.EvalContext // nil before it is needed
	unasked []tool
}

// asks reports whether there may be something to tell of a condition.
func (l *look) asks(e hclsyntax.Expression) bool {
	for name := range read.Names(e) {
		if name == "delays_ms" || slices.Contains(begins, name) || len(l.unasked) > 0 {
			return true
		}
	}
	return false
}

func (l *look) why(condition hclsyntax.Expression) (why, kind string) {
	parts := dsl.Conjuncts(premise.Plainly(condition))
	for i, part := range parts {
		if countsRetries(part) {
			return given.OfLink, plan.KindIdle
		}
		if why := cmp.Or(l.touches(parts, i), l.ofTool(part)); why != "" {
			return why, plan.KindElsewhere
		}
	}
	return "", ""
}

// countsRetries reports whether a part of a condition compares how many waits before retries are listed with how
// many retries there were.
func countsRetries(e hclsyntax.Expression) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is || !dsl.IsEqual(x.Op) {
		return false
	}
	for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
		f, is := dsl.Bare(sides[0]).(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != "length" || len(f.Args) != 1 {
			continue
		}
		waits, of := last(f.Args[0])
		retries, other := last(sides[1])
		if waits == "delays_ms" && retries == "retries" && of == other {
			return true
		}
	}
	return false
}

// last is the attribute that an expression reads, with what it reads it of; "" where it is no reference.
func last(e hclsyntax.Expression) (attr, of string) {
	x, is := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
	if !is || len(x.Traversal) < 2 {
		return "", ""
	}
	attr, _ = read.AttrName(x.Traversal, len(x.Traversal)-1)
	return attr, dsl.TraversalText(x.Traversal[:len(x.Traversal)-1])
}

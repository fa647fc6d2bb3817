// Package unmet tells of assertions that hold and were not put to the test: upper limits that nothing of a
// run came to, limits on time where nothing takes any, tolerances as wide as the value that they are
// about, and texts that are ruled out in another writing than the run has them in.
//
//	list := unmet.Checks(observed, result, given) // for each such check a problem of the kind elsewhere
package unmet

import (
	"cmp"
	"slices"
	"strconv"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Checks tells of the assertions of a run that passed, without those of which something is told already. given
// are texts that a program was given by itself, such as its arguments, its input and its files; it is called
// only where one asks for them, and may be nil.
func Checks(o *observe.Observed, result *plan.Result, given func() []string) (list []plan.Problem) {
	if o == nil || result.Verdict != plan.Pass {
		return nil
	}
	l := &look{o: o, exec: o.Way == plan.Exec, given: sync.OnceValue(func() *amounts { return offered(o, given) })}
	for _, a := range o.Plan.Asserts {
		rng := dsl.Place(a.Condition.Range())
		if !asks(a.Condition) || slices.ContainsFunc(result.Relaxed, func(p plan.Problem) bool { return p.Range == rng }) {
			continue
		}
		if l.ctx == nil {
			l.ctx = o.ObservedContext(o.Plan.Needs, nil)
		}
		if why := l.why(a); why != "" {
			list = append(list, plan.Problem{Kind: plan.KindElsewhere, Name: "assert " + strconv.Quote(a.Name), Range: rng, Message: why})
		}
	}
	return list
}

// A look is at the assertions of a run.
type look struct {
	o     *observe.Observed
	ctx   *hcl.EvalContext
	exec  bool // a program is under test, in real time
	given func() *amounts
	least map[string]bool // see leastTimes; nil before it is asked for
}

// asks reports whether a condition may have a limit or a tolerance, or rules out a text.
func asks(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.BinaryOpExpr:
			found = found || premise.IsOrder(x.Op)
		case *hclsyntax.FunctionCallExpr:
			found = found || x.Name == "approx"
		case *hclsyntax.UnaryOpExpr:
			_, is := isSearch(x)
			found = found || is
		}
	})
	return found
}

// why says what an assertion does not show. Nothing is asked of one that takes much, as it is evaluated some
// times more.
func (l *look) why(a *plan.Assertion) string {
	ctx := l.ctx
	if len(a.Lacking) > 0 {
		ctx = ctx.NewChild()
		ctx.Functions = a.Lacking.Null(l.ctx.Functions)
	}
	before := l.o.Work()
	if dsl.Evaluate(a.Condition, ctx); l.o.TookMuch(before) {
		return ""
	}
	parts := dsl.Conjuncts(premise.Plainly(a.Condition))
	for i, part := range parts {
		if why := cmp.Or(l.limit(parts, i, ctx), wide(part, ctx), l.otherwise(part)); why != "" {
			return why
		}
	}
	return ""
}

// isOfRun reports whether an expression reads what a run came to, or an element of that.
func isOfRun(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if root := t.RootName(); root != "input" && read.IsObserved(root) {
			return true
		}
	}
	return read.HasQuery(e)
}

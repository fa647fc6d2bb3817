package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// showsAtSight reports whether a condition that holds shows something, as most do:
// what a run observed of something that took part in it is compared with what the
// file says. That is seen without evaluating the condition again; what it cannot
// tell is looked at in full.
func (c *checker) showsAtSight(e hclsyntax.Expression) bool {
	if !isNoLimit(e) && slices.ContainsFunc(c.unmoved(), func(m observe.Measure) bool { return mentions(e, &m) }) {
		return false
	}
	if c.allowsAll(e) != "" {
		return false
	}
	return c.waitedFor(e) == "" && c.unwaited(e) == "" && c.limitsSoFar(e) == "" && c.ofScript(e) == "" && c.looksAtRun(e) && c.fixedByFile(e) == "" && c.rulesOutImpossible(e) == "" && c.constant(e) == "" && c.absentKey(e) == "" && c.neverCome(e) == "" && c.few(e) == "" && c.neverOpened(e) == ""
}

// looksAtRun is showsAtSight for what reads nothing that is 0 whatever is under test.
func (c *checker) looksAtRun(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return c.isClean(x)
	case *hclsyntax.UnaryOpExpr:
		_, path := dsl.Bare(x.Val).(*hclsyntax.ScopeTraversalExpr)
		return path && c.isClean(x.Val)
	case *hclsyntax.FunctionCallExpr:
		return c.isClean(x) || x.Name == "alltrue" && c.eachAtSight(x)
	case *hclsyntax.BinaryOpExpr:
		switch {
		case x.Op == hclsyntax.OpLogicalOr:
			return !premise.May(x) && (c.holdsAtSight(x.LHS) || c.holdsAtSight(x.RHS))
		case premise.IsOrder(x.Op) && (c.isInstant(x.LHS) || c.isInstant(x.RHS) || c.isOnce(x.LHS) || c.isOnce(x.RHS) || isMetric(x.LHS) || isMetric(x.RHS)):
			return false
		case dsl.IsEqual(x.Op) || premise.IsOrder(x.Op):
			return isSaid(x.RHS) && c.isClean(x.LHS) || isSaid(x.LHS) && c.isClean(x.RHS)
		case dsl.IsComparison(x.Op):
			return c.isThere(x.LHS, x.RHS) || c.isThere(x.RHS, x.LHS)
		}
	}
	return false
}

// holdsAtSight is showsAtSight for one side of a disjunction.
func (c *checker) holdsAtSight(e hclsyntax.Expression) bool {
	if !c.looksAtRun(e) {
		return false
	}
	v, diags := dsl.Evaluate(e, c.ctx)
	return !diags.HasErrors() && plan.IsTrue(v)
}

// eachAtSight is showsAtSight for alltrue over a list that is not empty.
func (c *checker) eachAtSight(x *hclsyntax.FunctionCallExpr) bool {
	if len(x.Args) != 1 {
		return false
	}
	f, list := dsl.Bare(x.Args[0]).(*hclsyntax.ForExpr)
	if !list || f.CondExpr != nil || !c.isClean(f.CollExpr) {
		return false
	}
	switch each := dsl.Bare(f.ValExpr).(type) {
	case *hclsyntax.BinaryOpExpr:
		if dsl.IsComparison(each.Op) && !dsl.IsEqual(each.Op) || !c.looksAtRun(each) {
			return false
		}
	case *hclsyntax.FunctionCallExpr:
		if !c.isClean(each) {
			return false
		}
	default:
		return false
	}
	over, diags := dsl.Evaluate(f.CollExpr, c.ctx)
	return !diags.HasErrors() && !isEmpty(over)
}

// isThere reports whether one side of != is something that was there, and the
// other what the file says.
func (c *checker) isThere(one, other hclsyntax.Expression) bool {
	x, path := dsl.Bare(one).(*hclsyntax.ScopeTraversalExpr)
	if !path || !isSaid(other) || !c.isClean(x) {
		return false
	}
	v, diags := x.Traversal.TraverseAbs(c.ctx)
	return !diags.HasErrors() && !v.IsNull()
}

// isSaid reports whether the file alone says a value.
func isSaid(e hclsyntax.Expression) bool {
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.FunctionCallExpr:
		if read.IsQuery(x.Name) {
			return false
		}
	case *hclsyntax.ScopeTraversalExpr:
		return !read.IsObserved(x.Traversal.RootName())
	case *hclsyntax.ForExpr, *hclsyntax.SplatExpr, *hclsyntax.AnonSymbolExpr:
		return false
	}
	said := true
	dsl.EachPart(e, func(part hclsyntax.Expression) { said = said && isSaid(part) })
	return said
}

// isClean reports whether a value is of a run, of things that took part in it, and
// made by nothing that has a value where there is nothing.
func (c *checker) isClean(e hclsyntax.Expression) bool {
	clean := true
	if x, path := e.(*hclsyntax.ScopeTraversalExpr); path {
		return c.isCleanPath(x.Traversal)
	}
	if isSaid(e) || !c.isPure(e) {
		return false
	}
	for t := range dsl.Variables(e) {
		clean = clean && (!read.IsObserved(t.RootName()) || c.isCleanPath(t))
	}
	return clean
}

// isPure reports whether nothing in an expression has a value of its own where
// there is nothing. What chooses elements of a list may.
func (c *checker) isPure(e hclsyntax.Expression) bool {
	switch x := e.(type) {
	case *hclsyntax.FunctionCallExpr:
		switch x.Name {
		case "alltrue", "anytrue", "overlaps", "distinct", "toset", "contains", "sum", "regexall", "split", "join", "setintersection", "try", "coalesce", "lookup", "merge", "concat", "flatten", "setunion", "jq", "schemaerror", "one", "sut.metric", "sut.spans", "sut.logs":
			return false
		}
		if looksForData(x) || c.asksForNone(x) || x.ExpandFinal || x.Name == "regexmatch" {
			return false
		}
	case *hclsyntax.UnaryOpExpr:
		return x.Op != hclsyntax.OpLogicalNot && c.isPure(x.Val)
	case *hclsyntax.BinaryOpExpr:
		if x.Op.Type == cty.Bool {
			return false
		}
	case *hclsyntax.ConditionalExpr:
		return false
	case *hclsyntax.ForExpr:
		return x.CondExpr == nil && c.isPure(x.CollExpr) && (x.KeyExpr == nil || c.isPure(x.KeyExpr)) && c.isPure(x.ValExpr)
	}
	pure := true
	dsl.EachPart(e, func(part hclsyntax.Expression) { pure = pure && c.isPure(part) })
	return pure
}

// isOnce reports whether a value counts the attempts of a step that was asked once
// and succeeded.
func (c *checker) isOnce(e hclsyntax.Expression) bool {
	f, counted := call(e, "length")
	if !counted {
		return false
	}
	x, path := dsl.Bare(f.Args[0]).(*hclsyntax.ScopeTraversalExpr)
	return path && c.run.Obs.Once(x.Traversal)
}

// isInstant reports whether a value is the time of a step that took none.
func (c *checker) isInstant(e hclsyntax.Expression) bool {
	x, path := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
	return path && c.run.Obs.Instant(x.Traversal)
}

// isMetric reports whether a value is a metric, which may be 0 because nothing came
// that it counts.
func isMetric(e hclsyntax.Expression) bool {
	_, is := call(e, "metric")
	return is
}

// isCleanPath reports whether an operand is of something that took part in the
// run.
func (c *checker) isCleanPath(t hcl.Traversal) bool {
	o := c.run.Obs
	if !read.IsObserved(t.RootName()) || t.RootName() == "input" || c.idle() && (len(t) == 1 || c.ofIdleSteps(t)) {
		return false
	}
	return !o.Idle(t) && !o.Crowded(t) && !o.Single(t) && !c.untried(t) && o.RefusedAnswer(t) == nil
}

// ofIdleSteps reports whether an operand is of a step that never ran.
func (c *checker) ofIdleSteps(t hcl.Traversal) bool {
	s := c.run.Obs.StepAt(t)
	return s != nil && s.NeverRan()
}

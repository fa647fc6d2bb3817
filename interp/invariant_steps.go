package interp

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// stepCheck is a condition that holds when it holds of every step by itself. It
// is looked at again for the steps that an event changed, and not for all that
// ran before.
type stepCheck struct {
	each *hclsyntax.ForExpr
	// want is what the value of an element must be; where it is neither true
	// nor false, no element may be there at all.
	want cty.Value
}

// stepChecks takes a condition apart into checks of single steps. It is nil for
// one that is about more than that.
func stepChecks(e hclsyntax.Expression) []*stepCheck {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return stepChecks(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalAnd {
			left, right := stepChecks(x.LHS), stepChecks(x.RHS)
			if left == nil || right == nil {
				return nil
			}
			return append(left, right...)
		}
		if dsl.IsEqual(x.Op) {
			return noneOf(x)
		}
	case *hclsyntax.UnaryOpExpr:
		if f, ok := x.Val.(*hclsyntax.FunctionCallExpr); ok && x.Op == hclsyntax.OpLogicalNot && f.Name == "anytrue" && len(f.Args) == 1 {
			return eachStep(f.Args[0], cty.False)
		}
	case *hclsyntax.FunctionCallExpr:
		if x.Name == "alltrue" && len(x.Args) == 1 {
			return eachStep(x.Args[0], cty.True)
		}
	}
	return nil
}

// noneOf reads `[for … if …] == []` and `length([for … if …]) == 0`.
func noneOf(x *hclsyntax.BinaryOpExpr) []*stepCheck {
	if t, ok := x.RHS.(*hclsyntax.TupleConsExpr); ok && len(t.Exprs) == 0 {
		return eachStep(x.LHS, null)
	}
	f, ok := x.LHS.(*hclsyntax.FunctionCallExpr)
	zero, literal := x.RHS.(*hclsyntax.LiteralValueExpr)
	if ok && literal && f.Name == "length" && len(f.Args) == 1 && zero.Val.Type() == cty.Number && zero.Val.Equals(cty.Zero).True() {
		return eachStep(f.Args[0], null)
	}
	return nil
}

// eachStep reads a list that is made of steps, each by itself.
func eachStep(e hclsyntax.Expression, want cty.Value) []*stepCheck {
	x, ok := e.(*hclsyntax.ForExpr)
	if !ok || x.KeyVar != "" || x.KeyExpr != nil {
		return nil
	}
	over, ok := x.CollExpr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(over.Traversal) != 1 || over.Traversal.RootName() != "steps" {
		return nil
	}
	for _, part := range []hclsyntax.Expression{x.ValExpr, x.CondExpr} {
		if part != nil && !aboutOnly(part, x.ValVar) {
			return nil
		}
	}
	return []*stepCheck{{x, want}}
}

// aboutOnly reports whether an expression reads nothing of a run but one
// variable.
func aboutOnly(e hclsyntax.Expression, name string) bool {
	for _, t := range e.Variables() {
		if root := t.RootName(); root != name && root != "var" && root != "local" {
			return false
		}
	}
	pure := true
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if f, ok := n.(*hclsyntax.FunctionCallExpr); ok && isQuery(f.Name) {
			pure = false
		}
		return nil
	})
	return pure
}

// holds reports whether the check holds of a step for certain.
func (c *stepCheck) holds(ctx *hcl.EvalContext, step cty.Value) bool {
	child := ctx.NewChild()
	child.Variables = map[string]cty.Value{c.each.ValVar: step}
	if c.each.CondExpr != nil {
		v, diags := c.each.CondExpr.Value(child)
		switch {
		case diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
			return false
		case v.False():
			return true
		}
	}
	if c.want.IsNull() {
		return false
	}
	v, diags := c.each.ValExpr.Value(child)
	return !diags.HasErrors() && !v.IsNull() && v.IsKnown() && v.Type() == cty.Bool && v.RawEquals(c.want)
}

// stepwise reports whether an invariant that is about single steps still holds,
// by looking at those which have changed. Where it cannot tell, all of the
// condition is evaluated.
func (w *watcher) stepwise(i *watched) bool {
	if i.checks == nil {
		return false
	}
	read, ctx := i.needs.of("steps"), w.obs.plan.static.NewChild()
	for n, s := range w.obs.order {
		if n == len(i.seen) {
			i.seen = append(i.seen, -1)
		}
		if i.seen[n] == s.version {
			continue
		}
		v := stepItem(s, read)
		for _, c := range i.checks {
			if !c.holds(ctx, v) {
				return false
			}
		}
		i.seen[n] = s.version
	}
	return true
}

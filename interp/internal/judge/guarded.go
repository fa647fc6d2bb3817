package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// throughNullGuards makes the alternatives of an expression that is a copy have no known
// result where one of them holds only because there is nothing of what another one
// speaks of: `X == null || X.kind == "timeout"` says of X what kind it is, if it comes.
// Two that speak of different things may both be meant.
func (l *look) throughNullGuards(a *dsl.Absence, paths map[string]hcl.Traversal) {
	tests := map[string]hcl.Traversal{}
	for _, c := range a.Comparisons {
		if slots := slices.Concat(c.Left.Slots, c.Right.Slots); c.Null && dsl.IsEqual(c.Op) && len(slots) == 1 && !slots[0].Caught {
			tests[c.Func] = slots[0].Path
		}
	}
	if len(tests) == 0 {
		return
	}
	dsl.EachExpr(a.Expr, func(e hclsyntax.Expression) {
		if x, is := e.(*hclsyntax.BinaryOpExpr); is && x.Op == hclsyntax.OpLogicalOr {
			l.guardedBy(x, alternatives(x), tests, paths)
		}
	})
}

// guardedBy does so for one disjunction and those that are its sides.
func (l *look) guardedBy(x *hclsyntax.BinaryOpExpr, all []hclsyntax.Expression, tests map[string]hcl.Traversal, paths map[string]hcl.Traversal) (found bool) {
	guards := func(side hclsyntax.Expression) bool {
		f, is := dsl.Bare(side).(*hclsyntax.FunctionCallExpr)
		if !is || tests[f.Name] == nil {
			return false
		}
		what := dsl.TraversalText(tests[f.Name])
		for _, other := range all {
			if other == side {
				continue
			}
			for t := range dsl.Variables(other) {
				if path := paths[t.RootName()]; path != nil && isBelow(dsl.TraversalText(path), what) {
					return true
				}
			}
		}
		return false
	}
	first, second := guards(x.LHS), guards(x.RHS)
	for _, side := range []hclsyntax.Expression{x.LHS, x.RHS} {
		if inner, is := dsl.Bare(side).(*hclsyntax.BinaryOpExpr); is && inner.Op == hclsyntax.OpLogicalOr {
			found = l.guardedBy(inner, all, tests, paths) || found
		}
	}
	switch {
	case first != second:
		x.Op = l.implied(first)
	case first:
		x.Op = l.implied(true)
	case found:
		x.Op = openOr
	}
	return first || second || found
}

// openOr is || of which one side may have no known result, whatever becomes of the other
// one then.
var openOr = &hclsyntax.Operation{
	Impl: hclsyntax.OpLogicalOr.Impl,
	Type: cty.Bool,
	ShortCircuit: func(left, right cty.Value, leftDiags, rightDiags hcl.Diagnostics) (cty.Value, hcl.Diagnostics) {
		if !leftDiags.HasErrors() && !left.IsKnown() && rightDiags.HasErrors() || !rightDiags.HasErrors() && !right.IsKnown() && leftDiags.HasErrors() {
			return cty.UnknownVal(cty.Bool), nil
		}
		return hclsyntax.OpLogicalOr.ShortCircuit(left, right, leftDiags, rightDiags)
	},
}

// isBelow reports whether one path is another one or goes on from it.
func isBelow(path, from string) bool {
	rest, ok := strings.CutPrefix(path, from)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// alternatives are the parts of a disjunction of which one has to hold.
func alternatives(e hclsyntax.Expression) []hclsyntax.Expression {
	if x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr); is && x.Op == hclsyntax.OpLogicalOr {
		return append(alternatives(x.LHS), alternatives(x.RHS)...)
	}
	return []hclsyntax.Expression{e}
}

// hasAlternatives reports whether a condition has parts of which one is enough.
func hasAlternatives(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		_, choice := e.(*hclsyntax.ConditionalExpr)
		found = found || choice || is && x.Op == hclsyntax.OpLogicalOr
	})
	return found
}

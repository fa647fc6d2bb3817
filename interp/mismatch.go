package interp

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// mismatch finds a comparison of values that can never be equal, because the
// one is a number and the other a string, or the one a tuple or object and the
// other neither: HCL calls them unequal without a word (semantics.md §14). It
// looks at the comparisons that were evaluated, not at those inside for
// expressions, whose types the static check knows. holds says that e is known
// to be true: an equality that holds compares like with like, and its sides
// need not be computed again.
func (c *checker) mismatch(e hclsyntax.Expression, holds bool) string {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return c.mismatch(x.Expression, holds)
	case *hclsyntax.UnaryOpExpr:
		return c.mismatch(x.Val, false)
	case *hclsyntax.BinaryOpExpr:
		switch x.Op {
		case hclsyntax.OpEqual:
			if holds {
				return ""
			}
			return c.incomparable(x)
		case hclsyntax.OpNotEqual:
			return c.incomparable(x)
		}
		holds = holds && x.Op == hclsyntax.OpLogicalAnd
		if m := c.mismatch(x.LHS, holds); m != "" || !holds && c.decides(x) {
			return m
		}
		return c.mismatch(x.RHS, holds)
	case *hclsyntax.ConditionalExpr:
		if m := c.mismatch(x.Condition, false); m != "" {
			return m
		}
		if v, diags := x.Condition.Value(c.ctx); !diags.HasErrors() && isTrue(v) {
			return c.mismatch(x.TrueResult, holds)
		}
		return c.mismatch(x.FalseResult, holds)
	}
	return ""
}

// decides reports whether the left side alone settles an and or an or, so that
// the right one was not evaluated.
func (c *checker) decides(x *hclsyntax.BinaryOpExpr) bool {
	if x.Op != hclsyntax.OpLogicalAnd && x.Op != hclsyntax.OpLogicalOr {
		return false
	}
	v, diags := x.LHS.Value(c.ctx)
	return !diags.HasErrors() && isTrue(v) == (x.Op == hclsyntax.OpLogicalOr)
}

func (c *checker) incomparable(x *hclsyntax.BinaryOpExpr) string {
	l, ldiags := x.LHS.Value(c.ctx)
	r, rdiags := x.RHS.Value(c.ctx)
	if ldiags.HasErrors() || rdiags.HasErrors() || l.IsNull() || r.IsNull() {
		return ""
	}
	lk, rk := kindOf(l), kindOf(r)
	if lk == rk || lk == "" || rk == "" {
		return ""
	}
	return fmt.Sprintf("the two sides can never be equal: %s is %s, %s is %s.",
		dsl.AppendSource(nil, x.LHS), lk, dsl.AppendSource(nil, x.RHS), rk)
}

func kindOf(v cty.Value) string {
	switch t := v.Type(); {
	case t == cty.String:
		return "a string"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "a bool"
	case t.IsObjectType(), t.IsMapType():
		return "an object"
	case t.IsTupleType(), t.IsListType(), t.IsSetType():
		return "a tuple"
	}
	return ""
}

// diff says how the two sides of the failing comparison differ, "" where the
// condition is none.
func (c *checker) diff(e hclsyntax.Expression) string {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return c.diff(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		switch x.Op {
		case hclsyntax.OpEqual:
			l, ldiags := x.LHS.Value(c.ctx)
			r, rdiags := x.RHS.Value(c.ctx)
			if ldiags.HasErrors() || rdiags.HasErrors() {
				return ""
			}
			return dsl.Diff(l, r)
		case hclsyntax.OpLogicalAnd:
			if l, diags := x.LHS.Value(c.ctx); !diags.HasErrors() && !isTrue(l) {
				return c.diff(x.LHS)
			}
			return c.diff(x.RHS)
		}
	}
	return ""
}

package interp

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// diff says how the two sides of the failing comparison differ, "" where the
// condition is none.
func (c *checker) diff(e hclsyntax.Expression) string {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return c.diff(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		switch {
		case dsl.IsEqual(x.Op):
			l, ldiags := x.LHS.Value(c.ctx)
			r, rdiags := x.RHS.Value(c.ctx)
			if ldiags.HasErrors() || rdiags.HasErrors() {
				return ""
			}
			hidden, source := c.run.plan.secrets, string(dsl.AppendSource(nil, x.LHS))
			return dsl.Diff(hidden.operand(source, l), hidden.operand(source, r))
		case x.Op == hclsyntax.OpLogicalAnd:
			if l, diags := x.LHS.Value(c.ctx); !diags.HasErrors() && !isTrue(l) {
				return c.diff(x.LHS)
			}
			return c.diff(x.RHS)
		}
	}
	return ""
}

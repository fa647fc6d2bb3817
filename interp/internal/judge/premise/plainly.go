package premise

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// Plainly is a condition without negations of && and ||: !(a && b) is !a || !b, and the
// negation of a comparison is another one. The expression that it is given stays as it is.
func Plainly(e hclsyntax.Expression) hclsyntax.Expression {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.UnaryOpExpr:
		if x.Op == hclsyntax.OpLogicalNot && isJoined(x.Val) {
			return negated(x.Val)
		}
	case *hclsyntax.BinaryOpExpr:
		if isJoined(x) {
			own := *x
			own.LHS, own.RHS = Plainly(x.LHS), Plainly(x.RHS)
			return &own
		}
	}
	return e
}

func isJoined(e hclsyntax.Expression) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	return is && (x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr)
}

// negated is the negation of a condition.
func negated(e hclsyntax.Expression) hclsyntax.Expression {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.UnaryOpExpr:
		if x.Op == hclsyntax.OpLogicalNot {
			return Plainly(x.Val)
		}
	case *hclsyntax.BinaryOpExpr:
		own := *x
		switch x.Op {
		case hclsyntax.OpLogicalAnd, hclsyntax.OpLogicalOr:
			own.Op = hclsyntax.OpLogicalAnd
			if x.Op == hclsyntax.OpLogicalAnd {
				own.Op = hclsyntax.OpLogicalOr
			}
			own.LHS, own.RHS = negated(x.LHS), negated(x.RHS)
			return &own
		}
		if own.Op = dsl.Opposite(x.Op); own.Op != nil {
			return &own
		}
	}
	return &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: e, SrcRange: e.Range(), SymbolRange: e.Range()}
}

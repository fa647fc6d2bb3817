package premise

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// May reports whether a disjunction may have a part that says that a premise
// does not hold.
func May(x *hclsyntax.BinaryOpExpr) bool {
	for _, side := range []hclsyntax.Expression{x.LHS, x.RHS} {
		switch s := dsl.Bare(side).(type) {
		case *hclsyntax.UnaryOpExpr:
			return true
		case *hclsyntax.BinaryOpExpr:
			if dsl.IsComparison(s.Op) && !dsl.IsEqual(s.Op) || mayGuard(s) || dsl.IsNullTest(s) || s.Op == hclsyntax.OpLogicalOr && May(s) {
				return true
			}
		}
	}
	return false
}

// mayGuard reports whether a comparison may say that a list is short.
func mayGuard(x *hclsyntax.BinaryOpExpr) bool {
	if !IsOrder(x.Op) && !dsl.IsEqual(x.Op) {
		return false
	}
	for _, side := range []hclsyntax.Expression{x.LHS, x.RHS} {
		f, call := dsl.Bare(side).(*hclsyntax.FunctionCallExpr)
		_, list := dsl.Bare(side).(*hclsyntax.TupleConsExpr)
		path, reads := dsl.Bare(side).(*hclsyntax.ScopeTraversalExpr)
		if list || call && f.Name == "length" && len(f.Args) > 0 || reads && Counts(path.Traversal) {
			return true
		}
	}
	return false
}

// IsOrder reports whether an operation is one of <, <=, > and >=.
func IsOrder(op *hclsyntax.Operation) bool {
	switch op {
	case hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual, hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual:
		return true
	}
	return false
}

// Turned is the operation of a comparison with its sides exchanged.
func Turned(op *hclsyntax.Operation) *hclsyntax.Operation {
	switch op {
	case hclsyntax.OpLessThan:
		return hclsyntax.OpGreaterThan
	case hclsyntax.OpLessThanOrEqual:
		return hclsyntax.OpGreaterThanOrEqual
	case hclsyntax.OpGreaterThan:
		return hclsyntax.OpLessThan
	case hclsyntax.OpGreaterThanOrEqual:
		return hclsyntax.OpLessThanOrEqual
	}
	return op
}

package dsl

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// EachPart calls f with every direct part of an expression that is one itself,
// in the order in which they are written. The key of an object that is a plain
// name is a text and no part. A condition is walked many times on
// its way into a plan: unlike the parser's own walk this one allocates nothing.
func EachPart(e hclsyntax.Expression, f func(hclsyntax.Expression)) {
	some := func(parts ...hclsyntax.Expression) {
		for _, p := range parts {
			if p != nil {
				f(p)
			}
		}
	}
	switch x := e.(type) {
	case *hclsyntax.TemplateExpr:
		some(x.Parts...)
	case *hclsyntax.TemplateWrapExpr:
		some(x.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		some(x.Tuple)
	case *hclsyntax.RelativeTraversalExpr:
		some(x.Source)
	case *hclsyntax.IndexExpr:
		some(x.Collection, x.Key)
	case *hclsyntax.SplatExpr:
		some(x.Source, x.Each)
	case *hclsyntax.ParenthesesExpr:
		some(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		some(x.LHS, x.RHS)
	case *hclsyntax.UnaryOpExpr:
		some(x.Val)
	case *hclsyntax.ConditionalExpr:
		some(x.Condition, x.TrueResult, x.FalseResult)
	case *hclsyntax.FunctionCallExpr:
		some(x.Args...)
	case *hclsyntax.TupleConsExpr:
		some(x.Exprs...)
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			some(item.KeyExpr, item.ValueExpr)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		if x.ForceNonLiteral || hcl.ExprAsKeyword(x.Wrapped) == "" {
			some(x.Wrapped)
		}
	case *hclsyntax.ForExpr:
		some(x.CollExpr, x.KeyExpr, x.ValExpr, x.CondExpr)
	case *hclsyntax.ExprSyntaxError, *hclsyntax.LiteralValueExpr, *hclsyntax.ScopeTraversalExpr, *hclsyntax.AnonSymbolExpr:
	}
}

// EachExpr calls f with an expression and everything in it, each before its
// parts. Nothing is called for nil.
func EachExpr(e hclsyntax.Expression, f func(hclsyntax.Expression)) {
	if e == nil {
		return
	}
	f(e)
	EachPart(e, func(p hclsyntax.Expression) { EachExpr(p, f) })
}

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

// EachWritten calls f with every attribute of a block and of all that stands in
// it, as the file writes them: those of dynamic blocks and of what they generate,
// too. in is the innermost block that is decoded.
func (b *Block) EachWritten(f func(in *Block, name string, e hclsyntax.Expression)) {
	if b.Type == dynamicType && b.src != nil {
		eachOf(b.src.Body, func(name string, e hclsyntax.Expression) { f(b, name, e) })
		return
	}
	for _, a := range b.Attrs {
		f(b, a.Name, a.Expr)
	}
	for _, n := range b.Blocks {
		n.EachWritten(f)
	}
}

func eachOf(body *hclsyntax.Body, f func(name string, e hclsyntax.Expression)) {
	for name, a := range body.Attributes {
		f(name, a.Expr)
	}
	for _, n := range body.Blocks {
		eachOf(n.Body, f)
	}
}

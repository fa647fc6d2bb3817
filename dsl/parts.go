package dsl

import (
	"iter"

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
	var visit func(hclsyntax.Expression)
	visit = func(p hclsyntax.Expression) {
		f(p)
		EachPart(p, visit)
	}
	visit(e)
}

// Variables yields the references of an expression to what is declared outside of
// it, in the order in which they are written: those to the variables of its own for
// expressions are left out. They are what e.Variables() returns; nothing is
// allocated.
func Variables(e hclsyntax.Expression) iter.Seq[hcl.Traversal] {
	return func(yield func(hcl.Traversal) bool) { freeOf(e, nil, yield) }
}

// A binding is a for expression around a part of an expression.
type binding struct {
	of    *hclsyntax.ForExpr
	outer *binding
}

func (b *binding) has(name string) bool {
	for ; b != nil; b = b.outer {
		if b.of.ValVar == name || b.of.KeyVar == name {
			return true
		}
	}
	return false
}

// freeOf yields the references that nothing in b binds, until it is told to stop.
func freeOf(e hclsyntax.Expression, b *binding, yield func(hcl.Traversal) bool) (more bool) {
	switch x := e.(type) {
	case nil:
		return true
	case *hclsyntax.ScopeTraversalExpr:
		return b.has(x.Traversal.RootName()) || yield(x.Traversal)
	case *hclsyntax.ForExpr:
		inside := &binding{x, b}
		return freeOf(x.CollExpr, b, yield) && freeOf(x.KeyExpr, inside, yield) && freeOf(x.ValExpr, inside, yield) && freeOf(x.CondExpr, inside, yield)
	}
	more = true
	EachPart(e, func(p hclsyntax.Expression) { more = more && freeOf(p, b, yield) })
	return more
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

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
	switch x := e.(type) {
	case *hclsyntax.TemplateExpr:
		eachThere(x.Parts, f)
	case *hclsyntax.TemplateWrapExpr:
		ifThere(x.Wrapped, f)
	case *hclsyntax.TemplateJoinExpr:
		ifThere(x.Tuple, f)
	case *hclsyntax.RelativeTraversalExpr:
		ifThere(x.Source, f)
	case *hclsyntax.IndexExpr:
		ifThere(x.Collection, f)
		ifThere(x.Key, f)
	case *hclsyntax.SplatExpr:
		ifThere(x.Source, f)
		ifThere(x.Each, f)
	case *hclsyntax.ParenthesesExpr:
		ifThere(x.Expression, f)
	case *hclsyntax.BinaryOpExpr:
		ifThere(x.LHS, f)
		ifThere(x.RHS, f)
	case *hclsyntax.UnaryOpExpr:
		ifThere(x.Val, f)
	case *hclsyntax.ConditionalExpr:
		ifThere(x.Condition, f)
		ifThere(x.TrueResult, f)
		ifThere(x.FalseResult, f)
	case *hclsyntax.FunctionCallExpr:
		eachThere(x.Args, f)
	case *hclsyntax.TupleConsExpr:
		eachThere(x.Exprs, f)
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			ifThere(item.KeyExpr, f)
			ifThere(item.ValueExpr, f)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		if x.ForceNonLiteral || hcl.ExprAsKeyword(x.Wrapped) == "" {
			ifThere(x.Wrapped, f)
		}
	case *hclsyntax.ForExpr:
		ifThere(x.CollExpr, f)
		ifThere(x.KeyExpr, f)
		ifThere(x.ValExpr, f)
		ifThere(x.CondExpr, f)
	case *hclsyntax.ExprSyntaxError, *hclsyntax.LiteralValueExpr, *hclsyntax.ScopeTraversalExpr, *hclsyntax.AnonSymbolExpr:
	}
}

func ifThere(e hclsyntax.Expression, f func(hclsyntax.Expression)) {
	if e != nil {
		f(e)
	}
}

func eachThere(list []hclsyntax.Expression, f func(hclsyntax.Expression)) {
	for _, e := range list {
		ifThere(e, f)
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

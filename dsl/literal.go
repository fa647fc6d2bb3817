package dsl

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/schema"
)

// Literal is the value of an expression that is a number, a bool, null or a
// text without a template, and whether it is one. Most attributes are, and
// evaluating them costs ten times as much as looking.
func Literal(e hclsyntax.Expression) (cty.Value, bool) {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		e = t.Parts[0]
	}
	l, ok := e.(*hclsyntax.LiteralValueExpr)
	if !ok {
		return cty.DynamicVal, false
	}
	return l.Val, true
}

// bareWord is the text that a word without quotes stands for where an attribute may
// have one, any other expression itself. A call, such as list(string), stands for its
// own text, which the attribute then refuses by name.
func bareWord(a *schema.Attr, e hclsyntax.Expression) hclsyntax.Expression {
	if a == nil || !a.BareWords {
		return e
	}
	text := hcl.ExprAsKeyword(e)
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok {
		text = call.Name + "(…)"
	}
	if text == "" {
		return e
	}
	return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: e.Range()}
}

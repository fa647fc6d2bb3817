package dsl

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
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

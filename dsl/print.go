package dsl

import (
	"math/big"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
)

// maxExcerpt is how many characters of an expression a message quotes.
const maxExcerpt = 60

// Excerpt is an expression as AppendSource writes it, short enough for a
// sentence.
func Excerpt(e hclsyntax.Expression) string {
	return render.Shorten(string(AppendSource(nil, e)), maxExcerpt)
}

// AppendSource appends an expression as formatted source: on one line, with
// single spaces and without comments, so that two ways of writing the same
// expression are equal. Parentheses stay where they were written.
func AppendSource(dst []byte, e hclsyntax.Expression) []byte {
	switch x := e.(type) {
	case nil:
		return dst
	case *counter:
		return AppendSource(dst, x.Expression)
	case *hclsyntax.LiteralValueExpr:
		return appendLiteral(dst, x.Val)
	case *hclsyntax.TemplateExpr:
		dst = append(dst, '"')
		for _, part := range x.Parts {
			dst = appendTemplatePart(dst, part)
		}
		return append(dst, '"')
	case *hclsyntax.TemplateWrapExpr:
		dst = append(dst, `"${`...)
		dst = AppendSource(dst, x.Wrapped)
		return append(dst, `}"`...)
	case *hclsyntax.TemplateJoinExpr:
		return AppendSource(dst, x.Tuple)
	case *hclsyntax.ScopeTraversalExpr:
		return appendTraversal(dst, x.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		return appendTraversal(AppendSource(dst, x.Source), x.Traversal)
	case *hclsyntax.IndexExpr:
		dst = append(AppendSource(dst, x.Collection), '[')
		return append(AppendSource(dst, x.Key), ']')
	case *hclsyntax.SplatExpr:
		dst = append(AppendSource(dst, x.Source), "[*]"...)
		return AppendSource(dst, x.Each)
	case *hclsyntax.AnonSymbolExpr:
		return dst
	case *hclsyntax.ParenthesesExpr:
		dst = append(dst, '(')
		return append(AppendSource(dst, x.Expression), ')')
	case *hclsyntax.BinaryOpExpr:
		dst = append(AppendSource(dst, x.LHS), ' ')
		dst = append(append(dst, operators[x.Op]...), ' ')
		return AppendSource(dst, x.RHS)
	case *hclsyntax.UnaryOpExpr:
		return AppendSource(append(dst, operators[x.Op]...), x.Val)
	case *hclsyntax.ConditionalExpr:
		dst = append(AppendSource(dst, x.Condition), " ? "...)
		dst = append(AppendSource(dst, x.TrueResult), " : "...)
		return AppendSource(dst, x.FalseResult)
	case *hclsyntax.FunctionCallExpr:
		dst = append(append(dst, x.Name...), '(')
		dst = appendList(dst, x.Args)
		if x.ExpandFinal {
			dst = append(dst, "..."...)
		}
		return append(dst, ')')
	case *hclsyntax.TupleConsExpr:
		dst = append(dst, '[')
		return append(appendList(dst, x.Exprs), ']')
	case *hclsyntax.ObjectConsExpr:
		return appendObject(dst, x)
	case *hclsyntax.ObjectConsKeyExpr:
		return AppendSource(dst, x.Wrapped)
	case *hclsyntax.ForExpr:
		return appendFor(dst, x)
	}
	return append(dst, '?')
}

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalNot: "!",
	hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=", strictEqual: "==", strictNotEqual: "!=", strictDivide: "/", strictModulo: "%",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=", hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpNegate: "-",
}

func appendLiteral(dst []byte, v cty.Value) []byte {
	switch {
	case v.IsNull():
		return append(dst, "null"...)
	case !v.IsKnown():
		return append(dst, '?')
	case v.Type() == cty.String:
		return strconv.AppendQuote(dst, v.AsString())
	case v.Type() == cty.Bool:
		return strconv.AppendBool(dst, v.True())
	case v.Type() == cty.Number:
		return appendNumber(dst, v.AsBigFloat())
	case v.Type().IsObjectType():
		dst = append(dst, '{')
		for it, sep := v.ElementIterator(), " "; it.Next(); sep = ", " {
			k, e := it.Element()
			dst = append(appendLiteral(append(dst, sep...), k), " = "...)
			dst = appendLiteral(dst, e)
		}
		return append(dst, " }"...)
	case v.Type().IsTupleType():
		dst = append(dst, '[')
		for it, sep := v.ElementIterator(), ""; it.Next(); sep = ", " {
			_, e := it.Element()
			dst = appendLiteral(append(dst, sep...), e)
		}
		return append(dst, ']')
	}
	return append(dst, '?')
}

// appendNumber takes the short way for the numbers that people write: those of
// the language have 512 bits, and printing that many is slow.
func appendNumber(dst []byte, n *big.Float) []byte {
	if i, accuracy := n.Int64(); accuracy == big.Exact {
		return strconv.AppendInt(dst, i, 10)
	}
	return n.Append(dst, 'g', -1)
}

// appendTemplatePart appends a piece of a template: text as it is, anything
// else as an interpolation.
func appendTemplatePart(dst []byte, part hclsyntax.Expression) []byte {
	if l, ok := part.(*hclsyntax.LiteralValueExpr); ok && !l.Val.IsNull() && l.Val.Type() == cty.String {
		quoted := strconv.Quote(l.Val.AsString())
		return append(dst, quoted[1:len(quoted)-1]...)
	}
	dst = append(dst, "${"...)
	return append(AppendSource(dst, part), '}')
}

// TraversalText is a reference as a file writes it.
func TraversalText(t hcl.Traversal) string { return string(appendTraversal(nil, t)) }

func appendTraversal(dst []byte, t hcl.Traversal) []byte {
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			dst = append(dst, s.Name...)
		case hcl.TraverseAttr:
			dst = append(append(dst, '.'), s.Name...)
		case hcl.TraverseIndex:
			dst = append(appendLiteral(append(dst, '['), s.Key), ']')
		case hcl.TraverseSplat:
			dst = append(dst, "[*]"...)
		}
	}
	return dst
}

func appendList(dst []byte, list []hclsyntax.Expression) []byte {
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendSource(dst, e)
	}
	return dst
}

func appendObject(dst []byte, x *hclsyntax.ObjectConsExpr) []byte {
	dst = append(dst, '{')
	for i, item := range x.Items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, ' ')
		dst = append(AppendSource(dst, item.KeyExpr), " = "...)
		dst = AppendSource(dst, item.ValueExpr)
	}
	if len(x.Items) > 0 {
		dst = append(dst, ' ')
	}
	return append(dst, '}')
}

func appendFor(dst []byte, x *hclsyntax.ForExpr) []byte {
	open, end := byte('['), byte(']')
	if x.KeyExpr != nil {
		open, end = '{', '}'
	}
	dst = append(append(dst, open), "for "...)
	if x.KeyVar != "" {
		dst = append(append(dst, x.KeyVar...), ", "...)
	}
	dst = append(append(dst, x.ValVar...), " in "...)
	dst = append(AppendSource(dst, x.CollExpr), " : "...)
	if x.KeyExpr != nil {
		dst = append(AppendSource(dst, x.KeyExpr), " => "...)
	}
	dst = AppendSource(dst, x.ValExpr)
	if x.Group {
		dst = append(dst, "..."...)
	}
	if x.CondExpr != nil {
		dst = AppendSource(append(dst, " if "...), x.CondExpr)
	}
	return append(dst, end)
}

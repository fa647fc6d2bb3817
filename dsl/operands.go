package dsl

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An Operand is a part of an expression with the value that it had, for the
// report of a condition that did not hold.
type Operand struct {
	// Text is the source on one line.
	Text  string
	Range hcl.Range
	// Value is not valid where Err says why there is none.
	Value cty.Value
	Err   string
}

// maxOperands bounds what is evaluated again for one report.
const maxOperands = 100

// Operands evaluates the parts of an expression that a reader wants to see when
// the whole of it is false: references, calls, for expressions and what they
// are made of, each text once, in the order of the source. Literals explain
// themselves. What depends on the variables of a for expression is not listed,
// the value of the whole for expression is; so is only the branch that was
// taken of a conditional.
//
// ctx is what the expression was evaluated with, src the file it is in, and diags what
// was said of it: after one that took too much, only references have their values.
func Operands(expr hclsyntax.Expression, ctx *hcl.EvalContext, src []byte, diags hcl.Diagnostics) []Operand {
	o := operands{ctx: ctx, src: src, seen: map[string]bool{}, much: isTooMuch(diags)}
	o.visit(expr, nil)
	return o.list
}

type operands struct {
	ctx  *hcl.EvalContext
	src  []byte
	list []Operand
	seen map[string]bool
	// quiet leaves out what cannot be evaluated, as inside try().
	quiet bool
	// much leaves out what is computed: something took more than it may.
	much  bool
	depth int
}

// hidden are the variables of the for expressions around an expression.
type hidden []string

func (h hidden) has(name string) bool {
	for _, n := range h {
		if n == name {
			return true
		}
	}
	return false
}

// in reports whether an expression has a value only inside the for expressions
// that declare these variables.
func (h hidden) in(e hclsyntax.Expression) bool {
	for t := range Variables(e) {
		if h.has(t.RootName()) {
			return true
		}
	}
	return false
}

func (o *operands) visit(e hclsyntax.Expression, h hidden) {
	if o.depth++; o.depth > maxExprDepth {
		o.depth--
		return
	}
	defer func() { o.depth-- }()
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		o.visit(e.Expression, h)
	case *hclsyntax.ScopeTraversalExpr:
		o.add(e, h)
	case *hclsyntax.LiteralValueExpr:
		if substituted(e, o.src) {
			o.add(e, h)
		}
	case *hclsyntax.RelativeTraversalExpr:
		o.add(e, h)
		o.visit(e.Source, h)
	case *hclsyntax.IndexExpr:
		o.add(e, h)
		o.visitUnlessReference(e.Collection, h)
		o.visit(e.Key, h)
	case *hclsyntax.SplatExpr:
		o.add(e, h)
		o.visitUnlessReference(e.Source, h)
	case *hclsyntax.ForExpr:
		o.forExpr(e, h)
	case *hclsyntax.ConditionalExpr:
		o.conditional(e, h)
	case *hclsyntax.FunctionCallExpr:
		o.call(e, h)
	case *hclsyntax.BinaryOpExpr:
		o.visit(e.LHS, h)
		o.visit(e.RHS, h)
	case *hclsyntax.UnaryOpExpr:
		o.visit(e.Val, h)
	case *hclsyntax.TemplateExpr:
		o.visitParts(e.Parts, h)
	case *hclsyntax.TemplateWrapExpr:
		o.visit(e.Wrapped, h)
	case *hclsyntax.TemplateJoinExpr:
		if f, ok := e.Tuple.(*hclsyntax.ForExpr); ok {
			o.visit(f.CollExpr, h) // a directive has no text of its own
		}
	case *hclsyntax.TupleConsExpr:
		o.visitAll(e.Exprs, h)
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			o.visit(item.KeyExpr, h)
			o.visit(item.ValueExpr, h)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		if e.ForceNonLiteral || hcl.ExprAsKeyword(e.Wrapped) == "" {
			o.visit(e.Wrapped, h)
		}
	}
}

func (o *operands) visitAll(all []hclsyntax.Expression, h hidden) {
	for _, e := range all {
		o.visit(e, h)
	}
}

// visitParts leaves out the text of a template.
func (o *operands) visitParts(parts []hclsyntax.Expression, h hidden) {
	for _, e := range parts {
		if _, text := e.(*hclsyntax.LiteralValueExpr); !text {
			o.visit(e, h)
		}
	}
}

// substituted reports whether a value is not what the file says: it was put into the
// place of a reference such as each.value.
func substituted(e *hclsyntax.LiteralValueExpr, src []byte) bool {
	from, to := e.SrcRange.Start.Byte, e.SrcRange.End.Byte
	if from < 0 || to > len(src) || from >= to {
		return false
	}
	text := src[from:to]
	return (text[0] >= 'a' && text[0] <= 'z' || text[0] >= 'A' && text[0] <= 'Z' || text[0] == '_') && bytes.IndexByte(text, '.') > 0
}

// visitUnlessReference leaves out the collection of step.a.attempts[i], of
// which only one element matters.
func (o *operands) visitUnlessReference(e hclsyntax.Expression, h hidden) {
	if _, reference := e.(*hclsyntax.ScopeTraversalExpr); !reference {
		o.visit(e, h)
	}
}

func (o *operands) forExpr(e *hclsyntax.ForExpr, h hidden) {
	o.add(e, h)
	o.visit(e.CollExpr, h)
	inner := append(append(hidden{}, h...), e.ValVar)
	if e.KeyVar != "" {
		inner = append(inner, e.KeyVar)
	}
	if e.KeyExpr != nil {
		o.visit(e.KeyExpr, inner)
	}
	o.visit(e.ValExpr, inner)
	if e.CondExpr != nil {
		o.visit(e.CondExpr, inner)
	}
}

func (o *operands) conditional(e *hclsyntax.ConditionalExpr, h hidden) {
	o.visit(e.Condition, h)
	if h.in(e.Condition) || o.much {
		return
	}
	v, diags := Evaluate(e.Condition, o.ctx)
	v, _ = v.Unmark()
	switch {
	case diags.HasErrors() || !v.IsKnown() || v.IsNull() || v.Type() != cty.Bool:
	case v.True():
		o.visit(e.TrueResult, h)
	default:
		o.visit(e.FalseResult, h)
	}
}

func (o *operands) call(e *hclsyntax.FunctionCallExpr, h hidden) {
	o.add(e, h)
	if e.Name == "try" || e.Name == "can" {
		defer func(before bool) { o.quiet = before }(o.quiet)
		o.quiet = true
	}
	o.visitAll(e.Args, h)
}

func (o *operands) add(e hclsyntax.Expression, h hidden) {
	if len(o.list) >= maxOperands || h.in(e) {
		return
	}
	text := sourceText(e, o.src)
	if o.seen[text] {
		return
	}
	o.seen[text] = true
	if _, reference := e.(*hclsyntax.ScopeTraversalExpr); o.much && !reference {
		return
	}
	v, diags := Evaluate(e, o.ctx)
	o.much = o.much || isTooMuch(diags)
	operand := Operand{Text: text, Range: e.Range(), Value: v}
	if diags.HasErrors() {
		if o.quiet || unfit().MatchString(diags[0].Detail) { // which the condition is told of
			return
		}
		operand.Value, operand.Err = cty.NilVal, firstError(diags)
	}
	o.list = append(o.list, operand)
}

func firstError(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			if why := missing(d); why != "" {
				return why
			}
			if m := failed().FindStringSubmatch(d.Detail); m != nil {
				return m[1] + "."
			}
			if d.Detail != "" {
				return d.Detail
			}
			return d.Summary
		}
	}
	return ""
}

// sourceText is an expression as it was written, but on one line: white space
// outside of strings becomes one space, comments go.
func sourceText(e hclsyntax.Expression, src []byte) string {
	rng := e.Range()
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok {
		rng = callRange(call)
	}
	if rng.Start.Byte < 0 || rng.End.Byte > len(src) || rng.Start.Byte >= rng.End.Byte {
		return string(AppendSource(nil, e))
	}
	text := src[rng.Start.Byte:rng.End.Byte]
	tokens, diags := hclsyntax.LexExpression(text, "", hcl.InitialPos)
	if diags.HasErrors() {
		return strings.Join(strings.Fields(string(text)), " ")
	}
	return joinTokens(tokens)
}

func joinTokens(tokens hclsyntax.Tokens) string {
	var b strings.Builder
	end := 0
	broken := false // a line ended since the last token
	afterOpening := true
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenComment:
			broken = true
			continue
		case hclsyntax.TokenEOF:
			continue
		}
		gap := t.Range.Start.Byte > end || broken
		if gap && !(broken && (afterOpening || closes(t.Type))) && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.Write(t.Bytes)
		end, broken, afterOpening = t.Range.End.Byte, false, opens(t.Type)
	}
	return b.String()
}

func opens(t hclsyntax.TokenType) bool {
	return t == hclsyntax.TokenOParen || t == hclsyntax.TokenOBrack
}

func closes(t hclsyntax.TokenType) bool {
	return t == hclsyntax.TokenCParen || t == hclsyntax.TokenCBrack
}

// Conjuncts are the parts of a condition that all have to hold, in the order of the
// source; a condition that is no conjunction is the one part of itself.
func Conjuncts(e hclsyntax.Expression) []hclsyntax.Expression {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return Conjuncts(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalAnd {
			return append(Conjuncts(x.LHS), Conjuncts(x.RHS)...)
		}
	}
	return []hclsyntax.Expression{e}
}

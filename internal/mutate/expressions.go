package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/taken"
	"github.com/scenario-lang/scenario/schema"
)

// eachNode calls f for every part of the expressions of a block, a whole before its parts.
func (s *site) eachNode(f func(a *dsl.Attr, n hclsyntax.Node)) {
	for _, a := range s.Attrs {
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			f(a, n)
			return nil
		})
	}
}

// part is an edit of a part of an attribute's expression.
func (s *site) part(a *dsl.Attr, rng hcl.Range, what string, text []byte) edit {
	if s.Type == "locals" {
		return edit{keeps: "value", what: what, rng: rng, text: text}
	}
	return edit{keeps: a.Name, what: a.Name + ": " + what, rng: rng, text: text}
}

// conditions weakens what decides something: each side of && and ||, the choice between
// two values, the filter of a for expression, and limits.
//
// What is left out is still evaluated, as with the operator "when": a step that no longer
// waits for another one would be another mutant.
func conditions(s *site) []edit {
	var list []edit
	seen := map[hclsyntax.Node]bool{}
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		always := func(e hclsyntax.Expression, value bool) []byte {
			with := ") || true)"
			if !value {
				with = ") && false)"
			}
			return spliced(s.src, e.Range().Start.Byte, e.Range().End.Byte, "(("+s.source(e.Range())+with)
		}
		switch x := n.(type) {
		case *hclsyntax.BinaryOpExpr:
			if sides := sidesOf(x, seen); len(sides) > 1 {
				list = append(list, s.sides(a, x, sides, always)...)
			}
			list = append(list, s.limit(a, x)...)
		case *hclsyntax.ConditionalExpr:
			for _, value := range []bool{true, false} {
				what := fmt.Sprintf("%s → always %t", s.brief(x.Condition.Range()), value)
				list = append(list, s.part(a, x.Condition.Range(), what, always(x.Condition, value)))
			}
		case *hclsyntax.ForExpr:
			if x.CondExpr != nil {
				list = append(list, s.part(a, x.CondExpr.Range(), "if "+s.brief(x.CondExpr.Range())+" left out", always(x.CondExpr, true)))
			}
		}
	})
	return append(list, s.signs(hclsyntax.OpLogicalNot)...)
}

// sides leaves out one side of && or || after the other.
func (s *site) sides(a *dsl.Attr, x *hclsyntax.BinaryOpExpr, sides []hclsyntax.Expression, always func(hclsyntax.Expression, bool) []byte) []edit {
	var list []edit
	and, op := x.Op == hclsyntax.OpLogicalAnd, "||"
	if and {
		op = "&&"
	}
	for i, side := range sides {
		if !and && s.firstRound(side) {
			continue
		}
		what := s.brief(side.Range()) + " " + op + " … left out"
		if i > 0 {
			what = "… " + op + " " + s.brief(side.Range()) + " left out"
		}
		list = append(list, s.part(a, side.Range(), what, always(side, and)))
	}
	return list
}

// firstRound reports whether a side of || lets the first iteration of a loop begin, as in
// loop.index == 0 || step.check.json.state != "done": what the other side reads is null
// then, so that most such loops do the same without it.
func (s *site) firstRound(side hclsyntax.Expression) bool {
	x, ok := side.(*hclsyntax.BinaryOpExpr)
	return ok && dsl.IsEqual(x.Op) && (s.source(x.LHS.Range()) == "loop.index" || s.source(x.RHS.Range()) == "loop.index")
}

// sidesOf are the operands of a chain of && or of ||, none of another operator and of a
// part of a chain that was seen.
func sidesOf(x *hclsyntax.BinaryOpExpr, seen map[hclsyntax.Node]bool) []hclsyntax.Expression {
	if seen[x] || x.Op != hclsyntax.OpLogicalAnd && x.Op != hclsyntax.OpLogicalOr {
		return nil
	}
	var sides []hclsyntax.Expression
	var add func(e hclsyntax.Expression)
	add = func(e hclsyntax.Expression) {
		if y, ok := e.(*hclsyntax.BinaryOpExpr); ok && y.Op == x.Op {
			seen[y] = true
			add(y.LHS)
			add(y.RHS)
			return
		}
		sides = append(sides, e)
	}
	add(x)
	return sides
}

// limitOf is an operator that compares with a limit, as it is written, with the one that
// differs from it at the limit alone; "" for any other operator.
func limitOf(op *hclsyntax.Operation) (written, other string) {
	switch op {
	case hclsyntax.OpLessThan:
		return "<", "<="
	case hclsyntax.OpLessThanOrEqual:
		return "<=", "<"
	case hclsyntax.OpGreaterThan:
		return ">", ">="
	case hclsyntax.OpGreaterThanOrEqual:
		return ">=", ">"
	}
	return "", ""
}

// limit moves a limit by one, where a whole number stands there.
func (s *site) limit(a *dsl.Attr, x *hclsyntax.BinaryOpExpr) []edit {
	op, other := limitOf(x.Op)
	if op == "" || !wholeNumber(x.LHS) && !wholeNumber(x.RHS) {
		return nil
	}
	if s.status(x.LHS) || s.status(x.RHS) {
		return s.otherClass(a, x)
	}
	between := hcl.Range{Filename: x.SrcRange.Filename, Start: x.LHS.Range().End, End: x.RHS.Range().Start}
	text := s.source(between)
	if strings.TrimSpace(text) != op {
		return nil
	}
	what := fmt.Sprintf("%s → %s %s", s.brief(x.Range()), other, s.brief(x.RHS.Range()))
	return []edit{s.part(a, between, what, spliced(s.src, between.Start.Byte, between.End.Byte, strings.Replace(text, op, other, 1)))}
}

// otherClass moves the limit of a status by a class.
func (s *site) otherClass(a *dsl.Attr, x *hclsyntax.BinaryOpExpr) []edit {
	at := x.RHS
	if wholeNumber(x.LHS) {
		at = x.LHS
	}
	rng := at.Range()
	to := taken.Statuses(s.source(rng))
	if to == "" {
		return nil
	}
	return []edit{s.part(a, rng, fmt.Sprintf("%s → %s", s.brief(x.Range()), strings.Replace(s.brief(x.Range()), s.source(rng), to, 1)), replaced(s.src, rng, to))}
}

// status reports whether an expression is the status of an answer. Those come in classes,
// such as >= 500, and hardly any service answers with the number at which one begins.
func (s *site) status(e hclsyntax.Expression) bool {
	text := s.source(e.Range())
	return strings.HasSuffix(text, "status_code") || strings.HasSuffix(text, ".status")
}

func wholeNumber(e hclsyntax.Expression) bool {
	v, ok := dsl.Literal(e)
	return ok && !v.IsNull() && v.Type() == cty.Number && v.AsBigFloat().IsInt()
}

// weakened says that an argument is put in the place of a call of a function: the first,
// or each of them.
func weakened(function string) (each, ok bool) {
	switch function {
	case "min", "max":
		return true, true
	case "slice", "distinct", "sort", "reverse", "compact", "flatten", "concat", "merge", "setunion", "setintersection", "abs", "floor", "ceil",
		"upper", "lower", "title", "trimprefix", "trimsuffix", "substr", "replace", "strrev", "try", "coalesce":
		return false, true
	}
	return false, false
}

// computations put an argument in the place of a call that makes something else or another form of it, round a sum in the place of
// what is added, and leave out the weights of a mean; of merge they leave out and swap arguments, and of what has a
// default they change that.
func computations(s *site) []edit {
	var list []edit
	for _, a := range s.Attrs {
		typed, text := s.carries(a)
		for _, o := range taken.Conversions(a.Expr, s.src, typed, text) {
			list = append(list, s.part(a, o.Range, s.brief(o.Range)+" → "+brief(o.Shown), replaced(s.src, o.Range, withLines("("+o.With+")", s.source(o.Range)))))
		}
	}
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		list = append(list, s.swapped(a, n)...)
		if x, ok := n.(*hclsyntax.BinaryOpExpr); ok {
			list = append(list, s.plainMean(a, x)...)
		}
		call, ok := n.(*hclsyntax.FunctionCallExpr)
		if !ok {
			return
		}
		list = append(list, s.roundedSum(a, call)...)
		defer func() { list = append(list, slices.Concat(s.merged(a, call), s.defaults(a, call))...) }()
		each, known := weakened(call.Name)
		if !known || call.ExpandFinal && len(call.Args) == 1 {
			return
		}
		for i, arg := range call.Args {
			if i > 0 && !each || call.ExpandFinal && i == len(call.Args)-1 {
				break
			}
			with := "(" + s.source(arg.Range()) + ")"
			what := fmt.Sprintf("%s → %s", s.brief(call.Range()), s.brief(arg.Range()))
			list = append(list, s.part(a, call.Range(), what, replaced(s.src, call.Range(), withLines(with, s.source(call.Range())))))
		}
	})
	return list
}

// carries reports whether an attribute has values of any type, so that a number is something else than its text, and
// whether it is a text for a program.
func (s *site) carries(a *dsl.Attr) (typed, text bool) {
	if slices.Contains(told, a.Name) || s.Schema == nil || s.Schema.Attr(a.Name) == nil {
		return s.Type == "locals", false
	}
	return slices.Contains([]string{"json", "value", "output", "inputs", "with", "reply", "return"}, a.Name), a.Name == "body"
}

// withLines is a text in parentheses that has as many lines as another one.
func withLines(text, as string) string {
	missing := strings.Count(as, "\n") - strings.Count(text, "\n")
	return strings.TrimSuffix(text, ")") + strings.Repeat("\n", max(0, missing)) + ")"
}

// another puts another value in the place of one that is written: a number, a bool or a
// text. There is none of others. What a text says is not told, as it may be a secret.
func another(src []byte, e hclsyntax.Expression) (change string, text []byte, ok bool) {
	if t, template := e.(*hclsyntax.TemplateExpr); template {
		return anotherText(src, t)
	}
	v, literal := dsl.Literal(e)
	if !literal || v.IsNull() {
		return "", nil, false
	}
	to := ""
	switch v.Type() {
	case cty.Number:
		n, _ := v.AsBigFloat().Float64()
		if to = shown(n + 1); !v.AsBigFloat().IsInt() {
			to = shown(n / 2)
		}
	case cty.Bool:
		to = strconv.FormatBool(v.False())
	default:
		return "", nil, false
	}
	return string(e.Range().SliceBytes(src)) + " → " + to, replaced(src, e.Range(), to), true
}

// anotherText is a text with a word more at the end of its first line, or twice as long
// a duration.
func anotherText(src []byte, t *hclsyntax.TemplateExpr) (change string, text []byte, ok bool) {
	if v, literal := dsl.Literal(t); literal {
		if d, is := schema.ParseDuration(v.AsString()); is && d > 0 {
			to := strconv.Quote((2 * d).String())
			return strconv.Quote(v.AsString()) + " → " + to, replaced(src, t.SrcRange, to), true
		}
	}
	for _, p := range t.Parts {
		l, is := p.(*hclsyntax.LiteralValueExpr)
		if !is || l.SrcRange.Empty() {
			continue
		}
		at := l.SrcRange.End.Byte
		if i := bytes.IndexAny(l.SrcRange.SliceBytes(src), "\r\n"); i >= 0 {
			at = l.SrcRange.Start.Byte + i
		}
		return "another text", spliced(src, at, at, " x"), true
	}
	return "", nil, false
}

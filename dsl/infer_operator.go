package dsl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/mistakes"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

func (in *inference) unary(e *hclsyntax.UnaryOpExpr, sc *scope) *schema.Shape {
	s := in.value(e.Val, sc)
	if e.Op == hclsyntax.OpLogicalNot {
		if in.negates != e || s.Kind != schema.ShapeString && s.Kind != schema.ShapeNumber { // the comparison around it is reported
			in.wantBool(e.Val, s)
		}
		return schema.BoolShape
	}
	in.wantNumber(e.Val, s)
	return schema.NumberShape
}

func (in *inference) binary(e *hclsyntax.BinaryOpExpr, sc *scope) *schema.Shape {
	if in.joins(e, sc) {
		return schema.StringShape
	}
	if not, ok := e.LHS.(*hclsyntax.UnaryOpExpr); ok && not.Op == hclsyntax.OpLogicalNot && IsComparison(e.Op) {
		in.negates = not
	}
	left, right := in.value(e.LHS, sc), in.value(e.RHS, sc)
	switch e.Op {
	case hclsyntax.OpEqual, hclsyntax.OpNotEqual, strictEqual, strictNotEqual:
		in.checkEqual(e, left, right)
		return schema.BoolShape
	case hclsyntax.OpLogicalAnd, hclsyntax.OpLogicalOr:
		in.wantBool(e.LHS, left)
		in.wantBool(e.RHS, right)
		return schema.BoolShape
	}
	if written := chain(e); written != "" && left.Kind == schema.ShapeBool {
		return in.errorf(e.Range(), "Wrong operand", "Comparisons are not chained: write %s.", written)
	}
	in.wantNumber(e.LHS, left)
	in.wantNumber(e.RHS, right)
	in.checkDivisor(e)
	switch e.Op {
	case hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual, hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual:
		return schema.BoolShape
	}
	return schema.NumberShape
}

// mostJoined is how long the string may be that a message shows in place of a sum.
const mostJoined = 200

// joins reports a sum of strings, once for all of its parts, and how they are joined. It
// reports nothing where a string that is written out says a number or a duration.
func (in *inference) joins(e *hclsyntax.BinaryOpExpr, sc *scope) bool {
	if e.Op != hclsyntax.OpAdd {
		return false
	}
	if in.numeric == e { // the sum that it is a part of has no text: each part of a long one is not gone through again
		in.numeric = e.LHS
		return false
	}
	parts, text := mistakes.Addends(e), false
	for _, part := range parts {
		_, template := part.(*hclsyntax.TemplateExpr)
		if v, ok := Literal(part); ok && v.Type() == cty.String && !v.IsNull() {
			template = true
			if _, err := ParseDuration(v.AsString()); err == nil || numberIn(v) != "" {
				return false
			}
		}
		text = text || template
	}
	if !text {
		in.numeric = e.LHS
		return false
	}
	for _, part := range parts {
		in.value(part, sc)
	}
	detail := "Strings are joined in a template, such as \"${a}${b}\", and + works on numbers."
	if written := mistakes.Joined(e, func(e hclsyntax.Expression) string { return string(AppendSource(nil, e)) }); len(written) > 0 && len(written) <= mostJoined {
		detail = fmt.Sprintf("Strings are joined in a template, and + works on numbers: write `%s`.", written)
	}
	in.errorf(e.Range(), "Wrong operand", "%s", detail)
	return true
}

// chain writes a comparison of three values as two, "" for any other expression.
func chain(e *hclsyntax.BinaryOpExpr) string {
	first, ok := e.LHS.(*hclsyntax.BinaryOpExpr)
	if !ok || orders[first.Op] == "" || orders[e.Op] == "" {
		return ""
	}
	middle := Excerpt(first.RHS)
	return fmt.Sprintf("%s %s %s && %s %s %s", Excerpt(first.LHS), orders[first.Op], middle, middle, orders[e.Op], Excerpt(e.RHS))
}

// orders are the operators that compare which of two numbers is larger.
var orders = map[*hclsyntax.Operation]string{
	hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=", hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=",
}

// wantBool refuses what is known not to be true or false. An evaluation would
// convert the string "true", and take null for false.
func (in *inference) wantBool(e hclsyntax.Expression, s *schema.Shape) {
	switch s.Kind {
	case schema.ShapeUnknown, schema.ShapeBool:
		return
	}
	in.errorf(e.Range(), "Wrong operand", "This is %s, and true or false is needed here. Compare it with something.", s.KindName())
}

// wantNumber refuses what is known not to be a number. An evaluation would
// convert the string "2".
func (in *inference) wantNumber(e hclsyntax.Expression, s *schema.Shape) {
	hint := ""
	switch s.Kind {
	case schema.ShapeUnknown, schema.ShapeNumber:
		return
	case schema.ShapeString:
		hint = " Convert it with tonumber(…); join strings in a template such as \"${a}${b}\"."
		if v, ok := Literal(e); ok && v.Type() == cty.String {
			if _, err := ParseDuration(v.AsString()); err == nil {
				hint = fmt.Sprintf(" A duration is a number of milliseconds here: ms(%q).", v.AsString())
			} else if number := numberIn(v); number != "" {
				hint = fmt.Sprintf(" Write %s without quotes.", number)
			}
		}
	case schema.ShapeTuple:
		hint = " The number of its elements is length(…)."
	}
	in.errorf(e.Range(), "Wrong operand", "This is %s, and this operator works on numbers.%s", s.KindName(), hint)
}

// checkDivisor reports a division by a zero that is written out.
func (in *inference) checkDivisor(e *hclsyntax.BinaryOpExpr) {
	switch e.Op {
	case hclsyntax.OpDivide, hclsyntax.OpModulo, strictDivide, strictModulo:
		if v, ok := Literal(e.RHS); ok && !v.IsNull() && v.RawEquals(cty.Zero) {
			in.errorf(e.RHS.Range(), summaryZero, zeroDetail)
		}
	}
}

// checkEqual reports a comparison whose sides differ in type, which would be
// false without a word.
func (in *inference) checkEqual(e *hclsyntax.BinaryOpExpr, left, right *schema.Shape) {
	where, l, r := in.env.clash(left, right, 0)
	if l == nil {
		return
	}
	if why := in.env.Meet(stdlib.Meeting{A: l, B: r}); why != "" {
		if where != "" {
			why = fmt.Sprintf("At %s: %s", where, why)
		}
		in.errorf(e.SrcRange, "Comparison can never hold", "%s", why)
		return
	}
	subject := "The left side is"
	other := "the right side"
	if where != "" {
		subject = fmt.Sprintf("At %s the left side is", where)
	}
	in.errorf(e.SrcRange, "Comparison can never hold", "%s %s and %s %s: they can never be equal.%s", subject, l.KindName(), other, r.KindName(), cmp.Or(negated(e), clashHint(l, r)))
}

// negated explains a comparison of which the left side alone is negated, "" for any other.
func negated(e *hclsyntax.BinaryOpExpr) string {
	not, ok := e.LHS.(*hclsyntax.UnaryOpExpr)
	if !ok || not.Op != hclsyntax.OpLogicalNot {
		return ""
	}
	opposite := "!="
	if e.Op == hclsyntax.OpNotEqual || e.Op == strictNotEqual {
		opposite = "=="
	}
	return fmt.Sprintf(" ! negates the left side alone: write %s %s %s.", Excerpt(not.Val), opposite, Excerpt(e.RHS))
}

func clashHint(l, r *schema.Shape) string {
	kinds := map[schema.ShapeKind]bool{l.Kind: true, r.Kind: true}
	switch {
	case kinds[schema.ShapeNumber] && kinds[schema.ShapeString]:
		for _, text := range append(l.Texts, r.Texts...) {
			if _, err := ParseDuration(text); err == nil && text != "0" {
				return fmt.Sprintf(" A duration is a number of milliseconds here: ms(%q).", text)
			}
		}
		return " Write a number without quotes, or convert one side with tonumber(…) or tostring(…)."
	case kinds[schema.ShapeTuple] && kinds[schema.ShapeNumber]:
		return " The number of elements of a list is length(…)."
	case kinds[schema.ShapeTuple] && kinds[schema.ShapeString]:
		return " Whether a list has an element is contains(…)."
	case kinds[schema.ShapeBool] && kinds[schema.ShapeString]:
		return " Write true and false without quotes."
	}
	return ""
}

// clash finds the first place where two values can never be equal by their
// types or the words that they may be, as a path and both shapes; nil shapes where there is none.
func (e *Env) clash(l, r *schema.Shape, depth int) (string, *schema.Shape, *schema.Shape) {
	if depth > MaxNesting || l == nil || r == nil {
		return "", nil, nil
	}
	if !definite(l) || !definite(r) {
		if e.Meet(stdlib.Meeting{A: l, B: r}) != "" {
			return "", l, r // a variable of any type that is a string now
		}
		return "", nil, nil
	}
	if l.Kind != r.Kind {
		return "", l, r
	}
	switch l.Kind {
	case schema.ShapeTuple:
		return e.clashElements(l, r, depth)
	case schema.ShapeObject:
		return e.clashAttributes(l, r, depth)
	case schema.ShapeString, schema.ShapeNumber:
		if e.Meet(stdlib.Meeting{A: l, B: r}) != "" {
			return "", l, r
		}
	}
	return "", nil, nil
}

func definite(s *schema.Shape) bool {
	return s != nil && s.Kind != schema.ShapeUnknown && s.Kind != schema.ShapeNull
}

// clashElements compares where at least one tuple is written out: two tuples
// of which nothing is known but the elements may both be empty. Words that do
// not exist are a mistake all the same.
func (e *Env) clashElements(l, r *schema.Shape, depth int) (string, *schema.Shape, *schema.Shape) {
	if l.Elems == nil && r.Elems == nil {
		path, a, b := e.clash(l.Elem, r.Elem, depth+1)
		if a != nil && e.Meet(stdlib.Meeting{A: a, B: b}) != "" {
			return "[…]" + path, a, b
		}
		return "", nil, nil
	}
	for i := range max(len(l.Elems), len(r.Elems)) {
		if path, a, b := e.clash(l.At(i), r.At(i), depth+1); a != nil {
			return fmt.Sprintf("[%d]%s", i, path), a, b
		}
	}
	return "", nil, nil
}

func (e *Env) clashAttributes(l, r *schema.Shape, depth int) (string, *schema.Shape, *schema.Shape) {
	if len(l.Attrs) == 0 {
		l, r = r, l
	}
	for _, name := range slices.Sorted(maps.Keys(l.Attrs)) {
		other, known := r.Attrs[name]
		if !known && r.Keys != nil {
			if key := schema.Written(name); e.Meet(stdlib.Meeting{A: r.Keys, B: key}) != "" {
				return "." + name, r.Keys, key
			}
			other = r.Elem
		}
		if path, a, b := e.clash(l.Attrs[name], other, depth+1); a != nil {
			return "." + name + path, a, b
		}
	}
	return "", nil, nil
}

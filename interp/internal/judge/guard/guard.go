// Package guard finds conditions that are written so that they can be evaluated whatever there
// is, and that ask for nothing by that: of the elements of a list those with an index that
// none has, and of a table a default in the place of a member that no row has.
//
//	nothing := guard.LeavesNone(condition, ctx) // alltrue([for i, d in one : i == 0 || d > one[i - 1]])
//	nothing = guard.IsItsDefault(condition, ctx) // x == lookup({}, "x", x)
package guard

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Why says why such a condition shows nothing.
const Why = "it holds because the list has so few elements that none is left by what it asks of their index, such as i == 0 || …, so it shows nothing here.\nhint: let there be more, such as a second fault, or say how many there have to be"

// LeavesNone reports whether a condition that holds says something of those elements of a
// list alone whose index it asks for, and the list has elements, but none of these.
func LeavesNone(e hclsyntax.Expression, ctx *hcl.EvalContext) bool {
	e = dsl.Bare(e)
	if list := ofAll(e); list != nil {
		return leaves(list, ctx, func(index *hcl.EvalContext) bool { return skipped(list, index) })
	}
	if list := ofNone(e); list != nil && list.CondExpr != nil {
		return leaves(list, ctx, func(index *hcl.EvalContext) bool { return filtered(list, index) })
	}
	return false
}

// ofAll is the for expression in alltrue([for …]), nil for anything else.
func ofAll(e hclsyntax.Expression) *hclsyntax.ForExpr {
	if f, is := e.(*hclsyntax.FunctionCallExpr); is && f.Name == "alltrue" && len(f.Args) == 1 {
		return loop(f.Args[0])
	}
	return nil
}

// ofNone is the for expression in [for …] == [], length([for …]) == 0 and !anytrue([for …]),
// nil for anything else.
func ofNone(e hclsyntax.Expression) *hclsyntax.ForExpr {
	switch x := e.(type) {
	case *hclsyntax.UnaryOpExpr:
		if f, is := dsl.Bare(x.Val).(*hclsyntax.FunctionCallExpr); is && x.Op == hclsyntax.OpLogicalNot && f.Name == "anytrue" && len(f.Args) == 1 {
			return loop(f.Args[0])
		}
	case *hclsyntax.BinaryOpExpr:
		if !dsl.IsEqual(x.Op) {
			return nil
		}
		for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
			none, written := dsl.Literal(dsl.Bare(sides[1]))
			if f, is := dsl.Bare(sides[0]).(*hclsyntax.FunctionCallExpr); is && f.Name == "length" && len(f.Args) == 1 && written && none.RawEquals(cty.Zero) {
				return loop(f.Args[0])
			}
			if list, is := dsl.Bare(sides[1]).(*hclsyntax.TupleConsExpr); is && len(list.Exprs) == 0 {
				return loop(sides[0])
			}
		}
	}
	return nil
}

// loop is a for expression that names the index of an element.
func loop(e hclsyntax.Expression) *hclsyntax.ForExpr {
	x, is := dsl.Bare(e).(*hclsyntax.ForExpr)
	if !is || x.KeyVar == "" || x.KeyExpr != nil {
		return nil
	}
	return x
}

// leaves reports whether a list has elements, and each of them is left out by its index.
func leaves(x *hclsyntax.ForExpr, ctx *hcl.EvalContext, out func(*hcl.EvalContext) bool) bool {
	list, diags := dsl.Evaluate(x.CollExpr, ctx)
	list, _ = list.Unmark()
	if diags.HasErrors() || !list.IsKnown() || list.IsNull() || !list.Type().IsTupleType() && !list.Type().IsListType() {
		return false
	}
	n := list.LengthInt()
	for i := range n {
		index := ctx.NewChild()
		index.Variables = map[string]cty.Value{x.KeyVar: cty.NumberIntVal(int64(i))}
		if !out(index) {
			return false
		}
	}
	return n > 0
}

// skipped reports whether an index alone decides that what is said of an element holds.
func skipped(x *hclsyntax.ForExpr, index *hcl.EvalContext) bool {
	said := dsl.Bare(x.ValExpr)
	if choice, is := said.(*hclsyntax.ConditionalExpr); is && ofIndex(choice.Condition, x) {
		picked := choice.FalseResult
		if holds(choice.Condition, index) {
			picked = choice.TrueResult
		}
		v, written := dsl.Literal(dsl.Bare(picked))
		return written && v.RawEquals(cty.True)
	}
	return decided(said, hclsyntax.OpLogicalOr, func(part hclsyntax.Expression) bool { return ofIndex(part, x) && holds(part, index) }) && !ofIndex(said, x)
}

// filtered reports whether an index alone keeps an element from being asked for, beside
// something else that is asked of it.
func filtered(x *hclsyntax.ForExpr, index *hcl.EvalContext) bool {
	return !ofIndex(x.CondExpr, x) && decided(x.CondExpr, hclsyntax.OpLogicalAnd, func(part hclsyntax.Expression) bool { return ofIndex(part, x) && !holds(part, index) })
}

// decided reports whether one of the parts that an operation joins does so.
func decided(e hclsyntax.Expression, op *hclsyntax.Operation, does func(hclsyntax.Expression) bool) bool {
	if x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr); is && x.Op == op {
		return decided(x.LHS, op, does) || decided(x.RHS, op, does)
	}
	return does(e)
}

// ofIndex reports whether an expression reads the index of a for expression, and nothing
// else.
func ofIndex(e hclsyntax.Expression, x *hclsyntax.ForExpr) bool {
	reads, more := false, false
	for t := range dsl.Variables(e) {
		own := t.RootName() == x.KeyVar
		reads, more = reads || own, more || !own
	}
	return reads && !more
}

func holds(e hclsyntax.Expression, ctx *hcl.EvalContext) bool {
	v, diags := dsl.Evaluate(e, ctx)
	return !diags.HasErrors() && v.Type() == cty.Bool && v.IsKnown() && !v.IsNull() && v.True()
}

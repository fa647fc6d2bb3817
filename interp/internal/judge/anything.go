package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofAnyWord says why a condition on a value shows nothing that every value meets.
const ofAnyWord = "it holds whatever the value is: every one that it can have meets the condition, so it shows nothing here.\nhint: name the one that it has to be"

// allowsAll says why a condition that reads one value, which is of few kinds, cannot but
// hold: it is put to all of them. "" where it can.
func (c *checker) allowsAll(e hclsyntax.Expression) string {
	var path hcl.Traversal
	several := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr, *hclsyntax.SplatExpr, *hclsyntax.RelativeTraversalExpr:
			several = true
		case *hclsyntax.FunctionCallExpr:
			several = several || read.IsQuery(x.Name) || x.Name == "try" || x.Name == "can"
		case *hclsyntax.ScopeTraversalExpr:
			switch {
			case !isObserved(x.Traversal.RootName()):
			case path == nil:
				path = x.Traversal
			default:
				several = several || dsl.TraversalText(path) != dsl.TraversalText(x.Traversal)
			}
		}
	})
	if several || path == nil {
		return ""
	}
	all := observe.Range(path)
	if len(all) == 0 {
		return ""
	}
	if all[0].Type() == cty.Number {
		all = append(slices.Clip(all), numbersIn(e, all[0], all[len(all)-1])...)
	}
	a := dsl.NewAbsence(e, isObserved)
	for _, v := range all {
		ctx := c.ctx.NewChild()
		ctx.Variables = map[string]cty.Value{}
		for _, s := range a.Slots {
			ctx.Variables[s.Var] = v
		}
		if got, diags := dsl.Evaluate(a.Expr, ctx); diags.HasErrors() || !isTrue(got) {
			return ""
		}
	}
	return ofAnyWord
}

// mayAllowAll reports whether a condition has a form that every value of a kind may meet.
func mayAllowAll(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.BinaryOpExpr:
		return x.Op == hclsyntax.OpLogicalOr || isOrder(x.Op)
	case *hclsyntax.FunctionCallExpr:
		return slices.Contains([]string{"contains", "anytrue", "alltrue", "regexmatch", "within"}, x.Name)
	case *hclsyntax.UnaryOpExpr:
		return mayAllowAll(x.Val)
	}
	return false
}

// numbersIn are the numbers that a condition compares with, and those beside them, as
// far as a value can be one of them.
func numbersIn(e hclsyntax.Expression, least, most cty.Value) (list []cty.Value) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if v, written := dsl.Literal(e); written && v.Type() == cty.Number && !v.IsNull() {
			one := cty.NumberIntVal(1)
			list = append(list, v.Subtract(one), v, v.Add(one))
		}
	})
	return slices.DeleteFunc(list, func(v cty.Value) bool {
		return v.LessThan(least).True() || v.GreaterThan(most).True()
	})
}

package band

import (
	"math"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// ofNoise says why a comparison of two measured waits shows nothing.
const ofNoise = "it holds by chance: it compares waits that differ by no more than those of a real clock do by themselves, so it shows nothing here.\nhint: compare with a margin, such as calls[0].gaps_ms[1] >= 1.5 * calls[0].gaps_ms[0]; that waits differ is max(LIST...) - min(LIST...) >= 50"

// Noise says why a condition that holds shows nothing of the waits of a program: it compares two of
// them without a margin, or counts different ones, and they are as good as equal. "" where they are
// not, or something else decides. scale is how much faster the run's time is than the real one.
func Noise(condition hclsyntax.Expression, ctx *hcl.EvalContext, scale float64) string {
	if !readsGaps(condition) {
		return ""
	}
	n := noise{least: 20 * scale}
	changed := dsl.Replaced(condition, func(e hclsyntax.Expression) hclsyntax.Expression {
		switch x := e.(type) {
		case *hclsyntax.BinaryOpExpr:
			if n.compares(x) {
				return &hclsyntax.BinaryOpExpr{LHS: x.LHS, Op: n.op(x.Op), RHS: x.RHS, SrcRange: x.SrcRange}
			}
		case *hclsyntax.FunctionCallExpr:
			n.any = n.any || slices.Contains(counting, x.Name) && readsGaps(x)
		}
		return nil
	})
	if !n.any {
		return ""
	}
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{}
	for _, name := range counting {
		inner.Functions[name] = n.distinct(stdlib.Functions()[name])
	}
	if v, diags := dsl.Evaluate(changed, inner); !diags.HasErrors() && !v.IsKnown() {
		return ofNoise
	}
	return ""
}

// counting are the functions that leave one of those that are equal.
var counting = []string{"distinct", "toset"}

// readsGaps reports whether an expression reads the waits of a program.
func readsGaps(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) { found = found || lastName(e) == "gaps_ms" })
	return found
}

// A noise makes comparisons unknown whose sides are as good as equal: by less than least, or a
// fifth of the longer.
type noise struct {
	least float64
	any   bool
}

// compares reports whether an operation compares two waits as they are.
func (n *noise) compares(x *hclsyntax.BinaryOpExpr) bool {
	ordered := slices.Contains([]*hclsyntax.Operation{hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual, hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual}, x.Op)
	is := (ordered || dsl.IsComparison(x.Op)) && isPlain(x.LHS) && isPlain(x.RHS)
	n.any = n.any || is
	return is
}

// isPlain reports whether an expression is a wait as it was measured, the least or the most of some,
// or a variable of a for expression that may be one. Instants, such as at_ms, have an order.
func isPlain(e hclsyntax.Expression) bool {
	e = dsl.Bare(e)
	if f, is := e.(*hclsyntax.FunctionCallExpr); is {
		return (f.Name == "min" || f.Name == "max") && readsGaps(f)
	}
	if lastName(e) == "gaps_ms" {
		return true
	}
	x, is := e.(*hclsyntax.ScopeTraversalExpr)
	return is && len(x.Traversal) == 1
}

// lastName is the last name of a path, "" for what is none.
func lastName(e hclsyntax.Expression) string {
	var steps hcl.Traversal
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		steps = e.Traversal
	case *hclsyntax.RelativeTraversalExpr:
		steps = e.Traversal
	case *hclsyntax.IndexExpr:
		return lastName(e.Collection)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if attr, ok := steps[i].(hcl.TraverseAttr); ok {
			return attr.Name
		}
	}
	return ""
}

// op is an operation of which nothing is known where its sides are as good as equal.
func (n *noise) op(op *hclsyntax.Operation) *hclsyntax.Operation {
	of := *op
	of.ShortCircuit = nil
	of.Impl = function.New(&function.Spec{
		Params: op.Impl.Params(),
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if n.equal(args) {
				return cty.UnknownVal(cty.Bool), nil
			}
			return op.Impl.Call(args)
		},
	})
	return &of
}

// distinct is a function of which nothing is known where different numbers are as good as equal.
func (n *noise) distinct(f function.Function) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if v, _ := args[0].Unmark(); v.IsKnown() && !v.IsNull() && v.CanIterateElements() && n.equal(v.AsValueSlice()) {
				return cty.UnknownVal(t), nil
			}
			return f.Call(args)
		},
	})
}

// equal reports whether some values, two at least, are numbers as good as equal.
func (n *noise) equal(values []cty.Value) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		v, _ = v.Unmark()
		if !v.IsKnown() || v.IsNull() || v.Type() != cty.Number {
			return false
		}
		ms, _ := v.AsBigFloat().Float64()
		low, high = min(low, ms), max(high, ms)
	}
	return len(values) > 1 && high-low <= max(n.least, high/5)
}

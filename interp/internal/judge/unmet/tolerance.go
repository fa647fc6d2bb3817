package unmet

import (
	"fmt"
	"math"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
)

// The functions that stand in the place of approx and of abs(a - b) <= tolerance. No file can write such names.
const (
	nearly = "nearly "
	within = "nearly, and less "
)

// wide says of a part of a condition that each tolerance in it is so wide that the part would hold if the
// values that it checks were all 0, and they are not meant to be.
func wide(part hclsyntax.Expression, ctx *hcl.EvalContext) string {
	some, value, want, tolerance := false, 0.0, 0.0, 0.0
	close := func(strict bool) function.Function {
		number := func(name string) function.Parameter {
			return function.Parameter{Name: name, Type: cty.Number, AllowMarked: true}
		}
		return function.New(&function.Spec{
			Params: []function.Parameter{number("value"), number("want"), number("tolerance")},
			Type:   function.StaticReturnType(cty.Bool),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				var n [3]float64
				for i, v := range args {
					v, _ = v.Unmark()
					n[i], _ = v.AsBigFloat().Float64()
				}
				is := func(v float64) bool {
					d := math.Abs(v - n[1])
					return d < n[2] || !strict && d == n[2]
				}
				if n[1] == 0 || !is(n[0]) {
					return cty.BoolVal(is(n[0])), nil
				}
				if !some {
					some, value, want, tolerance = true, n[0], n[1], n[2]
				}
				return cty.BoolVal(is(0)), nil
			},
		})
	}
	found := false
	copied := dsl.Replaced(part, func(e hclsyntax.Expression) hclsyntax.Expression {
		args, name, beyond := tolerated(e)
		if args == nil || !isOfRun(args[0]) && !isOfRun(args[1]) {
			return nil
		}
		found = true
		if !isOfRun(args[0]) && isOfRun(args[1]) {
			args[0], args[1] = args[1], args[0]
		}
		rng := e.Range()
		near := &hclsyntax.FunctionCallExpr{Name: name, Args: args, NameRange: rng, OpenParenRange: rng, CloseParenRange: rng}
		if beyond {
			return &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: near, SrcRange: rng, SymbolRange: rng}
		}
		return near
	})
	if !found {
		return ""
	}
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{nearly: close(false), within: close(true)}
	v, diags := dsl.Evaluate(copied, inner)
	if diags.HasErrors() || !some {
		return ""
	}
	if v, _ = v.Unmark(); !v.RawEquals(cty.True) {
		return ""
	}
	return fmt.Sprintf("the tolerance of %s is so wide that 0 would pass as well: the value is %s, and %s is wanted.\nhint: make it a small part of what is wanted, such as %s", number(tolerance), number(value), number(want), number(math.Pow(10, math.Floor(math.Log10(math.Abs(want)))-3)))
}

// tolerated are the value, what is wanted and the tolerance of a comparison with one, and the function that
// stands in its place, or says the opposite of it; nil for any other expression.
func tolerated(e hclsyntax.Expression) (args []hclsyntax.Expression, name string, beyond bool) {
	switch x := e.(type) {
	case *hclsyntax.FunctionCallExpr:
		if x.Name == "approx" && len(x.Args) == 3 && !x.ExpandFinal {
			return []hclsyntax.Expression{x.Args[0], x.Args[1], x.Args[2]}, nearly, false
		}
	case *hclsyntax.BinaryOpExpr:
		of, most, op := x.LHS, x.RHS, x.Op
		if !premise.IsOrder(op) {
			return nil, "", false
		}
		if _, is := dsl.Bare(most).(*hclsyntax.FunctionCallExpr); is {
			of, most, op = most, of, premise.Turned(op)
		}
		f, is := dsl.Bare(of).(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != "abs" || len(f.Args) != 1 {
			return nil, "", false
		}
		if name = nearly; op == hclsyntax.OpLessThan || op == hclsyntax.OpGreaterThanOrEqual {
			name = within
		}
		if d, is := dsl.Bare(f.Args[0]).(*hclsyntax.BinaryOpExpr); is && d.Op == hclsyntax.OpSubtract {
			return []hclsyntax.Expression{d.LHS, d.RHS, most}, name, op == hclsyntax.OpGreaterThan || op == hclsyntax.OpGreaterThanOrEqual
		}
	}
	return nil, "", false
}

package found

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// farBelow is how many times as long as a text its limit is at least that tells nothing of it.
const farBelow = 4

// limited is the text of a request whose length a part of a condition limits, and that limit; nil for
// any other part.
func limited(part hclsyntax.Expression) (text hclsyntax.Expression, most float64) {
	op, is := dsl.Bare(part).(*hclsyntax.BinaryOpExpr)
	if !is {
		return nil, 0
	}
	of, limit := op.LHS, op.RHS
	switch op.Op {
	case hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual:
	case hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual:
		of, limit = limit, of
	default:
		return nil, 0
	}
	call, is := dsl.Bare(of).(*hclsyntax.FunctionCallExpr)
	v, literal := dsl.Literal(dsl.Bare(limit))
	if !is || call.Name != "length" || len(call.Args) != 1 || !literal || v.Type() != cty.Number || v.IsNull() {
		return nil, 0
	}
	if parts, whole := readsRequest(call.Args[0]); !parts && !whole {
		return nil, 0
	}
	most, _ = v.AsBigFloat().Float64()
	return call.Args[0], most
}

// farFromLimit says of such a limit that the text is nowhere near it, so that a program which cuts
// nothing keeps it as well; "" where it is near.
func farFromLimit(part hclsyntax.Expression, ctx *hcl.EvalContext) string {
	text, most := limited(part)
	if text == nil {
		return ""
	}
	v, diags := dsl.Evaluate(text, ctx)
	if diags.HasErrors() || v.IsMarked() || !v.IsKnown() || v.IsNull() || v.Type() != cty.String || v.AsString() == "" {
		return ""
	}
	n := utf8.RuneCountInString(v.AsString())
	if float64(n*farBelow) > most {
		return ""
	}
	return fmt.Sprintf("the text has %d characters, and the limit is %s: a program that cuts nothing off keeps it as well.\nhint: give the program a text that is longer than the limit", n, strconv.FormatFloat(most, 'f', -1, 64))
}

// bytesOfLists is about as long to look at as such a limit is.
const bytesOfLists = 1 << 16

// limitsLists reports whether a part of a condition compares how many elements lists of requests have.
func limitsLists(part hclsyntax.Expression) (limits bool) {
	dsl.EachExpr(part, func(e hclsyntax.Expression) {
		op, is := e.(*hclsyntax.BinaryOpExpr)
		if limits || !is || !slices.Contains([]*hclsyntax.Operation{hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual, hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual}, op.Op) {
			return
		}
		for _, side := range []hclsyntax.Expression{op.LHS, op.RHS} {
			call, is := dsl.Bare(side).(*hclsyntax.FunctionCallExpr)
			limits = limits || is && call.Name == "length" && len(call.Args) == 1 && isOfRequest(call.Args[0])
		}
	})
	return limits
}

// isOfRequest reports whether an expression is a path into a request, and nothing made of one.
func isOfRequest(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return read.IsRequest(x.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		return read.IsRequest(x.Traversal)
	}
	return false
}

// limitNotReached says of a part of a condition that limits lists of requests that each of them could have
// one element more, so that a program which divides or cuts nothing keeps it as well; "" where one has as
// many as it may.
func limitNotReached(part hclsyntax.Expression, ctx *hcl.EvalContext, about About) string {
	if !limitsLists(part) || about.Spend != nil && !about.Spend(bytesOfLists) {
		return ""
	}
	longest := 0
	holdsWith := func(more int) bool {
		inner := ctx.NewChild()
		inner.Functions = map[string]function.Function{"length": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowMarked: true, AllowDynamicType: true}},
			Type:   function.StaticReturnType(cty.Number),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, _ := args[0].Unmark()
				if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
					return cty.UnknownVal(cty.Number), nil
				}
				longest = max(longest, v.LengthInt())
				return cty.NumberIntVal(int64(v.LengthInt() + more)), nil
			},
		})}
		v, diags := dsl.Evaluate(part, inner)
		return diags.HasErrors() || v.RawEquals(cty.True)
	}
	if holdsWith(math.MaxInt32) || !holdsWith(1) || longest == 0 { // a limit is what some length breaks
		return ""
	}
	return fmt.Sprintf("the longest list has a length of %d, and with one more it would keep the limit, too: a program that divides or cuts nothing keeps it as well.\nhint: give the program so much that a list has the length that it may have", longest)
}

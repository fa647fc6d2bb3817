package found

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
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

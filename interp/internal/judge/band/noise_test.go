package band_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/band"
	"github.com/scenario-lang/scenario/stdlib"
)

// Shows that a comparison of waits without a margin shows nothing where they are as good as equal,
// and that it does where they are not, where there is a margin, or where something else decides.
func TestNoise(t *testing.T) {
	const call, lockstep = "endpoint.shop.calls[0]", "length(distinct([for c in endpoint.shop.calls : c.gaps_ms[0]])) > 1"
	equal, growing := []float64{201, 203}, []float64{201, 398}
	for _, c := range []struct {
		gaps      []float64
		condition string
		chance    bool
	}{
		{equal, call + `.gaps_ms[1] >= ` + call + `.gaps_ms[0]`, true},
		{equal, `length(endpoint.shop.calls) == 2 && ` + call + `.gaps_ms[0] < ` + call + `.gaps_ms[1]`, true},
		{equal, call + `.gaps_ms[0] != ` + call + `.gaps_ms[1]`, true},
		{equal, `alltrue([for i in [0] : ` + call + `.gaps_ms[i] <= ` + call + `.gaps_ms[i + 1]])`, true},
		{equal, `max(` + call + `.gaps_ms...) > min(` + call + `.gaps_ms...)`, true},
		{equal, lockstep, true},
		{equal, `length(toset([for c in endpoint.shop.calls : c.gaps_ms[0]])) == 2`, true},
		{[]float64{4, 17}, call + `.gaps_ms[1] > ` + call + `.gaps_ms[0]`, true},

		{growing, call + `.gaps_ms[1] >= ` + call + `.gaps_ms[0]`, false},
		{growing, lockstep, false},
		{[]float64{199, 300}, call + `.gaps_ms[1] >= 1.5 * ` + call + `.gaps_ms[0]`, false},
		{equal, call + `.gaps_ms[1] < ` + call + `.gaps_ms[0] + 50`, false},
		{equal, call + `.gaps_ms[1] >= 190`, false},
		{equal, `max(` + call + `.gaps_ms...) - min(` + call + `.gaps_ms...) <= 50`, false},
		{equal, call + `.gaps_ms[0] > 190 && endpoint.shop.attempts[1].at_ms > endpoint.shop.attempts[0].at_ms`, false},
		{equal, `length(distinct(endpoint.shop.attempts[*].at_ms)) == 2 && ` + call + `.gaps_ms[0] > 190`, false},
		{equal, call + `.gaps_ms[1] >= ` + call + `.gaps_ms[0] || length(endpoint.shop.calls) == 2`, false},
	} {
		number := func(ms float64) cty.Value { return cty.NumberFloatVal(ms) }
		one := func(a, b float64) cty.Value {
			return cty.ObjectVal(map[string]cty.Value{"gaps_ms": cty.TupleVal([]cty.Value{number(a), number(b)})})
		}
		at := func(ms float64) cty.Value { return cty.ObjectVal(map[string]cty.Value{"at_ms": number(ms)}) }
		ctx := &hcl.EvalContext{Functions: map[string]function.Function{}, Variables: map[string]cty.Value{"endpoint": cty.ObjectVal(map[string]cty.Value{
			"shop": cty.ObjectVal(map[string]cty.Value{
				"calls":    cty.TupleVal([]cty.Value{one(c.gaps[0], c.gaps[1]), one(c.gaps[1], c.gaps[0])}),
				"attempts": cty.TupleVal([]cty.Value{at(1), at(2)}),
			}),
		})}}
		for name, f := range stdlib.Functions() {
			ctx.Functions[name] = f
		}
		e, diags := hclsyntax.ParseExpression([]byte(c.condition), "a.hcl", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if v, diags := dsl.Evaluate(e, ctx); diags.HasErrors() || !v.RawEquals(cty.True) {
			t.Fatalf("%s: %#v %s", c.condition, v, diags)
		}
		if why := band.Noise(e, ctx, 1); (why != "") != c.chance {
			t.Errorf("%s of %v: %q, want %t", c.condition, c.gaps, why, c.chance)
		}
	}
}

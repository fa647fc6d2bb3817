package given

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// Accepts reports whether a contract of a step that has succeeded accepts every result: it holds
// with each of some that a success may come to, of which no text and no part of an answer is
// known. functions are those that know more of what is not known.
func Accepts(contract hclsyntax.Expression, s *observe.StepResult, results []Draw, functions map[string]function.Function) bool {
	for _, d := range results {
		ctx := d.f.p.Static.NewChild()
		ctx.Variables, ctx.Functions = map[string]cty.Value{"self": d.success(s)}, functions
		for _, root := range []string{"step", "input", "var", "local"} {
			ctx.Variables[root] = cty.DynamicVal
		}
		if v, diags := dsl.Evaluate(contract, ctx); diags.HasErrors() || !v.IsKnown() || !plan.IsTrue(v) {
			return false
		}
	}
	return true
}

// OfContract says why a contract that accepts everything shows nothing.
const OfContract = "it accepts whatever the answer is: a result is only looked at once the step has succeeded, and every one meets the condition then, so it shows nothing here.\nhint: say what the answer has to have, such as self.json.id != null"

// figures are what the engine itself says of a step that has called somebody.
var figures = []string{"attempts", "rejections", "retries", "delays_ms", "started_ms", "ended_ms", "elapsed_ms", "target", "provider", "cost_usd", "usage", "turns", "status_code"}

// success is a result of a step that has succeeded, of which the rest is drawn.
func (d Draw) success(s *observe.StepResult) cty.Value {
	p := &part{f: d.f, limit: func(name string) (least, most float64) {
		if name == "status_code" && s.Step.Family == "http" && s.Step.Block.Attr("expect_status") == nil {
			return 200, 399
		}
		return d.f.limitOfStep(s.Step, name)
	}, attr: func(name string) given {
		switch name {
		case "status":
			return given{cty.StringVal(read.StatusSuccess), OfContract}
		case "error", "stop", "skipped_reason", "replaced_by":
			return given{null, OfContract}
		}
		return free
	}, child: func(name string) *part {
		if name == "attempts" && s.Step.Gateway != nil {
			return &part{f: d.f, sure: 1, most: d.f.mostAttempts(s.Step)}
		}
		return nil
	}}
	shape := *s.Step.Shape
	shape.Attrs = map[string]*schema.Shape{}
	for name, of := range s.Step.Shape.Attrs {
		own := *of
		own.Nullable = of.Nullable && !(s.Step.Gateway != nil && slices.Contains(figures, name))
		shape.Attrs[name] = &own
	}
	return d.value(observe.StepVal(s, read.Everything), &shape, p, "self")
}

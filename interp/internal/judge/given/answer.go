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
		case "target":
			if one := oneTarget(s.Step); one != nil {
				return given{cty.StringVal(one.Name), OfContract}
			}
		case "provider":
			if one := oneProvider(s.Step); one != nil {
				return given{cty.StringVal(one.Name), OfContract}
			}
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

// isAnswer reports whether an attribute is the answer as a whole, which is there after a success,
// if only as an empty text.
func isAnswer(s *plan.Step, name string) bool {
	switch s.Kind {
	case plan.KindLLM, plan.KindMCP:
		return name == "content" || name == "output"
	case plan.KindHTTP:
		return name == "body" || name == "output"
	}
	return false
}

// Settled is a contract in which it is settled that the answer as a whole is there, and that
// the one of a model is a text.
func Settled(e hclsyntax.Expression, s *plan.Step) hclsyntax.Expression {
	answer := func(e hclsyntax.Expression) bool {
		x, path := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
		if !path || x.Traversal.RootName() != "self" || len(x.Traversal) != 2 {
			return false
		}
		name, named := read.AttrName(x.Traversal, 1)
		return named && isAnswer(s, name)
	}
	isNull := func(e hclsyntax.Expression) bool {
		v, literal := dsl.Literal(dsl.Bare(e))
		return literal && v.IsNull()
	}
	isText := func(e hclsyntax.Expression) bool {
		f, is := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != "schemaerror" || len(f.Args) != 2 || !answer(f.Args[0]) || s.Kind != plan.KindLLM {
			return false
		}
		schema, diags := dsl.Evaluate(f.Args[1], nil)
		return !diags.HasErrors() && asksForText(schema)
	}
	return dsl.Replaced(e, func(e hclsyntax.Expression) hclsyntax.Expression {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		if !is || !dsl.IsComparison(x.Op) {
			return nil
		}
		of := x.LHS
		if isNull(of) {
			of = x.RHS
		} else if !isNull(x.RHS) {
			return nil
		}
		switch {
		case answer(of):
			return &hclsyntax.LiteralValueExpr{Val: cty.BoolVal(!dsl.IsEqual(x.Op)), SrcRange: x.Range()}
		case isText(of):
			return &hclsyntax.LiteralValueExpr{Val: cty.BoolVal(dsl.IsEqual(x.Op)), SrcRange: x.Range()}
		}
		return nil
	})
}

// asksForText reports whether a schema says of a value that it is a text, and nothing more.
func asksForText(schema cty.Value) bool {
	if schema.IsMarked() || !schema.IsWhollyKnown() || schema.IsNull() || !schema.Type().IsObjectType() {
		return false
	}
	for name, v := range schema.AsValueMap() {
		switch {
		case name == "title", name == "description":
		case name != "type" || !v.RawEquals(cty.StringVal("string")):
			return false
		}
	}
	return true
}

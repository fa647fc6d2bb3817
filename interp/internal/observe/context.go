package observe

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe/lacking"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ObservedContext holds what conditions read of the run so far, and nothing
// more. Some attributes of what queries find are null where it lacks them.
func (o *Observed) ObservedContext(n *read.Needs, a lacking.Attrs) *hcl.EvalContext {
	ctx := o.static.NewChild()
	ctx.Variables = make(map[string]cty.Value, 8)
	ctx.Variables["input"] = o.Plan.Inputs
	for _, root := range []string{"step", "fanout", "classify", "endpoint"} {
		if need := n.Of(root); need != nil {
			ctx.Variables[root] = o.stepRoot(need, root)
		}
	}
	if need := n.Of("steps"); need != nil {
		ctx.Variables["steps"] = o.stepsVal(need)
	}
	if need := n.Of("endpoints"); need != nil {
		ctx.Variables["endpoints"] = o.endpointsVal(need)
	}
	if need := n.Of("run"); need != nil {
		ctx.Variables["run"] = RunVal(&o.Run, need)
	}
	if need := n.Of("sut"); need != nil {
		ctx.Variables["sut"] = read.Object(SutFields, &o.Sut, need)
	}
	o.targetRoots(ctx, n)
	o.serviceValues(ctx, n)
	o.benchRoot(ctx, n.Of("report"))
	dsl.Built(ctx)
	ctx.Functions = a.Null(o.queries().functions(n))
	return ctx
}

// stepRoot holds what a root reads of the steps of the scenario's workflow, and
// of those that stand beside it, by name.
func (o *Observed) stepRoot(need *read.Needs, root string) cty.Value {
	steps := map[string]cty.Value{}
	for name, part := range need.Each(o.Plan.StepsUnder(root)) {
		if s := o.Steps[name]; s != nil {
			steps[name] = StepVal(s, part)
		}
	}
	return cty.ObjectVal(steps)
}

func (o *Observed) targetRoots(ctx *hcl.EvalContext, n *read.Needs) {
	if need := n.Of("target"); need != nil {
		ctx.Variables["target"] = partVals(TargetFields, o.Targets, need)
	}
	if need := n.Of("breaker"); need != nil {
		breakers := map[string]cty.Value{}
		for name, part := range need.Each(maps.Keys(o.Targets)) {
			if t := o.Targets[name]; t != nil && t.guarded {
				breakers[name] = read.Object(BreakerFields, t, part)
			}
		}
		ctx.Variables["breaker"] = cty.ObjectVal(breakers)
	}
	if need := n.Of("gateway"); need != nil {
		ctx.Variables["gateway"] = partVals(GatewayFields, o.Gateways, need)
	}
}

// stepsVal is the tuple of all steps in the order they ran.
func (o *Observed) stepsVal(need *read.Needs) cty.Value {
	return read.Elements(o.Order, need, func(s *StepResult, part *read.Needs) cty.Value { return StepItem(s, part) })
}

// StepItem is an element of that tuple.
func StepItem(s *StepResult, need *read.Needs) cty.Value {
	attrs := map[string]cty.Value{}
	AddStep(attrs, s, need)
	attrs["name"], attrs["kind"] = read.Text(s.Name), read.Text(string(s.Step.Kind))
	return cty.ObjectVal(attrs)
}

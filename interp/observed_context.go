package interp

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// observedContext holds what conditions read of the run so far, and nothing
// more.
func (o *observed) observedContext(n *needs) *hcl.EvalContext {
	ctx := o.plan.static.NewChild()
	ctx.Variables = make(map[string]cty.Value, 8)
	ctx.Variables["input"] = o.plan.inputs
	for _, root := range []string{"step", kindFanout, kindClassify} {
		if read := n.of(root); read != nil {
			ctx.Variables[root] = o.stepRoot(read, root)
		}
	}
	if read := n.of("steps"); read != nil {
		ctx.Variables["steps"] = o.stepsVal(read)
	}
	if read := n.of("run"); read != nil {
		ctx.Variables["run"] = runVal(&o.run, read)
	}
	o.targetRoots(ctx, n)
	o.serviceValues(ctx, n)
	o.benchRoot(ctx, n.of("report"))
	ctx.Functions = o.queries().functions(n)
	return ctx
}

// stepRoot holds what a root reads of the steps of the scenario's workflow, and
// of those that stand beside it, by name.
func (o *observed) stepRoot(read *needs, root string) cty.Value {
	steps := map[string]cty.Value{}
	for name, part := range read.each(o.plan.stepsUnder(root)) {
		if s := o.steps[name]; s != nil {
			steps[name] = stepVal(s, part)
		}
	}
	return cty.ObjectVal(steps)
}

func (o *observed) targetRoots(ctx *hcl.EvalContext, n *needs) {
	if read := n.of("target"); read != nil {
		ctx.Variables["target"] = partVals(targetFields, o.targets, read)
	}
	if read := n.of("breaker"); read != nil {
		breakers := map[string]cty.Value{}
		for name, part := range read.each(maps.Keys(o.targets)) {
			if t := o.targets[name]; t != nil && t.guarded {
				breakers[name] = object(breakerFields, t, part)
			}
		}
		ctx.Variables["breaker"] = cty.ObjectVal(breakers)
	}
	if read := n.of("gateway"); read != nil {
		ctx.Variables["gateway"] = partVals(gatewayFields, o.gateways, read)
	}
}

// stepsVal is the tuple of all steps in the order they ran.
func (o *observed) stepsVal(read *needs) cty.Value {
	return tupleVal(o.order, func(s *stepResult) cty.Value { return stepItem(s, read) })
}

// stepItem is an element of that tuple.
func stepItem(s *stepResult, read *needs) cty.Value {
	attrs := map[string]cty.Value{}
	addStep(attrs, s, read)
	attrs["name"], attrs["kind"] = text(s.name), text(s.step.kind)
	return cty.ObjectVal(attrs)
}

package interp

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/schema"
)

var (
	runShape       = shapeOf("run", runFields)
	targetShape    = shapeOf("target", targetFields)
	breakerShape   = shapeOf("breaker", breakerFields)
	gatewayShape   = shapeOf("gateway", gatewayFields)
	stepsItemShape = shapeOf("step", stepItemFields)
)

// stepItemFields are the attributes of an element of the tuple steps.
var stepItemFields = append([]field[stepResult]{
	{"name", textShape, "The step's name.", nil, nil},
	{"kind", textShape, "The step's kind.", nil, nil},
}, stepFields...)

// observedEnv is what a condition may refer to: everything that the run of
// this workflow can be asked for.
func (sc *scenarioCompiler) observedEnv() *dsl.Env {
	within := sc.within()
	step := directory("step", within, map[string]*schema.Shape{})
	target := directory("target", within, map[string]*schema.Shape{})
	breaker := directory("target with a breaker", within, map[string]*schema.Shape{})
	gateway := directory("gateway", within, map[string]*schema.Shape{})
	fanouts := directory("fanout", within, map[string]*schema.Shape{})
	for _, s := range sc.p.workflow.steps {
		step.Attrs[s.name] = s.shape
		if s.kind == kindFanout {
			fanouts.Attrs[s.name] = s.shape
		}
	}
	for _, root := range []*schema.Shape{target, breaker, gateway} {
		root.Open, root.Observed = sc.adrift, sc.adrift
	}
	eachNode(sc.p.workflow.nodes(), func(n *node) {
		s := n.step
		if s.gateway == nil {
			return
		}
		if s.gateway.name != "" {
			gateway.Attrs[s.gateway.name] = gatewayShape
		}
		for _, t := range s.gateway.targets {
			target.Attrs[t.name] = targetShape
			if t.breaker != nil {
				breaker.Attrs[t.name] = breakerShape
			}
		}
	})
	input := directory("input", within, map[string]*schema.Shape{})
	input.Open = sc.p.workflow.inputsLost
	for name := range sc.p.workflow.inputs {
		input.Attrs[name] = &schema.Shape{}
	}
	roots := map[string]*schema.Shape{
		"step": step, "steps": tupleOf(stepsItemShape), "run": runShape, "target": target, "breaker": breaker, "gateway": gateway, "fanout": fanouts,
		"input": input, "var": sc.staticEnv.Roots["var"], "local": sc.staticEnv.Roots["local"],
	}
	sc.serviceRoots(roots)
	return &dsl.Env{
		Roots: roots, Funcs: conditionSignatures(),
		Where:     "a condition",
		Elsewhere: map[string]string{"self": "self is a step's own result, in its output and validate blocks.", "each": elsewhere["each"], "matrix": elsewhere["matrix"]},
		CheckCall: checkQuery(sc.p.Prefix),
		Watch:     sc.opts.Watch,
	}
}

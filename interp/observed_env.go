package interp

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
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
	classified := directory("classify", within, map[string]*schema.Shape{})
	for _, s := range sc.p.workflow.steps {
		step.Attrs[s.name] = s.shape
		if s.kind == kindFanout {
			fanouts.Attrs[s.name] = s.shape
		}
		if s.kind == kindClassify {
			classified.Attrs[s.name] = s.shape
		}
	}
	for _, d := range sc.p.drivers {
		switch {
		case d.step == nil:
		case d.what() == kindFanout:
			fanouts.Attrs[d.name] = d.step.shape
		case d.what() == kindClassify:
			classified.Attrs[d.name] = d.step.shape
		}
	}
	for _, root := range []*schema.Shape{target, breaker, gateway} {
		root.Open, root.Observed = sc.adrift, sc.adrift
	}
	eachNode(sc.p.nodes(), func(n *node) {
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
		input.Attrs[name] = schema.UnknownShape
	}
	roots := map[string]*schema.Shape{
		"step": step, "steps": tupleOf(stepsItemShape), "run": runShape, "target": target, "breaker": breaker, "gateway": gateway, "fanout": fanouts, "classify": classified,
		"input": input, "var": sc.staticEnv.Roots["var"], "local": sc.staticEnv.Roots["local"],
	}
	sc.serviceRoots(roots)
	if sc.p.bench != nil {
		roots["report"] = benchShape(sc.p.bench, within)
	}
	return &dsl.Env{
		Roots:     roots,
		Funcs:     conditionSignatures(),
		Where:     "a condition",
		Elsewhere: declarations,
		Explain: func(root *schema.Shape, name string) string {
			if root != breaker {
				return ""
			}
			return sc.explainBreaker(name, target)
		},
		CheckCall: checkQuery(sc.p.Prefix),
		Watch:     sc.opts.Watch,
	}
}

// declarations says what a condition reads in place of a declaration, and where
// names are valid that no condition knows.
var declarations = map[string]string{
	"provider":   "provider.NAME is a declaration, and a condition is about what happened: target.NAME is what was dialled, step.NAME.provider who answered.",
	"retry":      "retry.NAME is a declaration, and a condition is about what happened: step.NAME.retries and step.NAME.delays_ms.",
	"rate_limit": "rate_limit.NAME is a declaration, and a condition is about what happened: target.NAME.rejections and the times of its attempts.",
	"workflow":   "workflow.NAME is a declaration, and a condition is about what happened: run is the result of the workflow.",
	"taxonomy":   "taxonomy.NAME is a declaration, and a condition is about what happened: step.NAME.error.mode.",
	"self":       "self is a step's own result, in its output and validate blocks.",
	"each":       elsewhere["each"],
	"matrix":     elsewhere["matrix"],
	"scenario":   "A scenario is judged by its conditions and read by none: run is the result of its workflow.",
}

// explainBreaker helps with a name that no target with a breaker has: that of
// the policy, or of a target without one.
func (sc *scenarioCompiler) explainBreaker(name string, targets *schema.Shape) string {
	if _, dialled := targets.Attrs[name]; dialled {
		return fmt.Sprintf(" The target %q has no breaker: a target block of a gateway takes one with breaker = breaker.NAME.", name)
	}
	if sc.file.Body.Named("breaker", name) == nil {
		return ""
	}
	var used []string
	for _, g := range sc.file.Body.All("gateway") {
		for _, t := range g.All("target") {
			var ignored hcl.Diagnostics
			if (dsl.Reader{Block: t, Ctx: sc.statics, Diags: &ignored}).Ref("breaker").Name == name {
				used = append(used, "breaker."+t.Name())
			}
		}
	}
	if len(used) == 0 {
		return fmt.Sprintf(" %q is a policy that no target uses.", name)
	}
	return fmt.Sprintf(" %q is the policy; the state is that of a target with it: write %s.", name, strings.Join(used, " or "))
}

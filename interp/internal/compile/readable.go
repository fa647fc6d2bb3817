package compile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
)

// serviceRoots adds what a condition may ask of calls, actors, locks and
// registries.
func (sc *scenarioCompiler) serviceRoots(roots map[string]*schema.Shape) {
	calls := map[string]*schema.Shape{}
	for _, d := range sc.p.Actions {
		switch {
		case d.Call == nil:
		case d.Step != nil:
			calls[d.Name] = d.Step.Shape
		case d.Call.Several:
			calls[d.Name] = read.TupleOf(observe.StepShape(plan.KindCall))
		default:
			calls[d.Name] = observe.StepShape(plan.KindCall)
		}
	}
	actors, locks, registries := map[string]*schema.Shape{}, map[string]*schema.Shape{}, map[string]*schema.Shape{}
	for name, a := range sc.services.actors {
		actors[name] = observe.ActorShape(a.ActorSpec, sc.working(a.ActorSpec))
	}
	for _, l := range sc.services.locks {
		locks[l.Name] = observe.LockShape
	}
	for _, r := range sc.services.registries {
		registries[r.Name] = observe.RegistryShape
	}
	roots["call"] = plan.Directory("call", "in this scenario", calls)
	roots["actor"] = plan.Directory("actor", inFile, actors)
	roots["lock"] = plan.Directory("lock", inFile, locks)
	roots["registry"] = plan.Directory("registry", inFile, registries)
}

// observedEnv is what a condition may refer to: everything that the run of
// this workflow can be asked for.
func (sc *scenarioCompiler) observedEnv() *dsl.Env {
	within := sc.within()
	step := plan.Directory("step", within, map[string]*schema.Shape{})
	target := plan.Directory("target", within, map[string]*schema.Shape{})
	breaker := plan.Directory("target with a breaker", within, map[string]*schema.Shape{})
	gateway := plan.Directory("gateway", within, map[string]*schema.Shape{})
	fanouts := plan.Directory("fanout", within, map[string]*schema.Shape{})
	classified := plan.Directory("classify", within, map[string]*schema.Shape{})
	for _, s := range sc.p.Workflow.Steps {
		step.Attrs[s.Name] = s.Shape
		if s.Kind == plan.KindFanout {
			fanouts.Attrs[s.Name] = s.Shape
		}
		if s.Kind == plan.KindClassify {
			classified.Attrs[s.Name] = s.Shape
		}
	}
	for _, d := range sc.p.Actions {
		switch {
		case d.Step == nil:
		case d.What() == "fanout":
			fanouts.Attrs[d.Name] = d.Step.Shape
		case d.What() == "classify":
			classified.Attrs[d.Name] = d.Step.Shape
		}
	}
	for _, root := range []*schema.Shape{target, breaker, gateway} {
		root.Open, root.Observed = sc.unresolved, sc.unresolved
	}
	plan.EachNode(sc.callers(), func(n *plan.Node) {
		s := n.Step
		if s.Gateway == nil {
			return
		}
		if s.Gateway.Name != "" {
			gateway.Attrs[s.Gateway.Name] = observe.GatewayShape
		}
		for _, t := range s.Gateway.Targets {
			target.Attrs[t.Name] = observe.TargetShape
			if t.Has(policy.BreakerKind) {
				breaker.Attrs[t.Name] = observe.BreakerShape
			}
		}
	})
	input := plan.Directory("input", within, map[string]*schema.Shape{})
	input.Open = sc.p.Workflow.InputsLost
	for name := range sc.p.Workflow.Inputs {
		input.Attrs[name] = schema.UnknownShape
	}
	roots := map[string]*schema.Shape{
		"step": step, "steps": read.TupleOf(observe.StepsItemShape), "run": observe.RunShape, "target": target, "breaker": breaker, "gateway": gateway, "fanout": fanouts, "classify": classified,
		"input": input, "var": sc.staticEnv.Roots["var"], "local": sc.staticEnv.Roots["local"],
	}
	roots["endpoint"] = sc.endpointShapes()
	sc.serviceRoots(roots)
	if sc.p.BenchRun != nil {
		roots["report"] = observe.BenchShape(sc.p.BenchRun, within)
	}
	return &dsl.Env{
		Roots:     roots,
		Funcs:     sc.Functions.Conditions(),
		Where:     "a condition",
		Elsewhere: declarations,
		Explain: func(root *schema.Shape, name string) string {
			switch root {
			case breaker:
				return sc.explainBreaker(name, target)
			case roots["endpoint"]:
				return sc.explainEndpoint(name)
			}
			return ""
		},
		CheckCall: observe.CheckQuery(sc.p.Prefix),
		Watch:     sc.opts.Watch,
	}
}

// declarations says what a condition reads in place of a declaration, and where
// names are valid that no condition knows.
var declarations = withPolicies(map[string]string{
	"provider": "provider.NAME is a declaration, and a condition is about what happened: target.NAME is what was dialled, step.NAME.provider who answered.",
	"retry":    "retry.NAME is a declaration, and a condition is about what happened: step.NAME.retries and step.NAME.delays_ms.",
	"workflow": "workflow.NAME is a declaration, and a condition is about what happened: run is the result of the workflow.",
	"taxonomy": "taxonomy.NAME is a declaration, and a condition is about what happened: step.NAME.error.mode.",
	"self":     "self is a step's own result, in its output and validate blocks.",
	"each":     elsewhere["each"],
	"matrix":   elsewhere["matrix"],
	"scenario": "A scenario is judged by its conditions and read by none: run is the result of its workflow.",
})

// withPolicies adds the policies of targets.
func withPolicies(words map[string]string) map[string]string {
	for _, k := range policy.Kinds() {
		words[k.Name] = k.Name + " is a policy of targets, and a condition is about what happened: target.NAME.rejections and the times of its attempts."
	}
	return words
}

// explainBreaker helps with a name that no target with a breaker has: that of
// the policy, or of a target without one.
func (sc *scenarioCompiler) explainBreaker(name string, targets *schema.Shape) string {
	if _, dialled := targets.Attrs[name]; dialled {
		return fmt.Sprintf(" The target %q has no breaker: a target block of a gateway takes one with breaker = breaker.NAME.", name)
	}
	if sc.File.Body.Named("breaker", name) == nil {
		return ""
	}
	var used []string
	for _, g := range sc.File.Body.All("gateway") {
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

package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
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
	for name, a := range sc.services.Actors {
		actors[name] = observe.ActorShape(a.ActorSpec, sc.working(a.ActorSpec))
	}
	for _, l := range sc.services.Locks {
		locks[l.Name] = observe.LockShape
	}
	for _, r := range sc.services.Registries {
		registries[r.Name] = observe.RegistryShape
	}
	roots["call"] = plan.Directory("call", "in this scenario", calls)
	roots["actor"] = plan.Directory("actor", unit.InFile, actors)
	roots["lock"] = plan.Directory("lock", unit.InFile, locks)
	roots["registry"] = plan.Directory("registry", unit.InFile, registries)
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
		"input": input, "var": sc.Static.Roots["var"], "local": sc.Static.Roots["local"],
	}
	roots["endpoint"] = sc.endpointShapes()
	if sc.takesPrograms() {
		roots["endpoints"] = read.TupleOf(observe.EndpointsItemShape)
	}
	if sc.p.Barred[plan.Exec] == "" {
		roots["sut"] = observe.SutInTrace
	}
	sc.serviceRoots(roots)
	if sc.p.BenchRun != nil {
		roots["report"] = observe.BenchShape(sc.p.BenchRun, within)
	}
	env := &dsl.Env{
		Roots:     roots,
		Funcs:     sc.Functions.Conditions(),
		Where:     "a condition",
		Meter:     sc.Meter,
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
		Members: sc.members,
		Watch:   sc.Options.Watch,
		Hints:   sc.Static.Hints,
	}
	observe.CheckQueries(env, sc.p.Prefix, sc.nodes)
	return env
}

// declarations says what a condition reads in place of a declaration, and where
// names are valid that no condition knows.
var declarations = withPolicies(map[string]string{
	"provider": "provider.NAME is a declaration, and a condition is about what happened: target.NAME is what was dialled, step.NAME.provider who answered.",
	"retry":    "retry.NAME is a declaration, and a condition is about what happened: step.NAME.retries and step.NAME.delays_ms.",
	"workflow": "workflow.NAME is a declaration, and a condition is about what happened: run is the result of the workflow.",
	"taxonomy": "taxonomy.NAME is a declaration, and a condition is about what happened: step.NAME.error.mode.",
	"self":     "self is a step's own result, in its output and validate blocks.",
	"each":     unit.Elsewhere["each"],
	"matrix":   unit.Elsewhere["matrix"],
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
	for _, g := range sc.Top("gateway") {
		for _, t := range g.All("target") {
			var ignored hcl.Diagnostics
			if (dsl.Reader{Block: t, Ctx: sc.Statics, Diags: &ignored}).Ref("breaker").Name == name {
				used = append(used, "breaker."+t.Name())
			}
		}
	}
	if len(used) == 0 {
		return fmt.Sprintf(" %q is a policy that no target uses.", name)
	}
	return fmt.Sprintf(" %q is the policy; the state is that of a target with it: write %s.", name, strings.Join(used, " or "))
}

// members are the words that the file adds to a domain for the conditions of the
// scenario: what its run can name.
func (sc *scenarioCompiler) members(domain string) []string {
	if list, known := sc.words[domain]; known {
		return list
	}
	if sc.words == nil {
		sc.words = map[string][]string{}
	}
	list := sc.newMembers(domain)
	sc.words[domain] = list
	return list
}

func (sc *scenarioCompiler) newMembers(domain string) []string {
	if sc.unnamed() {
		return sc.declared(domain)
	}
	steps := func() []string { return read.SortedNames(sc.nodes()) }
	switch domain {
	case read.DomainStep:
		return steps()
	case read.DomainStepName:
		return sc.stepNames(func(s *plan.Step) string { return s.Name })
	case read.DomainSub:
		return sc.stepNames(func(s *plan.Step) string {
			if s.Sub == nil {
				return ""
			}
			return s.Name
		})
	case read.DomainTarget:
		return read.SortedNames(sc.dialled())
	case read.DomainCallee:
		called := sc.stepNames((*plan.Step).Calls)
		return slices.Concat(read.SortedNames(sc.dialled()), sc.services.Order, called)
	case read.DomainFellBack:
		return slices.Concat(read.SortedNames(sc.dialled()), steps())
	case read.DomainCall:
		return sc.callNames()
	case read.DomainAction:
		return plan.Names(sc.p.Actions, (*plan.Action).Address)
	case read.DomainCaller:
		return slices.Concat(sc.callNames(), steps())
	case read.DomainSkipped:
		list := []string{}
		for _, s := range steps() {
			list = append(list, read.UpstreamFailed(s), read.StoppedBy(s))
		}
		return list
	case read.DomainSpan:
		return sc.spanNames(steps())
	case read.DomainCase:
		if b := sc.p.BenchRun; b != nil {
			return plan.CaseIDs(b.Cases)
		}
	}
	return sc.declared(domain)
}

// stepNames are what the steps of a run are called in some respect, once each.
func (sc *scenarioCompiler) stepNames(name func(*plan.Step) string) []string {
	names := map[string]bool{}
	for _, n := range sc.nodes() {
		if s := name(n.Step); s != "" {
			names[s] = true
		}
	}
	return read.SortedNames(names)
}

// dialled are the targets that the steps of the scenario call, and a program its endpoints
// at.
func (sc *scenarioCompiler) dialled() map[string]bool {
	names := map[string]bool{}
	plan.EachNode(slices.Concat(sc.callers(), sc.p.Endpoints), func(n *plan.Node) {
		if n.Step.Gateway == nil {
			return
		}
		for _, t := range n.Step.Gateway.Targets {
			names[t.Name] = true
		}
	})
	return names
}

func (sc *scenarioCompiler) callNames() []string {
	names := make([]string, len(sc.p.Actions))
	for i, d := range sc.p.Actions {
		names[i] = d.Name
	}
	return names
}

// spanNames are the names of all spans but those of attempts.
func (sc *scenarioCompiler) spanNames(steps []string) []string {
	list := []string{"scenario " + sc.p.Name}
	add := func(noun string, names []string) {
		for _, name := range names {
			list = append(list, noun+" "+name)
		}
	}
	add("step", steps)
	add("call", sc.callNames())
	add("workflow", sc.declared(read.DomainWorkflow))
	for _, name := range sc.services.Order {
		for _, h := range sc.services.Actors[name].Handlers {
			list = append(list, "session "+name+"."+h.Name)
		}
	}
	return list
}

// declared are the words that the file adds to a domain wherever an expression
// stands, nil for a domain that depends on the scenario and before all is
// compiled that declares them.
func (c *compiler) declared(domain string) []string {
	if domain == read.DomainFault {
		return c.File.Extensions.FaultNames()
	}
	if c.unnamed() {
		return nil
	}
	switch domain {
	case read.DomainMode, read.DomainCategory:
		return c.taxonomyWords()[domain]
	case read.DomainStep, read.DomainStepName, read.DomainSub, read.DomainCall, read.DomainAction, read.DomainCaller, read.DomainSkipped, read.DomainFellBack, read.DomainSpan:
		return nil
	}
	if c.workflows == nil {
		return nil
	}
	switch domain {
	case read.DomainTarget:
		return read.SortedNames(c.targets)
	case read.DomainCallee:
		return slices.Concat(read.SortedNames(c.targets), c.services.Order, read.SortedNames(c.workflows))
	case read.DomainProvider:
		return read.SortedNames(c.providers)
	case read.DomainGateway:
		return read.SortedNames(c.gateways)
	case read.DomainWorkflow:
		return read.SortedNames(c.workflows)
	case read.DomainRetry:
		return read.SortedNames(c.world.retries)
	case read.DomainClassifier:
		return read.SortedNames(c.classifiers)
	case read.DomainCandidate:
		return c.candidateNames()
	case read.DomainCase:
		list := []string{}
		for _, name := range read.SortedNames(c.benches) {
			list = append(list, plan.CaseIDs(c.benches[name].Cases)...)
		}
		return list
	}
	return c.serviceWords(domain)
}

// unnamed reports whether names are missing that the file would declare were it
// not for a mistake that has been reported.
func (c *compiler) unnamed() bool { return c.unresolved || c.Options.Partial }

func (c *compiler) taxonomyWords() map[string][]string {
	if len(c.Top("taxonomy")) == 0 {
		return plan.StandardValues()
	}
	return plan.ValuesOf(c.taxonomies)
}

// candidateNames are what the classifiers of the file may send a text to.
func (c *compiler) candidateNames() []string {
	list := []string{}
	for _, name := range read.SortedNames(c.classifiers) {
		k := c.classifiers[name]
		list = append(append(list, k.Candidates...), k.Fallback)
	}
	return list
}

// serviceWords are the names of actors and their parts.
func (c *compiler) serviceWords(domain string) []string {
	list := []string{}
	switch domain {
	case read.DomainActor:
		return append(list, c.services.Order...)
	case read.DomainRegistry:
		return plan.Names(c.services.Registries, func(r *actor.RegistrySpec) string { return r.Name })
	case read.DomainLock:
		list = plan.Names(c.services.Locks, func(l *actor.LockSpec) string { return l.Name })
	}
	for _, name := range c.services.Order {
		a := c.services.Actors[name]
		switch domain {
		case read.DomainHandler:
			list = append(list, plan.Names(a.Handlers, func(h *actor.HandlerSpec) string { return h.Name })...)
			list = append(list, plan.Names(a.Tools, func(t *actor.ToolSpec) string { return t.Name })...)
		case read.DomainModule:
			list = append(list, plan.Names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name })...)
		case read.DomainPool:
			list = append(list, plan.Names(a.Pools, func(p *actor.PoolSpec) string { return p.Name })...)
		case read.DomainLock:
			list = append(list, plan.Names(a.Locks, func(l *actor.LockSpec) string { return l.Name })...)
		}
	}
	return list
}

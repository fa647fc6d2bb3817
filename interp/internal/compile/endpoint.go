package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// endpoints are the calls that a program under test can make in a file.
type endpoints struct {
	// declared are those of endpoint blocks, in order of declaration.
	declared []*plan.Node
	// plain are those that stand for a provider by its name, made at their first
	// use.
	plain map[*plan.Provider]*plan.Node
	// described are the dialling steps of a workflow as endpoints, made for its
	// first scenario.
	described map[*plan.Workflow][]*plan.Node
}

// compileEndpoints compiles the endpoint blocks of the file.
func (c *Compiler) compileEndpoints() {
	c.asked = endpoints{plain: map[*plan.Provider]*plan.Node{}, described: map[*plan.Workflow][]*plan.Node{}}
	for _, b := range c.File.Body.All("endpoint") {
		r := c.read(b)
		p := lookup(c, c.providers, r.Ref("provider"))
		if p == nil {
			c.unresolved = true
			continue
		}
		n := c.endpoint(b, p, len(c.asked.declared))
		n.Step.Endpoint.Lane = c.overRequest(b, "lane")
		n.Step.Endpoint.ByArrival = r.String("concurrent") == "arrival"
		c.asked.declared = append(c.asked.declared, n)
	}
}

// endpoint is a call of a provider that a block declares: one of its own, or
// that of the provider.
func (c *Compiler) endpoint(b *dsl.Block, p *plan.Provider, order int) *plan.Node {
	target := c.targets[p.Name]
	if target == nil || !target.Plain {
		target = &plan.Target{Name: p.Name, Provider: p, Plain: true}
	}
	kind := plan.Kind(p.Kind.Family)
	s := &plan.Step{
		Kind: kind, Family: p.Kind.Family, Name: b.Name(), Block: b, Rng: b.DefRange, Taxonomy: plan.DefaultTaxonomy(), Fallback: -1, Required: true,
		Gateway: &plan.Gateway{Targets: []*plan.Target{target}}, Shape: observe.StepShape(kind), Needs: &read.Needs{}, Args: map[string]*dsl.Attr{},
		Endpoint: &plan.Endpoint{Declared: true, Rng: b.DefRange},
	}
	return &plan.Node{Step: s, Name: s.Name, Order: plan.OrderEndpoints + order}
}

// plainEndpoint is a provider as an endpoint of its own name.
func (c *Compiler) plainEndpoint(b *dsl.Block, p *plan.Provider) *plan.Node {
	n := c.asked.plain[p]
	if n == nil {
		n = c.endpoint(b, p, len(c.asked.declared)+len(c.asked.plain))
		c.asked.plain[p] = n
	}
	return n
}

// describedBy are the dialling steps of a workflow as endpoints.
func (c *Compiler) describedBy(w *plan.Workflow) []*plan.Node {
	list, made := c.asked.described[w]
	if made {
		return list
	}
	plan.EachNode(w.Nodes(), func(n *plan.Node) {
		if n.Step.Gateway == nil {
			return
		}
		s, own := *n.Step, *n
		s.Endpoint = &plan.Endpoint{Rng: s.Rng}
		own.Step = &s
		list = append(list, &own)
	})
	c.asked.described[w] = list
	return list
}

// asks reports whether a scenario that runs nothing is about a program: there is
// something that the program can ask, and the scenario answers or checks it.
func (c *Compiler) asks(b *dsl.Block) bool {
	return len(c.providers) > 0 && slices.ContainsFunc(b.Blocks, func(n *dsl.Block) bool { return n.Type != "override" })
}

// bar notes why the scenario does not have some ways; the first reason counts.
func (sc *scenarioCompiler) bar(why string, ways ...plan.Way) {
	if sc.p.Barred == nil {
		sc.p.Barred = map[plan.Way]string{}
	}
	for _, w := range ways {
		if sc.p.Barred[w] == "" {
			sc.p.Barred[w] = why
		}
	}
}

// driven are the ways in which a program makes the calls.
var driven = []plan.Way{plan.Exec, plan.Serve, plan.Embedded}

// ways finds out which ways the scenario has (drive.md §1). It comes after the
// blocks that drive and before the scripts, which may be for endpoints.
func (sc *scenarioCompiler) ways() {
	b := sc.block
	switch {
	case isBench(b):
		sc.bar("it runs a bench, which only `scenario test` and `scenario bench` do", driven...)
	case len(sc.p.Actions) > 0 || b.Attr("start") != nil:
		sc.bar("it has blocks that make calls or drive actors, which only `scenario test` runs", driven...)
	case sc.callsActors():
		sc.bar("its workflow calls actors, which only `scenario test` runs", driven...)
	case !sc.read(b).Has("run"):
		sc.bar(fmt.Sprintf("a program makes its calls, so run it with `scenario exec %s -- COMMAND`, or in a Go test", shellWord(sc.p.File)), plan.Interpreted)
	}
}

// shellWord is a path as it is typed on a command line.
func shellWord(path string) string {
	if strings.ContainsAny(path, " \t'\"\\$`&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// callsActors reports whether a step of the scenario's workflow calls an actor.
func (sc *scenarioCompiler) callsActors() bool {
	found := false
	plan.EachNode(sc.p.Workflow.Nodes(), func(n *plan.Node) {
		found = found || n.Step.Target.Actor != "" || n.Step.Classifier != nil && len(n.Step.Classifier.Actors) > 0
	})
	return found
}

// endpoints finds the calls that a program can make in the scenario: none where
// no program takes part in it.
func (sc *scenarioCompiler) endpoints() {
	if sc.p.Barred[plan.Serve] != "" && sc.p.Barred[plan.Exec] != "" {
		return
	}
	described := sc.describedBy(sc.p.Workflow)
	named := map[*plan.Provider]bool{}
	for _, list := range [][]*plan.Node{sc.asked.declared, described} {
		for _, n := range list {
			for _, t := range n.Step.Gateway.Targets {
				named[t.Provider] = true
			}
		}
	}
	taken := sc.nodes()
	for _, n := range sc.asked.declared {
		if other := taken[n.Name]; other != nil {
			sc.errorf(n.Step.Rng, "Duplicate name", "The endpoint %q is a duplicate: scenario %q has a step of that name, and both are addressed by it. Rename the endpoint.", n.Name, sc.p.Name)
			continue
		}
		sc.p.Endpoints = append(sc.p.Endpoints, n)
		sc.addresses[n.Name] = n
	}
	for _, b := range sc.File.Body.All("provider") {
		if p := sc.providers[b.Name()]; p != nil && !named[p] && !sc.unresolved {
			sc.plain(b, p)
		}
	}
	sc.p.Endpoints = append(sc.p.Endpoints, described...)
}

// plain adds the endpoint of a provider that nothing names. Where a workflow
// describes the program, whoever wrote it may never mean to start one, so a
// name that is taken is no error there but a reason not to.
func (sc *scenarioCompiler) plain(b *dsl.Block, p *plan.Provider) {
	other := sc.nodes()[p.Name]
	switch {
	case other == nil:
		n := sc.plainEndpoint(b, p)
		sc.p.Endpoints = append(sc.p.Endpoints, n)
		sc.addresses[n.Name] = n
	case other.Step.Endpoint != nil:
		sc.errorf(other.Step.Rng, "Duplicate name", "The endpoint %q is a duplicate: provider.%s, which no endpoint or step names, is an endpoint of its own name. Rename the endpoint, or declare one for that provider: `endpoint \"NAME\" { provider = provider.%s }`.", other.Name, p.Name, p.Name)
	default:
		sc.bar(fmt.Sprintf("provider.%s, which no step names, would be an endpoint of the name of step %q: declare `endpoint \"NAME\" { provider = provider.%s }`", p.Name, other.Name, p.Name), driven...)
	}
}

// endpointShapes is what the root endpoint reads.
func (sc *scenarioCompiler) endpointShapes() *schema.Shape {
	dir := plan.Directory("endpoint", inFile, map[string]*schema.Shape{})
	for _, n := range sc.p.Endpoints {
		if n.Step.Endpoint.Declared {
			dir.Attrs[n.Name] = n.Step.Shape
		}
	}
	return dir
}

// explainEndpoint helps with the name of a provider whose calls are those of
// steps or of other endpoints, and with one that no program can ask.
func (sc *scenarioCompiler) explainEndpoint(name string) string {
	if why := sc.p.Barred[plan.Serve]; why != "" && len(sc.p.Endpoints) == 0 {
		return " No program can make calls in this scenario: " + why + "."
	}
	if n := sc.nodes()[name]; n != nil && rootFor(n) == "step" {
		return fmt.Sprintf(" %q is a step: did you mean step.%s?", name, name)
	}
	var users []string
	for _, n := range sc.p.Endpoints {
		if n.Step.Gateway.Calls(name) {
			users = append(users, rootFor(n)+"."+n.Name)
		}
	}
	if len(users) == 0 {
		return ""
	}
	return fmt.Sprintf(" What is asked of provider.%s is %s.", name, strings.Join(users[:min(len(users), maxListed)], ", "))
}

// overRequest is an attribute of a block that is an expression over request, nil
// where it is not given or wrong.
func (c *Compiler) overRequest(b *dsl.Block, name string) hclsyntax.Expression {
	e := exprOf(b, name)
	if e == nil {
		return nil
	}
	dsl.Strict(e)
	env := *c.staticEnv
	env.Where = fmt.Sprintf("the attribute %s of %s", name, described(b))
	env.Roots = map[string]*schema.Shape{"request": plan.RequestShape, "var": c.staticEnv.Roots["var"], "local": c.staticEnv.Roots["local"]}
	_, diags := dsl.Infer(e, &env)
	c.Diags = append(c.Diags, diags...)
	if diags.HasErrors() {
		return nil
	}
	return e
}

// described names a block in a message.
func described(b *dsl.Block) string {
	if name := b.Name(); name != "" {
		return fmt.Sprintf("%s %q", b.Type, name)
	}
	return "a " + b.Type + " block"
}

package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/match"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/compile/unseen"
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
	described map[*plan.Workflow]*described
}

// compileEndpoints compiles the endpoint blocks of the file.
func (c *compiler) compileEndpoints() {
	c.asked = endpoints{plain: map[*plan.Provider]*plan.Node{}, described: map[*plan.Workflow]*described{}}
	for _, b := range c.Top("endpoint") {
		r := c.Read(b)
		p := unit.Find(c.Unit, c.providers, r.Ref("provider"))
		if p == nil {
			c.unresolved = true
			continue
		}
		n := c.endpoint(b, p, len(c.asked.declared))
		if m := b.First("match"); m != nil {
			n.Step.Endpoint.Match = c.matched(m, p)
			match.Host(c.Read(m), n.Step.Gateway.Targets)
		}
		n.Step.Endpoint.Lane = c.overRequest(b, "lane")
		n.Step.Endpoint.ByArrival = r.String("concurrent") == "arrival"
		c.asked.declared = append(c.asked.declared, n)
	}
}

// endpoint is a call of a provider that a block declares: one of its own, or
// that of the provider.
func (c *compiler) endpoint(b *dsl.Block, p *plan.Provider, order int) *plan.Node {
	target := c.targets[p.Name]
	if target == nil || !target.Plain {
		target = &plan.Target{Name: p.Name, Provider: p, Plain: true}
	}
	kind := plan.Kind(p.Kind.Family)
	s := &plan.Step{
		Kind: kind, Family: p.Kind.Family, Name: b.Name(), Block: b, Rng: b.DefRange, Taxonomy: plan.DefaultTaxonomy(), Fallback: -1, Required: true,
		Gateway: &plan.Gateway{Targets: []*plan.Target{target}}, Shape: observe.EndpointShape(kind), Needs: &read.Needs{}, Args: map[string]*dsl.Attr{},
		Endpoint: &plan.Endpoint{Declared: true, Rng: b.DefRange},
	}
	return &plan.Node{Step: s, Name: s.Name, Order: plan.OrderEndpoints + order}
}

// plainEndpoint is a provider as an endpoint of its own name.
func (c *compiler) plainEndpoint(b *dsl.Block, p *plan.Provider) *plan.Node {
	n := c.asked.plain[p]
	if n == nil {
		n = c.endpoint(b, p, len(c.asked.declared)+len(c.asked.plain))
		c.asked.plain[p] = n
	}
	return n
}

// described are the dialling steps of a workflow as endpoints, and why no
// program can be told by them, "" where one can.
type described struct {
	nodes []*plan.Node
	alike string
}

// describedBy finds what a workflow describes.
func (c *compiler) describedBy(w *plan.Workflow) *described {
	d, made := c.asked.described[w]
	if made {
		return d
	}
	d = &described{}
	users := map[*plan.Provider]int{}
	plan.EachNode(w.Nodes(), func(n *plan.Node) {
		if n.Step.Gateway == nil {
			return
		}
		d.nodes = append(d.nodes, n)
		for _, t := range n.Step.Gateway.Targets {
			users[t.Provider]++
		}
	})
	first := map[asksAlike]*plan.Node{}
	for i, n := range d.nodes {
		shared := slices.ContainsFunc(n.Step.Gateway.Targets, func(t *plan.Target) bool { return users[t.Provider] > 1 })
		d.nodes[i] = c.asEndpoint(n, shared)
		if other := alike(first, d.nodes[i]); other != nil && d.alike == "" {
			d.alike = fmt.Sprintf("the steps %q and %q would get the same requests of a program: give one of them a match block, such as `match { %s = \"…\" }`", other.Name, n.Name, told(n.Step))
		}
	}
	c.asked.described[w] = d
	return d
}

// asEndpoint is a step in its place as an endpoint. Shared says that others ask
// the same provider.
func (c *compiler) asEndpoint(n *plan.Node, shared bool) *plan.Node {
	s, own := *n.Step, *n
	e := &plan.Endpoint{Rng: s.Rng}
	if said := n.Step.Endpoint; said != nil {
		*e = *said
	}
	if s.Block.First("match") == nil {
		e.Match = match.Of(&s, shared, c.Statics)
	}
	s.Endpoint, own.Step = e, &s
	return &own
}

// asksAlike are the requests to a provider that a match takes.
type asksAlike struct {
	provider *plan.Provider
	match    string
}

// alike notes what a node takes, and returns an earlier one that takes the same,
// nil where there is none.
func alike(first map[asksAlike]*plan.Node, n *plan.Node) *plan.Node {
	for _, t := range n.Step.Gateway.Targets {
		key := asksAlike{t.Provider, match.Key(&n.Step.Endpoint.Match)}
		if other := first[key]; other != nil && other != n {
			return other
		}
		first[key] = n
	}
	return nil
}

// told is the field of a request that mostly tells those of a step from others.
func told(s *plan.Step) string {
	return map[string]string{"llm": "prompt", "http": "path", "mcp": "tool", "sql": "statement"}[s.Family]
}

// matched compiles a match block for requests to a provider.
func (c *compiler) matched(b *dsl.Block, p *plan.Provider) plan.Match {
	m := match.Read(c.Read(b), p)
	m.Condition = c.overRequest(b, "condition")
	return m
}

// program reads what a step says of the requests of a program.
func (c *compiler) program(s *plan.Step) {
	b := s.Block.First("match")
	if b == nil && s.Block.Attr("lane") == nil || s.Gateway == nil {
		return
	}
	s.Endpoint = &plan.Endpoint{Rng: s.Rng, Lane: c.overRequest(s.Block, "lane")}
	if b != nil {
		s.Endpoint.Match = c.matched(b, s.Gateway.Targets[0].Provider)
		match.Host(c.Read(b), s.Gateway.Targets)
	}
}

// asks reports whether a scenario that runs nothing is about a program: there is
// something that the program can ask, and the scenario answers or checks it.
func (c *compiler) asks(b *dsl.Block) bool {
	return (len(c.providers) > 0 || b.First("sut") != nil) && slices.ContainsFunc(b.Blocks, func(n *dsl.Block) bool { return n.Type != "override" })
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

// ways finds out which ways the scenario has. It comes after the
// blocks that drive and the program, and before the scripts, which may be for
// endpoints.
func (sc *scenarioCompiler) ways() {
	only := ""
	switch {
	case isBench(sc.block):
		only = "it runs a bench, which only `scenario test` and `scenario bench` do"
	case sc.callsActors() || sc.block.Attr("start") != nil || slices.ContainsFunc(sc.p.Actions, needsActors):
		only = "it drives actors, which only `scenario test` does"
	case sc.p.Sut != nil && sc.p.Sut.Serves != nil:
		sc.drivesServer()
		sc.bar("it tests a server, which scenario exec FILE starts and asks", plan.Interpreted, plan.Serve, plan.Embedded)
	case len(sc.p.Actions) > 0:
		only = "it has blocks that make calls, which only `scenario test` runs"
	case !sc.Read(sc.block).Has("run"):
		command := "scenario exec FILE -- PROGRAM"
		if sc.p.Sut != nil && sc.p.Sut.Command != nil {
			command = "scenario exec FILE"
		}
		sc.bar("a program makes its calls: "+command+" starts one, and in a Go test the package scenariotest takes its place", plan.Interpreted)
	}
	if only != "" {
		sc.withoutProgram(only)
		sc.bar(only, driven...)
	}
}

// needsActors reports whether a block of a scenario is about actors.
func needsActors(a *plan.Action) bool {
	return a.Step == nil && (a.Event == nil || a.Event.Cancel.Typ == "")
}

// callsActors reports whether a step of the scenario calls an actor.
func (sc *scenarioCompiler) callsActors() bool {
	found := false
	plan.EachNode(sc.p.Nodes(), func(n *plan.Node) {
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
	named := map[*plan.Provider]bool{}
	described := &described{}
	if sc.p.Sut != nil && sc.p.Sut.Serves != nil {
		named[sc.p.Sut.Serves] = true
	} else {
		described = sc.describedBy(sc.p.Workflow)
	}
	if described.alike != "" {
		sc.bar(described.alike, driven...)
	}
	for _, list := range [][]*plan.Node{sc.asked.declared, described.nodes} {
		for _, n := range list {
			for _, t := range n.Step.Gateway.Targets {
				named[t.Provider] = true
			}
		}
	}
	taken := sc.nodes()
	for _, n := range sc.asked.declared {
		if other := taken[n.Name]; other != nil {
			sc.Errorf(n.Step.Rng, "Duplicate name", "The endpoint %q is a duplicate: scenario %q has a step of that name, and both are addressed by it. Rename the endpoint.", n.Name, sc.p.Name)
			continue
		}
		sc.p.Endpoints = append(sc.p.Endpoints, n)
		sc.addresses[n.Name] = n
	}
	for _, b := range sc.Top("provider") {
		if p := sc.providers[b.Name()]; p != nil && !named[p] && !sc.unresolved {
			sc.plain(b, p)
		}
	}
	sc.p.Endpoints = append(sc.p.Endpoints, described.nodes...)
	sc.alike(len(described.nodes))
}

// alike complains about endpoints that take the same requests as others do. Of
// steps that do so it was noted already.
func (sc *scenarioCompiler) alike(steps int) {
	first := map[asksAlike]*plan.Node{}
	for i, n := range sc.p.Endpoints {
		other := alike(first, n)
		switch {
		case other == nil:
		case i < len(sc.p.Endpoints)-steps:
			sc.Errorf(n.Step.Rng, "Endpoints for the same requests", "The endpoints %q and %q would get the same requests: give one of them a match block that tells them apart, such as `match { %s = \"…\" }`.", other.Name, n.Name, told(n.Step))
		case rootFor(other) == "endpoint":
			sc.bar(fmt.Sprintf("step %q would get the same requests of a program as the endpoint %q: give one of them a match block, such as `match { %s = \"…\" }`", n.Name, other.Name, told(n.Step)), driven...)
		}
	}
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
	case rootFor(other) == "endpoint":
		sc.Errorf(other.Step.Rng, "Duplicate name", "The endpoint %q is a duplicate: provider.%s, which no endpoint or step names, is an endpoint of its own name. Rename the endpoint, or declare one for that provider: `endpoint \"NAME\" { provider = provider.%s }`.", other.Name, p.Name, p.Name)
	case sc.p.Sut != nil:
		sc.Errorf(sc.p.Sut.Rng, "Duplicate name", "provider.%s, which no step names, is an endpoint of its own name for the program, and a step is called %q, too. Declare it by another name: `endpoint \"NAME\" { provider = provider.%s }`.", p.Name, other.Name, p.Name)
	default:
		sc.bar(fmt.Sprintf("provider.%s, which no step names, would be an endpoint of the name of step %q: declare `endpoint \"NAME\" { provider = provider.%s }`", p.Name, other.Name, p.Name), driven...)
	}
}

// endpointShapes is what the root endpoint reads.
func (sc *scenarioCompiler) endpointShapes() *schema.Shape {
	dir := plan.Directory("endpoint", unit.InFile, map[string]*schema.Shape{})
	dir.Observed = sc.unnamed()
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
func (c *compiler) overRequest(b *dsl.Block, name string) hclsyntax.Expression {
	e := b.Expr(name)
	if e == nil {
		return nil
	}
	dsl.Strict(e)
	env := *c.Static
	env.Where = fmt.Sprintf("the attribute %s of %s", name, called(b))
	env.Roots = map[string]*schema.Shape{"request": plan.RequestShape, "var": c.Static.Roots["var"], "local": c.Static.Roots["local"]}
	shape, observed, diags := dsl.InferObserved(e, &env)
	c.Diags = append(c.Diags, diags...)
	switch {
	case diags.HasErrors(): // said; that there is one tells the endpoint from others
	case name == "condition" && shape != nil && shape.Kind != schema.ShapeBool && shape.Kind != schema.ShapeUnknown:
		c.Errorf(e.Range(), "Condition that is no condition", "A condition is true or false; this one is %s.%s", shape.KindName(), dsl.HowCompared(e, shape))
	case name == "condition" && !observed:
		c.Errorf(e.Range(), "Condition about nothing observed", "The condition does not refer to the request, so it would fit all requests or none. Refer to request, such as request.headers[\"x-tenant\"] == \"a\".")
	case name == "lane" && shape != nil && (shape.Kind == schema.ShapeObject || shape.Kind == schema.ShapeTuple):
		c.Errorf(e.Range(), "Wrong value", "A lane is a string or a number, not %s. jsonencode(…) makes a string of it.", shape.KindName())
	}
	return e
}

// called names a block in a message.
func called(b *dsl.Block) string {
	if name := b.Name(); name != "" {
		return fmt.Sprintf("%s %q", b.Type, name)
	}
	return "a " + b.Type + " block"
}

// entryMatch compiles what a request must have for an entry, and refuses what an
// entry for a program cannot ask for.
func (sc *scenarioCompiler) entryMatch(b *dsl.Block, r dsl.Reader, e *plan.Entry, steps []*plan.Step) {
	step := slices.IndexFunc(steps, func(s *plan.Step) bool { return !s.Unwritten() })
	m := b.First("match")
	switch {
	case e.Iteration > 0 && step < 0:
		r.Errorf("iteration", "Entry that never answers", "A program does not tell in which iteration it is, so no request fits this entry. Tell the requests apart by turn, or by a match block.")
	case e.Iteration > 0:
		sc.bar(fmt.Sprintf("the entry at line %d is for one iteration, which a program does not tell: use turn, or an endpoint with a match block in its entries", e.Rng.Start.Line), driven...)
	}
	if m == nil {
		return
	}
	if step >= 0 {
		sc.Errorf(m.DefRange, "Match in the script of a step", "An entry for step %q cannot have a match block: where the workflow itself runs there is no program whose requests could differ. Use turn, target or iteration, or match in the step.", steps[step].Name)
		return
	}
	for _, s := range steps {
		e.Match = sc.matched(m, s.Gateway.Targets[0].Provider)
		match.Host(sc.Read(m), s.Gateway.Targets)
	}
}

// takesPrograms reports whether a program takes part in some way of running.
func (sc *scenarioCompiler) takesPrograms() bool {
	return sc.p.Barred[plan.Exec] == "" || sc.p.Barred[plan.Serve] == ""
}

// unseen notes of every check what each way does not observe of it.
func (sc *scenarioCompiler) unseen() {
	if !sc.takesPrograms() {
		return // every check is about what is interpreted
	}
	find := unseen.New(sc.nodes(), sc.p.Prefix, sc.p.Sut.Serving() != nil)
	for _, a := range sc.p.Asserts {
		a.Unseen = find.In(a.Condition)
	}
	for _, i := range sc.p.Invariants {
		i.Unseen = find.In(i.Condition)
	}
	for _, s := range sc.p.SnapshotChecks {
		s.Unseen = find.In(s.Value)
	}
	for _, x := range sc.p.Expects {
		for _, a := range x.Attrs {
			if u := find.Attribute(x.Address, a.Name); u != (plan.Unseen{}) {
				if x.Unseen == nil {
					x.Unseen = map[string]plan.Unseen{}
				}
				x.Unseen[a.Name] = u
			}
		}
	}
}

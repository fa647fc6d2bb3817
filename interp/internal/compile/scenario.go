package compile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/compile/uncompared"
	"github.com/scenario-lang/scenario/interp/internal/compile/vacuous"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

func (c *compiler) compileScenario(b *dsl.Block) *plan.Plan {
	r := c.Read(b)
	p := c.planOf(b)
	p.Description, p.Tags, p.Skip, p.Seed = c.Secrets.Text(r.String("description")), r.Strings("tags"), c.Secrets.Text(r.String("skip")), uint64(r.Int("seed"))
	for i, tag := range p.Tags {
		p.Tags[i] = c.Secrets.Text(tag)
	}
	if c.Options.Seed != nil {
		p.Seed = *c.Options.Seed
	}
	w := c.runOf(b, r)
	if w == nil {
		return nil
	}
	if n := b.First("override"); n != nil {
		if w = c.overridden(w, n); w == nil {
			return nil
		}
	}
	p.Workflow, p.Tolerates = w, strike.Tolerance(c.Read, b, w.Taxonomy)
	sc := &scenarioCompiler{compiler: c, p: p, block: b, referred: map[string]bool{}}
	sc.allowed(r)
	sc.inputs(r)
	if d := c.benches[r.Ref("run").Name]; d != nil && isBench(b) {
		sc.sut()
		sc.ways()
		sc.benchOf(d)
		sc.actions()
	} else {
		sc.recording()
		sc.actions()
		sc.sut()
		sc.ways()
		sc.endpoints()
		for _, on := range b.All("on") {
			sc.on(on)
		}
		for _, o := range b.All("outage") {
			sc.outage(o)
		}
		sc.noCases()
	}
	p.FindScripts()
	sc.starts()
	sc.conditions()
	sc.conditionsOfEvents()
	sc.population()
	return p
}

// planOf is a plan for what a block declares, with nothing in it.
func (c *compiler) planOf(b *dsl.Block) *plan.Plan {
	p := &plan.Plan{
		Handle: plan.Handle{File: c.File.Path, Line: b.DefRange.Start.Line, Name: b.Name(), Prefix: c.prefix},
		Allow:  map[string]bool{}, Needs: &read.Needs{},
		Extensions: c.File.Extensions.Versions(), Static: c.Statics, Reads: c.Functions.Reads, Place: cmp.Or(c.Options.Place, c.File.Path), Secrets: c.Secrets,
	}
	p.Core = sync.OnceValue(p.Sum)
	p.HashOnce = sync.OnceValue(p.Digest)
	return p
}

// runOf is the workflow of a scenario, nil where that is wrong. One that only
// drives actors runs nothing.
func (c *compiler) runOf(b *dsl.Block, r dsl.Reader) *plan.Workflow {
	ref := r.Ref("run")
	if ref.Type == "bench" {
		return c.benchedBy(b, ref)
	}
	switch w, declared := c.workflows[ref.Name]; {
	case declared:
		return w
	case ref.Name != "":
		c.UnknownRef(ref, read.SortedNames(c.workflows))
	case r.Has("run"): // reported
	case !b.Drives() && !c.asks(b):
		c.Errorf(b.DefRange, "Missing attribute", "A scenario block needs the attribute \"run\", the workflow or bench that runs, or blocks that drive actors (call, event, hold), or a script for what a program under test asks.")
	case b.First("override") != nil:
		c.Errorf(b.First("override").DefRange, "Override of nothing", "The scenario runs no workflow whose policies could be overridden.")
	default:
		return c.nothing(b)
	}
	return nil
}

type scenarioCompiler struct {
	*compiler
	p     *plan.Plan
	block *dsl.Block
	// addresses are the nodes of the workflow by name, made at their first use.
	addresses map[string]*plan.Node
	// scripted are the scripts by what no other may have.
	scripted map[scriptKey]*plan.Script
	// words are the members of domains that were asked for.
	words map[string][]string
	// nextOrder is the place of the next step that belongs to no workflow.
	nextOrder int
	// referred are the actors that the scenario refers to, and whens the events
	// that wait for a condition.
	referred map[string]bool
	whens    []*plan.Action
	// played says whether what the plan is part of will be run, nil for a plan
	// that is no part. openCassette reads the cassette, where that was put off.
	played       *bool
	openCassette func()
}

func (sc *scenarioCompiler) allowed(r dsl.Reader) {
	for _, name := range r.Strings("allow") {
		if !read.Contains(plan.Gates(), name) {
			r.EntryErrorf("allow", name, "Unknown gate", "There is no gate %q.%s The gates are: %s. `scenario help gate` says what each means.", name, dsl.DidYouMean(name, plan.Gates()), strings.Join(plan.Gates(), ", "))
		}
		sc.p.Allow[name] = true
	}
}

// inputs gives every input of the workflow its value.
func (sc *scenarioCompiler) inputs(r dsl.Reader) {
	given, _ := r.Value("inputs").(map[string]any)
	declared := sc.p.Workflow.Inputs
	if sc.p.Workflow.InputsLost || given == nil && r.Block.Attr("inputs") != nil && sc.Diags.HasErrors() {
		return
	}
	meant := map[string]bool{} // by an unknown one
	for _, name := range read.SortedNames(given) {
		if _, known := declared[name]; !known {
			r.Errorf("inputs", "Unknown input", "Workflow %q has no input %q.%s", sc.p.Workflow.Name, name, dsl.Instead(name, read.SortedNames(declared)))
			meant[dsl.Suggest(name, read.SortedNames(declared))] = true
		}
	}
	values := make(map[string]cty.Value, len(declared))
	for _, name := range read.SortedNames(declared) {
		values[name] = declared[name]
		if v, ok := given[name]; ok && v != nil {
			values[name] = dsl.CtyValue(v)
		}
		if values[name].IsNull() && !meant[name] {
			sc.Errorf(r.Range("inputs"), "Missing input", "Workflow %q needs the input %q: give it in inputs = { %s = … }.", sc.p.Workflow.Name, name, name)
		}
	}
	sc.p.Inputs = cty.ObjectVal(values)
}

func (sc *scenarioCompiler) recording() {
	b := sc.block.First("cassette")
	if b == nil {
		return
	}
	r := sc.Read(b)
	t := &plan.Recording{Path: r.String("path"), Match: r.String("match"), Latency: r.String("latency"), Headers: r.Strings("match_headers"), Ignore: r.Strings("ignore"), Repeats: r.String("exhausted") == "repeat_last", MaxAge: r.Duration("max_age"), Rng: b.DefRange}
	t.Rules = sc.rules(b)
	sc.p.Secrets.Redactor = sc.p.Secrets.With(t.Rules)
	if t.Latency != "recorded" && t.Latency != "none" {
		if _, err := dsl.ParseDuration(t.Latency); err != nil {
			r.Errorf("latency", "Wrong value", `The attribute "latency" is "recorded", "none" or a duration such as "250ms", not %q.`, t.Latency)
		}
	}
	uncompared.Refused(t, func(entry, why string) { r.EntryErrorf("ignore", entry, "Wrong value", "%s.", why) })
	if t.Path == "" {
		return
	}
	t.Cassette = &cassette.Cassette{Path: t.Path}
	sc.p.Recording = t
	sc.openCassette = sync.OnceFunc(func() { sc.load(t, b) })
	if sc.wanted() {
		sc.openCassette()
	}
}

// wanted reports whether the plan will be run.
func (sc *scenarioCompiler) wanted() bool {
	if sc.played != nil {
		return *sc.played
	}
	return sc.Options.Wanted == nil || sc.Options.Wanted(&sc.p.Handle)
}

// load reads the recording of a plan that will be run.
func (sc *scenarioCompiler) load(t *plan.Recording, b *dsl.Block) {
	r := sc.Read(b)
	if sc.Options.LoadCassette == nil {
		sc.Errorf(b.DefRange, "Cassette cannot be loaded", "No cassettes can be read here.")
		return
	}
	loaded, err := sc.Options.LoadCassette(t.Path)
	if err != nil {
		rng, said := r.Range("path"), sentence(err.Error())
		if first, _, _ := strings.Cut(said, "\n"); strings.HasPrefix(first, "There is no file") {
			if meant := sc.fileMeant(r.String("path")); meant != "" {
				said = wording.FullStop(first) + meant
			}
		}
		sc.Diags = append(sc.Diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Cassette cannot be loaded", Detail: said, Subject: &rng, Extra: &CassetteError{err},
		})
		return
	}
	for _, w := range loaded.Warnings {
		if w == cassette.NoEndMarker {
			continue // every file of go-vcr has it; verify and --strict-cassettes say it
		}
		sc.Warnf(r.Range("path"), "Cassette with a warning", "%s", sentence(w))
	}
	if t.MaxAge > 0 && loaded.RecordedAt.IsZero() {
		sc.Warnf(r.Range("max_age"), "Recording of unknown age", "The file does not say when it was recorded, so max_age finds nothing too old.")
	}
	t.Cassette, t.Orphans = loaded, uncompared.Orphans(loaded, sc.p.Name, sc.File)
	sc.uncompared(t, b)
	sc.p.Responses = sc.responses(t, r.Range("path"))
}

// on compiles one script.
func (sc *scenarioCompiler) on(b *dsl.Block) {
	if p, mine := sc.partOf(b); mine {
		if p != nil {
			sc.onPart(b, p)
		}
		return
	}
	r := sc.Read(b)
	s := &plan.Script{Address: b.Name(), Target: r.String("target"), Exhausted: r.String("exhausted"), Rng: b.DefRange}
	if prev := sc.scripted[scriptKey{s.Address, s.Target}]; prev != nil {
		sc.Errorf(b.DefRange, "Two scripts for one address", "A script for %q stands at line %d already. Several may differ by target only; put the entries into one.", s.Address, prev.Rng.Start.Line)
		return
	}
	families := sc.families(s, b)
	if families == nil {
		return
	}
	if sut := sc.p.Sut; sut != nil && sut.Serves != nil && slices.ContainsFunc(families, func(st *plan.Step) bool { return !st.Unwritten() }) {
		sc.Errorf(b.LabelRanges[0], "Script for the program itself", "%q is asked of the program under test, provider.%s, which answers it itself. A script is for an endpoint: what the program asks.", s.Address, sut.Serves.Name)
		return
	}
	sc.checkTarget(r, s.Target, families)
	if s.Exhausted == "replay" && sc.block.First("cassette") == nil {
		r.Errorf("exhausted", "Replay without a cassette", "exhausted = \"replay\" goes on with the cassette, and the scenario has none.")
	}
	for _, n := range b.Blocks {
		if e := sc.entry(n, s, families); e != nil {
			s.Entries = append(s.Entries, e)
		}
	}
	if len(b.Blocks) == 0 {
		sc.Errorf(b.DefRange, "Empty script", "The script for %q has no entry: give it a reply, a fault or a replay.", s.Address)
	}
	sc.endOfScript(r, s)
	sc.Diags = append(sc.Diags, vacuous.Replies(s, families, sc.block)...)
	sc.addScript(s)
}

// A scriptKey is what two scripts of a scenario may not share.
type scriptKey struct{ address, target string }

func (sc *scenarioCompiler) addScript(s *plan.Script) {
	if sc.scripted == nil {
		sc.scripted = map[scriptKey]*plan.Script{}
	}
	sc.scripted[scriptKey{s.Address, s.Target}] = s
	sc.p.Scripts = append(sc.p.Scripts, s)
}

// endOfScript settles how many calls the only entry of a script answers: all of
// them, unless the script says what comes after it. It refuses to say what comes
// after an entry that answers every call, be it the end or another entry, which is not
// missed where the file says so.
func (sc *scenarioCompiler) endOfScript(r dsl.Reader, s *plan.Script) {
	if len(s.Entries) == 1 && !s.Entries[0].TimesSet && !r.Has("exhausted") {
		s.Entries[0].Times = plan.Unlimited
	}
	i := slices.IndexFunc(s.Entries, (*plan.Entry).Endless)
	if i < 0 {
		return
	}
	e := s.Entries[i]
	for _, next := range s.Entries[i+1:] {
		gate := plan.GateUnusedReply
		if next.Fault != nil {
			gate = plan.GateUnfiredFault
		}
		if next.Optional || sc.p.Allow[gate] {
			continue
		}
		sc.Errorf(next.Rng, "Entry that is never reached", "Entry %d of the script for %q answers every call, so entry %d is never reached. Move that up, or say how often entry %[1]d answers: times = 1.", e.N, s.Address, next.N)
		return
	}
	if r.Has("exhausted") {
		r.Errorf("exhausted", "Script that has no end", "Entry %d of the script for %q answers every call, so none comes after it. Give it another times, or leave exhausted out.", e.N, s.Address)
	}
}

// families finds the steps that a script is for, and what they may be answered
// with: "llm", "http", and "stream" where one of them asks for a stream.
func (sc *scenarioCompiler) families(s *plan.Script, b *dsl.Block) []*plan.Step {
	var steps []*plan.Step
	var names []string
	silent := false
	plan.EachNode(sc.scriptable(s.Address), func(n *plan.Node) {
		st := n.Step
		if st.Unresolved {
			silent = silent || s.Address == "*" || n.Name == s.Address
			return
		}
		if st.Gateway == nil {
			if n.Name == s.Address {
				silent = true
				sc.Errorf(b.LabelRanges[0], "Script for a step that calls nothing", "Step %q is of kind %q and calls no service%s, so nothing can answer it.", n.Name, st.Kind, insideOf(n))
			}
			return
		}
		names = append(names, n.Name)
		if s.Address == "*" || s.Address == n.Name {
			steps = append(steps, st)
		}
	})
	if silent {
		return nil
	}
	if len(steps) == 0 {
		sc.unknownAddress(b, names)
		return nil
	}
	return steps
}

// scriptable are the steps that a script may be for: those of the scenario and
// of the handlers that its calls reach, and any handler's that it names.
func (sc *scenarioCompiler) scriptable(address string) []*plan.Node {
	if n := sc.nodes()[address]; n != nil && len(sc.services.Order) == 0 {
		return []*plan.Node{n} // no other has its name, and each script would go over all steps
	}
	list := slices.Clone(sc.p.Nodes())
	for _, n := range sc.p.Endpoints {
		if rootFor(n) == "endpoint" && (address != "*" || n.Step.Block.Type == "endpoint" || sc.p.Workflow.Size == 0) {
			list = append(list, n)
		}
	}
	named := sc.nodes()[address]
	for _, name := range sc.services.Order {
		for _, w := range sc.working(sc.services.Actors[name].ActorSpec) {
			if named != nil && named.Root() == w.Node {
				sc.refer(name)
			}
			if sc.reached()[name] {
				list = append(list, w.Node)
			}
		}
	}
	return list
}

// checkTarget refuses a target that none of the steps of a script ever calls.
func (sc *scenarioCompiler) checkTarget(r dsl.Reader, name string, steps []*plan.Step) {
	if name == "" {
		return
	}
	called := map[string]bool{}
	for _, st := range steps {
		for _, t := range st.Gateway.Targets {
			called[t.Name] = true
		}
	}
	if _, known := sc.targets[name]; !known && !called[name] {
		r.Errorf("target", "Unknown target", "No target %q is declared in this file.%s", name, cmp.Or(behind(name, steps), dsl.Instead(name, sc.callable(called))))
		return
	}
	if !called[name] && !sc.unresolved {
		r.Errorf("target", "Unknown target", "The steps of this script never call the target %q, but %s.%s", name, strings.Join(read.SortedNames(called), ", "), behind(name, steps))
	}
}

// callable are the targets that a script can name: those that its steps call, or all of the
// file where that is not known.
func (sc *scenarioCompiler) callable(called map[string]bool) []string {
	if len(called) == 0 || sc.unresolved {
		return read.SortedNames(sc.targets)
	}
	return read.SortedNames(called)
}

// behind names the targets of a provider whose name was given in their place, "" for none.
func behind(provider string, steps []*plan.Step) string {
	var targets []string
	for _, st := range steps {
		for _, t := range st.Gateway.Targets {
			if t.Provider != nil && t.Provider.Name == provider && t.Name != provider && !slices.Contains(targets, t.Name) {
				targets = append(targets, t.Name)
			}
		}
	}
	if len(targets) != 1 {
		return ""
	}
	return fmt.Sprintf(" A target has the name that its gateway gives it, and that of provider.%s is %q.", provider, targets[0])
}

func (sc *scenarioCompiler) entry(b *dsl.Block, s *plan.Script, steps []*plan.Step) *plan.Entry {
	r := sc.Read(b)
	e := &plan.Entry{
		N: len(s.Entries) + 1, Times: 1, Target: r.String("target"), Turn: r.Int("turn"), Iteration: r.Int("iteration"),
		Optional: r.Bool("optional"), Rng: b.DefRange,
	}
	sc.checkTarget(r, e.Target, steps)
	sc.entryMatch(b, r, e, steps)
	sc.times(r, e)
	switch b.Type {
	case "reply":
		e.Reply = sc.reply(b, steps)
	case "replay":
		e.Replay = sc.replay(b)
	case "fault":
		sc.fault(b, r, e, steps)
	}
	return e
}

func (sc *scenarioCompiler) times(r dsl.Reader, e *plan.Entry) {
	switch t := r.Value("times").(type) {
	case nil:
		return
	case float64:
		if t >= 1 && t == float64(int(t)) && t <= 1e9 {
			e.Times, e.TimesSet = int(t), true
			return
		}
	case string:
		if t == "*" {
			e.Times, e.TimesSet = plan.Unlimited, true
			return
		}
	}
	r.Errorf("times", "Wrong value", `The attribute "times" is a number of calls, an integer of at least 1, or "*" for any number.`)
}

func (sc *scenarioCompiler) fault(b *dsl.Block, r dsl.Reader, e *plan.Entry, steps []*plan.Step) {
	e.Fault = sc.File.Extensions.Fault(b.Labels[0])
	e.After, e.HasAfter = r.Duration("after"), r.Has("after")
	e.Args = r.Values(append([]string{"after"}, strike.EntryAttrs...)...)
	if mode, given := e.Args["mode"].(string); given {
		for _, t := range strike.Taxonomies(steps) {
			sc.checkMode(r, mode, t)
		}
	}
	for _, st := range steps {
		if !st.Meets(e.Fault) {
			sc.Errorf(b.LabelRanges[0], "Fault that means nothing here", "The fault %q is for %s, and step %q is %s.%s", e.Fault.Name, strings.Join(e.Fault.For, ", "), st.Name, st.Describe(), strike.Instead(e.Fault, e.Args, st.Meets))
			return
		}
	}
	strike.WithoutEffect(r, e.Fault, e.Args)
	if n := b.First("reply"); n != nil {
		e.Reply = sc.reply(n, steps)
	}
	if n := b.First("replay"); n != nil {
		e.Replay = sc.replay(n)
	}
	strike.Acts(r, e.Fault, e.Args, e.Reply, steps[0].Gateway.Targets[0].Provider.Adapter)
	sc.swapped(r, e.Fault, steps)
	if e.Reply != nil && e.Replay != nil {
		sc.Errorf(b.DefRange, "Two answers to disturb", "A fault disturbs one reply or one replay.")
	}
}

// expectation compiles an expect block: every attribute must exist in the
// result, nested ones included.
func (sc *scenarioCompiler) expectation(b *dsl.Block) {
	x := &plan.Expectation{Address: b.Name(), Attrs: b.Attrs, Rng: b.DefRange}
	shape := sc.resultShape(x.Address, b)
	if shape == nil {
		return
	}
	if len(b.Attrs) == 0 {
		sc.Errorf(b.DefRange, "Expectation of nothing", "The expect block for %q names no attribute, so it would always hold. Say what the result must have, such as status = \"success\".", x.Address)
		return
	}
	for _, a := range b.Attrs {
		known, ok := shape.Attrs[a.Name]
		sc.watch(dsl.Name{Text: a.Name, Range: a.NameRange, Of: shape, Shape: known})
		if !ok {
			names := read.SortedNames(shape.Attrs)
			hint := dsl.DidYouMean(a.Name, names)
			if a.Name == "condition" {
				hint = " A condition belongs in an assert block; here each attribute is one of the result with the value that it must have, such as status = \"success\"."
			}
			if why := shape.Never[a.Name]; why != "" {
				hint = " " + why
			}
			if observe.SutShape.Attrs[a.Name] != nil && x.Address == "run" && (sc.block.First("sut") != nil || sc.block.Attr("run") == nil) {
				hint = fmt.Sprintf(" That of the program is read by the condition of an assert block: sut.%s == %s.", a.Name, dsl.Excerpt(a.Expr))
			}
			if ref := sc.refTo(x.Address, "attempts"); ref != "" && dsl.Counts(a.Name) && shape.Attrs["attempts"] != nil {
				hint = fmt.Sprintf(" How often it was asked is read by the condition of an assert block: length(%s) == %s.", ref, dsl.Excerpt(a.Expr))
			}
			if hint == "" {
				hint = " It has: " + strings.Join(names, ", ") + "."
			}
			sc.Errorf(a.NameRange, "Unknown attribute", "%s has no attribute %q.%s", capital(shape.Name), a.Name, hint)
			continue
		}
		sc.expected(x.Address, a, shape, known)
		if ofAllPasses[a.Name] != "" && !namesPasses(a.Expr) {
			sc.lastPass(x.Address, a.Name, a.NameRange)
			sc.lastSession(x.Address, a.Name, a.NameRange)
		}
		if a.Name == "status" {
			sc.expects(x.Address, a)
		}
		switch {
		case x.Address == "run":
			sc.p.Needs.Child("run").Child(a.Name).All = true
		case sc.p.BenchRun != nil:
			sc.p.Needs.Child("report").Child("case").Child(x.Address).Child(a.Name).All = true
		case sc.p.ActionOf(x.Address) != nil:
			sc.p.Needs.Child(sc.p.ActionOf(x.Address).What()).Child(x.Address).Child(a.Name).All = true
		default:
			n := sc.nodes()[x.Address]
			n.Within(sc.p.Needs.Child(rootFor(n))).Child(a.Name).All = true
		}
	}
	sc.p.Expects = append(sc.p.Expects, x)
}

// expects notes the ending that an expect block gives.
func (sc *scenarioCompiler) expects(address string, a *dsl.Attr) {
	v, diags := dsl.Evaluate(a.Expr, sc.Statics)
	switch d := sc.p.ActionOf(address); {
	case diags.HasErrors(): // reported
	case address == "run":
		sc.p.Excuses.Give(address, v)
	case d != nil:
		sc.p.Excuses.Give(d.Address(), v)
	}
}

// rootFor is the root of conditions that reads the result of a node.
func rootFor(n *plan.Node) string {
	if e := n.Step.Endpoint; e != nil && e.Declared {
		return "endpoint"
	}
	return "step"
}

func (sc *scenarioCompiler) watch(n dsl.Name) {
	if sc.Options.Watch != nil {
		sc.Options.Watch(n)
	}
}

func (sc *scenarioCompiler) resultShape(address string, b *dsl.Block) *schema.Shape {
	if address == "run" {
		return observe.RunShape
	}
	if sc.p.BenchRun != nil {
		return sc.caseShape(address, b)
	}
	if n := sc.nodes()[address]; n != nil {
		return n.Step.Shape
	}
	if d := sc.p.ActionOf(address); d != nil {
		return observe.StepShape(plan.KindCall)
	}
	known := append(sc.known(), "run")
	for _, d := range sc.p.Actions {
		if d.Call != nil && d.Step == nil {
			known = append(known, d.Name)
		}
	}
	sc.unknownAddress(b, known)
	return nil
}

// known are the addresses of steps and then of endpoints, each sorted.
func (sc *scenarioCompiler) known() []string {
	var steps, others []string
	for _, name := range read.SortedNames(sc.nodes()) {
		if rootFor(sc.nodes()[name]) == "step" {
			steps = append(steps, name)
		} else {
			others = append(others, name)
		}
	}
	return append(steps, others...)
}

// nodes are the steps and endpoints that a scenario can speak of, by address.
func (sc *scenarioCompiler) nodes() map[string]*plan.Node {
	if sc.addresses == nil {
		sc.addresses = make(map[string]*plan.Node, sc.p.Workflow.Size)
		plan.EachNode(sc.p.Nodes(), func(n *plan.Node) { sc.addresses[n.Name] = n })
		for _, name := range sc.services.Order {
			for _, w := range sc.working(sc.services.Actors[name].ActorSpec) {
				plan.EachNode([]*plan.Node{w.Node}, func(n *plan.Node) { sc.addresses[n.Name] = n })
			}
		}
		for _, n := range sc.p.Endpoints {
			if n.Step.Endpoint.Declared {
				sc.addresses[n.Name] = n
			}
		}
	}
	return sc.addresses
}

// insideOf names the steps inside one that a script may be for.
func insideOf(n *plan.Node) string {
	var names []string
	plan.EachNode(n.Inner, func(n *plan.Node) {
		if n.Step.Gateway != nil && len(names) < 5 {
			names = append(names, fmt.Sprintf("%q", n.Name))
		}
	})
	if names == nil {
		return ""
	}
	return " itself (those inside it do: " + strings.Join(names, ", ") + ")"
}

func capital(name string) string {
	switch {
	case name == "":
		return "The value"
	case strings.HasPrefix(name, "llm") || strings.HasPrefix(name, "http") || strings.HasPrefix(name, "mcp"):
		return "An " + name
	}
	return "A " + name
}

// LoadError returns the error of a cassette behind a diagnostic, or nil.
func LoadError(d *hcl.Diagnostic) error {
	var e *CassetteError
	if err, ok := d.Extra.(error); ok && errors.As(err, &e) {
		return e
	}
	return nil
}

package compile

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/services"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// nothing is the workflow of a scenario that has none: it has no steps and is
// over at once.
func (c *compiler) nothing(b *dsl.Block) *plan.Workflow {
	w := &plan.Workflow{
		MaxConcurrent: 1, OnFailure: plan.FailFast, Rng: b.DefRange, Inputs: map[string]cty.Value{}, OutputNeeds: &read.Needs{},
		Taxonomy: plan.DefaultTaxonomy(), Index: map[string]int{},
	}
	w.Digest, w.Nodes = sync.OnceValue(w.Sum), sync.OnceValue(w.Tree)
	return w
}

// actions compiles what the scenario drives. It comes before its scripts, which
// may be for a call.
func (sc *scenarioCompiler) actions() {
	seen := map[plan.Awaited]hcl.Range{}
	taken := map[string]*dsl.Block{}
	for _, n := range sc.block.Blocks {
		if !slices.Contains(plan.CallBlocks, n.Type) {
			continue
		}
		if st := sc.nodes()[n.Name()]; st != nil {
			sc.Errorf(n.DefRange, "Duplicate name", "The %s %q is a duplicate: a step of that name is declared %s, and both are addressed by it.", n.Type, n.Name(), dsl.Declared(st.Step.Rng, n.DefRange))
		}
		if other := taken[n.Name()]; other != nil && other.Type != n.Type {
			sc.Errorf(n.DefRange, "Duplicate name", "The %s %q is a duplicate: a %s of that name is declared %s, and both are addressed by it.", n.Type, n.Name(), other.Type, dsl.Declared(other.DefRange, n.DefRange))
		}
		taken[n.Name()] = n
		seen[plan.Awaited{Typ: n.Type, Name: n.Name()}] = n.DefRange
	}
	sc.nextOrder = sc.compiler.outsideOrder
	for _, n := range sc.block.Blocks {
		if !slices.Contains(plan.ActionBlocks, n.Type) {
			continue
		}
		d := &plan.Action{Order: len(sc.p.Actions), Name: n.Name(), Typ: n.Type, Rng: n.DefRange}
		r := sc.Read(n)
		sc.due(d, r, seen)
		switch n.Type {
		case "call":
			sc.call(d, r)
		case "fanout", "classify":
			sc.driven(d, n)
		case "event":
			d.Optional = r.Bool("optional")
			sc.event(d, r, seen)
		case "hold":
			d.Optional = r.Bool("optional")
			sc.hold(d, r)
		}
		sc.p.Actions = append(sc.p.Actions, d)
	}
	sc.cycleOfCalls()
}

// cycleOfCalls refuses calls that wait for each other's end.
func (sc *scenarioCompiler) cycleOfCalls() {
	waits := map[string]*plan.Action{}
	for _, d := range sc.p.Actions {
		if d.Call != nil && d.After != nil && d.After.Typ == "call" {
			waits[d.Name] = d
		}
	}
	for _, name := range read.SortedNames(waits) {
		path := []string{name}
		for d := waits[name]; d != nil; d = waits[d.After.Name] {
			path = append(path, d.After.Name)
			if d.After.Name == name {
				sc.Errorf(waits[name].AfterRange, "Cycle among calls", "Calls wait for each other's end: the cycle is %s.", strings.Join(path, " -> "))
				return
			}
			if len(path) > len(waits)+1 {
				break // the cycle is further on
			}
		}
	}
}

// due reads when a block acts.
func (sc *scenarioCompiler) due(d *plan.Action, r dsl.Reader, calls map[plan.Awaited]hcl.Range) {
	d.At = []time.Duration{0}
	var given []string
	for _, name := range []string{"at", "after", "when"} {
		if r.Has(name) {
			given = append(given, name)
		}
	}
	if len(given) > 1 {
		r.Errorf(given[1], "Two times for one block", "Give %s or %s: both say when it happens.", given[0], given[1])
		return
	}
	switch {
	case !r.Has("at"):
	case r.Block.Type == "call":
		d.At = instants(r)
	default:
		d.At = []time.Duration{r.Duration("at")}
	}
	if ref := r.Ref("after"); ref.Name != "" {
		d.After = &plan.Awaited{Typ: ref.Type, Name: ref.Name}
		sc.knownWait(*d.After, ref.Range, calls)
		d.AfterRange = ref.Range
	}
}

// instants are one duration or a tuple of them.
func instants(r dsl.Reader) []time.Duration {
	need := func(v any) (time.Duration, bool) {
		if d, known := v.(time.Duration); known {
			return d, true
		}
		text, isText := v.(string)
		d, err := dsl.ParseDuration(text)
		if !isText || err != nil || d < 0 {
			r.Errorf("at", "Wrong value", `The attribute "at" of a call is a duration such as "5s", not negative, or a list of them.`)
			return 0, false
		}
		return d, true
	}
	list, several := r.Value("at").([]any)
	if !several {
		list = []any{r.Value("at")}
	}
	if len(list) == 0 {
		r.Errorf("at", "Wrong value", `The attribute "at" holds no instant, so nothing would ever be called.`)
	}
	out := make([]time.Duration, 0, len(list))
	for _, v := range list {
		d, ok := need(v)
		if !ok {
			return []time.Duration{0}
		}
		out = append(out, d)
	}
	return out
}

// knownWait complains about a step or call that the scenario does not have.
func (sc *scenarioCompiler) knownWait(a plan.Awaited, rng hcl.Range, calls map[plan.Awaited]hcl.Range) bool {
	var known []string
	for other := range calls {
		if other.Typ == a.Typ {
			known = append(known, other.Name)
		}
	}
	slices.Sort(known)
	if a.Typ == "step" {
		known = read.SortedNames(sc.p.Workflow.Index)
	}
	if read.Contains(known, a.Name) {
		return true
	}
	sc.Errorf(rng, "Reference to nothing", "The scenario has no %s %q.%s", a.Typ, a.Name, dsl.DidYouMean(a.Name, known))
	return false
}

// targetMeant proposes the reference that was meant by one to an actor without its root, ""
// for any other.
func (sc *scenarioCompiler) targetMeant(x hclsyntax.Expression) string {
	if v, literal := dsl.Literal(x); literal && !v.IsNull() && v.Type() == cty.String {
		meant := strings.TrimPrefix(v.AsString(), "actor.")
		if name, _, dotted := strings.Cut(meant, "."); dotted && sc.services.Actors[name] != nil {
			return fmt.Sprintf(" Write actor.%s without quotes.", meant)
		}
		return ""
	}
	t, reference := x.(*hclsyntax.ScopeTraversalExpr)
	if !reference || sc.services.Actors[t.Traversal.RootName()] == nil {
		return ""
	}
	return fmt.Sprintf(" Did you mean actor.%s?", dsl.Excerpt(x))
}

func (sc *scenarioCompiler) call(d *plan.Action, r dsl.Reader) {
	_, several := r.Value("at").([]any)
	if root := rootOf(r.Block.Expr("target")); root != "actor" && read.Contains(callTargets, root) {
		d.Call = &plan.CallAction{}
		if several {
			r.Errorf("at", "Call at several instants", "Only an actor can be called at several instants by one block: write a call for each, or generate them with dynamic.")
		}
		if block := sc.callStep(r.Block, root); block != nil {
			sc.addStep(d, block)
		}
		return
	}
	sc.onlyFor(r, "a classifier", "text", "gateway", "provider")
	if x := r.Block.Expr("target"); x != nil && !read.Contains(callTargets, rootOf(x)) {
		sc.Errorf(x.Range(), "Wrong reference", "The target of a call is a handler or tool of an actor, such as actor.name.handler, or workflow.name, fanout.name, classifier.name, gateway.name or provider.name.%s", sc.targetMeant(x))
		return
	}
	t, _ := sc.services.Target(r.Block.Expr("target"), "target")
	arguments := cty.EmptyObjectVal
	if m, ok := r.Value("arguments").(map[string]any); ok {
		arguments = dsl.CtyValue(m)
	}
	st := &plan.Step{Kind: plan.KindCall, Name: d.Name, Block: r.Block, Rng: d.Rng, Fallback: -1, Required: true, Needs: &read.Needs{}, Shape: observe.StepShape(plan.KindCall), Taxonomy: plan.DefaultTaxonomy()}
	d.Call = &plan.CallAction{Target: t, Arguments: arguments, Timeout: r.Duration("timeout"), Several: several, Node: &plan.Node{Step: st, Name: d.Name}}
	sc.refer(t.Actor)
	if w := sc.handlers[t]; w != nil && w.Inputs == nil {
		sc.given(&plan.Step{Block: r.Block, Rng: d.Rng, Inner: w.Node.Step.Inner}, "arguments")
	}
}

// rootOf is the first name of a reference, "" for anything else.
func rootOf(e hclsyntax.Expression) string {
	if st, ok := e.(*hclsyntax.ScopeTraversalExpr); ok {
		return st.Traversal.RootName()
	}
	return ""
}

// whom are the attributes of an event that name an actor.
var whom = []string{"start", "kill", "restart", "unreachable", "reachable", "drain", "activate", "quarantine"}

func (sc *scenarioCompiler) event(d *plan.Action, r dsl.Reader, calls map[plan.Awaited]hcl.Range) {
	e := &plan.EventAction{Timeout: r.Duration("timeout")}
	d.Event = e
	var given []string
	for _, name := range slices.Concat(whom, []string{"cancel", "partition", "heal"}) {
		if r.Has(name) {
			given = append(given, name)
		}
	}
	all := strings.Join(slices.Concat(whom, []string{"cancel", "partition"}), ", ") + " or heal"
	switch {
	case len(given) == 0:
		sc.Errorf(d.Rng, "Event that does nothing", "Say what happens: give one of %s.", all)
		return
	case len(given) > 1:
		r.Errorf(given[1], "Event that does two things", "Give %s or %s, or write two events.", given[0], given[1])
		return
	}
	e.What = given[0]
	if r.Has("timeout") && e.What != "drain" {
		r.Errorf("timeout", "Attribute without a drain", `"timeout" says how long a drain may take; %s takes no time.`, e.What)
	}
	switch e.What {
	case "cancel":
		sc.cancels(e, r, calls)
	case "partition":
		e.Groups = sc.partition(r.Block.Attr("partition").Expr)
	case "heal":
		if !r.Bool("heal") {
			r.Errorf("heal", "Event that does nothing", "heal = true ends a partition; leave the event out where nothing is to happen.")
		}
	default:
		sc.onActors(e, r)
	}
	if a := r.Block.Attr("when"); a != nil {
		sc.whens = append(sc.whens, d)
	}
}

// onActors finds the actor that something happens to.
func (sc *scenarioCompiler) onActors(e *plan.EventAction, r dsl.Reader) {
	ref := r.Ref(e.What)
	if ref.Name == "" {
		return
	}
	a := sc.services.Actors[ref.Name]
	if a == nil {
		sc.UnknownRef(ref, sc.services.Order)
		return
	}
	if (e.What == "activate" || e.What == "quarantine") && a.Registry == "" {
		sc.Errorf(ref.Range, "Actor without a registry", "%s sets the state of an actor in its registry, and actor %q has none.", e.What, ref.Name)
	}
	e.Actor = ref.Name
	sc.refer(ref.Name)
}

// cancels reads what an event cancels.
func (sc *scenarioCompiler) cancels(e *plan.EventAction, r dsl.Reader, calls map[plan.Awaited]hcl.Range) {
	x := r.Block.Attr("cancel").Expr
	if v, literal := dsl.Literal(x); literal && v.Type() == cty.String && !v.IsNull() && v.AsString() == "run" {
		e.Cancel = plan.Awaited{Typ: "run"}
		if sc.block.Attr("run") == nil {
			sc.Errorf(x.Range(), "Reference to nothing", "The scenario runs no workflow that could be cancelled.")
		}
		return
	}
	if st, ok := x.(*hclsyntax.ScopeTraversalExpr); ok && len(st.Traversal) == 2 {
		root := st.Traversal.RootName()
		if name, named := read.AttrName(st.Traversal, 1); named && read.Contains([]string{"step", "call", "fanout", "classify"}, root) {
			e.Cancel = plan.Awaited{Typ: root, Name: name}
			sc.knownWait(e.Cancel, x.Range(), calls)
			return
		}
	}
	hint := ""
	if v, literal := dsl.Literal(x); literal && v.Type() == cty.String && !v.IsNull() {
		for called := range calls {
			if called.Name == v.AsString() {
				hint = fmt.Sprintf(" Write %s.%s without quotes.", called.Typ, called.Name)
			}
		}
	}
	sc.Errorf(x.Range(), "Wrong reference", `The attribute "cancel" is step.name, call.name, fanout.name, classify.name or "run".%s`, hint)
}

// partition reads sets of actors.
func (sc *scenarioCompiler) partition(x hclsyntax.Expression) [][]string {
	wrong := func(rng hcl.Range) [][]string {
		sc.Errorf(rng, "Wrong value", `The attribute "partition" is a list of two or more lists of actors, such as [[actor.a], [actor.b, actor.c]].`)
		return nil
	}
	outer, ok := x.(*hclsyntax.TupleConsExpr)
	if !ok || len(outer.Exprs) < 2 {
		return wrong(x.Range())
	}
	var groups [][]string
	for _, in := range outer.Exprs {
		inner, ok := in.(*hclsyntax.TupleConsExpr)
		if !ok {
			return wrong(in.Range())
		}
		var group []string
		for _, e := range inner.Exprs {
			path, ok := services.Path(e)
			if !ok || len(path) != 1 {
				return wrong(e.Range())
			}
			name := path[0]
			if sc.services.Actors[name] == nil {
				sc.UnknownRef(dsl.Reference{Type: "actor", Name: name, Range: e.Range()}, sc.services.Order)
				return nil
			}
			if slices.ContainsFunc(append(groups, group), func(g []string) bool { return read.Contains(g, name) }) {
				sc.Errorf(e.Range(), "Duplicate name", "Actor %q is named twice: it can be on one side of a partition.", name)
			}
			group = append(group, name)
			sc.refer(name)
		}
		groups = append(groups, group)
	}
	return groups
}

func (sc *scenarioCompiler) hold(d *plan.Action, r dsl.Reader) {
	h := &plan.HoldAction{N: max(1, r.Int("n"))}
	d.Hold = h
	from, to := r.Duration("from"), r.Duration("to")
	d.At, h.During = []time.Duration{from}, to-from
	if to <= from && r.Has("to") {
		r.Errorf("to", "Hold that ends before it begins", "It is held from %s until %s: to must be later than from.", from, to)
	}
	if r.Has("pool") == r.Has("lock") {
		sc.Errorf(d.Rng, "Hold of nothing", "Give the pool or the lock that is held, and one of them.")
		return
	}
	what := "pool"
	if r.Has("lock") {
		what = "lock"
	}
	x := r.Block.Attr(what).Expr
	capacity, ok := sc.held(h, what, x)
	if !ok {
		return
	}
	if h.N > capacity {
		r.Errorf("n", "Hold that never comes", "It takes %d units, and the %s has %d.", h.N, what, capacity)
	}
}

// held finds the lock or pool that is held, and returns its size.
func (sc *scenarioCompiler) held(h *plan.HoldAction, what string, x hclsyntax.Expression) (int, bool) {
	st, ok := x.(*hclsyntax.ScopeTraversalExpr)
	var path []string
	if ok {
		path, ok = services.Tail(st.Traversal)
	}
	switch {
	case ok && what == "lock" && st.Traversal.RootName() == "lock" && len(path) == 1:
		for _, l := range sc.services.Locks {
			if l.Name == path[0] {
				h.Lock = l.Name
				return l.Capacity, true
			}
		}
		sc.UnknownRef(dsl.Reference{Type: "lock", Name: path[0], Range: x.Range()}, plan.Names(sc.services.Locks, func(l *actor.LockSpec) string { return l.Name }))
		return 0, false
	case ok && st.Traversal.RootName() == "actor" && len(path) == 3 && path[1] == what:
		a := sc.services.Actors[path[0]]
		if a == nil {
			sc.UnknownRef(dsl.Reference{Type: "actor", Name: path[0], Range: x.Range()}, sc.services.Order)
			return 0, false
		}
		h.Actor = path[0]
		sc.refer(path[0])
		if what == "pool" {
			for _, p := range a.Pools {
				if p.Name == path[2] {
					h.Pool = p.Name
					return p.Size, true
				}
			}
		}
		for _, l := range a.Locks {
			if what == "lock" && l.Name == path[2] {
				h.Lock = l.Name
				return l.Capacity, true
			}
		}
		known := plan.Names(a.Pools, func(p *actor.PoolSpec) string { return p.Name })
		if what == "lock" {
			known = plan.Names(a.Locks, func(l *actor.LockSpec) string { return l.Name })
		}
		sc.Errorf(x.Range(), "Reference to nothing", "Actor %q has no %s %q.%s", path[0], what, path[2], dsl.DidYouMean(path[2], known))
		return 0, false
	}
	form := "actor.name.pool.name"
	if what == "lock" {
		form = "lock.name or actor.name.lock.name"
	}
	hint := ""
	if v, literal := dsl.Literal(x); literal && v.Type() == cty.String && !v.IsNull() && what == "lock" && hclsyntax.ValidIdentifier(v.AsString()) {
		hint = fmt.Sprintf(" Write lock.%s without quotes.", v.AsString())
	}
	sc.Errorf(x.Range(), "Wrong reference", "The attribute %q is a reference of the form %s.%s", what, form, hint)
	return 0, false
}

// refer notes that the scenario refers to an actor, which starts then.
func (sc *scenarioCompiler) refer(name string) {
	if name != "" {
		sc.referred[name] = true
	}
}

// starts refers to the actors that the scenario starts by itself.
func (sc *scenarioCompiler) starts() {
	for _, ref := range sc.Read(sc.block).Refs("start") {
		if sc.services.Actors[ref.Name] == nil {
			sc.UnknownRef(ref, sc.services.Order)
			continue
		}
		sc.refer(ref.Name)
	}
}

// callers are the steps that may call a target in the scenario: those of its
// workflow and of its blocks, and those of the handlers that these come to.
func (sc *scenarioCompiler) callers() []*plan.Node {
	list := slices.Clone(sc.p.Nodes())
	if sc.p.Name == "" { // of no scenario
		return list
	}
	reached := sc.reached()
	for _, name := range sc.services.Order {
		if reached[name] {
			for _, w := range sc.working(sc.services.Actors[name].ActorSpec) {
				list = append(list, w.Node)
			}
		}
	}
	return list
}

// population is what of the file's services takes part in the scenario: the
// actors that it refers to, and those that they forward to.
func (sc *scenarioCompiler) population() {
	for _, n := range sc.p.Needs.Of("actor").Names(sc.services.Order) {
		sc.refer(n)
	}
	for _, i := range sc.p.Invariants {
		for _, n := range i.Needs.Of("actor").Names(sc.services.Order) {
			sc.refer(n)
		}
	}
	spec := &actor.Spec{Locks: sc.services.Locks, Registries: sc.services.Registries}
	reached := sc.reached()
	sc.p.Handlers = map[actor.Target]*plan.HandlerWork{}
	for _, name := range sc.services.Order {
		if !reached[name] {
			continue
		}
		a := sc.services.Actors[name].ActorSpec
		spec.Actors = append(spec.Actors, a)
		for _, w := range sc.working(a) {
			sc.p.Handlers[w.Target] = w
			sc.p.Outside = append(sc.p.Outside, w.Node)
		}
	}
	for _, d := range sc.p.Actions {
		if d.Event != nil && d.Event.What == "start" {
			if spec.Late == nil {
				spec.Late = map[string]string{}
			}
			if spec.Late[d.Event.Actor] == "" {
				spec.Late[d.Event.Actor] = d.Address()
			}
		}
	}
	if len(spec.Actors) > 0 || len(sc.p.Actions) > 0 {
		sc.p.Population = spec
	}
}

// reached are the actors that the scenario refers to, and those that the calls
// of its steps and of the actors' handlers come to from there.
func (sc *scenarioCompiler) reached() map[string]bool {
	all := map[string]bool{}
	var reach func(name string)
	steps := func(list []*plan.Node) {
		plan.EachNode(list, func(n *plan.Node) {
			reach(n.Step.Target.Actor)
			if k := n.Step.Classifier; k != nil {
				for _, name := range k.Actors {
					reach(name)
				}
			}
		})
	}
	reach = func(name string) {
		a := sc.services.Actors[name]
		if a == nil || all[name] {
			return
		}
		all[name] = true
		for _, h := range a.Handlers {
			if h.ForwardTo != nil {
				reach(h.ForwardTo.Actor)
			}
		}
		for _, w := range sc.working(a.ActorSpec) {
			steps(w.Node.Inner)
		}
	}
	for _, name := range sc.services.Order {
		if sc.referred[name] {
			reach(name)
		}
	}
	steps(sc.p.Nodes())
	return all
}

// conditionsOfEvents compiles when events happen that wait for a condition.
func (sc *scenarioCompiler) conditionsOfEvents() {
	if len(sc.whens) == 0 {
		return
	}
	env := sc.observedEnv()
	for _, d := range sc.whens {
		b := sc.block.Named("event", d.Name)
		a, diags := sc.conditionOf(b, b.Expr("when"), env)
		sc.Diags = append(sc.Diags, diags...)
		if a == nil {
			continue
		}
		i := &plan.Invariant{Assertion: *a, Needs: &read.Needs{}}
		i.Needs.Add(a.Condition)
		i.Absence = sc.absence(a.Condition)
		d.When = i
		for _, n := range i.Needs.Of("actor").Names(sc.services.Order) {
			sc.refer(n)
		}
	}
}

// within names where the names of a scenario are declared.
func (sc *scenarioCompiler) within() string {
	if sc.p.Workflow.Name == "" {
		return fmt.Sprintf("in scenario %q", sc.p.Name)
	}
	return fmt.Sprintf("in workflow %q", sc.p.Workflow.Name)
}

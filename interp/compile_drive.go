package interp

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
)

const kindCall = "call"

// driver is a block of a scenario that does something by itself: a call, an
// event, a hold.
type driver struct {
	// order is its place among those of the scenario.
	order int
	name  string
	rng   hcl.Range
	// at are the instants at which it acts, from the start of the scenario.
	at []time.Duration
	// after is the step or call whose end it waits for in place of that.
	after      *awaited
	afterRange hcl.Range
	// when is the condition that it waits for in place of that.
	when *invariant

	call  *driveCall
	event *driveEvent
	hold  *driveHold
	// step is what a block does that is one: a fanout, a classification, a call
	// of anything but an actor. Its node stands beside the workflow.
	step *step
	node *node
	typ  string
}

// awaited is a step or a call.
type awaited struct{ typ, name string }

type driveCall struct {
	target    actor.Target
	arguments cty.Value
	timeout   time.Duration
	node      *node // its result is that of a step
	several   bool  // at is a tuple
}

type driveEvent struct {
	// what is the attribute that says what happens, and actor whom it happens
	// to.
	what, actor string
	timeout     time.Duration
	cancel      awaited // of type "run" for the run
	groups      [][]string
}

type driveHold struct {
	actor, lock, pool string // what of it is ""
	n                 int
	during            time.Duration
}

// driveBlocks are the blocks of a scenario that drive something.
var driveBlocks = []string{"call", "fanout", "classify", "event", "hold"}

// callBlocks are those that have a result, and share their names with the steps.
var callBlocks = driveBlocks[:3]

// nothing is the workflow of a scenario that has none: it has no steps and is
// over at once.
func (c *compiler) nothing(b *dsl.Block) *workflow {
	w := &workflow{
		maxConcurrent: 1, onFailure: failFast, rng: b.DefRange, inputs: map[string]cty.Value{}, outputNeeds: &needs{},
		taxonomy: defaultTaxonomy(), index: map[string]int{},
	}
	w.digest, w.nodes = sync.OnceValue(w.sum), sync.OnceValue(w.tree)
	return w
}

// drivers compiles what the scenario drives. It comes before its scripts, which
// may be for a call.
func (sc *scenarioCompiler) drivers() {
	seen := map[awaited]hcl.Range{}
	taken := map[string]*dsl.Block{}
	for _, n := range sc.block.Blocks {
		if !slices.Contains(callBlocks, n.Type) {
			continue
		}
		if st := sc.nodes()[n.Name()]; st != nil {
			sc.errorf(n.DefRange, "Duplicate name", "The %s %q is a duplicate: a step of that name is declared %s, and both are addressed by it.", n.Type, n.Name(), dsl.Declared(st.step.rng, n.DefRange))
		}
		if other := taken[n.Name()]; other != nil && other.Type != n.Type {
			sc.errorf(n.DefRange, "Duplicate name", "The %s %q is a duplicate: a %s of that name is declared %s, and both are addressed by it.", n.Type, n.Name(), other.Type, dsl.Declared(other.DefRange, n.DefRange))
		}
		taken[n.Name()] = n
		seen[awaited{n.Type, n.Name()}] = n.DefRange
	}
	sc.standing = sc.compiler.beside
	for _, n := range sc.block.Blocks {
		if !slices.Contains(driveBlocks, n.Type) {
			continue
		}
		d := &driver{order: len(sc.p.drivers), name: n.Name(), typ: n.Type, rng: n.DefRange}
		r := sc.read(n)
		sc.due(d, r, seen)
		switch n.Type {
		case "call":
			sc.call(d, r)
		case "fanout", "classify":
			sc.driven(d, n)
		case "event":
			sc.event(d, r, seen)
		case "hold":
			sc.hold(d, r)
		}
		sc.p.drivers = append(sc.p.drivers, d)
	}
	sc.cycleOfCalls()
}

// cycleOfCalls refuses calls that wait for each other's end.
func (sc *scenarioCompiler) cycleOfCalls() {
	waits := map[string]*driver{}
	for _, d := range sc.p.drivers {
		if d.call != nil && d.after != nil && d.after.typ == "call" {
			waits[d.name] = d
		}
	}
	for _, name := range sortedNames(waits) {
		path := []string{name}
		for d := waits[name]; d != nil; d = waits[d.after.name] {
			path = append(path, d.after.name)
			if d.after.name == name {
				sc.errorf(waits[name].afterRange, "Cycle among calls", "Calls wait for each other's end: the cycle is %s.", strings.Join(path, " -> "))
				return
			}
			if len(path) > len(waits)+1 {
				break // the cycle is further on
			}
		}
	}
}

// due reads when a block acts.
func (sc *scenarioCompiler) due(d *driver, r dsl.Reader, calls map[awaited]hcl.Range) {
	d.at = []time.Duration{0}
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
		d.at = instants(r)
	default:
		d.at = []time.Duration{r.Duration("at")}
	}
	if ref := r.Ref("after"); ref.Name != "" {
		d.after = &awaited{ref.Type, ref.Name}
		sc.knownWait(*d.after, ref.Range, calls)
		d.afterRange = ref.Range
	}
}

// instants are one duration or a tuple of them.
func instants(r dsl.Reader) []time.Duration {
	read := func(v any) (time.Duration, bool) {
		if d, known := v.(time.Duration); known {
			return d, true
		}
		text, isText := v.(string)
		d, err := dsl.ParseDuration(text)
		if !isText || err != nil || d < 0 {
			r.Errorf("at", "Wrong value", `The attribute "at" of a call is a duration such as "5s", not negative, or a tuple of them.`)
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
		d, ok := read(v)
		if !ok {
			return []time.Duration{0}
		}
		out = append(out, d)
	}
	return out
}

// knownWait complains about a step or call that the scenario does not have.
func (sc *scenarioCompiler) knownWait(a awaited, rng hcl.Range, calls map[awaited]hcl.Range) bool {
	var known []string
	for other := range calls {
		if other.typ == a.typ {
			known = append(known, other.name)
		}
	}
	slices.Sort(known)
	if a.typ == "step" {
		known = sortedNames(sc.p.workflow.index)
	}
	if contains(known, a.name) {
		return true
	}
	sc.errorf(rng, "Reference to nothing", "The scenario has no %s %q.%s", a.typ, a.name, dsl.DidYouMean(a.name, known))
	return false
}

func (sc *scenarioCompiler) call(d *driver, r dsl.Reader) {
	_, several := r.Value("at").([]any)
	if root := rootOf(exprOf(r.Block, "target")); root != "actor" && contains(callTargets, root) {
		d.call = &driveCall{}
		if several {
			r.Errorf("at", "Call at several instants", "Only an actor can be called at several instants by one block: write a call for each, or generate them with dynamic.")
		}
		if block := sc.callStep(r.Block, root); block != nil {
			sc.stand(d, block)
		}
		return
	}
	sc.onlyFor(r, "a classifier", "text", "gateway", "provider")
	if x := exprOf(r.Block, "target"); x != nil && !contains(callTargets, rootOf(x)) {
		sc.errorf(x.Range(), "Wrong reference", "The target of a call is a handler or tool of an actor, such as actor.name.handler, or workflow.name, fanout.name, classifier.name, gateway.name or provider.name.")
		return
	}
	t, _ := sc.actorTarget(exprOf(r.Block, "target"), "target")
	arguments := cty.EmptyObjectVal
	if m, ok := r.Value("arguments").(map[string]any); ok {
		arguments = dsl.CtyValue(m)
	}
	st := &step{kind: kindCall, name: d.name, block: r.Block, rng: d.rng, fallback: -1, required: true, needs: &needs{}, shape: stepShape(kindCall), taxonomy: defaultTaxonomy()}
	d.call = &driveCall{target: t, arguments: arguments, timeout: r.Duration("timeout"), several: several, node: &node{step: st, name: d.name}}
	sc.refer(t.Actor)
	if w := sc.handlers[t]; w != nil && w.inputs == nil {
		sc.given(&step{block: r.Block, rng: d.rng, inner: w.node.step.inner}, "arguments")
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

func (sc *scenarioCompiler) event(d *driver, r dsl.Reader, calls map[awaited]hcl.Range) {
	e := &driveEvent{timeout: r.Duration("timeout")}
	d.event = e
	var given []string
	for _, name := range slices.Concat(whom, []string{"cancel", "partition", "heal"}) {
		if r.Has(name) {
			given = append(given, name)
		}
	}
	all := strings.Join(slices.Concat(whom, []string{"cancel", "partition"}), ", ") + " or heal"
	switch {
	case len(given) == 0:
		sc.errorf(d.rng, "Event that does nothing", "Say what happens: give one of %s.", all)
		return
	case len(given) > 1:
		r.Errorf(given[1], "Event that does two things", "Give %s or %s, or write two events.", given[0], given[1])
		return
	}
	e.what = given[0]
	if r.Has("timeout") && e.what != "drain" {
		r.Errorf("timeout", "Attribute without a drain", `"timeout" says how long a drain may take; %s takes no time.`, e.what)
	}
	switch e.what {
	case "cancel":
		sc.cancels(e, r, calls)
	case "partition":
		e.groups = sc.partition(r.Block.Attr("partition").Expr)
	case "heal":
		if !r.Bool("heal") {
			r.Errorf("heal", "Event that does nothing", "heal = true ends a partition; leave the event out where nothing is to happen.")
		}
	default:
		sc.befalls(e, r)
	}
	if a := r.Block.Attr("when"); a != nil {
		sc.whens = append(sc.whens, d)
	}
}

// befalls finds the actor that something happens to.
func (sc *scenarioCompiler) befalls(e *driveEvent, r dsl.Reader) {
	ref := r.Ref(e.what)
	if ref.Name == "" {
		return
	}
	a := sc.services.actors[ref.Name]
	if a == nil {
		sc.unknownRef(ref, sc.services.order)
		return
	}
	if (e.what == "activate" || e.what == "quarantine") && a.Registry == "" {
		sc.errorf(ref.Range, "Actor without a registry", "%s sets the state of an actor in its registry, and actor %q has none.", e.what, ref.Name)
	}
	e.actor = ref.Name
	sc.refer(ref.Name)
}

// cancels reads what an event cancels.
func (sc *scenarioCompiler) cancels(e *driveEvent, r dsl.Reader, calls map[awaited]hcl.Range) {
	x := r.Block.Attr("cancel").Expr
	if v, literal := dsl.Literal(x); literal && v.Type() == cty.String && !v.IsNull() && v.AsString() == "run" {
		e.cancel = awaited{typ: "run"}
		if sc.block.Attr("run") == nil {
			sc.errorf(x.Range(), "Reference to nothing", "The scenario runs no workflow that could be cancelled.")
		}
		return
	}
	if st, ok := x.(*hclsyntax.ScopeTraversalExpr); ok && len(st.Traversal) == 2 {
		root := st.Traversal.RootName()
		if name, named := attrName(st.Traversal, 1); named && contains([]string{"step", "call", "fanout", "classify"}, root) {
			e.cancel = awaited{root, name}
			sc.knownWait(e.cancel, x.Range(), calls)
			return
		}
	}
	sc.errorf(x.Range(), "Wrong reference", `The attribute "cancel" is step.name, call.name, fanout.name, classify.name or "run".`)
}

// partition reads sets of actors.
func (sc *scenarioCompiler) partition(x hclsyntax.Expression) [][]string {
	wrong := func(rng hcl.Range) [][]string {
		sc.errorf(rng, "Wrong value", `The attribute "partition" is a tuple of two or more tuples of actors, such as [[actor.a], [actor.b, actor.c]].`)
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
			path, ok := actorPath(e)
			if !ok || len(path) != 1 {
				return wrong(e.Range())
			}
			name := path[0]
			if sc.services.actors[name] == nil {
				sc.unknownRef(dsl.Reference{Type: "actor", Name: name, Range: e.Range()}, sc.services.order)
				return nil
			}
			if slices.ContainsFunc(append(groups, group), func(g []string) bool { return contains(g, name) }) {
				sc.errorf(e.Range(), "Duplicate name", "Actor %q is named twice: it can be on one side of a partition.", name)
			}
			group = append(group, name)
			sc.refer(name)
		}
		groups = append(groups, group)
	}
	return groups
}

func (sc *scenarioCompiler) hold(d *driver, r dsl.Reader) {
	h := &driveHold{n: max(1, r.Int("n"))}
	d.hold = h
	from, to := r.Duration("from"), r.Duration("to")
	d.at, h.during = []time.Duration{from}, to-from
	if to <= from && r.Has("to") {
		r.Errorf("to", "Hold that ends before it begins", "It is held from %s until %s: to must be later than from.", from, to)
	}
	if r.Has("pool") == r.Has("lock") {
		sc.errorf(d.rng, "Hold of nothing", "Give the pool or the lock that is held, and one of them.")
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
	if h.n > capacity {
		r.Errorf("n", "Hold that never comes", "It takes %d units, and the %s has %d.", h.n, what, capacity)
	}
}

// held finds the lock or pool that is held, and returns its size.
func (sc *scenarioCompiler) held(h *driveHold, what string, x hclsyntax.Expression) (int, bool) {
	st, ok := x.(*hclsyntax.ScopeTraversalExpr)
	var path []string
	if ok {
		path, ok = tail(st.Traversal)
	}
	switch {
	case ok && what == "lock" && st.Traversal.RootName() == "lock" && len(path) == 1:
		for _, l := range sc.services.locks {
			if l.Name == path[0] {
				h.lock = l.Name
				return l.Capacity, true
			}
		}
		sc.unknownRef(dsl.Reference{Type: "lock", Name: path[0], Range: x.Range()}, names(sc.services.locks, func(l *actor.LockSpec) string { return l.Name }))
		return 0, false
	case ok && st.Traversal.RootName() == "actor" && len(path) == 3 && path[1] == what:
		a := sc.services.actors[path[0]]
		if a == nil {
			sc.unknownRef(dsl.Reference{Type: "actor", Name: path[0], Range: x.Range()}, sc.services.order)
			return 0, false
		}
		h.actor = path[0]
		sc.refer(path[0])
		if what == "pool" {
			for _, p := range a.Pools {
				if p.Name == path[2] {
					h.pool = p.Name
					return p.Size, true
				}
			}
		}
		for _, l := range a.Locks {
			if what == "lock" && l.Name == path[2] {
				h.lock = l.Name
				return l.Capacity, true
			}
		}
		known := names(a.Pools, func(p *actor.PoolSpec) string { return p.Name })
		if what == "lock" {
			known = names(a.Locks, func(l *actor.LockSpec) string { return l.Name })
		}
		sc.errorf(x.Range(), "Reference to nothing", "Actor %q has no %s %q.%s", path[0], what, path[2], dsl.DidYouMean(path[2], known))
		return 0, false
	}
	form := "actor.name.pool.name"
	if what == "lock" {
		form = "lock.name or actor.name.lock.name"
	}
	sc.errorf(x.Range(), "Wrong reference", "The attribute %q is a reference of the form %s.", what, form)
	return 0, false
}

// refer notes that the scenario refers to an actor, which starts then.
func (sc *scenarioCompiler) refer(name string) {
	if name != "" {
		sc.referred[name] = true
	}
}

// population is what of the file's services takes part in the scenario: the
// actors that it refers to, and those that they forward to.
func (sc *scenarioCompiler) population() {
	for _, ref := range sc.read(sc.block).Refs("start") {
		if sc.services.actors[ref.Name] == nil {
			sc.unknownRef(ref, sc.services.order)
			continue
		}
		sc.refer(ref.Name)
	}
	for _, n := range sc.p.needs.of("actor").names(sc.services.order) {
		sc.refer(n)
	}
	for _, i := range sc.p.invariants {
		for _, n := range i.needs.of("actor").names(sc.services.order) {
			sc.refer(n)
		}
	}
	spec := &actor.Spec{Locks: sc.services.locks, Registries: sc.services.registries}
	reached := sc.reached()
	sc.p.handlers = map[actor.Target]*handlerWork{}
	for _, name := range sc.services.order {
		if !reached[name] {
			continue
		}
		a := sc.services.actors[name].ActorSpec
		spec.Actors = append(spec.Actors, a)
		for _, w := range sc.working(a) {
			sc.p.handlers[w.target] = w
			sc.p.beside = append(sc.p.beside, w.node)
		}
	}
	for _, d := range sc.p.drivers {
		if d.event != nil && d.event.what == "start" {
			spec.Late = append(spec.Late, d.event.actor)
		}
	}
	if len(spec.Actors) > 0 || len(sc.p.drivers) > 0 {
		sc.p.population = spec
	}
}

// reached are the actors that the scenario refers to, and those that the calls
// of its steps and of the actors' handlers come to from there.
func (sc *scenarioCompiler) reached() map[string]bool {
	all := map[string]bool{}
	var reach func(name string)
	steps := func(list []*node) {
		eachNode(list, func(n *node) {
			reach(n.step.target.Actor)
			if k := n.step.classifier; k != nil {
				for _, name := range k.actors {
					reach(name)
				}
			}
		})
	}
	reach = func(name string) {
		a := sc.services.actors[name]
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
			steps(w.node.inner)
		}
	}
	for _, name := range sc.services.order {
		if sc.referred[name] {
			reach(name)
		}
	}
	steps(sc.p.nodes())
	return all
}

// conditionsOfEvents compiles when events happen that wait for a condition.
func (sc *scenarioCompiler) conditionsOfEvents() {
	if len(sc.whens) == 0 {
		return
	}
	env := sc.observedEnv()
	for _, d := range sc.whens {
		b := sc.block.Named("event", d.name)
		a, diags := sc.conditionOf(b, exprOf(b, "when"), env)
		sc.diags = append(sc.diags, diags...)
		if a == nil {
			continue
		}
		i := &invariant{assertion: *a, needs: &needs{}}
		i.needs.add(a.condition)
		i.operands = operandsOf(a.condition)
		d.when = i
		for _, n := range i.needs.of("actor").names(sc.services.order) {
			sc.refer(n)
		}
	}
}

// within names where the names of a scenario are declared.
func (sc *scenarioCompiler) within() string {
	if sc.p.workflow.name == "" {
		return fmt.Sprintf("in scenario %q", sc.p.Name)
	}
	return fmt.Sprintf("in workflow %q", sc.p.workflow.name)
}

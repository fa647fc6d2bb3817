package compile

import (
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// population are the actors, shared locks and registries of a file.
type population struct {
	actors map[string]*declaredActor
	// order lists the names of actors as they are declared.
	order      []string
	locks      []*actor.LockSpec
	registries []*actor.RegistrySpec
}

// declaredActor is an actor with its place in the file.
type declaredActor struct {
	*actor.ActorSpec
	rng hcl.Range
	// parts are the places of what a call can be for, by name.
	parts map[string]hcl.Range
}

// compileServices compiles what may be called. What actors say of each other is
// looked at when all are known.
func (c *Compiler) compileServices() {
	c.services = population{actors: map[string]*declaredActor{}}
	for _, b := range c.File.Body.All("lock") {
		c.services.locks = append(c.services.locks, c.lockSpec(b))
	}
	for _, b := range c.File.Body.All("registry") {
		c.services.registries = append(c.services.registries, c.registrySpec(b))
	}
	blocks := c.File.Body.All("actor")
	for _, b := range blocks {
		if c.services.actors[b.Name()] != nil {
			continue // reported by the decoder
		}
		c.services.actors[b.Name()] = c.actorSpec(b)
		c.services.order = append(c.services.order, b.Name())
	}
	for _, b := range blocks {
		c.forwards(b)
	}
	c.checkForwards()
	c.checkLockOrder()
}

// timeoutOf reads a duration that may be "none", which is 0.
func timeoutOf(r dsl.Reader, name string) time.Duration {
	text := r.String(name)
	if text == "none" || text == "" {
		return 0
	}
	d, err := dsl.ParseDuration(text)
	if err != nil || d <= 0 {
		r.Errorf(name, "Wrong value", `The attribute %q is a duration such as "10s", longer than 0, or "none", not %q.`, name, text)
	}
	return d
}

func (c *Compiler) lockSpec(b *dsl.Block) *actor.LockSpec {
	r := c.read(b)
	l := &actor.LockSpec{Name: b.Name(), Capacity: max(1, r.Int("capacity")), MaxQueue: -1, AcquireTimeout: timeoutOf(r, "acquire_timeout")}
	if r.Has("max_queue") {
		l.MaxQueue = r.Int("max_queue")
	}
	return l
}

func (c *Compiler) registrySpec(b *dsl.Block) *actor.RegistrySpec {
	r := c.read(b)
	s := &actor.RegistrySpec{
		Name: b.Name(), TTL: r.Duration("ttl"), QuarantineAfter: r.Duration("quarantine_after"), SweepEvery: r.Duration("sweep_every"),
		HeartbeatEvery: r.Duration("heartbeat_every"), SkewTolerance: r.Duration("skew_tolerance"), QuarantineOnFailures: r.Int("quarantine_on_failures"),
	}
	if !r.Has("quarantine_after") {
		s.QuarantineAfter = 2 * s.TTL
	}
	for _, name := range []string{"ttl", "sweep_every", "heartbeat_every"} {
		if r.Has(name) && r.Duration(name) == 0 {
			r.Errorf(name, "Wrong value", "The attribute %q must be longer than 0, or the registry would do nothing else.", name)
		}
	}
	if s.QuarantineAfter < s.TTL {
		r.Errorf("quarantine_after", "Quarantine before staleness", "An actor would be quarantined after %s of silence, before it is stale after %s: give a quarantine_after of at least the ttl.", s.QuarantineAfter, s.TTL)
	}
	if s.HeartbeatEvery > s.TTL {
		c.warnf(b.DefRange, "Heartbeats too seldom", "An actor of registry %q is silent for %s between two heartbeats, and stale after %s: it would be refused in between. Give a ttl that is longer than heartbeat_every.", s.Name, s.HeartbeatEvery, s.TTL)
	}
	known := []string{"heartbeat", "register"}
	for _, how := range r.Strings("recover") {
		if !read.Contains(known, how) {
			r.Errorf("recover", "Wrong value", "An entry comes back by %q or %q, not by %q.%s", known[0], known[1], how, dsl.DidYouMean(how, known))
		}
		s.RecoverHeartbeat = s.RecoverHeartbeat || how == known[0]
		s.RecoverRegister = s.RecoverRegister || how == known[1]
	}
	return s
}

func (c *Compiler) actorSpec(b *dsl.Block) *declaredActor {
	r := c.read(b)
	a := &declaredActor{rng: b.DefRange, parts: map[string]hcl.Range{}, ActorSpec: &actor.ActorSpec{
		Name: b.Name(), ClockSkew: r.Duration("clock_skew"), Deep: r.String("cycles") == "depth", MaxHops: max(1, r.Int("max_hops")),
		Startup: actor.StartupSpec{Timeout: 300 * time.Second},
	}}
	if r.Has("clock_skew") && !r.Has("registry") {
		r.Errorf("clock_skew", "Attribute without a registry", "\"clock_skew\" is about the dates of heartbeats, which go to a registry, and actor %q names none: give registry = registry.name.", b.Name())
	}
	if ref := r.Ref("registry"); ref.Name != "" {
		a.Registry = ref.Name
		if !slices.ContainsFunc(c.services.registries, func(s *actor.RegistrySpec) bool { return s.Name == ref.Name }) {
			c.unknownRef(ref, plan.Names(c.services.registries, func(s *actor.RegistrySpec) string { return s.Name }))
		}
	}
	for _, n := range b.All("lock") {
		a.Locks = append(a.Locks, c.lockSpec(n))
	}
	for _, n := range b.All("pool") {
		pr := c.read(n)
		a.Pools = append(a.Pools, &actor.PoolSpec{
			Name: n.Name(), Size: max(1, pr.Int("size")), AcquireTimeout: timeoutOf(pr, "acquire_timeout"), StatementTimeout: timeoutOf(pr, "statement_timeout"),
		})
	}
	if n := b.First("startup"); n != nil {
		a.Startup = c.startup(n)
		if p := find(c, c.world.retries, c.read(n).Ref("retry")); p != nil {
			a.Startup.Retry = *p
		}
	}
	c.modules(a, b)
	for _, n := range b.All("handler") {
		a.Handlers = append(a.Handlers, c.handlerSpec(a, n))
	}
	for _, n := range b.All("tool") {
		a.Tools = append(a.Tools, c.toolSpec(a, n, nil))
	}
	for _, m := range b.All("module") {
		for _, n := range m.All("tool") {
			a.Tools = append(a.Tools, c.toolSpec(a, n, []string{m.Name()}))
		}
	}
	return a
}

func (c *Compiler) startup(b *dsl.Block) actor.StartupSpec {
	r := c.read(b)
	return actor.StartupSpec{Takes: r.Duration("takes"), Timeout: r.Duration("timeout")}
}

// modules puts the modules of an actor into the order in which they start:
// what one depends on comes before it, and otherwise the names decide.
func (c *Compiler) modules(a *declaredActor, b *dsl.Block) {
	left := map[string]*actor.ModuleSpec{}
	place := map[string]*dsl.Block{}
	for _, n := range b.All("module") {
		m := &actor.ModuleSpec{Name: n.Name(), DependsOn: c.read(n).Strings("depends_on")}
		if s := n.First("startup"); s != nil {
			m.Startup = c.startup(s)
		}
		left[m.Name], place[m.Name] = m, n
	}
	all := read.SortedNames(left)
	for _, name := range all {
		for _, on := range left[name].DependsOn {
			if left[on] == nil {
				c.errorf(dsl.Reader{Block: place[name]}.Range("depends_on"), "Reference to nothing", "Actor %q has no module %q.%s", a.Name, on, dsl.DidYouMean(on, all))
				return
			}
		}
	}
	for len(left) > 0 {
		next := ""
		for _, name := range read.SortedNames(left) {
			if !slices.ContainsFunc(left[name].DependsOn, func(on string) bool { return left[on] != nil }) {
				next = name
				break
			}
		}
		if next == "" {
			path := moduleCycle(left)
			c.errorf(dsl.Reader{Block: place[path[0]]}.Range("depends_on"), "Cycle among modules", "Modules of actor %q wait for each other: the cycle is %s.", a.Name, strings.Join(path, " -> "))
			return
		}
		a.Modules = append(a.Modules, left[next])
		delete(left, next)
	}
}

// moduleCycle is a cycle among modules of which each waits for another.
func moduleCycle(left map[string]*actor.ModuleSpec) []string {
	var path []string
	for name := read.SortedNames(left)[0]; ; {
		if i := slices.Index(path, name); i >= 0 {
			return append(path[i:], name)
		}
		path = append(path, name)
		for _, on := range left[name].DependsOn {
			if left[on] != nil {
				name = on
				break
			}
		}
	}
}

func (c *Compiler) handlerSpec(a *declaredActor, b *dsl.Block) *actor.HandlerSpec {
	r := c.read(b)
	c.part(a, b)
	h := &actor.HandlerSpec{Name: b.Name(), Takes: r.Duration("takes"), Timeout: r.Duration("timeout")}
	h.Uses, h.Needs = c.uses(a, b)
	h.Return, h.Source = c.returns(b, "arguments", "result")
	h.Works = r.Has("workflow")
	for _, n := range c.partNames(b, "lock", []string{"lock"}) {
		own := slices.ContainsFunc(a.Locks, func(l *actor.LockSpec) bool { return l.Name == n.name }) && n.root == ""
		shared := slices.ContainsFunc(c.services.locks, func(l *actor.LockSpec) bool { return l.Name == n.name })
		ref := actor.LockRef{Name: n.name, Own: own}
		switch {
		case !own && !shared:
			known := append(plan.Names(a.Locks, func(l *actor.LockSpec) string { return l.Name }), plan.Names(c.services.locks, func(l *actor.LockSpec) string { return l.Name })...)
			c.errorf(n.rng, "Reference to nothing", "Neither actor %q nor the file has a lock %q.%s", a.Name, n.name, dsl.DidYouMean(n.name, known))
		case slices.Contains(h.Locks, ref):
			c.errorf(n.rng, "Lock that is taken twice", "A session holds the lock %q already when it comes to it again, and would wait for itself.", n.name)
		default:
			if own && shared {
				c.warnf(n.rng, "Two locks of one name", "Actor %q has a lock %q and so has the file: its own is meant here. Write lock.%s for the other one, or rename one of them.", a.Name, n.name, n.name)
			}
			h.Locks = append(h.Locks, ref)
		}
	}
	return h
}

func (c *Compiler) toolSpec(a *declaredActor, b *dsl.Block, needs []string) *actor.ToolSpec {
	r := c.read(b)
	c.part(a, b)
	t := &actor.ToolSpec{Name: b.Name(), Takes: r.Duration("takes"), Timeout: r.Duration("timeout")}
	t.Uses, t.Needs = c.uses(a, b)
	t.Needs = append(needs, t.Needs...)
	t.Return, t.Source = c.returns(b, "arguments")
	return t
}

// part notes a handler or tool, whose names are one namespace.
func (c *Compiler) part(a *declaredActor, b *dsl.Block) {
	if prev, taken := a.parts[b.Name()]; taken && prev != b.DefRange {
		c.errorf(b.DefRange, "Duplicate name", "The %s %q is a duplicate: actor %q has a handler or tool of that name %s, and actor.%s.%s means one of them.", b.Type, b.Name(), a.Name, dsl.Declared(prev, b.DefRange), a.Name, b.Name())
		return
	}
	a.parts[b.Name()] = b.DefRange
}

// uses are the pools of which work holds a connection, and the modules that it
// needs.
func (c *Compiler) uses(a *declaredActor, b *dsl.Block) (pools, modules []string) {
	for _, n := range c.partNames(b, "uses", []string{"pool", "module"}) {
		isPool := slices.ContainsFunc(a.Pools, func(p *actor.PoolSpec) bool { return p.Name == n.name }) && n.root != "module"
		isModule := slices.ContainsFunc(a.Modules, func(m *actor.ModuleSpec) bool { return m.Name == n.name }) && n.root != "pool"
		switch {
		case isPool && isModule:
			c.errorf(n.rng, "Pool or module", "Actor %q has both a pool and a module %q: write pool.%s or module.%s.", a.Name, n.name, n.name, n.name)
		case isPool && slices.Contains(pools, n.name):
			c.errorf(n.rng, "Duplicate name", "The pool %q is named twice; work holds one connection of each pool that it uses.", n.name)
		case isPool:
			pools = append(pools, n.name)
		case isModule:
			modules = append(modules, n.name)
		default:
			known := append(plan.Names(a.Pools, func(p *actor.PoolSpec) string { return p.Name }), plan.Names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name })...)
			c.errorf(n.rng, "Reference to nothing", "Actor %q has no pool or module %q.%s", a.Name, n.name, dsl.DidYouMean(n.name, known))
		}
	}
	return pools, modules
}

// partName is a name inside an actor as it is written: a text, or a reference
// with its root.
type partName struct {
	root, name string
	rng        hcl.Range
}

// partNames reads a tuple of names, or a single one.
func (c *Compiler) partNames(b *dsl.Block, attr string, roots []string) []partName {
	a := b.Attr(attr)
	if a == nil {
		return nil
	}
	list := []hclsyntax.Expression{a.Expr}
	if t, ok := a.Expr.(*hclsyntax.TupleConsExpr); ok {
		list = t.Exprs
	}
	var out []partName
	for _, e := range list {
		if v, literal := dsl.Literal(e); literal {
			if v.IsNull() {
				continue
			}
			if v.Type() == cty.String {
				out = append(out, partName{"", v.AsString(), e.Range()})
				continue
			}
		}
		t, ok := e.(*hclsyntax.ScopeTraversalExpr)
		if ok && len(t.Traversal) == 2 && read.Contains(roots, t.Traversal.RootName()) {
			if name, ok := read.AttrName(t.Traversal, 1); ok {
				out = append(out, partName{t.Traversal.RootName(), name, e.Range()})
				continue
			}
		}
		c.errorf(e.Range(), "Wrong reference", "The attribute %q is a list of names such as [\"name\"], or of references such as %s.name.", attr, roots[0])
	}
	return out
}

// returns compiles the answer of a handler or tool.
func (c *Compiler) returns(b *dsl.Block, roots ...string) (compute actor.Return, source string) {
	e := exprOf(b, "return")
	if e == nil {
		return nil, ""
	}
	env := *c.staticEnv
	env.Where = "the return of " + b.Type + " " + b.Name()
	env.Roots = map[string]*schema.Shape{"var": c.staticEnv.Roots["var"], "local": c.staticEnv.Roots["local"]}
	for _, name := range roots {
		env.Roots[name] = &schema.Shape{}
	}
	if _, diags := dsl.Infer(e, &env); diags.HasErrors() {
		c.Diags = append(c.Diags, diags...)
		return nil, ""
	}
	statics := c.statics
	return func(arguments, result cty.Value) (cty.Value, error) {
		ctx := statics.NewChild()
		ctx.Variables = map[string]cty.Value{"arguments": arguments, "result": result}
		v, diags := dsl.Evaluate(e, ctx)
		if diags.HasErrors() {
			return read.Null, plan.ErrReturn{Why: plan.DiagText(diags), Rng: e.Range()}
		}
		return read.Normalise(v), nil
	}, string(dsl.AppendSource(nil, e))
}

// forwards finds what the handlers of an actor forward to.
func (c *Compiler) forwards(b *dsl.Block) {
	a := c.services.actors[b.Name()]
	for _, n := range b.All("handler") {
		e := exprOf(n, "forward_to")
		i := slices.IndexFunc(a.Handlers, func(h *actor.HandlerSpec) bool { return h.Name == n.Name() })
		if e == nil || i < 0 {
			continue
		}
		if t, ok := c.actorTarget(e, "forward_to"); ok {
			a.Handlers[i].ForwardTo = &t
		}
	}
}

// actorTarget reads a reference to a handler or tool of an actor.
func (c *Compiler) actorTarget(e hclsyntax.Expression, attr string) (actor.Target, bool) {
	if e == nil {
		return actor.Target{}, false // reported by the decoder
	}
	path, ok := actorPath(e)
	if !ok || len(path) != 2 && !(len(path) == 3 && (path[1] == "handler" || path[1] == "tool")) {
		c.errorf(e.Range(), "Wrong reference", "The attribute %q is a handler or tool of an actor, such as actor.name.handler.", attr)
		return actor.Target{}, false
	}
	t := actor.Target{Actor: path[0], Name: path[len(path)-1]}
	return t, c.knownTarget(t, e.Range())
}

// knownTarget complains about a target that no actor has.
func (c *Compiler) knownTarget(t actor.Target, rng hcl.Range) bool {
	a := c.services.actors[t.Actor]
	if a == nil {
		c.unknownRef(dsl.Reference{Type: "actor", Name: t.Actor, Range: rng}, c.services.order)
		return false
	}
	if _, known := a.parts[t.Name]; !known {
		parts := read.SortedNames(a.parts)
		hint := dsl.DidYouMean(t.Name, parts)
		if hint == "" && len(parts) > 0 {
			hint = " It has: " + strings.Join(parts, ", ") + "."
		}
		c.errorf(rng, "Reference to nothing", "Actor %q has no handler or tool %q.%s", t.Actor, t.Name, hint)
		return false
	}
	return true
}

// actorPath is what follows the root actor in a reference.
func actorPath(e hclsyntax.Expression) ([]string, bool) {
	st, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || st.Traversal.RootName() != "actor" {
		return nil, false
	}
	return tail(st.Traversal)
}

// tail are the names after the root of a reference.
func tail(t hcl.Traversal) ([]string, bool) {
	var path []string
	for i := 1; i < len(t); i++ {
		name, ok := read.AttrName(t, i)
		if !ok {
			return nil, false
		}
		path = append(path, name)
	}
	return path, len(path) > 0
}

// checkForwards warns of calls that come back to where they were: each of them
// will be refused.
func (c *Compiler) checkForwards() {
	for _, name := range c.services.order {
		for _, h := range c.services.actors[name].Handlers {
			path := []string{name}
			at := actor.Target{Actor: name, Name: h.Name}
			for next := h.ForwardTo; next != nil && !c.ownTool(at, *next); {
				back := slices.Contains(path, next.Actor)
				path = append(path, next.Actor)
				if back {
					if next.Actor == name && slices.Min(path) == name && !c.services.actors[name].Deep {
						c.warnf(c.services.actors[name].parts[h.Name], "Cycle among actors", "What is forwarded from here comes back: the cycle is %s. Such a call is refused with routing_cycle.", strings.Join(path, " -> "))
					}
					break
				}
				at, next = *next, c.forwardOf(*next)
			}
		}
	}
}

func (c *Compiler) forwardOf(t actor.Target) *actor.Target {
	a := c.services.actors[t.Actor]
	if a == nil {
		return nil
	}
	for _, h := range a.Handlers {
		if h.Name == t.Name {
			return h.ForwardTo
		}
	}
	return nil
}

// checkLockOrder warns of handlers that take the same two locks in different
// orders: two sessions of them can wait for each other.
func (c *Compiler) checkLockOrder() {
	type pair struct{ first, second string }
	type taker struct{ what string }
	seen := map[pair]taker{}
	for _, name := range c.services.order {
		a := c.services.actors[name]
		for _, h := range a.Handlers {
			what := "actor." + name + "." + h.Name
			var order []string
			for _, l := range h.Locks {
				address := "lock." + l.Name
				if l.Own {
					address = "actor." + name + "." + address
				}
				order = append(order, address)
			}
			for i, first := range order {
				for _, second := range order[i+1:] {
					if other, crossed := seen[pair{first: second, second: first}]; crossed {
						c.warnf(a.parts[h.Name], "Locks in two orders", "%s takes %s before %s, and %s takes them the other way round: two sessions can wait for each other without end. Take them in one order.", what, first, second, other.what)
					}
					if _, known := seen[pair{first: first, second: second}]; !known {
						seen[pair{first: first, second: second}] = taker{what: what}
					}
				}
			}
		}
	}
}

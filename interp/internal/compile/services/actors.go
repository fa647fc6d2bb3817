package services

import (
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
)

// Services are the actors, shared locks and registries of a file.
type Services struct {
	*unit.Unit
	Actors map[string]*Actor
	// Order lists the names of actors as they are declared.
	Order      []string
	Locks      []*actor.LockSpec
	Registries []*actor.RegistrySpec

	retries map[string]*policy.Retry
}

// An Actor is an actor with its place in the file.
type Actor struct {
	*actor.ActorSpec
	Range hcl.Range
	// Parts are the places of what a call can be for, by name.
	Parts map[string]hcl.Range
}

// Compile compiles what may be called; retries are the policies that starting up
// may name. What actors say of each other is looked at when all are known.
func Compile(u *unit.Unit, retries map[string]*policy.Retry) *Services {
	s := &Services{Unit: u, Actors: map[string]*Actor{}, retries: retries}
	for _, b := range s.Top("lock") {
		s.Locks = append(s.Locks, s.lockSpec(b))
	}
	for _, b := range s.Top("registry") {
		s.Registries = append(s.Registries, s.registrySpec(b))
	}
	blocks := s.Top("actor")
	for _, b := range blocks {
		if s.Actors[b.Name()] != nil {
			continue // reported by the decoder
		}
		s.Actors[b.Name()] = s.actorSpec(b)
		s.Order = append(s.Order, b.Name())
	}
	for _, b := range blocks {
		s.forwards(b)
	}
	s.checkForwards()
	s.checkLockOrder()
	return s
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

func (s *Services) lockSpec(b *dsl.Block) *actor.LockSpec {
	r := s.Read(b)
	l := &actor.LockSpec{Name: b.Name(), Capacity: max(1, r.Int("capacity")), MaxQueue: -1, AcquireTimeout: timeoutOf(r, "acquire_timeout")}
	if r.Has("max_queue") {
		l.MaxQueue = r.Int("max_queue")
	}
	return l
}

func (s *Services) registrySpec(b *dsl.Block) *actor.RegistrySpec {
	r := s.Read(b)
	g := &actor.RegistrySpec{
		Name: b.Name(), TTL: r.Duration("ttl"), QuarantineAfter: r.Duration("quarantine_after"), SweepEvery: r.Duration("sweep_every"),
		HeartbeatEvery: r.Duration("heartbeat_every"), SkewTolerance: r.Duration("skew_tolerance"), QuarantineOnFailures: r.Int("quarantine_on_failures"),
	}
	if !r.Has("quarantine_after") {
		g.QuarantineAfter = 2 * g.TTL
	}
	for _, name := range []string{"ttl", "sweep_every", "heartbeat_every"} {
		if r.Has(name) && r.Duration(name) == 0 {
			r.Errorf(name, "Wrong value", "The attribute %q must be longer than 0, or the registry would do nothing else.", name)
		}
	}
	if g.QuarantineAfter < g.TTL {
		r.Errorf("quarantine_after", "Quarantine before staleness", "An actor would be quarantined after %s of silence, before it is stale after %s: give a quarantine_after of at least the ttl.", g.QuarantineAfter, g.TTL)
	}
	if g.HeartbeatEvery > g.TTL {
		s.Warnf(b.DefRange, "Heartbeats too seldom", "An actor of registry %q is silent for %s between two heartbeats, and stale after %s: it would be refused in between. Give a ttl that is longer than heartbeat_every.", g.Name, g.HeartbeatEvery, g.TTL)
	}
	known := []string{"heartbeat", "register"}
	for _, how := range r.Strings("recover") {
		if !read.Contains(known, how) {
			r.Errorf("recover", "Wrong value", "An entry comes back by %q or %q, not by %q.%s", known[0], known[1], how, dsl.DidYouMean(how, known))
		}
		g.RecoverHeartbeat = g.RecoverHeartbeat || how == known[0]
		g.RecoverRegister = g.RecoverRegister || how == known[1]
	}
	return g
}

func (s *Services) actorSpec(b *dsl.Block) *Actor {
	r := s.Read(b)
	a := &Actor{Range: b.DefRange, Parts: map[string]hcl.Range{}, ActorSpec: &actor.ActorSpec{
		Name: b.Name(), ClockSkew: r.Duration("clock_skew"), Deep: r.String("cycles") == "depth", MaxHops: max(1, r.Int("max_hops")),
		Startup: actor.StartupSpec{Timeout: 300 * time.Second},
	}}
	if r.Has("clock_skew") && !r.Has("registry") {
		r.Errorf("clock_skew", "Attribute without a registry", "\"clock_skew\" is about the dates of heartbeats, which go to a registry, and actor %q names none: give registry = registry.name.", b.Name())
	}
	if ref := r.Ref("registry"); ref.Name != "" {
		a.Registry = ref.Name
		if !slices.ContainsFunc(s.Registries, func(g *actor.RegistrySpec) bool { return g.Name == ref.Name }) {
			s.UnknownRef(ref, plan.Names(s.Registries, func(g *actor.RegistrySpec) string { return g.Name }))
		}
	}
	for _, n := range b.All("lock") {
		a.Locks = append(a.Locks, s.lockSpec(n))
	}
	for _, n := range b.All("pool") {
		pr := s.Read(n)
		a.Pools = append(a.Pools, &actor.PoolSpec{
			Name: n.Name(), Size: max(1, pr.Int("size")), AcquireTimeout: timeoutOf(pr, "acquire_timeout"), StatementTimeout: timeoutOf(pr, "statement_timeout"),
		})
	}
	if n := b.First("startup"); n != nil {
		a.Startup = s.startup(n)
		if p := unit.Find(s.Unit, s.retries, s.Read(n).Ref("retry")); p != nil {
			a.Startup.Retry = *p
		}
	}
	s.modules(a, b)
	for _, n := range b.All("handler") {
		a.Handlers = append(a.Handlers, s.handlerSpec(a, n))
	}
	for _, n := range b.All("tool") {
		a.Tools = append(a.Tools, s.toolSpec(a, n, nil))
	}
	for _, m := range b.All("module") {
		for _, n := range m.All("tool") {
			a.Tools = append(a.Tools, s.toolSpec(a, n, []string{m.Name()}))
		}
	}
	return a
}

func (s *Services) startup(b *dsl.Block) actor.StartupSpec {
	r := s.Read(b)
	return actor.StartupSpec{Takes: r.Duration("takes"), Timeout: r.Duration("timeout")}
}

// modules puts the modules of an actor into the order in which they start:
// what one depends on comes before it, and otherwise the names decide.
func (s *Services) modules(a *Actor, b *dsl.Block) {
	left := map[string]*actor.ModuleSpec{}
	place := map[string]*dsl.Block{}
	for _, n := range b.All("module") {
		m := &actor.ModuleSpec{Name: n.Name(), DependsOn: s.Read(n).Strings("depends_on")}
		if b := n.First("startup"); b != nil {
			m.Startup = s.startup(b)
		}
		left[m.Name], place[m.Name] = m, n
	}
	all := read.SortedNames(left)
	for _, name := range all {
		for _, on := range left[name].DependsOn {
			if left[on] == nil {
				s.Errorf(dsl.Reader{Block: place[name]}.Range("depends_on"), "Reference to nothing", "Actor %q has no module %q.%s", a.Name, on, dsl.DidYouMean(on, all))
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
			s.Errorf(dsl.Reader{Block: place[path[0]]}.Range("depends_on"), "Cycle among modules", "Modules of actor %q wait for each other: the cycle is %s.", a.Name, strings.Join(path, " -> "))
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

func (s *Services) handlerSpec(a *Actor, b *dsl.Block) *actor.HandlerSpec {
	r := s.Read(b)
	s.part(a, b)
	h := &actor.HandlerSpec{Name: b.Name(), Takes: r.Duration("takes"), Timeout: r.Duration("timeout")}
	h.Uses, h.Needs = s.uses(a, b)
	h.Return, h.Source = s.returns(b, "arguments", "result")
	h.Works = r.Has("workflow")
	for _, n := range s.partNames(b, "lock", []string{"lock"}) {
		own := slices.ContainsFunc(a.Locks, func(l *actor.LockSpec) bool { return l.Name == n.name }) && n.root == ""
		shared := slices.ContainsFunc(s.Locks, func(l *actor.LockSpec) bool { return l.Name == n.name })
		ref := actor.LockRef{Name: n.name, Own: own}
		switch {
		case !own && !shared:
			known := append(plan.Names(a.Locks, func(l *actor.LockSpec) string { return l.Name }), plan.Names(s.Locks, func(l *actor.LockSpec) string { return l.Name })...)
			s.Errorf(n.rng, "Reference to nothing", "Neither actor %q nor the file has a lock %q.%s", a.Name, n.name, dsl.DidYouMean(n.name, known))
		case slices.Contains(h.Locks, ref):
			s.Errorf(n.rng, "Lock that is taken twice", "A session holds the lock %q already when it comes to it again, and would wait for itself.", n.name)
		default:
			if own && shared {
				s.Warnf(n.rng, "Two locks of one name", "Actor %q has a lock %q and so has the file: its own is meant here. Write lock.%s for the other one, or rename one of them.", a.Name, n.name, n.name)
			}
			h.Locks = append(h.Locks, ref)
		}
	}
	return h
}

func (s *Services) toolSpec(a *Actor, b *dsl.Block, needs []string) *actor.ToolSpec {
	r := s.Read(b)
	s.part(a, b)
	t := &actor.ToolSpec{Name: b.Name(), Takes: r.Duration("takes"), Timeout: r.Duration("timeout")}
	t.Uses, t.Needs = s.uses(a, b)
	t.Needs = append(needs, t.Needs...)
	t.Return, t.Source = s.returns(b, "arguments")
	return t
}

// part notes a handler or tool, whose names are one namespace.
func (s *Services) part(a *Actor, b *dsl.Block) {
	if prev, taken := a.Parts[b.Name()]; taken && prev != b.DefRange {
		s.Errorf(b.DefRange, "Duplicate name", "The %s %q is a duplicate: actor %q has a handler or tool of that name %s, and actor.%s.%s means one of them.", b.Type, b.Name(), a.Name, dsl.Declared(prev, b.DefRange), a.Name, b.Name())
		return
	}
	a.Parts[b.Name()] = b.DefRange
}

// uses are the pools of which work holds a connection, and the modules that it
// needs.
func (s *Services) uses(a *Actor, b *dsl.Block) (pools, modules []string) {
	for _, n := range s.partNames(b, "uses", []string{"pool", "module"}) {
		isPool := slices.ContainsFunc(a.Pools, func(p *actor.PoolSpec) bool { return p.Name == n.name }) && n.root != "module"
		isModule := slices.ContainsFunc(a.Modules, func(m *actor.ModuleSpec) bool { return m.Name == n.name }) && n.root != "pool"
		switch {
		case isPool && isModule:
			s.Errorf(n.rng, "Pool or module", "Actor %q has both a pool and a module %q: write pool.%s or module.%s.", a.Name, n.name, n.name, n.name)
		case isPool && slices.Contains(pools, n.name):
			s.Errorf(n.rng, "Duplicate name", "The pool %q is named twice; work holds one connection of each pool that it uses.", n.name)
		case isPool:
			pools = append(pools, n.name)
		case isModule:
			modules = append(modules, n.name)
		default:
			known := append(plan.Names(a.Pools, func(p *actor.PoolSpec) string { return p.Name }), plan.Names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name })...)
			s.Errorf(n.rng, "Reference to nothing", "Actor %q has no pool or module %q.%s", a.Name, n.name, dsl.DidYouMean(n.name, known))
		}
	}
	return pools, modules
}

// returns compiles the answer of a handler or tool.
func (s *Services) returns(b *dsl.Block, roots ...string) (compute actor.Return, source string) {
	e := b.Expr("return")
	if e == nil {
		return nil, ""
	}
	env := *s.Static
	env.Where = "the return of " + b.Type + " " + b.Name()
	env.Roots = map[string]*schema.Shape{"var": s.Static.Roots["var"], "local": s.Static.Roots["local"]}
	for _, name := range roots {
		env.Roots[name] = &schema.Shape{}
	}
	if _, diags := dsl.Infer(e, &env); diags.HasErrors() {
		s.Diags = append(s.Diags, diags...)
		return nil, ""
	}
	statics := s.Statics
	return func(within actor.Within, arguments, result cty.Value) (cty.Value, error) {
		ctx := within(statics).NewChild()
		ctx.Variables = map[string]cty.Value{"arguments": arguments, "result": result}
		v, diags := dsl.Evaluate(e, ctx)
		if diags.HasErrors() {
			return read.Null, plan.ErrReturn{Why: plan.DiagText(diags), Rng: e.Range()}
		}
		return read.Normalise(v), nil
	}, string(dsl.AppendSource(nil, e))
}

// forwards finds what the handlers of an actor forward to.
func (s *Services) forwards(b *dsl.Block) {
	a := s.Actors[b.Name()]
	for _, n := range b.All("handler") {
		e := n.Expr("forward_to")
		i := slices.IndexFunc(a.Handlers, func(h *actor.HandlerSpec) bool { return h.Name == n.Name() })
		if e == nil || i < 0 {
			continue
		}
		if t, ok := s.Target(e, "forward_to"); ok {
			a.Handlers[i].ForwardTo = &t
		}
	}
}

package observe

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// SessionFields are the attributes of one session of an actor.
var SessionFields = []read.Field[sessionResult]{
	{Name: "call", Shape: read.OneOf(read.Caller), Doc: "The call or step that it is of.", Value: func(s *sessionResult) cty.Value { return read.Text(s.call) }},
	{Name: "handler", Shape: read.OneOf(read.Handler), Doc: "The handler.", Value: func(s *sessionResult) cty.Value { return read.Text(s.handler) }},
	{Name: "queued_ms", Shape: read.NumberShape, Doc: "When the call was made.", Value: func(s *sessionResult) cty.Value { return read.Millis(s.queued) }},
	{Name: "started_ms", Shape: read.NumberShape, Doc: "When all its locks were held.", Value: func(s *sessionResult) cty.Value { return read.Millis(s.start) }},
	{Name: "ended_ms", Shape: read.Nullable(read.NumberShape), Doc: "When it ended.", Value: func(s *sessionResult) cty.Value { return read.Ended(s.over, s.ended) }},
	{Name: "waited_ms", Shape: read.NumberShape, Doc: "How long it waited for its locks.", Value: func(s *sessionResult) cty.Value { return read.Millis(s.start - s.queued) }},
	{Name: "status", Shape: read.Nullable(read.OneOf(sessionStatus)), Doc: `"success", "failed", "timeout" or "cancelled".`, Value: func(s *sessionResult) cty.Value { return read.TextOrNull(s.status) }},
	{Name: "error", Shape: read.FailureShape, Doc: "Why it did not succeed.", Nested: func(s *sessionResult, need *read.Needs) cty.Value { return read.FailureVal(s.err, need) }},
}

// ModuleFields are the attributes of one module of an actor.
var ModuleFields = []read.Field[moduleResult]{
	{Name: "status", Shape: read.Nullable(read.OneOf(moduleState)), Doc: `"active", "failed" or "cascade_failed"; null before it has started.`, Value: func(m *moduleResult) cty.Value { return read.TextOrNull(m.status) }},
	{Name: "phase", Shape: read.Nullable(read.OneOf(modulePhase)), Doc: `Where it failed: "config", "migration", "credentials", "startup", "tools", or "dependency".`, Value: func(m *moduleResult) cty.Value { return read.TextOrNull(m.phase) }},
	{Name: "error", Shape: read.Nullable(read.TextShape), Doc: "Why it failed.", Value: func(m *moduleResult) cty.Value { return read.TextOrNull(m.message) }},
}

var waitFields = []read.Field[waitResult]{
	{Name: "call", Shape: read.OneOf(read.Caller), Doc: "Who waited.", Value: func(w *waitResult) cty.Value { return read.Text(w.call) }},
	{Name: "waited_ms", Shape: read.Nullable(read.NumberShape), Doc: "How long, also where it waited in vain; null while it waits.", Value: func(w *waitResult) cty.Value { return read.Ended(w.over, w.waited) }},
}

func waitsVal(list []*waitResult, need *read.Needs) cty.Value {
	return read.Elements(list, need, func(w *waitResult, part *read.Needs) cty.Value { return read.Object(waitFields, w, part) })
}

var waitsShape = read.TupleOf(read.ShapeOf("wait", waitFields))

// LockFields are the attributes of a lock.
var LockFields = []read.Field[lockResult]{
	{Name: "holders", Shape: read.ListOf(read.Caller), Doc: "Who holds it now.", Value: func(l *lockResult) cty.Value { return read.Texts(l.holders) }},
	{Name: "waits", Shape: waitsShape, Doc: "Everybody who had to wait, in order.", Nested: func(l *lockResult, need *read.Needs) cty.Value { return waitsVal(l.waits, need) }},
	{Name: "max_queue", Shape: read.NumberShape, Doc: "Most waiters at one time.", Value: func(l *lockResult) cty.Value { return read.Number(l.maxQueue) }},
}

// PoolFields are the attributes of a pool.
var PoolFields = []read.Field[poolResult]{
	{Name: "size", Shape: read.NumberShape, Doc: "Its connections.", Value: func(p *poolResult) cty.Value { return read.Number(p.size) }},
	{Name: "in_use", Shape: read.NumberShape, Doc: "Connections in use now.", Value: func(p *poolResult) cty.Value { return read.Number(p.inUse) }},
	{Name: "in_use_max", Shape: read.NumberShape, Doc: "Most connections in use at one time.", Value: func(p *poolResult) cty.Value { return read.Number(p.inUseMax) }},
	{Name: "waits", Shape: waitsShape, Doc: "Everybody who had to wait, in order.", Nested: func(p *poolResult, need *read.Needs) cty.Value { return waitsVal(p.waits, need) }},
	{Name: "max_queue", Shape: read.NumberShape, Doc: "Most waiters at one time.", Value: func(p *poolResult) cty.Value { return read.Number(p.maxQueue) }},
	{Name: "timeouts", Shape: read.NumberShape, Doc: "Waits that ended in pool_timeout.", Value: func(p *poolResult) cty.Value { return read.Number(p.timeouts) }},
}

// ChangeFields are the attributes of one change of a registry.
var ChangeFields = []read.Field[registryChange]{
	{Name: "at_ms", Shape: read.NumberShape, Doc: "When.", Value: func(c *registryChange) cty.Value { return read.Millis(c.at) }},
	{Name: "actor", Shape: read.OneOf(read.Actor), Doc: "Whose entry.", Value: func(c *registryChange) cty.Value { return read.Text(c.actor) }},
	{Name: "from", Shape: read.OneOf(entryState), Doc: "The state before.", Value: func(c *registryChange) cty.Value { return read.Text(c.from) }},
	{Name: "to", Shape: read.OneOf(entryState), Doc: "The state after.", Value: func(c *registryChange) cty.Value { return read.Text(c.to) }},
	{Name: "reason", Shape: read.OneOf(stateReason), Doc: "Why it changed.", Value: func(c *registryChange) cty.Value { return read.Text(c.reason) }},
}

// RegistryFields are the attributes of a registry.
var RegistryFields = []read.Field[registryResult]{
	{Name: "log", Shape: read.TupleOf(read.ShapeOf("change", ChangeFields)), Doc: "Every change of state, in order. The first registration of an actor is none.", Nested: func(r *registryResult, need *read.Needs) cty.Value {
		return read.Elements(r.log, need, func(c registryChange, part *read.Needs) cty.Value { return read.Object(ChangeFields, &c, part) })
	}},
	{Name: "states", Shape: statesShape, Doc: `The state of every actor that has registered: "active", "stale" or "quarantined".`, Value: func(r *registryResult) cty.Value { return stringsVal(r.states) }},
}

// statesShape has a state for each of some actors.
var statesShape = &schema.Shape{Kind: schema.ShapeObject, Name: "the states of a registry", Observed: true, Open: true, Nullable: true, Keys: read.OneOf(read.Actor), Elem: read.OneOf(entryState)}

func stringsVal(m map[string]string) cty.Value {
	vals := make(map[string]cty.Value, len(m))
	for name, s := range m {
		vals[name] = read.Text(s)
	}
	return cty.ObjectVal(vals)
}

// partVals are the parts of an actor by name, as far as they are read.
func partVals[T any](fields []read.Field[T], parts map[string]*T, need *read.Needs) cty.Value {
	vals := map[string]cty.Value{}
	for name, part := range need.Each(maps.Keys(parts)) {
		if p := parts[name]; p != nil {
			vals[name] = read.Object(fields, p, part)
		}
	}
	return cty.ObjectVal(vals)
}

var partsShape = &schema.Shape{Kind: schema.ShapeObject, Observed: true}

// ActorFields are the attributes of actor.NAME.
var ActorFields = []read.Field[actorResult]{
	{Name: "status", Shape: read.OneOf(actorStatus), Doc: `"starting", "running", "draining", "unreachable", "dead" or "failed".`, Value: func(a *actorResult) cty.Value { return read.Text(a.status) }},
	{Name: "sessions", Shape: read.TupleOf(read.ShapeOf("session", SessionFields)), Doc: "What its handlers did, in order of starting.", Nested: func(a *actorResult, need *read.Needs) cty.Value {
		return read.Elements(a.sessions, need, func(s *sessionResult, part *read.Needs) cty.Value { return read.Object(SessionFields, s, part) })
	}},
	{Name: "modules", Shape: partsShape, Doc: "Its modules by name.", Nested: func(a *actorResult, need *read.Needs) cty.Value { return partVals(ModuleFields, a.modules, need) }},
	{Name: "order", Shape: read.ListOf(read.Module), Doc: "Its modules in order of starting.", Value: func(a *actorResult) cty.Value { return read.Texts(a.order) }},
	{Name: "handlers", Shape: partsShape, Doc: "Its handlers that run a workflow by name: what that came to in the last session.", Nested: func(a *actorResult, need *read.Needs) cty.Value {
		vals := map[string]cty.Value{}
		for name, part := range need.Each(maps.Keys(a.handlers)) {
			if s := a.handlers[name](); s != nil {
				vals[name] = StepVal(s, part)
			}
		}
		return cty.ObjectVal(vals)
	}},
	{Name: "locks", Shape: partsShape, Doc: "Its own locks by name.", Nested: func(a *actorResult, need *read.Needs) cty.Value { return partVals(LockFields, a.locks, need) }},
	{Name: "pools", Shape: partsShape, Doc: "Its pools by name.", Nested: func(a *actorResult, need *read.Needs) cty.Value { return partVals(PoolFields, a.pools, need) }},
}

// callAttempts are the calls of an actor that a step made. A call is there once
// it has ended.
var callAttempts = read.Field[StepResult]{
	Name: "attempts", Shape: read.Nullable(read.TupleOf(read.ShapeOf("attempt of a call", callAttemptFields))),
	Doc:    "Every call of the actor that has ended, in order.",
	Nested: func(s *StepResult, need *read.Needs) cty.Value { return attemptsVal(s.attempts, need) },
	Direct: func(s *StepResult) plain.Value { return plain.ListOf(attemptList(s.attempts)) },
}

// callFields are what a call has beside the common attributes of a step.
var callFields = []read.Field[StepResult]{
	callAttempts,
	{Name: "value", Shape: read.AnyShape, Doc: "What it was answered; null where it failed.", Value: func(s *StepResult) cty.Value { return s.Output }},
}

// The shapes of services.
var (
	LockShape     = read.ShapeOf("lock", LockFields)
	poolShape     = read.ShapeOf("pool", PoolFields)
	moduleShape   = read.ShapeOf("module", ModuleFields)
	RegistryShape = read.ShapeOf("registry", RegistryFields)
)

// HandlerFields are what a handler that runs a workflow can be asked for,
// beside the steps of that by name.
var (
	HandlerFields = []read.Field[StepResult]{
		{Name: "run", Shape: read.Nullable(read.ShapeOf("run", RunFields)), Doc: "The run of the workflow, with the attributes of `run`.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return RunVal(s.Ran, need) }},
		{Name: "usage", Shape: usageShape, Doc: "Tokens of all answers in all sessions.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }},
	}
	HandlerShape = read.ShapeOf("handler", HandlerFields)
)

// ActorShape is what a certain actor can be asked for.
func ActorShape(a *actor.ActorSpec, working []*plan.HandlerWork) *schema.Shape {
	s := read.ShapeOf("actor", ActorFields)
	within := "in actor \"" + a.Name + "\""
	parts := func(attr, noun string, part *schema.Shape, list []string) {
		attrs := make(map[string]*schema.Shape, len(list))
		for _, name := range list {
			attrs[name] = part
		}
		d := plan.Directory(noun, within, attrs)
		d.Doc, d.Observed = s.Attrs[attr].Doc, true
		s.Attrs[attr] = d
	}
	parts("modules", "module", moduleShape, plan.Names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name }))
	handlers := map[string]*schema.Shape{}
	for _, w := range working {
		handlers[w.Target.Name] = w.Node.Step.Shape
	}
	d := plan.Directory("handler with a workflow", within, handlers)
	d.Doc, d.Observed = s.Attrs["handlers"].Doc, true
	s.Attrs["handlers"] = d
	parts("locks", "lock", LockShape, plan.Names(a.Locks, func(l *actor.LockSpec) string { return l.Name }))
	parts("pools", "pool", poolShape, plan.Names(a.Pools, func(p *actor.PoolSpec) string { return p.Name }))
	return s
}

// serviceValues gives those roots their values, as far as they are read.
func (o *Observed) serviceValues(ctx *hcl.EvalContext, n *read.Needs) {
	if need := n.Of("call"); need != nil {
		ctx.Variables["call"] = o.callRoot(need)
	}
	if need := n.Of("actor"); need != nil {
		ctx.Variables["actor"] = partVals(ActorFields, o.actors, need)
	}
	if need := n.Of("lock"); need != nil {
		ctx.Variables["lock"] = partVals(LockFields, o.locks, need)
	}
	if need := n.Of("registry"); need != nil {
		ctx.Variables["registry"] = partVals(RegistryFields, o.registries, need)
	}
}

func (o *Observed) callRoot(need *read.Needs) cty.Value {
	calls := map[string]cty.Value{}
	for name, part := range need.Each(maps.Keys(o.Calls)) {
		switch list, known := o.Calls[name]; {
		case !known:
		case o.Plan.Several(name):
			calls[name] = read.Elements(list, part, func(s *StepResult, part *read.Needs) cty.Value { return StepVal(s, part) })
		default:
			calls[name] = StepVal(list[0], part)
		}
	}
	return cty.ObjectVal(calls)
}

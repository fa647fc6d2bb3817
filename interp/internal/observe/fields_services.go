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
	read.Attr("call", read.OneOf(read.Caller), "The call or step that it is of.", func(s *sessionResult) cty.Value { return read.Text(s.call) }),
	read.Attr("handler", read.OneOf(read.Handler), "The handler.", func(s *sessionResult) cty.Value { return read.Text(s.handler) }),
	read.Attr("queued_ms", read.NumberShape, "When the call was made.", func(s *sessionResult) cty.Value { return read.Millis(s.queued) }),
	read.Attr("started_ms", read.NumberShape, "When all its locks were held.", func(s *sessionResult) cty.Value { return read.Millis(s.start) }),
	read.Attr("ended_ms", read.Nullable(read.NumberShape), "When it ended.", func(s *sessionResult) cty.Value { return read.Ended(s.over, s.ended) }),
	read.Attr("waited_ms", read.NumberShape, "How long it waited for its locks.", func(s *sessionResult) cty.Value { return read.Millis(s.start - s.queued) }),
	read.Attr("status", read.Nullable(read.OneOf(sessionStatus)), `"success", "failed", "timeout" or "cancelled".`, func(s *sessionResult) cty.Value { return read.TextOrNull(s.status) }),
	read.Part("error", read.FailureShape, "Why it did not succeed.", func(s *sessionResult, need *read.Needs) cty.Value { return read.FailureVal(s.err, need) }),
}

// ModuleFields are the attributes of one module of an actor.
var ModuleFields = []read.Field[moduleResult]{
	read.Attr("status", read.Nullable(read.OneOf(moduleState)), `"active", "failed" or "cascade_failed"; null before it has started.`, func(m *moduleResult) cty.Value { return read.TextOrNull(m.status) }),
	read.Attr("phase", read.Nullable(read.OneOf(modulePhase)), `Where it failed: "config", "migration", "credentials", "startup", "tools", or "dependency".`, func(m *moduleResult) cty.Value { return read.TextOrNull(m.phase) }),
	read.Attr("error", read.Nullable(read.TextShape), "Why it failed.", func(m *moduleResult) cty.Value { return read.TextOrNull(m.message) }),
}

var waitFields = []read.Field[waitResult]{
	read.Attr("call", read.OneOf(read.Caller), "Who waited.", func(w *waitResult) cty.Value { return read.Text(w.call) }),
	read.Attr("waited_ms", read.Nullable(read.NumberShape), "How long, also where it waited in vain; null while it waits.", func(w *waitResult) cty.Value { return read.Ended(w.over, w.waited) }),
}

func waitsVal(list []*waitResult, need *read.Needs) cty.Value {
	return read.Elements(list, need, func(w *waitResult, part *read.Needs) cty.Value { return read.Object(waitFields, w, part) })
}

var waitsShape = read.TupleOf(read.ShapeOf("wait", waitFields))

// LockFields are the attributes of a lock.
var LockFields = []read.Field[lockResult]{
	read.Attr("holders", read.ListOf(read.Caller), "Who holds it now.", func(l *lockResult) cty.Value { return read.Texts(l.holders) }),
	read.Part("waits", waitsShape, "Everybody who had to wait, in order.", func(l *lockResult, need *read.Needs) cty.Value { return waitsVal(l.waits, need) }),
	read.Attr("max_queue", read.NumberShape, "Most waiters at one time.", func(l *lockResult) cty.Value { return read.Number(l.maxQueue) }),
}

// PoolFields are the attributes of a pool.
var PoolFields = []read.Field[poolResult]{
	read.Attr("size", read.NumberShape, "Its connections.", func(p *poolResult) cty.Value { return read.Number(p.size) }),
	read.Attr("in_use", read.NumberShape, "Connections in use now.", func(p *poolResult) cty.Value { return read.Number(p.inUse) }),
	read.Attr("in_use_max", read.NumberShape, "Most connections in use at one time.", func(p *poolResult) cty.Value { return read.Number(p.inUseMax) }),
	read.Part("waits", waitsShape, "Everybody who had to wait, in order.", func(p *poolResult, need *read.Needs) cty.Value { return waitsVal(p.waits, need) }),
	read.Attr("max_queue", read.NumberShape, "Most waiters at one time.", func(p *poolResult) cty.Value { return read.Number(p.maxQueue) }),
	read.Attr("timeouts", read.NumberShape, "Waits that ended in pool_timeout.", func(p *poolResult) cty.Value { return read.Number(p.timeouts) }),
}

// ChangeFields are the attributes of one change of a registry.
var ChangeFields = []read.Field[registryChange]{
	read.Attr("at_ms", read.NumberShape, "When.", func(c *registryChange) cty.Value { return read.Millis(c.at) }),
	read.Attr("actor", read.OneOf(read.Actor), "Whose entry.", func(c *registryChange) cty.Value { return read.Text(c.actor) }),
	read.Attr("from", read.OneOf(entryState), "The state before.", func(c *registryChange) cty.Value { return read.Text(c.from) }),
	read.Attr("to", read.OneOf(entryState), "The state after.", func(c *registryChange) cty.Value { return read.Text(c.to) }),
	read.Attr("reason", read.OneOf(stateReason), "Why it changed.", func(c *registryChange) cty.Value { return read.Text(c.reason) }),
}

// RegistryFields are the attributes of a registry.
var RegistryFields = []read.Field[registryResult]{
	read.Part("log", read.TupleOf(read.ShapeOf("change", ChangeFields)), "Every change of state, in order. The first registration of an actor is none.", func(r *registryResult, need *read.Needs) cty.Value {
		return read.Elements(r.log, need, func(c registryChange, part *read.Needs) cty.Value { return read.Object(ChangeFields, &c, part) })
	}),
	read.Attr("states", statesShape, `The state of every actor that has registered: "active", "stale" or "quarantined".`, func(r *registryResult) cty.Value { return stringsVal(r.states) }),
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
	read.Attr("status", read.OneOf(actorStatus), `"starting", "running", "draining", "unreachable", "dead" or "failed".`, func(a *actorResult) cty.Value { return read.Text(a.status) }),
	read.Part("sessions", read.TupleOf(read.ShapeOf("session", SessionFields)), "What its handlers did, in order of starting.", func(a *actorResult, need *read.Needs) cty.Value {
		return read.Elements(a.sessions, need, func(s *sessionResult, part *read.Needs) cty.Value { return read.Object(SessionFields, s, part) })
	}),
	read.Part("modules", partsShape, "Its modules by name.", func(a *actorResult, need *read.Needs) cty.Value { return partVals(ModuleFields, a.modules, need) }),
	read.Attr("order", read.ListOf(read.Module), "Its modules in order of starting.", func(a *actorResult) cty.Value { return read.Texts(a.order) }),
	read.Part("handlers", partsShape, "Its handlers that run a workflow by name: what that came to in the last session.", func(a *actorResult, need *read.Needs) cty.Value {
		vals := map[string]cty.Value{}
		for name, part := range need.Each(maps.Keys(a.handlers)) {
			if s := a.handlers[name](); s != nil {
				vals[name] = StepVal(s, part)
			}
		}
		return cty.ObjectVal(vals)
	}),
	read.Part("locks", partsShape, "Its own locks by name.", func(a *actorResult, need *read.Needs) cty.Value { return partVals(LockFields, a.locks, need) }),
	read.Part("pools", partsShape, "Its pools by name.", func(a *actorResult, need *read.Needs) cty.Value { return partVals(PoolFields, a.pools, need) }),
}

// callAttempts are the calls of an actor that a step made. A call is there once
// it has ended.
var callAttempts = read.Part("attempts", read.Nullable(read.TupleOf(read.ShapeOf("attempt of a call", callAttemptFields))), "Every call of the actor that has ended, in order.", func(s *StepResult, need *read.Needs) cty.Value { return attemptsVal(s.attempts, need) }).Directly(func(s *StepResult) plain.Value { return plain.ListOf(attemptList(s.attempts)) })

// callFields are what a call has beside the common attributes of a step.
var callFields = []read.Field[StepResult]{
	callAttempts,
	read.Attr("value", read.AnyShape, "What it was answered; null where it failed.", func(s *StepResult) cty.Value { return s.Output }),
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
		read.Part("run", read.Nullable(read.ShapeOf("run", RunFields)), "The run of the workflow, with the attributes of `run`.", func(s *StepResult, need *read.Needs) cty.Value { return RunVal(s.Ran, need) }),
		read.Part("usage", usageShape, "Tokens of all answers in all sessions.", func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }),
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

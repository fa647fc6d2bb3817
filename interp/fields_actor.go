package interp

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/schema"
)

var sessionFields = []field[sessionResult]{
	{"call", textShape, "The call or step that it is of.", func(s *sessionResult) cty.Value { return text(s.call) }, nil},
	{"handler", textShape, "The handler.", func(s *sessionResult) cty.Value { return text(s.handler) }, nil},
	{"queued_ms", numberShape, "When the call was made.", func(s *sessionResult) cty.Value { return millis(s.queued) }, nil},
	{"started_ms", numberShape, "When all its locks were held.", func(s *sessionResult) cty.Value { return millis(s.start) }, nil},
	{"ended_ms", nullable(numberShape), "When it ended.", func(s *sessionResult) cty.Value { return ended(s.over, s.ended) }, nil},
	{"waited_ms", numberShape, "How long it waited for its locks.", func(s *sessionResult) cty.Value { return millis(s.start - s.queued) }, nil},
	{"status", nullable(oneOf(statusSuccess, statusFailed, statusTimeout, statusCancelled)), `"success", "failed", "timeout" or "cancelled".`, func(s *sessionResult) cty.Value { return textOrNull(s.status) }, nil},
	{"error", failureShape, "Why it did not succeed.", nil, func(s *sessionResult, read *needs) cty.Value { return failureVal(s.err, read) }},
}

var moduleFields = []field[moduleResult]{
	{"status", nullable(oneOf("active", "failed", "cascade_failed")), `"active", "failed" or "cascade_failed"; null before it has started.`, func(m *moduleResult) cty.Value { return textOrNull(m.status) }, nil},
	{"phase", nullable(oneOf("config", "migration", "credentials", "startup", "tools", "dependency")), `Where it failed: "config", "migration", "credentials", "startup", "tools", or "dependency".`, func(m *moduleResult) cty.Value { return textOrNull(m.phase) }, nil},
	{"error", nullable(textShape), "Why it failed.", func(m *moduleResult) cty.Value { return textOrNull(m.message) }, nil},
}

var waitFields = []field[waitResult]{
	{"call", textShape, "Who waited.", func(w *waitResult) cty.Value { return text(w.call) }, nil},
	{"waited_ms", nullable(numberShape), "How long, also where it waited in vain; null while it waits.", func(w *waitResult) cty.Value { return ended(w.over, w.waited) }, nil},
}

func waitsVal(list []*waitResult, read *needs) cty.Value {
	return tupleVal(list, func(w *waitResult) cty.Value { return object(waitFields, w, read) })
}

var waitsShape = tupleOf(shapeOf("wait", waitFields))

var lockFields = []field[lockResult]{
	{"holders", tupleOf(textShape), "Who holds it now.", func(l *lockResult) cty.Value { return texts(l.holders) }, nil},
	{"waits", waitsShape, "Everybody who had to wait, in order.", nil, func(l *lockResult, read *needs) cty.Value { return waitsVal(l.waits, read) }},
	{"max_queue", numberShape, "Most waiters at one time.", func(l *lockResult) cty.Value { return number(l.maxQueue) }, nil},
}

var poolFields = []field[poolResult]{
	{"size", numberShape, "Its connections.", func(p *poolResult) cty.Value { return number(p.size) }, nil},
	{"in_use", numberShape, "Connections in use now.", func(p *poolResult) cty.Value { return number(p.inUse) }, nil},
	{"in_use_max", numberShape, "Most connections in use at one time.", func(p *poolResult) cty.Value { return number(p.inUseMax) }, nil},
	{"waits", waitsShape, "Everybody who had to wait, in order.", nil, func(p *poolResult, read *needs) cty.Value { return waitsVal(p.waits, read) }},
	{"max_queue", numberShape, "Most waiters at one time.", func(p *poolResult) cty.Value { return number(p.maxQueue) }, nil},
	{"timeouts", numberShape, "Waits that ended in pool_timeout.", func(p *poolResult) cty.Value { return number(p.timeouts) }, nil},
}

var changeFields = []field[registryChange]{
	{"at_ms", numberShape, "When.", func(c *registryChange) cty.Value { return millis(c.at) }, nil},
	{"actor", textShape, "Whose entry.", func(c *registryChange) cty.Value { return text(c.actor) }, nil},
	{"from", textShape, "The state before.", func(c *registryChange) cty.Value { return text(c.from) }, nil},
	{"to", textShape, "The state after.", func(c *registryChange) cty.Value { return text(c.to) }, nil},
	{"reason", textShape, "Why it changed.", func(c *registryChange) cty.Value { return text(c.reason) }, nil},
}

var registryFields = []field[registryResult]{
	{"log", tupleOf(shapeOf("change", changeFields)), "Every change of state, in order. The first registration of an actor is none.", nil, func(r *registryResult, read *needs) cty.Value {
		return tupleVal(r.log, func(c registryChange) cty.Value { return object(changeFields, &c, read) })
	}},
	{"states", openShape, `The state of every actor that has registered: "active", "stale" or "quarantined".`, func(r *registryResult) cty.Value { return stringsVal(r.states) }, nil},
}

func stringsVal(m map[string]string) cty.Value {
	vals := make(map[string]cty.Value, len(m))
	for name, s := range m {
		vals[name] = text(s)
	}
	return cty.ObjectVal(vals)
}

// partVals are the parts of an actor by name, as far as they are read.
func partVals[T any](fields []field[T], parts map[string]*T, read *needs) cty.Value {
	vals := map[string]cty.Value{}
	for name, part := range read.each(maps.Keys(parts)) {
		if p := parts[name]; p != nil {
			vals[name] = object(fields, p, part)
		}
	}
	return cty.ObjectVal(vals)
}

var partsShape = &schema.Shape{Kind: schema.ShapeObject, Observed: true}

var actorFields = []field[actorResult]{
	{"status", oneOf("starting", "running", "draining", "unreachable", "dead", "failed"), `"starting", "running", "draining", "unreachable", "dead" or "failed".`, func(a *actorResult) cty.Value { return text(a.status) }, nil},
	{"sessions", tupleOf(shapeOf("session", sessionFields)), "What its handlers did, in order of starting.", nil, func(a *actorResult, read *needs) cty.Value {
		return tupleVal(a.sessions, func(s *sessionResult) cty.Value { return object(sessionFields, s, read) })
	}},
	{"modules", partsShape, "Its modules by name.", nil, func(a *actorResult, read *needs) cty.Value { return partVals(moduleFields, a.modules, read) }},
	{"order", tupleOf(textShape), "Its modules in order of starting.", func(a *actorResult) cty.Value { return texts(a.order) }, nil},
	{"handlers", partsShape, "Its handlers that run a workflow by name: what that came to in the last session.", nil, func(a *actorResult, read *needs) cty.Value {
		vals := map[string]cty.Value{}
		for name, part := range read.each(maps.Keys(a.handlers)) {
			if s := a.handlers[name](); s != nil {
				vals[name] = stepVal(s, part)
			}
		}
		return cty.ObjectVal(vals)
	}},
	{"locks", partsShape, "Its own locks by name.", nil, func(a *actorResult, read *needs) cty.Value { return partVals(lockFields, a.locks, read) }},
	{"pools", partsShape, "Its pools by name.", nil, func(a *actorResult, read *needs) cty.Value { return partVals(poolFields, a.pools, read) }},
}

// callFields are what a call has beside the common attributes of a step.
var callFields = []field[stepResult]{
	{"value", anyShape, "What it was answered; null where it failed.", func(s *stepResult) cty.Value { return s.output }, nil},
}

var (
	callStepFields = append(append([]field[stepResult]{}, stepFields...), callFields...)
	callStepShape  = shapeOf("call", callStepFields)
	lockShape      = shapeOf("lock", lockFields)
	poolShape      = shapeOf("pool", poolFields)
	moduleShape    = shapeOf("module", moduleFields)
	registryShape  = shapeOf("registry", registryFields)
)

// handlerFields are what a handler that runs a workflow can be asked for,
// beside the steps of that by name.
var (
	handlerFields = []field[stepResult]{
		{"run", nullable(shapeOf("run", runFields)), "The run of the workflow, with the attributes of `run`.", nil, func(s *stepResult, read *needs) cty.Value { return runVal(s.ran, read) }},
		{"usage", usageShape, "Tokens of all answers in all sessions.", nil, func(s *stepResult, read *needs) cty.Value { return object(usageFields, &s.usage, read) }},
	}
	handlerShape = shapeOf("handler", handlerFields)
)

// actorShape is what a certain actor can be asked for.
func actorShape(a *actor.ActorSpec, working []*handlerWork) *schema.Shape {
	s := shapeOf("actor", actorFields)
	within := "in actor \"" + a.Name + "\""
	parts := func(attr, noun string, part *schema.Shape, list []string) {
		attrs := make(map[string]*schema.Shape, len(list))
		for _, name := range list {
			attrs[name] = part
		}
		d := directory(noun, within, attrs)
		d.Doc, d.Observed = s.Attrs[attr].Doc, true
		s.Attrs[attr] = d
	}
	parts("modules", "module", moduleShape, names(a.Modules, func(m *actor.ModuleSpec) string { return m.Name }))
	handlers := map[string]*schema.Shape{}
	for _, w := range working {
		handlers[w.target.Name] = w.node.step.shape
	}
	d := directory("handler with a workflow", within, handlers)
	d.Doc, d.Observed = s.Attrs["handlers"].Doc, true
	s.Attrs["handlers"] = d
	parts("locks", "lock", lockShape, names(a.Locks, func(l *actor.LockSpec) string { return l.Name }))
	parts("pools", "pool", poolShape, names(a.Pools, func(p *actor.PoolSpec) string { return p.Name }))
	return s
}

// serviceRoots adds what a condition may ask of calls, actors, locks and
// registries.
func (sc *scenarioCompiler) serviceRoots(roots map[string]*schema.Shape) {
	calls := map[string]*schema.Shape{}
	for _, d := range sc.p.drivers {
		switch {
		case d.call == nil:
		case d.step != nil:
			calls[d.name] = d.step.shape
		case d.call.several:
			calls[d.name] = tupleOf(callStepShape)
		default:
			calls[d.name] = callStepShape
		}
	}
	actors, locks, registries := map[string]*schema.Shape{}, map[string]*schema.Shape{}, map[string]*schema.Shape{}
	for name, a := range sc.services.actors {
		actors[name] = actorShape(a.ActorSpec, sc.working(a.ActorSpec))
	}
	for _, l := range sc.services.locks {
		locks[l.Name] = lockShape
	}
	for _, r := range sc.services.registries {
		registries[r.Name] = registryShape
	}
	roots["call"] = directory("call", "in this scenario", calls)
	roots["actor"] = directory("actor", inFile, actors)
	roots["lock"] = directory("lock", inFile, locks)
	roots["registry"] = directory("registry", inFile, registries)
}

// serviceValues gives those roots their values, as far as they are read.
func (o *observed) serviceValues(ctx *hcl.EvalContext, n *needs) {
	if read := n.of("call"); read != nil {
		ctx.Variables["call"] = o.callRoot(read)
	}
	if read := n.of("actor"); read != nil {
		ctx.Variables["actor"] = partVals(actorFields, o.actors, read)
	}
	if read := n.of("lock"); read != nil {
		ctx.Variables["lock"] = partVals(lockFields, o.locks, read)
	}
	if read := n.of("registry"); read != nil {
		ctx.Variables["registry"] = partVals(registryFields, o.registries, read)
	}
}

func (o *observed) callRoot(read *needs) cty.Value {
	calls := map[string]cty.Value{}
	for name, part := range read.each(maps.Keys(o.calls)) {
		switch list, known := o.calls[name]; {
		case !known:
		case o.plan.several(name):
			calls[name] = tupleVal(list, func(s *stepResult) cty.Value { return stepVal(s, part) })
		default:
			calls[name] = stepVal(list[0], part)
		}
	}
	return cty.ObjectVal(calls)
}

// several reports whether a call is made at a tuple of instants.
func (p *Plan) several(call string) bool {
	for _, d := range p.drivers {
		if d.call != nil && d.name == call {
			return d.call.several
		}
	}
	return false
}

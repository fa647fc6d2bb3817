package interp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// orderDrivers puts the blocks of a scenario between the actors that start and
// the steps of its workflow (semantics.md §1).
const orderDrivers = -1 << 20

var errEvent = errors.New("an event of the scenario")

// drive is what a run knows of the blocks of its scenario.
type drive struct {
	world *actor.World
	left  int // instants of blocks that are not over
	done  *sched.Signal
	// calls are those under way, steps the contexts of steps, by name.
	calls map[string][]context.CancelCauseFunc
	steps map[string]context.CancelCauseFunc
	// run cancels the workflow.
	run context.CancelCauseFunc
	// over are the steps and calls that have ended, "step.a" or "call.a", and
	// ended fires with each.
	over  map[string]bool
	ended *sched.Signal
	// busy lets one session of a handler do its work at a time.
	busy map[actor.Target]*sched.Semaphore
	// waits are the events that wait for a condition.
	waits []*driver
	// closed says that the closing gates have looked at the run.
	closed bool
}

// stop ends what the world does by itself.
func (d *drive) stop() {
	if d.world != nil {
		d.world.Stop()
	}
}

// cancellable gives a step a context of its own where an event may cancel it.
func (r *run) cancellable(ctx context.Context, s *stepState) context.Context {
	if r.parent != nil || len(r.plan.drivers) == 0 {
		return ctx
	}
	own, cancel := r.clock.WithCancelCause(ctx)
	r.drive.steps[s.name] = cancel
	return own
}

// begin brings the world up and starts the blocks of the scenario.
func (r *run) begin(ctx context.Context) {
	p := r.plan
	d := &r.drive
	d.done, d.ended = r.clock.NewSignal(), r.clock.NewSignal()
	d.busy = map[actor.Target]*sched.Semaphore{}
	d.over, d.calls, d.steps = map[string]bool{}, map[string][]context.CancelCauseFunc{}, map[string]context.CancelCauseFunc{}
	if p.population != nil {
		d.world = actor.New(r.clock, p.population, r.actorEnv())
		d.world.Start(ctx)
	}
	for _, b := range p.drivers {
		if b.when != nil {
			d.waits = append(d.waits, b)
			continue
		}
		for i, at := range b.at {
			r.schedule(ctx, b, i, at)
		}
	}
	if len(d.waits) > 0 {
		r.log.Observe(func(trace.Event) { r.whens(ctx) })
	}
}

// schedule starts a block at an instant, as a task of its own.
func (r *run) schedule(ctx context.Context, b *driver, i int, at time.Duration) {
	r.drive.left++
	r.clock.Go(ctx, fmt.Sprintf("%s %q", b.what(), b.name), orderDrivers+b.order, func(ctx context.Context) {
		if r.due(ctx, b, at) == nil {
			r.act(ctx, b, i)
		}
		if r.drive.left--; r.drive.left == 0 {
			r.drive.done.Fire()
		}
	})
}

func (d *driver) what() string {
	return d.typ
}

// due waits until a block acts.
func (r *run) due(ctx context.Context, b *driver, at time.Duration) error {
	if b.after == nil {
		if at == 0 {
			return ctx.Err()
		}
		return r.clock.SleepAs(ctx, sched.Start, at)
	}
	for key := b.after.typ + "." + b.after.name; !r.drive.over[key]; {
		if err := r.drive.ended.Wait(ctx, "the end of "+key); err != nil {
			return err
		}
	}
	return nil
}

// whens starts the events whose condition holds for the first time.
func (r *run) whens(ctx context.Context) {
	var left []*driver
	waits := r.drive.waits
	r.drive.waits = nil // an event that is emitted meanwhile asks for none of them
	for _, b := range waits {
		if r.holds(b.when) {
			r.schedule(ctx, b, 0, 0)
		} else {
			left = append(left, b)
		}
	}
	r.drive.waits = append(left, r.drive.waits...)
}

// holds reports whether a condition holds now. One whose operands are not all
// there does not.
func (r *run) holds(i *invariant) bool {
	ctx := r.obs.observedContext(i.needs)
	for _, t := range i.operands {
		if v, diags := t.TraverseAbs(ctx); diags.HasErrors() || v.IsNull() {
			return false
		}
	}
	v, diags := i.condition.Value(ctx)
	return !diags.HasErrors() && isTrue(v)
}

// awaitDrivers waits until every block is over.
func (r *run) awaitDrivers() {
	for r.drive.left > 0 {
		_ = r.drive.done.Wait(context.Background(), "the blocks of the scenario")
	}
}

// over tells whoever waits for it that a step or call has ended.
func (r *run) markOver(typ, name string) {
	r.drive.over[typ+"."+name] = true
	r.drive.ended.Fire()
}

// act does what a block does.
func (r *run) act(ctx context.Context, b *driver, i int) {
	switch {
	case b.step != nil:
		r.driveStep(ctx, b)
	case b.call != nil:
		r.makeCall(ctx, b, i)
	case b.hold != nil:
		h := b.hold
		r.drive.world.Hold(ctx, actor.Origin{Call: b.name}, h.actor, h.lock, h.pool, h.n, h.during)
	case b.event != nil:
		r.happen(ctx, b)
	}
}

// happen makes an event of the scenario happen.
func (r *run) happen(ctx context.Context, b *driver) {
	w, e := r.drive.world, b.event
	switch e.what {
	case "start":
		w.Launch(e.actor)
	case "kill":
		w.Kill(e.actor)
	case "restart":
		w.Restart(e.actor)
	case "unreachable":
		w.Unreachable(e.actor)
	case "reachable":
		w.Reachable(e.actor)
	case "drain":
		w.Drain(ctx, e.actor, e.timeout)
	case "activate":
		w.Activate(e.actor)
	case "quarantine":
		w.Quarantine(e.actor)
	case "partition":
		w.Partition(e.groups)
	case "heal":
		w.Heal()
	case "cancel":
		r.cancelFor(b)
	}
}

// cancelFor cancels what an event is for. One that comes too early or too late for
// that injects nothing, and a scenario that passes with it shows nothing of it.
func (r *run) cancelFor(b *driver) {
	a := b.event.cancel
	if why := r.notUnderWay(a); why != "" {
		r.gate(gateUnfiredFault, fmt.Sprintf("the event %q cancelled nothing: %s at %s.\nhint: let it happen while that is under way, or remove the event", b.name, why, r.clock.Elapsed()), b.rng)
		return
	}
	switch a.typ {
	case "run":
		r.drive.run(errEvent)
	case "step":
		r.drive.steps[a.name](errEvent)
	default:
		for _, cancel := range r.drive.calls[a.name] {
			cancel(errEvent)
		}
	}
}

// notUnderWay says why there is nothing of that name to cancel, "" where there
// is.
func (r *run) notUnderWay(a awaited) string {
	key := a.typ + "." + a.name
	begun := len(r.drive.calls[a.name]) > 0
	if a.typ == "step" {
		begun = r.drive.steps[a.name] != nil
	}
	switch {
	case a.typ == "run" && r.left == 0:
		return "all steps of the run had ended"
	case a.typ == "run":
		return ""
	case r.drive.over[key]:
		return key + " had ended"
	case !begun:
		return key + " had not begun"
	}
	return ""
}

// makeCall is one call of a block from its start event to its end event.
func (r *run) makeCall(ctx context.Context, b *driver, i int) {
	c := b.call
	o := actor.Origin{Call: b.name}
	if c.several {
		o.Iteration = i + 1
	}
	event := func(t trace.Type, list []trace.Attr) {
		r.stage.emit(trace.Event{Type: t, Call: o.Call, Iteration: o.Iteration, Attrs: list})
	}
	event(trace.StepStart, attrs("kind", kindCall))
	ctx, cancel := r.clock.WithCancelCause(ctx)
	r.drive.calls[b.name] = append(r.drive.calls[b.name], cancel)
	value, f := r.drive.world.Call(ctx, actor.Call{Target: c.target, Arguments: c.arguments, Origin: o, Timeout: c.timeout})
	cancel(nil)
	list := attrs("status", callStatus(f), "output", valueAttr{value})
	if f != nil {
		list = append(list, attrs("failed_target", f.Target)...)
	}
	event(trace.StepEnd, failed(list, f))
	if r.obs.callsOver(b.name) {
		r.markOver("call", b.name)
	}
}

// callStatus is the status of a call that ended with a failure, or without one.
func callStatus(f *failure.Failure) string {
	switch {
	case f == nil:
		return statusSuccess
	case f.Kind == failure.Cancelled:
		return statusCancelled
	case f.Kind == failure.Timeout:
		return statusTimeout
	}
	return statusFailed
}

// callsOver reports whether every call of a block has ended.
func (o *observed) callsOver(name string) bool {
	for _, s := range o.calls[name] {
		if s.status == "" {
			return false
		}
	}
	return true
}

// callStep is the work of a step that calls an actor.
func (r *run) callStep(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	arguments := cty.EmptyObjectVal
	if v := args.raw("arguments"); v != cty.NilVal {
		arguments = normalise(v)
	}
	s.result.value, f = r.persist(ctx, s, s.step.idempotent != nil && *s.step.idempotent, func() (cty.Value, *failure.Failure) {
		return r.drive.world.Call(ctx, actor.Call{Target: s.step.target, Arguments: arguments, Origin: actor.Origin{Step: s.name, Iteration: r.iteration}, Via: r.caller()})
	})
	if f != nil && f.Kind != failure.Cancelled {
		f.Step = s.name
	}
	return f
}

// actorEnv is what the world asks of the run.
func (r *run) actorEnv() actor.Env {
	return actor.Env{
		Emit: r.stage.emit,
		Next: r.strike,
		Pending: func(address string, o actor.Origin) bool {
			sc := r.plan.scriptOf(address)
			if sc == nil {
				return false
			}
			e := r.cursor(address, sc).peek(o.Iteration)
			return e != nil && (e.fault == nil || e.fault.Connects)
		},
		Classify: func(f failure.Failure) failure.Failure { return r.taxonomy.Classify(f) },
		Work:     r.sessionWork,
		Broken:   r.brokenReturn,
		Draw:     func(purpose, name string, n int) *rand.Rand { return policy.Draw(r.plan.Seed, purpose, name, n) },
	}
}

// scriptOf is the script at an address of an actor, nil for none.
func (p *Plan) scriptOf(address string) *script {
	for _, s := range p.scripts {
		if s.part != nil && s.address == address {
			return s
		}
	}
	return nil
}

// strike takes the next entry of the first of the addresses that has a script.
func (r *run) strike(addresses []string, o actor.Origin) (actor.Strike, error) {
	for _, address := range addresses {
		sc := r.plan.scriptOf(address)
		if sc == nil {
			continue
		}
		c := r.cursor(address, sc)
		e, over := c.next("", 0, o.Iteration)
		switch {
		case over:
			message := fmt.Sprintf("a call of %s is past the end of its script, which has %d entries.\nhint: add an entry, give the last one times = \"*\", or set exhausted = \"repeat_last\"", address, len(sc.entries))
			r.gate(gateOverConsumed, message, sc.entries[len(sc.entries)-1].rng)
			return actor.Strike{}, errors.New(message)
		case e == nil:
			continue
		}
		return r.layPart(e, o)
	}
	return actor.Strike{}, wire.ErrPass
}

// layPart turns an entry of an actor's script into bytes and time.
func (r *run) layPart(e *entry, o actor.Origin) (actor.Strike, error) {
	meta := wire.Meta{Step: o.Name(), By: "script", Entry: e.n, Pos: wire.Pos{File: r.plan.place, Line: e.rng.Start.Line, Column: e.rng.Start.Column}}
	protocol := actor.Protocol{}
	var base *wire.Response
	if e.reply != nil {
		resp := protocol.Note("")
		if e.reply.Body != nil {
			resp = protocol.Value(e.reply.Body)
		}
		resp.Wait = e.reply.Latency
		base = &resp
	}
	if e.fault == nil {
		return actor.Strike{Script: base.Script(meta)}, nil
	}
	r.stage.emit(trace.Event{Type: trace.Fault, Step: o.Step, Call: o.Call, Iteration: o.Iteration, Attrs: attrs(
		"fault_type", e.fault.Name, "entry", e.n, "file", r.plan.place, "line", e.rng.Start.Line)})
	script, err := e.fault.Script(faults.Strike{
		Args: e.args, After: e.after, HasAfter: e.hasAfter, Base: base, Host: "actor", Path: "/", Vendor: protocol, Meta: meta,
	})
	if err != nil {
		r.defect(fmt.Sprintf("entry %d (%s) of the script cannot be played: %s", e.n, e.what(), err), e.rng)
	}
	return actor.Strike{Script: script, Kills: e.fault.Kills, Early: e.fault.Early}, err
}

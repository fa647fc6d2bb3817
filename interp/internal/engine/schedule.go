package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// orderActions puts the blocks of a scenario between the actors that start and
// the steps of its workflow.
const orderActions = -1 << 20

// cancelling is why something ended that an event of the scenario cancelled.
type cancelling struct{ by *plan.Action }

func (cancelling) Error() string { return "an event of the scenario" }

// cancelledBy names the event that ended the context of work which failed with
// f, if one did.
func cancelledBy(ctx context.Context, f *failure.Failure) []string {
	var why cancelling
	if f != nil && errors.As(context.Cause(ctx), &why) {
		return []string{why.by.Address()}
	}
	return nil
}

// schedule is what a run knows of the blocks of its scenario.
type schedule struct {
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
	waits []*plan.Action
	// closed says that the closing gates have looked at the run.
	closed bool
	// cancelled names the event that ended the run, which has its end still to
	// say so.
	cancelled []string
	// missed says of events why there was nothing for them to cancel.
	missed map[*plan.Action]string
}

// stop ends what the world does by itself.
func (d *schedule) stop() {
	if d.world != nil {
		d.world.Stop()
	}
}

// cancellable gives a step a context of its own where an event may cancel it.
func (r *run) cancellable(ctx context.Context, s *stepState) context.Context {
	if r.parent != nil || len(r.plan.Actions) == 0 {
		return ctx
	}
	own, cancel := r.Clock.WithCancelCause(ctx)
	r.scheduled.steps[s.Name] = cancel
	return own
}

// begin brings the world up and starts the blocks of the scenario.
func (r *run) begin(ctx context.Context) {
	p := r.plan
	d := &r.scheduled
	d.done, d.ended = r.Clock.NewSignal(), r.Clock.NewSignal()
	d.busy = map[actor.Target]*sched.Semaphore{}
	d.missed = map[*plan.Action]string{}
	d.over, d.calls, d.steps = map[string]bool{}, map[string][]context.CancelCauseFunc{}, map[string]context.CancelCauseFunc{}
	if p.Population != nil {
		d.world = actor.New(r.Clock, p.Population, r.actorEnv())
		d.world.Start(ctx)
	}
	for _, b := range p.Actions {
		if b.When != nil {
			d.waits = append(d.waits, b)
			continue
		}
		for i, at := range b.At {
			r.scheduleAt(ctx, b, i, at)
		}
	}
	if len(d.waits) > 0 {
		r.follow(func() { r.whens(ctx) })
	}
}

// scheduleAt starts a block at an instant, as a task of its own.
func (r *run) scheduleAt(ctx context.Context, b *plan.Action, i int, at time.Duration) {
	r.scheduled.left++
	r.Clock.Go(ctx, fmt.Sprintf("%s %q", b.What(), b.Name), orderActions+b.Order, func(ctx context.Context) {
		if r.due(ctx, b, at) == nil {
			r.act(ctx, b, i)
		}
		if r.scheduled.left--; r.scheduled.left == 0 {
			r.scheduled.done.Fire()
		}
	})
}

// due waits until a block acts.
func (r *run) due(ctx context.Context, b *plan.Action, at time.Duration) error {
	if b.After == nil {
		if at == 0 {
			return ctx.Err()
		}
		return r.Clock.SleepAs(ctx, sched.Start, at)
	}
	for key := b.After.Typ + "." + b.After.Name; !r.scheduled.over[key]; {
		if err := r.scheduled.ended.Wait(ctx, "the end of "+key); err != nil {
			return err
		}
	}
	return nil
}

// whens starts the events whose condition holds for the first time.
func (r *run) whens(ctx context.Context) {
	var left []*plan.Action
	waits := r.scheduled.waits
	r.scheduled.waits = nil // an event that is emitted meanwhile asks for none of them
	for _, b := range waits {
		if r.holds(b.When) {
			r.scheduleAt(ctx, b, 0, 0)
		} else {
			left = append(left, b)
		}
	}
	r.scheduled.waits = append(left, r.scheduled.waits...)
}

// holds reports whether a condition holds now. One that depends on what is not
// there yet does not.
func (r *run) holds(i *plan.Invariant) bool { return r.Obs.Decide(i).Holds }

// awaitActions waits until every block is over.
func (r *run) awaitActions() {
	for r.scheduled.left > 0 {
		_ = r.scheduled.done.Wait(context.Background(), "the blocks of the scenario")
	}
}

// over tells whoever waits for it that a step or call has ended.
func (r *run) markOver(typ, name string) {
	r.scheduled.over[typ+"."+name] = true
	r.scheduled.ended.Fire()
}

// act does what a block does.
func (r *run) act(ctx context.Context, b *plan.Action, i int) {
	switch {
	case b.Step != nil:
		r.callStepOf(ctx, b)
	case b.Call != nil:
		r.makeCall(ctx, b, i)
	case b.Hold != nil:
		h := b.Hold
		r.scheduled.world.Hold(ctx, actor.Origin{Call: b.Name}, b.Address(), h.Actor, h.Lock, h.Pool, h.N, h.During)
	case b.Event != nil:
		r.happen(ctx, b)
	}
}

// happen makes an event of the scenario happen.
func (r *run) happen(ctx context.Context, b *plan.Action) {
	w, e, by := r.scheduled.world, b.Event, b.Address()
	switch e.What {
	case "start":
		w.Launch(e.Actor, by)
	case "kill":
		w.Kill(e.Actor, by)
	case "restart":
		w.Restart(e.Actor, by)
	case "unreachable":
		w.Unreachable(e.Actor, by)
	case "reachable":
		w.Reachable(e.Actor, by)
	case "drain":
		w.Drain(ctx, e.Actor, by, e.Timeout)
	case "activate":
		w.Activate(e.Actor, by)
	case "quarantine":
		w.Quarantine(e.Actor, by)
	case "partition":
		w.Partition(e.Groups, by)
	case "heal":
		w.Heal(by)
	case "cancel":
		r.cancelFor(b)
	}
}

// cancelFor cancels what an event is for. One that comes too early or too late for
// that injects nothing, and a scenario that passes with it shows nothing of it.
func (r *run) cancelFor(b *plan.Action) {
	a := b.Event.Cancel
	if why := r.notUnderWay(a); why != "" {
		r.scheduled.missed[b] = fmt.Sprintf("%s at %s", why, r.Clock.Elapsed())
		return
	}
	switch a.Typ {
	case "run":
		r.scheduled.run(cancelling{b})
	case "step":
		r.scheduled.steps[a.Name](cancelling{b})
	default:
		for _, cancel := range r.scheduled.calls[a.Name] {
			cancel(cancelling{b})
		}
	}
}

// notUnderWay says why there is nothing of that name to cancel, "" where there
// is.
func (r *run) notUnderWay(a plan.Awaited) string {
	key := a.Typ + "." + a.Name
	begun := len(r.scheduled.calls[a.Name]) > 0
	if a.Typ == "step" {
		begun = r.scheduled.steps[a.Name] != nil
	}
	switch {
	case a.Typ == "run" && r.benching != nil && r.benching.over:
		return "all cases of the bench had ended"
	case a.Typ == "run" && r.plan.BenchRun == nil && r.left == 0:
		return "all steps of the run had ended"
	case a.Typ == "run":
		return ""
	case r.scheduled.over[key]:
		return key + " had ended"
	case !begun:
		return key + " had not begun"
	}
	return ""
}

// makeCall is one call of a block from its start event to its end event.
func (r *run) makeCall(ctx context.Context, b *plan.Action, i int) {
	c := b.Call
	o := actor.Origin{Call: b.Name}
	if c.Several {
		o.Iteration = i + 1
	}
	emit := func(p trace.Payload) {
		r.execution.emit(trace.Event{Call: o.Call, Iteration: o.Iteration, Payload: p})
	}
	emit(&event.StepStart{Kind: string(plan.KindCall)})
	ctx, cancel := r.Clock.WithCancelCause(ctx)
	r.scheduled.calls[b.Name] = append(r.scheduled.calls[b.Name], cancel)
	value, f := r.scheduled.world.Call(ctx, actor.Call{Target: c.Target, Arguments: r.handed(b.Name, false, c.Arguments), Origin: o, Timeout: c.Timeout})
	end := &event.StepEnd{Met: cancelledBy(ctx, f), Failed: event.FailedOf(f), StatusCode: event.StatusOf(f), Status: callStatus(f), Output: event.Value{Value: value}}
	if f != nil {
		end.FailedTarget = f.Target
	}
	cancel(nil)
	emit(end)
	if r.Obs.CallsOver(b.Name) {
		r.markOver("call", b.Name)
	}
}

// callStatus is the status of a call that ended with a failure, or without one.
func callStatus(f *failure.Failure) string {
	switch {
	case f == nil:
		return read.StatusSuccess
	case f.Kind == failure.Cancelled:
		return read.StatusCancelled
	case f.Kind == failure.Timeout:
		return read.StatusTimeout
	}
	return read.StatusFailed
}

// callKind is a call block of the scenario.
type callKind struct{ basicKind }

// keeps implements stepKind: every answer of the actor is held to the contract.
func (callKind) keeps() bool { return true }

// perform is the work of a step that calls an actor.
func (callKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	arguments := cty.EmptyObjectVal
	if v := args.Raw("arguments"); v != cty.NilVal {
		arguments = r.handed(s.Name, false, read.Normalise(v))
	}
	s.result.value, f = r.persist(ctx, s, s.Step.Idempotent != nil && *s.Step.Idempotent, func() (cty.Value, *failure.Failure) {
		v, f := r.scheduled.world.Call(ctx, actor.Call{Target: s.Step.Target, Arguments: arguments, Origin: actor.Origin{Step: s.Name, Iteration: r.iteration}, Via: r.caller()})
		if f != nil {
			return v, r.reclassified(f)
		}
		s.result.value = v
		return v, r.breach(s)
	})
	if f != nil && f.Kind != failure.Cancelled {
		f.Step = s.Name
	}
	return f
}

// actorEnv is what the world asks of the run.
func (r *run) actorEnv() actor.Env {
	return actor.Env{
		Emit: r.execution.emit,
		Next: r.strike,
		Pending: func(address string, o actor.Origin) bool {
			if e := r.client.Outage([]string{address}, nil, nil, partWord(address)); e != nil {
				return e.Fault.Connects
			}
			sc := r.plan.ScriptOf(address)
			if sc == nil {
				return false
			}
			e := r.client.Cursor(exchange.Line{Step: address}, sc).Peek(o.Iteration)
			return e != nil && (e.Fault == nil || e.Fault.Connects)
		},
		Classify: func(f failure.Failure) failure.Failure { return r.taxonomy.Classify(f) },
		Work:     r.sessionWork,
		Within:   func(static *hcl.EvalContext) *hcl.EvalContext { return dsl.FollowedAs(static, r.plan.Static) },
		Broken:   r.brokenReturn,
		Draw:     func(purpose, name string, n int) *rand.Rand { return policy.Draw(r.plan.Seed, purpose, name, n) },
	}
}

// strike takes the next entry of the first of the addresses that has a script.
func (r *run) strike(addresses []string, o actor.Origin) (actor.Strike, error) {
	if in := r.client.InjectPart(addresses, partWord(addresses[0]), o.Iteration); in != nil {
		return r.injectPart(in, addresses, o)
	}
	for _, address := range addresses {
		sc := r.plan.ScriptOf(address)
		if sc == nil {
			continue
		}
		e, over := r.client.NextIn(r.client.Cursor(exchange.Line{Step: address}, sc), exchange.Wanted{Iteration: o.Iteration})
		switch {
		case over:
			message := fmt.Sprintf("a call of %s is past the end of its script, which has %d entries.\nhint: add an entry, give the last one times = \"*\", or set exhausted = \"repeat_last\"", address, len(sc.Entries))
			r.gate(plan.GateOverConsumed, message, sc.Entries[len(sc.Entries)-1].Rng)
			return actor.Strike{}, errors.New(message)
		case e == nil:
			continue
		}
		return r.partScript(e, o)
	}
	return actor.Strike{}, wire.ErrPass
}

// partScript turns an entry of an actor's script into bytes and time.
func (r *run) partScript(e *plan.Entry, o actor.Origin) (actor.Strike, error) {
	meta := wire.Meta{Step: o.Name(), By: "script", Entry: e.N, Pos: wire.Pos{File: r.plan.Place, Line: e.Rng.Start.Line, Column: e.Rng.Start.Column}}
	var base *wire.Response
	if e.Reply != nil {
		base = partReply(e)
	}
	if e.Fault == nil {
		return actor.Strike{Script: base.Script(meta)}, nil
	}
	r.execution.emit(trace.Event{Step: o.Step, Call: o.Call, Iteration: o.Iteration, Payload: &event.Fault{
		FaultType: e.Fault.Name, Entry: e.N, File: r.plan.Place, Line: e.Rng.Start.Line,
	}})
	strike, err := partStrike(e, base, meta)
	if err != nil {
		r.defect(e.Unplayable(fmt.Sprintf("%q", o.Name()), err), e.Rng)
	}
	strike.Over = func(after time.Duration, _ bool) { r.client.Over(e, after) }
	return strike, err
}

// callStepOf does what a block of the scenario does that is a step: it stands beside
// the workflow, and nothing of that waits for it.
func (r *run) callStepOf(ctx context.Context, d *plan.Action) {
	hall := r.hall(&plan.Workflow{Taxonomy: d.Step.Taxonomy})
	ctx, cancel := r.Clock.WithCancelCause(ctx)
	defer cancel(nil)
	r.scheduled.calls[d.Name] = append(r.scheduled.calls[d.Name], cancel)
	hall.runStep(ctx, &stepState{Node: d.Node})
	r.markOver(d.What(), d.Name)
}

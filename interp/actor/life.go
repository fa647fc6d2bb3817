package actor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/sched"
)

// The states of an actor.
const (
	starting    = "starting"
	running     = "running"
	draining    = "draining"
	unreachable = "unreachable"
	dead        = "dead"
	failed      = "failed"
)

// actorState is where an actor stands.
type actorState struct {
	w      *World
	spec   *ActorSpec
	order  int
	status string
	// why is what of the scenario brought it there.
	why     change
	modules map[string]string
	locks   map[string]*lock
	pools   map[string]*pool
	// sessions counts those that began, over all its lives.
	sessions int
	inside   []*guest
	left     *sched.Signal // fires when the last guest has left
	// abort ends a startup that is under way.
	abort context.CancelCauseFunc
	// hush withdraws the next heartbeat, nil for none.
	hush func()
	// beats is what its heartbeats are called.
	beats string
}

// guest is a call that is inside of an actor.
type guest struct{ cancel context.CancelCauseFunc }

func (w *World) newActor(spec *ActorSpec, place int) *actorState {
	a := &actorState{
		w: w, spec: spec, order: orderActors + place, status: dead, modules: map[string]string{},
		locks: map[string]*lock{}, pools: map[string]*pool{}, left: w.clock.NewSignal(),
	}
	for _, l := range spec.Locks {
		a.locks[l.Name] = w.newLock(l, spec.Name)
	}
	for _, p := range spec.Pools {
		a.pools[p.Name] = w.newPool(p, spec.Name)
	}
	return a
}

func (a *actorState) handler(name string) *HandlerSpec {
	if i := slices.IndexFunc(a.spec.Handlers, func(h *HandlerSpec) bool { return h.Name == name }); i >= 0 {
		return a.spec.Handlers[i]
	}
	return nil
}

func (a *actorState) tool(name string) *ToolSpec {
	if i := slices.IndexFunc(a.spec.Tools, func(t *ToolSpec) bool { return t.Name == name }); i >= 0 {
		return a.spec.Tools[i]
	}
	return nil
}

// locksOf are the locks of a handler, in the order in which it takes them.
func (a *actorState) locksOf(h *HandlerSpec) []*lock {
	list := make([]*lock, len(h.Locks))
	for i, ref := range h.Locks {
		if ref.Own {
			list[i] = a.locks[ref.Name]
		} else {
			list[i] = a.w.locks[ref.Name]
		}
	}
	return list
}

// become changes the actor's state, and says so.
func (a *actorState) become(status, reason, message string) {
	from := a.status
	if status == from && status != dead {
		return
	}
	a.status = status
	a.w.env.Emit(Origin{}.event(a.spec.Name, &event.Registry{From: from, To: status, Reason: reason, Message: message, Cause: a.why.by}))
}

// enter lets a call in: it ends with its caller's context, or with the actor.
func (a *actorState) enter(ctx context.Context) (inside context.Context, leave func()) {
	inside, cancel := a.w.clock.WithCancelCause(ctx)
	g := &guest{cancel}
	a.inside = append(a.inside, g)
	return inside, func() {
		a.inside = slices.DeleteFunc(a.inside, func(o *guest) bool { return o == g })
		cancel(nil)
		if len(a.inside) == 0 {
			a.left.Fire()
		}
	}
}

// expel ends every call inside.
func (a *actorState) expel(cause error) {
	for _, g := range slices.Clone(a.inside) {
		g.cancel(cause)
	}
}

// start begins a startup as a task of its own.
func (a *actorState) start() {
	a.become(starting, "", "")
	ctx, abort := a.w.clock.WithCancelCause(a.w.ctx)
	a.abort = abort
	a.w.clock.Go(ctx, fmt.Sprintf("startup of actor %q", a.spec.Name), a.order, func(ctx context.Context) {
		defer abort(nil)
		if f := a.bringUp(ctx); ctx.Err() == nil {
			a.started(f)
		}
	})
}

// started settles what a startup came to.
func (a *actorState) started(f *failure.Failure) {
	if f != nil {
		a.become(failed, string(f.Kind), f.Message)
		return
	}
	a.become(running, "", "")
	if r := a.w.registryOf(a); r != nil {
		r.register(a)
		a.beatLater(min(firstBeat, r.spec.HeartbeatEvery))
	}
}

// bringUp starts the actor and its modules, and tries again where its startup
// has a policy for that.
func (a *actorState) bringUp(ctx context.Context) *failure.Failure {
	s := a.spec.Startup
	own, cancel := ctx, context.CancelFunc(func() {})
	if s.Timeout > 0 {
		own, cancel = a.w.clock.WithTimeoutCause(ctx, s.Timeout, fmt.Errorf("the startup's timeout of %s passed", s.Timeout))
	}
	defer cancel()
	for round := 1; ; round++ {
		f := a.bringUpOnce(own)
		if ctx.Err() == nil && errors.Is(own.Err(), context.DeadlineExceeded) {
			a.w.env.Emit(Origin{}.event(a.spec.Name, &event.Timeout{Layer: "startup", After: s.Timeout}))
			return a.classify(&failure.Failure{Kind: failure.Timeout, Message: fmt.Sprintf("actor %q was not up within its startup's timeout of %s", a.spec.Name, s.Timeout)})
		}
		if f == nil || own.Err() != nil {
			return f
		}
		a.w.env.Emit(Origin{}.event(a.spec.Name, &event.Failure{Failed: event.ActorFailed(f), StatusCode: f.StatusCode}))
		d := s.Retry.Decide(round, *f, nil, true, func() *rand.Rand { return a.w.env.Draw("startup", a.spec.Name, round) })
		if !d.Again {
			return f
		}
		a.w.env.Emit(Origin{}.event(a.spec.Name, &event.RetryWait{Delay: d.Wait, Retry: round, Policy: s.Retry.Name}))
		if a.w.clock.SleepAs(own, sched.Start, d.Wait) != nil && ctx.Err() != nil {
			return f
		}
	}
}

func (a *actorState) classify(f *failure.Failure) *failure.Failure {
	c := a.w.env.Classify(*f)
	return &c
}

// bringUpOnce connects the pools, does the actor's own work, then starts the
// modules one after another. A module that fails does not stop the others.
func (a *actorState) bringUpOnce(ctx context.Context) *failure.Failure {
	for _, p := range a.spec.Pools {
		if address := a.pools[p.Name].place; a.w.env.Pending(address, Origin{}) {
			if f := a.w.strikePart(ctx, address, Origin{}); f != nil {
				return a.classify(f)
			}
		}
	}
	if a.w.clock.Sleep(ctx, a.spec.Startup.Takes) != nil {
		return cancelled(ctx)
	}
	if f := a.w.strikePart(ctx, "actor."+a.spec.Name, Origin{}); f != nil {
		return a.classify(f)
	}
	for _, m := range a.spec.Modules {
		a.startModule(ctx, m)
		if ctx.Err() != nil {
			return cancelled(ctx)
		}
	}
	return nil
}

func cancelled(ctx context.Context) *failure.Failure {
	return &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + context.Cause(ctx).Error()}
}

// kill ends the process: what is inside fails, and all it held is free. By is
// the block of the scenario that does it, "" for none.
func (a *actorState) kill(reason, by string) {
	if a.status == dead {
		return
	}
	a.silence()
	cause := &expelled{actor: a.spec.Name, killed: true, by: by}
	if a.abort != nil {
		a.abort(cause)
	}
	a.why = change{by: by}
	a.become(dead, reason, "")
	a.expel(cause)
}

// silence stops the heartbeats.
func (a *actorState) silence() {
	if a.hush != nil {
		a.hush()
		a.hush = nil
	}
}

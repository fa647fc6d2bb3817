package actor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
)

// Call asks an actor for something.
type Call struct {
	Target Target
	// Arguments are what it is asked with; NilVal stands for none.
	Arguments cty.Value
	Origin    Origin
	// Timeout is the caller's own, 0 for none.
	Timeout time.Duration

	// Via is the session that calls.
	Via Via
	// forwarded says that the handler of that session forwards what it was
	// asked, under the name of who asked it.
	forwarded bool
}

// null is the value of a call that has none.
var null = cty.NullVal(cty.DynamicPseudoType)

// visit is one call on its way through one actor.
type visit struct {
	w     *World
	call  Call
	actor *actorState
	made  time.Duration
	// outer is the caller's context, with the caller's deadline.
	outer       context.Context
	reconnected bool
	warning     string
	// dialled says that the call left its caller, so that it says something of
	// the target's health.
	dialled bool
	// because names the blocks of the scenario whose effect the call shows.
	because []string
	// awaits is the lock or pool that it waits for, nil for none, and below are the calls
	// of its session that wait for one.
	awaits *claims
	below  []*visit
}

// Call asks an actor and waits for its answer. The value is null where there is
// none. A failure is classified; one of kind cancelled says that ctx ended, for
// whatever reason, and the caller knows which. The target must be one of the
// world's.
func (w *World) Call(ctx context.Context, c Call) (cty.Value, *failure.Failure) {
	v := &visit{w: w, call: c, actor: w.actors[c.Target.Actor], made: w.clock.Elapsed(), outer: ctx}
	if c.Arguments == cty.NilVal {
		v.call.Arguments = cty.EmptyObjectVal
	}
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		v.outer, cancel = w.clock.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("the call's timeout of %s passed", c.Timeout))
		defer cancel()
	}
	value, f := v.route()
	if f != nil && f.Kind == failure.Cancelled && ctx.Err() == nil && errors.Is(v.outer.Err(), context.DeadlineExceeded) {
		w.env.Emit(c.Origin.event(c.Target.Actor, &event.Timeout{Layer: "call", After: c.Timeout}))
		f = &failure.Failure{Kind: failure.Timeout, Message: fmt.Sprintf("%s did not answer within the call's timeout of %s", c.Target.Address(), c.Timeout)}
	}
	return v.end(value, f)
}

// end emits the row of the call, and tells the registry.
func (v *visit) end(value cty.Value, f *failure.Failure) (cty.Value, *failure.Failure) {
	outcome := "success"
	if f != nil {
		f.Target = v.call.Target.Actor
		classified := v.w.env.Classify(*f)
		f = &classified
		outcome = class(*f)
		if f.Kind == failure.Cancelled && errors.Is(v.outer.Err(), context.DeadlineExceeded) {
			outcome = string(failure.Timeout) // the caller's own deadline
		}
		value = null
	}
	row := &event.Route{
		Failed: event.ActorFailed(f), StatusCode: event.StatusOf(f), Handler: v.call.Target.Name, Fanout: v.call.Origin.Fanout, Sub: v.call.Origin.Sub,
		Outcome: outcome, Elapsed: v.w.clock.Elapsed() - v.made, Hops: v.hops(), Forwarded: v.call.forwarded, Warning: v.warning, Reconnected: v.reconnected, Met: v.because,
	}
	if v.call.Via.session != nil {
		row.From = v.call.Via.session.actor.spec.Name
	}
	v.w.env.Emit(v.call.Origin.event(v.call.Target.Actor, row))
	if r := v.w.registryOf(v.actor); r != nil {
		r.routed(v, f)
	}
	return value, f
}

// class names a failure by the standard routing taxonomy, whatever the mode is
// that the caller's own gives it.
func class(f failure.Failure) string {
	if f.Kind == failure.Cancelled {
		return string(failure.Cancelled)
	}
	f.Mode, f.Rule = nil, ""
	return failure.Routing().Classify(f).Mode.Code
}

// hops counts the actors on the way, the target included.
func (v *visit) hops() int {
	n := 1
	for s := v.call.Via.session; s != nil; s = s.visit.call.Via.session {
		n++
	}
	return n
}

// route decides whether the call reaches its target, and lets that answer.
func (v *visit) route() (cty.Value, *failure.Failure) {
	if f := v.turnedAway(); f != nil {
		f.Unsent = true
		return null, f
	}
	ctx, leave := v.actor.enter(v.outer)
	defer leave()
	value, f := v.accepted(ctx)
	if f != nil {
		if e := expulsion(context.Cause(ctx)); e != nil {
			v.shows(e.by)
		}
	}
	return value, f
}

// turnedAway is why a call does not reach its target, nil where it does.
func (v *visit) turnedAway() *failure.Failure {
	if f := v.cycle(); f != nil {
		return f
	}
	if f := v.separated(); f != nil {
		return f
	}
	if r := v.w.registryOf(v.actor); r != nil {
		f, why := r.refuses(v.actor)
		if f != nil || why.back {
			v.shows(why.by)
		}
		if f != nil {
			return f
		}
	}
	v.dialled = true
	return v.reach()
}

// accepted is a call that its actor has taken: the script has its say, then the
// actor works.
func (v *visit) accepted(ctx context.Context) (cty.Value, *failure.Failure) {
	strike, f := v.met(ctx)
	if f != nil {
		return null, f
	}
	if t := v.actor.tool(v.call.Target.Name); t != nil {
		return v.tool(ctx, t, strike)
	}
	return v.handle(ctx, v.actor.handler(v.call.Target.Name), strike)
}

// cycle refuses a call that comes back to an actor on its way.
func (v *visit) cycle() *failure.Failure {
	var path []string
	met := false
	for s := v.call.Via.session; s != nil; s = s.visit.call.Via.session {
		path = append([]string{s.actor.spec.Name}, path...)
		met = met || s.actor == v.actor
	}
	if (!met || v.ownTool()) && v.hops() <= v.actor.spec.MaxHops {
		return nil
	}
	path = append(path, v.actor.spec.Name)
	if met && v.actor.spec.Deep && v.hops() <= v.actor.spec.MaxHops && !v.locksItselfOut() {
		return nil
	}
	why := "the call goes in a cycle"
	if !met || v.ownTool() {
		why = fmt.Sprintf("the call passes more actors than max_hops = %d of %q allows", v.actor.spec.MaxHops, v.actor.spec.Name)
	}
	return &failure.Failure{Kind: failure.RoutingCycle, Message: why + ": " + strings.Join(path, " -> ")}
}

// ownTool reports whether a session calls a tool of its own actor, which takes
// none of its locks.
func (v *visit) ownTool() bool {
	s := v.call.Via.session
	return s != nil && s.actor == v.actor && v.actor.tool(v.call.Target.Name) != nil
}

// locksItselfOut reports whether the call would wait for its own callers: for a
// lock of which they hold every place, or for the work of a handler.
func (v *visit) locksItselfOut() bool {
	h := v.actor.handler(v.call.Target.Name)
	if h == nil {
		return false
	}
	for s := v.call.Via.session; s != nil && h.Works; s = s.visit.call.Via.session {
		if s.visit.call.Target == v.call.Target {
			return true // it works for one session at a time
		}
	}
	for _, l := range v.actor.locksOf(h) {
		held := 0
		for s := v.call.Via.session; s != nil; s = s.visit.call.Via.session {
			for _, own := range s.held {
				if own == l {
					held++
				}
			}
		}
		if held >= l.spec.Capacity {
			return true
		}
	}
	return false
}

// separated refuses a call across a partition.
func (v *visit) separated() *failure.Failure {
	if v.call.Via.session == nil {
		return nil
	}
	from, to := v.call.Via.session.actor.spec.Name, v.actor.spec.Name
	if v.w.split.apart(from, to) {
		v.shows(v.w.split.by)
		return unavailable("%q cannot be reached from %q: they are in two parts of a partition", to, from)
	}
	for _, s := range v.w.healed {
		if s.apart(from, to) {
			v.shows(s.ended)
		}
	}
	return nil
}

// reach refuses a call to an actor that does not answer. One whose port is gone
// is dialled once more, as a client does whose connection was lost before
// anything was sent.
func (v *visit) reach() *failure.Failure {
	if why := v.actor.why; v.actor.status != running || why.back {
		v.shows(why.by)
	}
	switch v.actor.status {
	case running:
		return nil
	case unreachable:
		v.reconnected = true
	}
	return unavailable("%q is %s", v.actor.spec.Name, v.actor.status)
}

func unavailable(format string, args ...any) *failure.Failure {
	return &failure.Failure{Kind: failure.TargetUnavailable, Message: fmt.Sprintf(format, args...)}
}

// unanswered is a call for which the script has no answer left.
func unanswered(err error) *failure.Failure {
	return &failure.Failure{Kind: failure.Exception, Type: "Unanswered", Message: err.Error()}
}

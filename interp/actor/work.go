package actor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
)

// session is one run of a handler.
type session struct {
	visit *visit
	actor *actorState
	n     int // 1-based among those of the actor that began
	held  []*lock
}

// handle runs a handler: its locks, then its work in a session.
func (v *visit) handle(ctx context.Context, h *HandlerSpec, strike *Strike) (cty.Value, *failure.Failure) {
	if f := v.missing(h.Name, h.Needs); f != nil {
		return null, f
	}
	s := &session{visit: v, actor: v.actor}
	defer s.release()
	if f := s.acquire(ctx, h); f != nil {
		return null, f
	}
	v.actor.sessions++
	s.n = v.actor.sessions
	o := v.call.Origin
	v.w.env.Emit(o.event(v.actor.spec.Name, &event.SessionStart{Handler: h.Name, Session: s.n, Waited: v.w.clock.Elapsed() - v.made}))
	value, status, f := s.work(ctx, h, strike)
	told := v.classified(f)
	v.w.env.Emit(o.event(v.actor.spec.Name, &event.SessionEnd{
		Failed: event.ActorFailed(told), StatusCode: event.StatusOf(told), Handler: h.Name, Session: s.n, Status: status,
	}))
	return value, f
}

// classified is a failure that is named where it is seen.
func (v *visit) classified(f *failure.Failure) *failure.Failure {
	if f == nil {
		return nil
	}
	named := v.w.env.Classify(*f)
	return &named
}

// work is what a session does while it holds its locks.
func (s *session) work(ctx context.Context, h *HandlerSpec, strike *Strike) (value cty.Value, status string, f *failure.Failure) {
	v := s.visit
	own, cancel := v.limited(ctx, h.Timeout, h.Name)
	defer cancel()
	value, f = s.perform(own, h, strike)
	switch {
	case f == nil:
		return value, "success", nil
	case ctx.Err() == nil && errors.Is(own.Err(), context.DeadlineExceeded):
		v.w.env.Emit(v.call.Origin.event(v.actor.spec.Name, &event.Timeout{Layer: "session", After: h.Timeout}))
		return null, "timeout", &failure.Failure{Kind: failure.Timeout, Message: fmt.Sprintf("the session of %s did not end within its timeout of %s", v.call.Target.Address(), h.Timeout)}
	case f.Kind == failure.Cancelled:
		return null, "cancelled", f
	case f.Kind == failure.Timeout:
		return null, "timeout", f
	}
	return null, "failed", f
}

// limited gives work a deadline of its own, where it has one.
func (v *visit) limited(ctx context.Context, d time.Duration, what string) (context.Context, context.CancelFunc) {
	if d == 0 {
		return ctx, func() {}
	}
	return v.w.clock.WithTimeoutCause(ctx, d, fmt.Errorf("the timeout of %s of %q passed", d, what))
}

func (s *session) perform(ctx context.Context, h *HandlerSpec, strike *Strike) (cty.Value, *failure.Failure) {
	v := s.visit
	if strike != nil {
		answer, f := v.play(ctx, *strike)
		if f != nil || answer.value != cty.NilVal {
			return answer.value, f
		}
	}
	if f := v.spend(ctx, h.Uses, h.Takes); f != nil {
		return null, f
	}
	result := null
	var f *failure.Failure
	switch {
	case h.ForwardTo != nil:
		result, f = v.w.Call(ctx, Call{Target: *h.ForwardTo, Arguments: v.call.Arguments, Origin: v.call.Origin, Via: Via{s}, forwarded: true})
	case h.Works:
		result, f = v.w.env.Work(ctx, Job{Target: v.call.Target, Arguments: v.call.Arguments, Session: s.n, Via: Via{s}})
	}
	switch {
	case f != nil && ctx.Err() != nil:
		return null, v.ended(ctx) // whatever the work then came to
	case f != nil:
		return null, f
	}
	return v.answer(h.Return, result)
}

// tool runs a tool, without a session.
func (v *visit) tool(ctx context.Context, t *ToolSpec, strike *Strike) (cty.Value, *failure.Failure) {
	if f := v.missing(t.Name, t.Needs); f != nil {
		return null, f
	}
	own, cancel := v.limited(ctx, t.Timeout, t.Name)
	defer cancel()
	value, f := v.useTool(own, t, strike)
	if f != nil && ctx.Err() == nil && errors.Is(own.Err(), context.DeadlineExceeded) {
		v.w.env.Emit(v.call.Origin.event(v.actor.spec.Name, &event.Timeout{Layer: "tool", After: t.Timeout}))
		f = &failure.Failure{Kind: failure.Timeout, Message: fmt.Sprintf("%s did not end within its timeout of %s", v.call.Target.Address(), t.Timeout)}
	}
	return value, f
}

func (v *visit) useTool(ctx context.Context, t *ToolSpec, strike *Strike) (cty.Value, *failure.Failure) {
	if strike != nil {
		answer, f := v.play(ctx, *strike)
		if f != nil || answer.value != cty.NilVal {
			return answer.value, f
		}
	}
	if f := v.spend(ctx, t.Uses, t.Takes); f != nil {
		return null, f
	}
	return v.answer(t.Return, null)
}

// missing refuses what belongs to a module that did not start.
func (v *visit) missing(name string, needs []string) *failure.Failure {
	for _, m := range needs {
		if state := v.actor.modules[m]; state != moduleActive {
			return &failure.Failure{Kind: failure.ToolNotFound, Message: fmt.Sprintf("%q has no %q: module %q is %s", v.actor.spec.Name, name, m, state)}
		}
	}
	return nil
}

// spend takes a connection of every pool that the work uses, and its time.
func (v *visit) spend(ctx context.Context, uses []string, takes time.Duration) *failure.Failure {
	for _, name := range uses {
		p := v.actor.pools[name]
		if f := p.acquire(ctx, v); f != nil {
			return f
		}
		defer p.giveBack(v)
	}
	for _, name := range uses {
		if f := v.actor.pools[name].query(ctx, v); f != nil {
			return f
		}
	}
	if v.w.clock.Sleep(ctx, takes) != nil {
		return v.ended(ctx)
	}
	return nil
}

// answer computes what the caller gets.
func (v *visit) answer(r Return, result cty.Value) (cty.Value, *failure.Failure) {
	if r == nil {
		return result, nil
	}
	value, err := r(v.w.env.Within, v.call.Arguments, result)
	if err != nil {
		f := &failure.Failure{Kind: failure.Exception, Type: "ReturnError", Message: fmt.Sprintf("the return of %s %s", v.call.Target.Address(), err)}
		v.w.env.Broken(f, err)
		return null, f
	}
	return value, nil
}

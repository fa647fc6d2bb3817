package interp

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// fanning is a fanout under way. Its run is that of the graph whose steps are
// the subs; stopping is why none of them may begin any more.
type fanning struct {
	*run
	spec *fanout
	// ctx is that of the subs. It ends when a policy strikes.
	ctx context.Context
}

// fanOut makes the calls of a fanout. It fails for no failure of a sub: what
// became of each is in its own result and in the aggregate.
func (r *run) fanOut(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	body := &run{stage: r.stage, workflow: s.step.inner, inputs: r.inputs, parent: r, owner: s, iteration: r.iteration}
	body.taxonomy = body.classifier()
	body.set(s.inner)
	if s.step.fanout.declared {
		for _, sub := range body.steps {
			sub.arguments = cty.EmptyObjectVal
			if v := args.raw("arguments"); v != cty.NilVal {
				sub.arguments = normalise(v)
			}
		}
	}
	fan := &fanning{run: body, spec: s.step.fanout}
	fan.play(ctx)
	s.result.aggregate = aggregate(fan.answers())
	s.result.value = text(s.result.aggregate)
	if err := ctx.Err(); err != nil {
		return cancelled(err)
	}
	return nil
}

// play begins what can begin and waits until every sub has settled.
func (f *fanning) play(ctx context.Context) {
	stop := f.clock.AfterFunc(ctx, func() { f.strike(f.halted(ctx.Err()), context.Cause(ctx)) })
	f.ctx, f.cancelWork = f.clock.WithCancelCause(ctx)
	f.begin()
	for f.left > 0 {
		_ = f.settled.Wait(context.Background(), "its subs")
	}
	stop()
	f.cancelWork(nil)
}

// begin begins or skips every sub whose dependencies have settled, in the order
// of declaration, until nothing changes.
func (f *fanning) begin() {
	for f.candidates.Len() > 0 {
		s := f.steps[heap.Pop(&f.candidates).(int)]
		if s.phase != waiting || s.awaits > 0 {
			continue
		}
		if why := f.unmet(s); why != "" {
			f.leave(s, statusSkipped, why, f.classified(&failure.Failure{Kind: failure.Validation, Message: "unmet dependency: " + why, Step: s.name}))
		} else {
			f.start(s)
		}
	}
}

// unmet says which dependency of a sub did not end as its run_if demands, ""
// where all did.
func (f *fanning) unmet(s *stepState) string {
	for _, i := range s.step.after {
		d := f.steps[i]
		status := f.obs.steps[d.name].status
		ok := status == statusSuccess
		switch s.step.sub.runIf {
		case runAlways:
			ok = true
		case runCompleted:
			ok = ok || status == statusFailed || status == statusTimeout || status == statusSkipped
		}
		if !ok {
			return fmt.Sprintf("run_if is %q and %s is %s", s.step.sub.runIf, d.step.name, status)
		}
	}
	return ""
}

// start runs a sub as a task of its own. One that a policy strikes before its
// turn has not begun.
func (f *fanning) start(s *stepState) {
	s.phase = running
	f.clock.Go(f.ctx, fmt.Sprintf("sub %q", s.name), s.order, func(ctx context.Context) {
		if f.stopping != "" {
			f.abort(s)
			return
		}
		f.runStep(ctx, s)
		f.row(s)
		f.settle(s)
		f.judge(s)
		f.begin()
	})
}

// leave settles a sub that never began.
func (f *fanning) leave(s *stepState, status, why string, fail *failure.Failure) {
	f.emit(trace.Event{Type: trace.StepEnd, Step: s.name, Attrs: failed(attrs("status", status, "skipped_reason", why), fail)})
	f.settle(s)
	f.judge(s)
}

func (f *fanning) abort(s *stepState) {
	f.leave(s, statusAborted, f.stopping, &failure.Failure{Kind: failure.Cancelled, Message: "aborted: " + f.stopping, Rule: failure.RuleCancelled, Step: s.name})
}

// judge asks the policies what the end of a sub means for the others. Required
// subs that were skipped count as failed.
func (f *fanning) judge(s *stepState) {
	if f.stopping != "" {
		return
	}
	status, required := f.obs.steps[s.name].status, s.step.required
	bad := status != statusSuccess && (status != statusSkipped || required)
	why := ""
	switch {
	case status == statusSuccess && f.spec.join == joinFirst:
		why = fmt.Sprintf("sub %s succeeded, and join is %q", s.step.name, joinFirst)
	case bad && (f.spec.abort == abortOnAny || f.spec.abort == abortOnRequired && required):
		why = fmt.Sprintf("sub %s is %s, and abort is %q", s.step.name, status, f.spec.abort)
	default:
		return
	}
	f.strike(why, errors.New(why))
}

// strike ends the fanout early: what has not begun is aborted, and what is under
// way is cancelled.
func (f *fanning) strike(why string, cause error) {
	if f.stopping != "" {
		return
	}
	f.stopping = why
	for _, s := range f.steps {
		if s.phase == waiting {
			f.abort(s)
		}
	}
	f.cancelWork(cause)
}

// row is the line of a dispatched sub in the log of routes.
func (f *fanning) row(s *stepState) {
	res := f.obs.steps[s.name]
	if s.step.sub.target.rows() {
		return
	}
	f.emit(trace.Event{
		Type: trace.Route, Step: s.name, Actor: s.step.calls(),
		Attrs: failed(attrs("fanout", f.owner.name, "sub", s.step.name, "outcome", class(res), "elapsed_ns", res.ended-res.started), res.err),
	})
}

// class names how a sub ended: the class of its failure, or its status where it
// has none.
func class(s *stepResult) string {
	if s.err != nil && s.err.Mode != nil {
		return s.err.Mode.Code
	}
	return s.status
}

// callOnce makes one call of a sub, and returns its value. The failure may have
// a mode of any taxonomy.
func (r *run) callOnce(ctx context.Context, s *stepState, arguments cty.Value) (cty.Value, *failure.Failure) {
	c, isActor := s.step.sub.target.(actorCallee)
	if !isActor {
		return r.within(ctx, s, "arguments", arguments)
	}
	return r.drive.world.Call(ctx, actor.Call{
		Target: c.target, Arguments: normalise(arguments), Via: r.caller(),
		Origin: actor.Origin{Step: s.name, Iteration: r.iteration, Fanout: r.owner.name, Sub: s.step.name},
	})
}

// dispatch calls the target of a sub, round by round.
func (r *run) dispatch(ctx context.Context, s *stepState) *failure.Failure {
	arguments, f := r.subArguments(s)
	if f != nil {
		return f
	}
	s.result.value, f = r.persist(ctx, s, true, func() (cty.Value, *failure.Failure) {
		return r.callOnce(ctx, s, arguments)
	})
	return f
}

// persist makes a call round by round, as the retry policy of its step says.
func (r *run) persist(ctx context.Context, s *stepState, idempotent bool, call func() (cty.Value, *failure.Failure)) (cty.Value, *failure.Failure) {
	for round := 1; ; round++ {
		v, f := call()
		if f == nil {
			return v, nil
		}
		f = r.reclassified(f)
		d := s.step.retry.Decide(round, *f, nil, idempotent, func() *rand.Rand {
			r.draws[s.name]++
			return policy.Draw(r.plan.Seed, "jitter", s.name, r.draws[s.name])
		})
		if !d.Again {
			if s.step.retry.MaxRetries > 0 {
				s.result.stop = d.Reason
			}
			return null, f
		}
		r.emit(trace.Event{Type: trace.RetryWait, Step: s.name, Round: round, Attrs: attrs("delay_ns", d.Wait, "retry", round, "policy", s.step.retry.Name)})
		if err := r.clock.SleepAs(ctx, sched.Start, d.Wait); err != nil {
			return null, cancelled(err)
		}
		s.retried++
	}
}

// subArguments evaluates the arguments of a sub: in the place of the step that
// fans out, or where that runs a declared fanout, with what it is run with.
func (r *run) subArguments(s *stepState) (cty.Value, *failure.Failure) {
	e := s.step.sub.arguments
	if e == nil {
		return cty.EmptyObjectVal, nil
	}
	extra := map[string]cty.Value{}
	if s.arguments != cty.NilVal {
		extra["arguments"] = s.arguments
	}
	v, diags := e.Value(r.parent.stepContext(r.owner, extra))
	if diags.HasErrors() {
		return null, r.broken(s, "arguments", diagText(diags))
	}
	return v, nil
}

// reclassified gives a failure the class that it has in this run, whatever mode
// it had where it was observed. A mode that a scenario chose stays where it has
// a meaning here.
func (r *run) reclassified(f *failure.Failure) *failure.Failure {
	g := *f
	if g.Rule != failure.RuleExplicit || g.Mode == nil || r.taxonomy.Lookup(g.Mode.Code) == nil {
		g.Mode, g.Rule = nil, ""
	}
	return r.classified(&g)
}

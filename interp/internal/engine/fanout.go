package engine

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// fanning is a fanout under way. Its run is that of the graph whose steps are
// the subs; stopping is why none of them may begin any more.
type fanning struct {
	*run
	spec *plan.Fanout
	// ctx is that of the subs. It ends when a policy strikes.
	ctx context.Context
}

// fanoutKind makes several calls together.
type fanoutKind struct{ basicKind }

// perform makes the calls of a fanout. It fails for no failure of a sub: what
// became of each is in its own result and in the aggregate.
func (fanoutKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	body := &run{execution: r.execution, workflow: s.Step.Inner, inputs: r.inputs, parent: r, owner: s, iteration: r.iteration}
	body.taxonomy = body.classifier()
	body.set(s.Inner)
	if s.Step.Fanout.Declared {
		for _, sub := range body.steps {
			sub.arguments = cty.EmptyObjectVal
			if v := args.Raw("arguments"); v != cty.NilVal {
				sub.arguments = read.Normalise(v)
			}
		}
	}
	fan := &fanning{run: body, spec: s.Step.Fanout}
	fan.play(ctx)
	s.result.Aggregate = aggregate(fan.answers())
	s.result.value = read.Text(s.result.Aggregate)
	if err := ctx.Err(); err != nil {
		return cancelled(err)
	}
	return nil
}

// play begins what can begin and waits until every sub has settled.
func (f *fanning) play(ctx context.Context) {
	stop := f.Clock.AfterFunc(ctx, func() { f.strike(f.halted(ctx.Err()), context.Cause(ctx)) })
	f.ctx, f.cancelWork = f.Clock.WithCancelCause(ctx)
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
			f.leave(s, read.StatusSkipped, why, f.classified(&failure.Failure{Kind: failure.Validation, Message: "unmet dependency: " + why, Step: s.Name}))
		} else {
			f.start(s)
		}
	}
}

// unmet says which dependency of a sub did not end as its run_if demands, ""
// where all did.
func (f *fanning) unmet(s *stepState) string {
	for _, i := range s.Step.After {
		d := f.steps[i]
		status := f.Obs.Steps[d.Name].Status
		ok := status == read.StatusSuccess
		switch s.Step.Sub.RunIf {
		case plan.RunAlways:
			ok = true
		case plan.RunCompleted:
			ok = ok || status == read.StatusFailed || status == read.StatusTimeout || status == read.StatusSkipped
		}
		if !ok {
			return fmt.Sprintf("run_if is %q and %s is %s", s.Step.Sub.RunIf, d.Step.Name, status)
		}
	}
	return ""
}

// start runs a sub as a task of its own. One that a policy strikes before its
// turn has not begun.
func (f *fanning) start(s *stepState) {
	s.phase = running
	f.Clock.Go(f.ctx, fmt.Sprintf("sub %q", s.Name), s.Order, func(ctx context.Context) {
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
	f.emit(trace.Event{Step: s.Name, Payload: &event.StepEnd{Failed: event.FailedOf(fail), StatusCode: event.StatusOf(fail), Status: status, SkippedReason: why}})
	f.settle(s)
	f.judge(s)
}

func (f *fanning) abort(s *stepState) {
	f.leave(s, read.StatusAborted, f.stopping, &failure.Failure{Kind: failure.Cancelled, Message: "aborted: " + f.stopping, Rule: failure.RuleCancelled, Step: s.Name})
}

// judge asks the policies what the end of a sub means for the others. Required
// subs that were skipped count as failed.
func (f *fanning) judge(s *stepState) {
	if f.stopping != "" {
		return
	}
	status, required := f.Obs.Steps[s.Name].Status, s.Step.Required
	bad := status != read.StatusSuccess && (status != read.StatusSkipped || required)
	why := ""
	switch {
	case status == read.StatusSuccess && f.spec.Join == plan.JoinFirst:
		why = fmt.Sprintf("sub %s succeeded, and join is %q", s.Step.Name, plan.JoinFirst)
	case bad && (f.spec.Abort == plan.AbortOnAny || f.spec.Abort == plan.AbortOnRequired && required):
		why = fmt.Sprintf("sub %s is %s, and abort is %q", s.Step.Name, status, f.spec.Abort)
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
	res := f.Obs.Steps[s.Name]
	if s.Step.Sub.Target.Rows() {
		return
	}
	f.emit(trace.Event{
		Step: s.Name, Actor: s.Step.Calls(),
		Payload: &event.Route{
			Failed: event.FailedOf(res.Err), StatusCode: event.StatusOf(res.Err), Fanout: f.owner.Name, Sub: s.Step.Name, Outcome: class(res), Elapsed: res.Ended - res.Started,
		},
	})
}

// class names how a sub ended: the class of its failure, or its status where it
// has none.
func class(s *observe.StepResult) string {
	if s.Err != nil && s.Err.Mode != nil {
		return s.Err.Mode.Code
	}
	return s.Status
}

// callOnce makes one call of a sub, and returns its value. The failure may have
// a mode of any taxonomy.
func (r *run) callOnce(ctx context.Context, s *stepState, arguments cty.Value) (cty.Value, *failure.Failure) {
	c, isActor := s.Step.Sub.Target.(plan.ActorCallee)
	if !isActor {
		return r.within(ctx, s, "arguments", arguments)
	}
	return r.scheduled.world.Call(ctx, actor.Call{
		Target: c.Target, Arguments: read.Normalise(arguments), Via: r.caller(),
		Origin: actor.Origin{Step: s.Name, Iteration: r.iteration, Fanout: r.owner.Name, Sub: s.Step.Name},
	})
}

// subKind is one call of a fanout.
type subKind struct{ basicKind }

// perform calls the target of a sub, round by round.
func (subKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	arguments, f := r.subArguments(s)
	if f != nil {
		return f
	}
	_, isActor := s.Step.Sub.Target.(plan.ActorCallee)
	arguments = r.handed(s.Name, !isActor, arguments)
	s.result.value, f = r.persistAs(ctx, s, true, func() (cty.Value, *failure.Failure, *failure.Failure) {
		v, f := r.callOnce(ctx, s, arguments)
		if f == nil || !s.Step.AsksWorkflow() {
			return v, r.reclassified(f), nil
		}
		return v, r.reclassified(f), f
	})
	return f
}

// persist makes a call round by round, as the retry policy of its step says.
// The call's failure has the class that it has in this run.
func (r *run) persist(ctx context.Context, s *stepState, idempotent bool, call func() (cty.Value, *failure.Failure)) (cty.Value, *failure.Failure) {
	return r.persistAs(ctx, s, idempotent, func() (cty.Value, *failure.Failure, *failure.Failure) {
		v, f := call()
		return v, f, nil
	})
}

// persistAs is persist for a call whose failure may also have the class that it has
// where it was observed, own: it is made again where either class may be.
func (r *run) persistAs(ctx context.Context, s *stepState, idempotent bool, call func() (v cty.Value, f, own *failure.Failure)) (cty.Value, *failure.Failure) {
	for round := 1; ; round++ {
		s.gated = false
		v, f, own := call()
		switch {
		case f == nil:
			return v, nil
		case s.gated:
			return read.Null, f // as where a call's own attempt breaks a gate
		}
		last, tried := f, []failure.Failure(nil)
		if own != nil {
			last, tried = own, []failure.Failure{*f, *own}
		}
		d := s.Step.Retry.Decide(round, *last, tried, idempotent, func() *rand.Rand {
			r.draws[s.Name]++
			return policy.Draw(r.plan.Seed, "jitter", s.Name, r.draws[s.Name])
		})
		if !d.Again {
			if s.Step.Retry.MaxRetries > 0 {
				s.result.stop = d.Reason
			}
			return read.Null, f
		}
		r.emit(trace.Event{Step: s.Name, Round: round, Payload: &event.RetryWait{Delay: d.Wait, Retry: round, Policy: s.Step.Retry.Name}})
		if err := r.Clock.SleepAs(ctx, sched.Start, d.Wait); err != nil {
			return read.Null, cancelled(err)
		}
		s.retried++
	}
}

// gatedWithin tells the steps that this run is the work of that a gate was broken in it:
// none of them tries again.
func (r *run) gatedWithin() {
	for inner := r; inner != nil; inner = inner.parent {
		if inner.owner != nil {
			inner.owner.gated = true
		}
	}
}

// subArguments evaluates the arguments of a sub: in the place of the step that
// fans out, or where that runs a declared fanout, with what it is run with.
func (r *run) subArguments(s *stepState) (cty.Value, *failure.Failure) {
	e := s.Step.Sub.Arguments
	if e == nil {
		return cty.EmptyObjectVal, nil
	}
	extra := map[string]cty.Value{}
	if s.arguments != cty.NilVal {
		extra["arguments"] = s.arguments
	}
	v, diags := dsl.Evaluate(e, r.parent.stepContext(r.owner, extra))
	if diags.HasErrors() {
		return read.Null, r.broken(s, "arguments", plan.DiagText(diags))
	}
	return v, nil
}

// reclassified gives a failure the class that it has in this run, whatever mode
// it had where it was observed. A mode that a scenario chose stays where it has
// a meaning here.
func (r *run) reclassified(f *failure.Failure) *failure.Failure {
	if f == nil {
		return nil
	}
	g := *f
	if g.Rule != failure.RuleExplicit || g.Mode == nil || r.taxonomy.Lookup(g.Mode.Code) == nil {
		g.Mode, g.Rule = nil, ""
	}
	return r.classified(&g)
}

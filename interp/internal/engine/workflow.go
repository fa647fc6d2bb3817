package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// stepState is where one step of a run stands.
type stepState struct {
	*plan.Node
	// phase goes from waiting over running to settled. A step whose fallback
	// runs is not settled before that is.
	phase phase
	n     int // attempts so far
	// retried counts the rounds after the first that began, all turns added.
	retried int
	// gated says that a gate was broken by a call inside of it since its work began last.
	gated bool
	// operation is what its last attempt does or did.
	operation string
	// current is the attempt under way.
	current *attempt
	// result is what the step has gathered for its end.
	result stepOutcome
	// failed is what the step ended with.
	failed *failure.Failure
	// owner is the step that this one runs in the place of.
	owner *stepState
	// replaces is the step of which the trace has to say, when this one begins,
	// that it runs in its place; nil for none.
	replaces *stepState
	// awaits counts the dependencies that have not settled, dependants lists
	// the steps that wait for this one, and askers counts the steps that may
	// yet ask it to run.
	awaits     int
	dependants []int
	askers     int
	// cause is the failed ancestor because of which it was skipped, and far how
	// many edges away that is.
	cause    *stepState
	distance int
	// session is the one of an actor that the step stands for, 0 for none.
	session int
	// arguments are what the model passed to the tool that the step is.
	arguments cty.Value
	// busy lets one call at a time run the step as a tool.
	busy *sched.Semaphore
}

type phase uint8

const (
	waiting phase = iota
	running
	settled
)

// root is the task that runs the scenario's workflow.
func (r *run) root(ctx context.Context) {
	ctx, r.cancel = r.Clock.WithCancelCause(ctx)
	r.interruptible()
	r.execute(ctx)
	r.awaitActions()
	if !r.scheduled.closed {
		r.closingGates()
	}
	r.scheduled.stop()
	r.cancel(nil)
}

// interruptible lets whoever holds the run cancel it.
func (r *run) interruptible() {
	interrupt := func() { r.Clock.Post(func() { r.cancel(exchange.ErrInterrupted) }) }
	switch {
	case r.stage != nil:
		r.stage.Begun(func(cause error) { r.Clock.Post(func() { r.cancel(cause) }) })
	case r.live != nil && r.live.OnInterrupt != nil:
		r.live.OnInterrupt(interrupt)
	case r.host != nil && r.host.OnInterrupt != nil:
		r.host.OnInterrupt(interrupt)
	}
}

// address is the step that a run is the work of, "" for the scenario's.
func (r *run) address() string {
	if r.owner == nil {
		return ""
	}
	return r.owner.Name
}

// session is the one of an actor whose work the run is, 0 for none.
func (r *run) session() int {
	if r.owner == nil {
		return 0
	}
	return r.owner.session
}

// execute runs a workflow from its start event to its end event, and returns
// its output, or why it did not succeed.
func (r *run) execute(ctx context.Context) (cty.Value, *failure.Failure) {
	w := r.workflow
	if r.owner != nil || r.stage == nil {
		r.emit(trace.Event{Step: r.address(), Payload: &event.RunStart{Workflow: w.Name, Inputs: event.Value{Value: r.inputs}, RunID: event.RunID{Plan: r.plan}, Session: r.session()}})
	}
	runCtx := ctx
	if r.owner == nil {
		r.begin(ctx)
		runCtx, r.scheduled.run = r.Clock.WithCancelCause(ctx)
	}
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		runCtx, cancel = r.Clock.WithTimeoutCause(runCtx, w.Timeout, fmt.Errorf("the workflow's timeout of %s passed", w.Timeout))
		defer cancel()
	}
	r.work(runCtx, func() bool { return ctx.Err() == nil })
	if r.owner == nil && r.plan.BenchRun != nil {
		r.bench(runCtx)
	}
	if r.owner == nil && w.Name == "" {
		r.awaitActions()
	}
	return r.finish(runCtx)
}

// work starts what can start and waits until all steps have settled. Own says,
// when the context has ended, that it was the run's own deadline.
func (r *run) work(ctx context.Context, own func() bool) {
	r.open = append(r.open, r)
	// Before any step is told: an outer run says first that it stops.
	stop := r.Clock.AfterFunc(ctx, func() { r.halt(ctx.Err(), own()) })
	work, cancel := r.Clock.WithCancelCause(ctx)
	r.cancelWork = cancel
	r.advance(work)
	for r.left > 0 {
		_ = r.settled.Wait(context.Background(), "its steps")
	}
	stop()
	cancel(nil)
	r.open = slices.DeleteFunc(r.open, func(o *run) bool { return o == r })
}

// halt is called when the run's own deadline passes or it is cancelled.
func (r *run) halt(err error, own bool) {
	switch {
	case own && errors.Is(err, context.DeadlineExceeded):
		r.expired = true
		r.stopping = read.SkippedByDeadline
		r.emit(trace.Event{Step: r.address(), Payload: &event.Timeout{Layer: "workflow", After: r.workflow.Timeout}})
	case r.stopping == "":
		r.stopping = r.halted(err)
	}
	r.skipWaiting()
}

// halted says why a run stops that was ended from outside.
func (r *run) halted(err error) string {
	for p := r.parent; p != nil; p = p.parent {
		if p.stopping != "" {
			return p.stopping
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return read.SkippedByStep
	}
	return read.SkippedByCancelling
}

// skip settles a step without running it. One that was to run in the place of
// another leaves that one failed.
func (r *run) skip(s *stepState, reason string) {
	r.emit(trace.Event{Step: s.Name, Payload: &event.StepEnd{Status: read.StatusSkipped, SkippedReason: reason}})
	if owner := r.settleWith(s); owner != s {
		r.fail(owner)
	}
}

// skipWaiting skips everything that has not begun.
func (r *run) skipWaiting() {
	for _, s := range r.steps {
		if s.phase == waiting {
			reason := r.stopping
			if s.Step.Substitute {
				reason = r.substituteReason(s)
			}
			r.skip(s, reason)
		}
	}
}

// start runs a step as a task of its own.
func (r *run) start(ctx context.Context, s *stepState) {
	s.phase = running
	r.Clock.Go(ctx, fmt.Sprintf("step %q", s.Name), s.Order, func(ctx context.Context) {
		if kinds[s.Step.Kind].places() {
			if r.slots.Acquire(ctx, "a free place among max_concurrent") != nil {
				r.skip(s, r.stopping)
				r.advance(ctx)
				return
			}
		}
		deepen(s.Order)
		r.runStep(r.cancellable(ctx, s), s)
		if kinds[s.Step.Kind].places() {
			r.slots.Release()
		}
		r.after(ctx, s)
	})
}

// after settles a step that has ended, or starts the one that replaces it.
func (r *run) after(ctx context.Context, s *stepState) {
	if s.failed != nil && r.replace(ctx, s) {
		return
	}
	s = r.settleWith(s)
	if s.failed != nil && !r.Obs.Completed(r.Obs.Steps[s.Name]) {
		r.fail(s)
	}
	r.advance(ctx)
}

// replace starts the fallback of a failed step, when it has one for such a
// failure.
func (r *run) replace(ctx context.Context, s *stepState) bool {
	f := r.substitute(s)
	if f == nil || f.phase != waiting {
		return false // it stands in for another step already
	}
	f.owner, f.replaces = s, s
	r.candidates.add(f.Step.Index)
	r.advance(ctx)
	return true
}

// substitute is the step that is to run in the place of one that has ended, nil
// for none.
func (r *run) substitute(s *stepState) *stepState {
	if s.failed == nil || s.Step.Fallback < 0 || s.failed.Kind == failure.Cancelled || !s.failed.Retryable && !s.Step.FallbackAny || r.stopping != "" {
		return nil
	}
	return r.steps[s.Step.Fallback]
}

// settleWith settles a step, and with it the step that it ran in the place of.
// It returns the last of them, which is s itself where it replaced none.
func (r *run) settleWith(s *stepState) *stepState {
	r.settle(s)
	for s.owner != nil {
		s = s.owner
		r.settle(s)
	}
	return s
}

func (r *run) settle(s *stepState) {
	s.phase = settled
	r.left--
	if r.parent == nil {
		r.markOver("step", s.Step.Name)
	}
	r.freed(s)
	if r.left == 0 {
		r.settled.Fire()
	}
}

// fail draws the consequences of a failed step.
func (r *run) fail(s *stepState) {
	if !s.Step.Required {
		return
	}
	if r.first == nil {
		r.first = s
	}
	if s.Step.AfterFailure != plan.FailFast || r.stopping != "" {
		return
	}
	r.stopping = read.StoppedBy(s.Name)
	r.cancelWork(errFailFast)
}

// substituteReason says why a step that stands by for others never ran.
func (r *run) substituteReason(s *stepState) string {
	unused := s.Step.SwitchedOff && !s.Step.Tool
	for _, o := range r.steps {
		unused = unused || o.Step.Fallback == s.Step.Index
	}
	if unused {
		return read.SkippedUnused
	}
	return read.SkippedOffered
}

// finish says what became of a workflow's run.
func (r *run) finish(ctx context.Context) (cty.Value, *failure.Failure) {
	status, f := read.StatusSuccess, (*failure.Failure)(nil)
	partial := r.partial()
	switch ended := ctx.Err(); {
	case r.benching != nil && r.owner == nil:
		status, f = r.benchStatus()
	case r.expired:
		status = read.StatusTimeout
		t := r.taxonomy.ClassifyRunTimeout(failure.Failure{
			Kind: failure.Timeout, Message: fmt.Sprintf("workflow %q did not end within its timeout of %s", r.workflow.Name, r.workflow.Timeout), Chain: r.cut(),
		}, len(partial.Completed))
		f = &t
	case ended != nil:
		status = read.StatusCancelled
		f = &failure.Failure{Kind: failure.Cancelled, Message: "the run was cancelled: " + causeText(ctx), Rule: failure.RuleCancelled}
	case r.budget != nil:
		status, f = read.StatusFailed, r.budget
	default:
		status, f = r.outcome(len(partial.Completed))
	}
	output, broken := r.output(status)
	if broken != nil {
		status, f = read.StatusFailed, broken
	}
	counts := failure.Partial{Completed: len(partial.Completed), Failed: len(partial.Failed), Skipped: len(partial.Skipped), Remaining: len(partial.Remaining)}
	partial.Ratio, partial.Recoverable, partial.Hint = counts.Ratio(), counts.Recoverable(f), counts.Hint()
	usd, _ := r.spent()
	met := cancelledBy(ctx, f)
	if r.owner == nil && r.scheduled.left == 0 {
		r.scheduled.cancelled = met
		r.scheduled.closed = true
		r.closingGates()
	}
	at := event.PlaceOf(f)
	r.end(trace.Event{Step: r.address()}, &event.RunEnd{
		Failed: event.FailedOf(f), StatusCode: event.StatusOf(f), Status: status, Output: event.Value{Value: output}, CostUSD: usd.Float64(), RunID: event.RunID{Plan: r.plan},
		FailedStep: at.FailedStep, FailedAttempt: at.FailedAttempt, FailedTarget: at.FailedTarget, PartialResult: &partial, Met: met,
	})
	return output, f
}

// cut lists what the steps that a deadline cancelled had met last.
func (r *run) cut() []failure.Failure {
	var chain []failure.Failure
	for _, s := range r.steps {
		res := r.Obs.Steps[s.Name]
		if last := res.LastFailure(); last != nil && res.Status == read.StatusCancelled {
			chain = append(chain, *last)
		}
	}
	return chain
}

// outcome is what the steps of a run that came to its own end make of it.
func (r *run) outcome(completed int) (status string, f *failure.Failure) {
	at, origin := r.blame()
	switch {
	case at == nil:
		return read.StatusSuccess, nil
	case at.Step.AfterFailure == plan.GoOn && r.stopping == "" && completed > 0:
		return read.StatusPartial, origin.failed
	}
	return read.StatusFailed, origin.failed
}

// blame finds the required step because of which the run did not succeed, and
// the step whose failure it was: the first one that failed, or one that never
// ran because a step failed that was not required itself.
func (r *run) blame() (at, origin *stepState) {
	if r.first != nil {
		return r.first, r.first
	}
	for _, s := range r.steps {
		res := r.Obs.Steps[s.Name]
		if !s.Step.Required || s.Step.Substitute || res.Status != read.StatusSkipped || r.passable(s) {
			continue
		}
		if s.cause != nil {
			return s, s.cause
		}
	}
	return nil, nil
}

// partial counts what became of the steps. Steps that were never meant to run
// are left out.
func (r *run) partial() event.PartialResult {
	p := event.PartialResult{Completed: []string{}, Failed: []string{}, Skipped: []string{}, Remaining: []string{}, Data: map[string]cty.Value{}}
	for _, s := range r.steps {
		res := r.Obs.Steps[s.Name]
		switch {
		case r.Obs.Completed(res) && s.owner == nil && !s.Step.Tool:
			p.Completed = append(p.Completed, s.Step.Name)
			p.Data[s.Step.Name] = r.outputOf(res)
		case s.owner != nil, s.Step.Substitute && res.Status == read.StatusSkipped, res.SkippedReason == read.SkippedByWhen, s.Step.Tool:
			// A substitute counts as the step that it replaced, and what a tool
			// answers, be it an error, as its caller's work.
		case res.Status == read.StatusSkipped && r.stopping != "" && res.SkippedReason == r.stopping:
			p.Remaining = append(p.Remaining, s.Step.Name)
		case res.Status == read.StatusSkipped:
			p.Skipped = append(p.Skipped, s.Step.Name)
		default:
			p.Failed = append(p.Failed, s.Step.Name)
		}
	}
	return p
}

// outputOf is what dependants of a step read: its own output, or that of the
// step which ran in its place.
func (r *run) outputOf(s *observe.StepResult) cty.Value {
	return r.Obs.Substitute(s).Output
}

// output is the workflow's own output. That of a run with failed steps may well
// read what they never gave, and is null then; where all is well, it is a
// failure of the run, and breaks the gate of broken expressions.
func (r *run) output(status string) (cty.Value, *failure.Failure) {
	w := r.workflow
	if w.Output == nil || status != read.StatusSuccess && status != read.StatusPartial {
		return read.Null, nil
	}
	v, diags := dsl.Evaluate(w.Output, r.reading(w.OutputNeeds))
	switch {
	case !diags.HasErrors():
		return read.Normalise(v), nil
	case status == read.StatusPartial:
		return read.Null, nil
	}
	f := r.classified(&failure.Failure{Kind: failure.Validation, Stage: failure.Aggregate, Message: fmt.Sprintf("the output of workflow %q %s", w.Name, plan.DiagText(diags))})
	r.brokenGate(f, w.Output.Range())
	return read.Null, f
}

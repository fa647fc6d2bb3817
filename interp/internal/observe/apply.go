package observe

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// Follow folds every later event of a log.
func (o *Observed) Follow(log *trace.Log) {
	o.Log = log
	log.Observe(func(e trace.Event) { o.Apply(&e) })
}

// Apply folds one event into what is known of the run. It is the only place
// that writes results.
func (o *Observed) Apply(e *trace.Event) {
	o.worked(e)
	s := o.subject(e)
	switch p := e.Payload.(type) {
	case *event.RunStart:
		o.runStart(s, e, p)
	case *event.StepStart:
		o.stepStart(s, e)
	case *event.AttemptStart:
		o.attemptStart(s, e, p)
	case *event.Fault:
		if e.Attempt > 0 { // else it struck a part of an actor, or a case
			s.attempt(e.Attempt).fault = p.FaultType
		}
	case *event.AttemptEnd:
		o.attemptEnd(s, e, p)
	case *event.Rejection:
		o.rejection(s, e, p)
	case *event.RetryWait:
		if s != nil { // else an actor's startup is tried again
			s.Delays = append(s.Delays, Wait{e.At, p.Delay})
		}
	case *event.Fallback:
		if p.Gateway == "" {
			s.replacedBy = p.To
		}
	case *event.Breaker:
		t := o.Targets[e.Target]
		t.state, t.failures = policy.State(p.To), p.Failures
		t.transitions = append(t.transitions, transition{e.At, policy.State(p.From), t.state})
	case *event.StepEnd:
		o.stepEnd(o.current(s, e), e, p)
	case *event.Gate:
		o.Gates = append(o.Gates, plan.Problem{Kind: "gate", Name: p.Gate, Message: p.Message, Range: o.Plan.Range(p.Range)})
	case *event.Defect:
		o.Defects = append(o.Defects, plan.Problem{Kind: "error", Name: "script", Message: p.Message, Range: o.Plan.Range(p.Range)})
	case *event.SutStart, *event.SutReady, *event.SutHost, *event.SutEnd:
		o.Sut.apply(e)
	case *event.CaseEnd:
		o.caseEnd(p)
	case *event.RunEnd:
		o.runEnd(s, e, p)
	default:
		o.service(e)
	}
	o.touched(e)
}

// touched notes that an event may have changed the results of its step and of
// those around it.
func (o *Observed) touched(e *trace.Event) {
	for s := o.subject(e); s != nil; s = o.around(s) {
		o.renew(s)
	}
}

// around is the step that a step is a part of: the one whose block has it, or the call
// that the workflow of a handler is the work of; nil for none.
func (o *Observed) around(s *StepResult) *StepResult {
	if s.Outer != nil {
		return o.Steps[s.Outer.Name]
	}
	return s.caller
}

func (o *Observed) runStart(s *StepResult, e *trace.Event, p *event.RunStart) {
	run := &o.Run
	if p.Way != "" {
		o.Way = plan.Way(p.Way)
	}
	if s != nil {
		if s.Ran != nil {
			o.forget(s.Inner)
		}
		s.ran++
		s.caller = o.callerOf(s, p.Session)
		s.Ran = &RunResult{of: o, step: e.Step, iteration: e.Iteration, Output: read.Null}
		run = s.Ran
	}
	run.started, run.id = e.At, p.RunID
}

func (o *Observed) stepStart(s *StepResult, e *trace.Event) {
	s = o.current(s, e)
	o.forget(s.Inner)
	s.replacedBy = ""
	if !s.Began {
		s.Began, s.Started, s.target = true, e.At, e.Target
		if ep := s.Step.Endpoint; e.Step == "" || ep != nil && ep.Declared {
			return // a call of the scenario, or of its program
		}
		o.Order = append(o.Order, s)
	}
}

// current is the result of a step in the iteration that an event is of: that of
// an earlier one is over.
func (o *Observed) current(s *StepResult, e *trace.Event) *StepResult {
	if e.Step == "" {
		return s
	}
	if s.iteration != e.Iteration {
		if s.Began || s.Status != "" {
			s = o.fresh(s.Node)
			o.forget(s.Inner)
		}
		s.iteration = e.Iteration
	}
	if s.Outer == nil {
		return s
	}
	around, pass := o.Steps[s.Outer.Name], e.Iteration
	if around.Step.Kind == plan.KindWorkflow {
		pass = around.ran
	}
	if s.pass != pass {
		s.pass = pass
		around.passes = append(around.passes, s)
	}
	return s
}

// forget drops what steps did when the step around them ran before.
func (o *Observed) forget(list []*plan.Node) {
	plan.EachNode(list, func(n *plan.Node) {
		if s := o.Steps[n.Name]; s.Began || s.Status != "" {
			o.fresh(n)
		}
	})
}

func (o *Observed) attemptStart(s *StepResult, e *trace.Event, p *event.AttemptStart) {
	a := &attemptResult{
		step: s, seq: e.Seq, n: e.Attempt, round: e.Round, turn: e.Turn, iteration: e.Iteration, at: e.At - s.Started, open: true,
		target: e.Target, request: p.Request, response: &event.AttemptEnd{},
	}
	if a.request == nil {
		a.request = &event.Request{}
	}
	a.provider = a.request.Provider
	o.someEncoded = o.someEncoded || a.request.Encoded != ""
	s.attempts = append(s.attempts, a)
	o.asked(s, a, p)
	s.target, s.provider = a.target, a.provider
	t := o.Targets[e.Target]
	t.attempts = append(t.attempts, a)
	t.InFlight++
	t.inFlightMax = max(t.inFlightMax, t.InFlight)
}

func (o *Observed) attemptEnd(s *StepResult, e *trace.Event, p *event.AttemptEnd) {
	a := s.attempt(e.Attempt)
	a.open, a.ended = false, e.At-s.Started
	if p.Served != nil {
		a.ended -= p.Served.Late
	}
	a.outcome, a.response = p.Outcome, p
	a.err = o.failures.of(told{p.Failed, e.Step, e.Attempt, e.Target, p.StatusCode, event.Place{}}, e)
	if a.err != nil && a.err.HasRetryAfter {
		after := a.err.RetryAfter
		a.retryAfter = &after
	}
	o.served(s, a, e, p)
	t := o.Targets[e.Target]
	t.InFlight--
	t.failures = p.BreakerFailures
	o.pay(s, money.Of(p.CostUSD), p.Usage.Usage)
	if a.outcome != "success" {
		return
	}
	if g := o.Gateways[p.Gateway]; g != nil {
		g.servedBy = append(g.servedBy, a.target)
		if p.Fallback {
			g.fallbacks++
		}
	}
}

// pay books an answer of a step on it, on the steps and calls around it, and on the
// runs that it is part of.
func (o *Observed) pay(s *StepResult, usd money.USD, used providers.Usage) {
	o.Run.pay(usd, used)
	for ; s != nil; s = o.around(s) {
		s.costUSD = s.costUSD.Plus(usd)
		addUsage(&s.usage, used)
		if s.Ran != nil {
			s.Ran.pay(usd, used)
		}
	}
}

func (r *RunResult) pay(usd money.USD, used providers.Usage) {
	r.CostUSD = r.CostUSD.Plus(usd)
	addUsage(&r.Usage, used)
}

func (o *Observed) rejection(s *StepResult, e *trace.Event, p *event.Rejection) {
	r := rejection{at: e.At - s.Started, round: e.Round, target: e.Target, reason: p.Reason}
	s.rejections = append(s.rejections, r)
	t := o.Targets[e.Target]
	t.rejections = append(t.rejections, r)
	if r.reason == string(failure.CircuitOpen) {
		t.rejected++
	}
}

func (o *Observed) stepEnd(s *StepResult, e *trace.Event, p *event.StepEnd) {
	o.effects.show(p.Met)
	s.told = true
	if s.asked != nil {
		// The attempts have told the rest.
		s.Answer, s.StatusCode = p.Answer, p.StatusCode
		return
	}
	s.Status = p.Status
	s.Err = o.failures.of(told{p.Failed, e.Step, e.Attempt, e.Target, p.StatusCode, p.Place}, e)
	s.SkippedReason = p.SkippedReason
	s.stop = p.Stop
	if !s.Began {
		o.Order = append(o.Order, s)
		return
	}
	s.Ended = e.At
	s.retries += p.Retries
	if n := len(s.Delays); n > 0 && s.Delays[n-1].At+s.Delays[n-1].delay > e.At {
		s.Delays = s.Delays[:n-1] // it was cut short and did not take place
	}
	s.Output = p.Output.OrNull()
	s.Answer, s.StatusCode = p.Answer, p.StatusCode
}

func (o *Observed) runEnd(s *StepResult, e *trace.Event, p *event.RunEnd) {
	run := &o.Run
	if s != nil {
		run = s.Ran
	}
	o.effects.show(p.Met)
	run.ended = e.At
	run.Status = p.Status
	run.Err = p.Failure(e, p.StatusCode, event.Place{FailedStep: p.FailedStep, FailedAttempt: p.FailedAttempt, FailedTarget: p.FailedTarget})
	if p.PartialResult != nil {
		run.partial = *p.PartialResult
	}
	run.Output = p.Output.OrNull()
}

func addUsage(to *providers.Usage, u providers.Usage) {
	to.Set = to.Set || u.Set
	to.Prompt += u.Prompt
	to.Completion += u.Completion
	to.Total += u.Total
	to.Cached += u.Cached
	to.Reasoning += u.Reasoning
}

// told is what an event tells of a failure, and where that was observed.
type told struct {
	failed  *event.Failed
	step    string
	attempt int
	target  string
	status  int
	at      event.Place
}

// A failures holds what the last different ones came to. Events that tell the same share
// it: the iterations of a loop may fail alike, thousands of them.
type failures struct {
	known [4]struct {
		told
		failure *failure.Failure
	}
	next int
}

// of is the failure that an event tells of, nil where it tells of none.
func (f *failures) of(t told, e *trace.Event) *failure.Failure {
	if t.failed == nil {
		return nil
	}
	for i := range f.known {
		if k := &f.known[i]; k.told == t {
			return k.failure
		}
	}
	k := &f.known[f.next]
	k.told, k.failure = t, t.failed.Failure(e, t.status, t.at)
	f.next = (f.next + 1) % len(f.known)
	return k.failure
}

// Misfit says why an event, which may be read from a file, cannot follow those before it: it
// lacks the name of what it is about, names what the scenario does not have, or ends what has
// not begun; "" for one that can.
func (o *Observed) Misfit(e *trace.Event) string {
	switch p := e.Payload.(type) {
	case *event.StepStart, *event.StepEnd:
		return o.ofNoStep(e)
	case *event.AttemptStart, *event.Rejection:
		if why := o.ofNoStep(e); why != "" {
			return why
		}
		return o.ofNoTarget(e)
	case *event.AttemptEnd:
		if why := o.ofNoAttempt(e); why != "" {
			return why
		}
		return o.ofNoTarget(e)
	case *event.Breaker:
		return o.ofNoTarget(e)
	case *event.Fault:
		if e.Attempt > 0 {
			return o.ofNoAttempt(e)
		}
	case *event.RunStart:
		if e.Step != "" && o.Steps[e.Step] == nil {
			return o.ofNoStep(e)
		}
	case *event.RunEnd:
		if s := o.subject(e); s != nil && s.Ran == nil {
			return "no run of that step has begun"
		}
	case *event.Fallback:
		if p.Gateway == "" {
			return o.ofNoStep(e)
		}
	}
	return ""
}

// ofNoStep says that an event is of no step and no call that there is.
func (o *Observed) ofNoStep(e *trace.Event) string {
	switch {
	case o.subject(e) != nil:
		return ""
	case e.Step != "":
		return fmt.Sprintf("the scenario has no step %q", e.Step)
	case e.Call != "":
		return fmt.Sprintf("the scenario has no call %q", e.Call)
	}
	return "it has no step"
}

// ofNoTarget says that an event is of no target that there is.
func (o *Observed) ofNoTarget(e *trace.Event) string {
	switch {
	case o.Targets[e.Target] != nil:
		return ""
	case e.Target == "":
		return "it has no target"
	}
	return fmt.Sprintf("the scenario has no target %q", e.Target)
}

// ofNoAttempt says that an event is of an attempt that has not begun, or has ended.
func (o *Observed) ofNoAttempt(e *trace.Event) string {
	if why := o.ofNoStep(e); why != "" {
		return why
	}
	list := o.subject(e).attempts
	if i := slices.IndexFunc(list, func(a *attemptResult) bool { return a.n == e.Attempt }); i < 0 {
		return fmt.Sprintf("attempt %d has not begun", e.Attempt)
	}
	return ""
}

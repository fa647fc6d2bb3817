package observe

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// Apply folds one event into what is known of the run. It is the only place
// that writes results.
func (o *Observed) Apply(e *trace.Event) {
	s := o.subject(e)
	switch e.Type {
	case trace.RunStart:
		o.runStart(s, e)
	case trace.StepStart:
		o.stepStart(s, e)
	case trace.AttemptStart:
		o.attemptStart(s, e)
	case trace.Fault:
		if e.Attempt > 0 { // else it struck a part of an actor, or a case
			s.attempts[e.Attempt-1].fault = plan.Get[string](e, "fault_type")
		}
	case trace.AttemptEnd:
		o.attemptEnd(s, e)
	case trace.Rejection:
		o.rejection(s, e)
	case trace.RetryWait:
		if s != nil { // else an actor's startup is tried again
			s.Delays = append(s.Delays, Wait{e.At, plan.Get[time.Duration](e, "delay_ns")})
		}
	case trace.Fallback:
		if plan.Get[string](e, "gateway") == "" {
			s.replacedBy = plan.Get[string](e, "to")
		}
	case trace.Breaker:
		t := o.Targets[e.Target]
		t.state, t.failures = policy.State(plan.Get[string](e, "to")), plan.Get[int](e, "failures")
		t.transitions = append(t.transitions, transition{e.At, policy.State(plan.Get[string](e, "from")), t.state})
	case trace.StepEnd:
		o.stepEnd(o.current(s, e), e)
	case trace.CaseEnd:
		o.caseEnd(e)
	case trace.RunEnd:
		o.runEnd(s, e)
	default:
		o.service(e)
	}
	o.touched(e)
}

// touched notes that an event may have changed the results of its step and of
// those around it.
func (o *Observed) touched(e *trace.Event) {
	s := o.subject(e)
	if s == nil {
		return
	}
	s.Version++
	for n := s.Outer; n != nil; n = n.Outer {
		o.Steps[n.Name].Version++
	}
}

func (o *Observed) runStart(s *StepResult, e *trace.Event) {
	run := &o.Run
	if s != nil {
		if s.Ran != nil {
			o.forget(s.Inner)
		}
		s.Ran = &RunResult{of: o, step: e.Step, iteration: e.Iteration, Output: read.Null}
		run = s.Ran
	}
	run.started, run.id = e.At, plan.Get[plan.RunIDAttr](e, "run_id")
}

func (o *Observed) stepStart(s *StepResult, e *trace.Event) {
	s = o.current(s, e)
	o.forget(s.Inner)
	s.replacedBy = ""
	if !s.Began {
		s.Began, s.Started, s.target = true, e.At, e.Target
		if e.Step == "" {
			return // a call of the scenario
		}
		o.Order = append(o.Order, s)
	}
}

// current is the result of a step in the iteration that an event is of: that of
// an earlier one is over.
func (o *Observed) current(s *StepResult, e *trace.Event) *StepResult {
	if s.iteration == e.Iteration || e.Step == "" {
		return s
	}
	if s.Began || s.Status != "" {
		s = o.fresh(s.Node)
		o.forget(s.Inner)
	}
	s.iteration = e.Iteration
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

func (o *Observed) attemptStart(s *StepResult, e *trace.Event) {
	a := &attemptResult{
		step: s, n: e.Attempt, round: e.Round, turn: e.Turn, iteration: e.Iteration, at: e.At - s.Started, open: true,
		target: e.Target, provider: plan.Get[string](e, "provider"),
		request: exchangeRequest{
			method: plan.Get[string](e, "method"), statement: plan.Get[string](e, "statement"), url: plan.Get[string](e, "url"),
			headers: plan.Get[plan.HeadersAttr](e, "headers"), body: plan.Get[string](e, "body"),
		},
	}
	s.attempts = append(s.attempts, a)
	s.target, s.provider = a.target, a.provider
	t := o.Targets[e.Target]
	t.attempts = append(t.attempts, a)
	t.InFlight++
	t.inFlightMax = max(t.inFlightMax, t.InFlight)
}

func (o *Observed) attemptEnd(s *StepResult, e *trace.Event) {
	a := s.attempts[e.Attempt-1]
	a.open, a.ended = false, e.At-s.Started
	a.outcome = plan.Get[string](e, "outcome")
	a.statusCode = plan.Get[int](e, "status_code")
	a.err = plan.FailureOf(e)
	if a.err != nil && a.err.HasRetryAfter {
		after := a.err.RetryAfter
		a.retryAfter = &after
	}
	a.response = exchangeResponse{
		statusCode: a.statusCode, sqlState: plan.Get[string](e, "sqlstate"), headers: plan.Get[plan.HeadersAttr](e, "headers"), content: plan.Get[string](e, "content"),
		chunks: plan.Get[[]string](e, "chunks"), complete: plan.Get[bool](e, "complete"),
	}
	t := o.Targets[e.Target]
	t.InFlight--
	t.failures = plan.Get[int](e, "breaker_failures")
	o.pay(s, money.Of(plan.Get[float64](e, "cost_usd")), plan.Get[plan.UsageAttr](e, "usage").Usage)
	if a.outcome != "success" {
		return
	}
	if g := o.Gateways[plan.Get[string](e, "gateway")]; g != nil {
		g.servedBy = append(g.servedBy, a.target)
		if plan.Get[bool](e, "fallback") {
			g.fallbacks++
		}
	}
}

// pay books an answer of a step on it, on the steps around it, and on the runs
// that it is part of.
func (o *Observed) pay(s *StepResult, usd money.USD, used providers.Usage) {
	o.Run.pay(usd, used)
	for n := s.Node; n != nil; n = n.Outer {
		s := o.Steps[n.Name]
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

func (o *Observed) rejection(s *StepResult, e *trace.Event) {
	r := rejection{at: e.At - s.Started, round: e.Round, target: e.Target, reason: plan.Get[string](e, "reason")}
	s.rejections = append(s.rejections, r)
	t := o.Targets[e.Target]
	t.rejections = append(t.rejections, r)
	if r.reason == string(failure.CircuitOpen) {
		t.rejected++
	}
}

func (o *Observed) stepEnd(s *StepResult, e *trace.Event) {
	s.Status = plan.Get[string](e, "status")
	s.Err = plan.FailureOf(e)
	s.SkippedReason = plan.Get[string](e, "skipped_reason")
	s.stop = plan.Get[string](e, "stop")
	if !s.Began {
		o.Order = append(o.Order, s)
		return
	}
	s.Ended = e.At
	s.retries += plan.Get[int](e, "retries")
	if n := len(s.Delays); n > 0 && s.Delays[n-1].At+s.Delays[n-1].delay > e.At {
		s.Delays = s.Delays[:n-1] // it was cut short and did not take place
	}
	value := func(key string, at *cty.Value) {
		if v := plan.Get[plan.ValueAttr](e, key); v.Value != cty.NilVal {
			*at = v.Value
		}
	}
	value("output", &s.Output)
	value("json", &s.Json)
	s.HasContent = plan.Get[bool](e, "answered")
	s.Content = plan.Get[string](e, "content")
	s.Body = plan.Get[string](e, "body")
	s.Chunks = plan.Get[[]string](e, "chunks")
	s.FinishReason = plan.Get[string](e, "finish_reason")
	s.ToolCalls = plan.Get[plan.CallsAttr](e, "tool_calls")
	s.Model = plan.Get[string](e, "model")
	s.Turns = plan.Get[int](e, "turns")
	s.Iterations = plan.Get[int](e, "iterations")
	s.Aggregate, s.Outcome = plan.Get[string](e, "aggregate"), plan.Get[string](e, "outcome")
	value("entries", &s.Entries)
	value("structured", &s.Structured)
	value("progress", &s.Progress)
	value("rows", &s.Rows)
	s.IsError = plan.Get[bool](e, "is_error")
	if e.Attr("affected") != nil {
		n := plan.Get[int](e, "affected")
		s.Affected = &n
	}
	s.StatusCode = plan.Get[int](e, "status_code")
	s.Headers = plan.Get[plan.HeadersAttr](e, "headers")
}

func (o *Observed) runEnd(s *StepResult, e *trace.Event) {
	run := &o.Run
	if s != nil {
		run = s.Ran
	}
	run.ended = e.At
	run.Status = plan.Get[string](e, "status")
	run.Err = plan.FailureOf(e)
	run.partial = plan.Get[plan.PartialAttr](e, "partial_result").PartialResult
	if v := plan.Get[plan.ValueAttr](e, "output"); v.Value != cty.NilVal {
		run.Output = v.Value
	}
}

func addUsage(to *providers.Usage, u providers.Usage) {
	to.Set = to.Set || u.Set
	to.Prompt += u.Prompt
	to.Completion += u.Completion
	to.Total += u.Total
	to.Cached += u.Cached
	to.Reasoning += u.Reasoning
}

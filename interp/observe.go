package interp

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// apply folds one event into what is known of the run. It is the only place
// that writes results.
func (o *observed) apply(e *trace.Event) {
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
			s.attempts[e.Attempt-1].fault = get[string](e, "fault_type")
		}
	case trace.AttemptEnd:
		o.attemptEnd(s, e)
	case trace.Rejection:
		o.rejection(s, e)
	case trace.RetryWait:
		if s != nil { // else an actor's startup is tried again
			s.delays = append(s.delays, wait{e.At, get[time.Duration](e, "delay_ns")})
		}
	case trace.Fallback:
		if get[string](e, "gateway") == "" {
			s.replacedBy = get[string](e, "to")
		}
	case trace.Breaker:
		t := o.targets[e.Target]
		t.state, t.failures = policy.State(get[string](e, "to")), get[int](e, "failures")
		t.transitions = append(t.transitions, transition{e.At, policy.State(get[string](e, "from")), t.state})
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
func (o *observed) touched(e *trace.Event) {
	s := o.subject(e)
	if s == nil {
		return
	}
	s.version++
	for n := s.outer; n != nil; n = n.outer {
		o.steps[n.name].version++
	}
}

func (o *observed) runStart(s *stepResult, e *trace.Event) {
	run := &o.run
	if s != nil {
		if s.ran != nil {
			o.forget(s.inner)
		}
		s.ran = &runResult{of: o, step: e.Step, iteration: e.Iteration, output: null}
		run = s.ran
	}
	run.started, run.id = e.At, get[runIDAttr](e, "run_id")
}

func (o *observed) stepStart(s *stepResult, e *trace.Event) {
	s = o.current(s, e)
	o.forget(s.inner)
	s.replacedBy = ""
	if !s.began {
		s.began, s.started, s.target = true, e.At, e.Target
		if e.Step == "" {
			return // a call of the scenario
		}
		o.order = append(o.order, s)
	}
}

// current is the result of a step in the iteration that an event is of: that of
// an earlier one is over.
func (o *observed) current(s *stepResult, e *trace.Event) *stepResult {
	if s.iteration == e.Iteration || e.Step == "" {
		return s
	}
	if s.began || s.status != "" {
		s = o.fresh(s.node)
		o.forget(s.inner)
	}
	s.iteration = e.Iteration
	return s
}

// forget drops what steps did when the step around them ran before.
func (o *observed) forget(list []*node) {
	eachNode(list, func(n *node) {
		if s := o.steps[n.name]; s.began || s.status != "" {
			o.fresh(n)
		}
	})
}

func (o *observed) attemptStart(s *stepResult, e *trace.Event) {
	a := &attemptResult{
		step: s, n: e.Attempt, round: e.Round, turn: e.Turn, iteration: e.Iteration, at: e.At - s.started, open: true,
		target: e.Target, provider: get[string](e, "provider"),
		request: exchangeRequest{
			method: get[string](e, "method"), statement: get[string](e, "statement"), url: get[string](e, "url"),
			headers: get[headersAttr](e, "headers"), body: get[string](e, "body"),
		},
	}
	s.attempts = append(s.attempts, a)
	s.target, s.provider = a.target, a.provider
	t := o.targets[e.Target]
	t.attempts = append(t.attempts, a)
	t.inFlight++
	t.inFlightMax = max(t.inFlightMax, t.inFlight)
}

func (o *observed) attemptEnd(s *stepResult, e *trace.Event) {
	a := s.attempts[e.Attempt-1]
	a.open, a.ended = false, e.At-s.started
	a.outcome = get[string](e, "outcome")
	a.statusCode = get[int](e, "status_code")
	a.err = failureOf(e)
	if a.err != nil && a.err.HasRetryAfter {
		after := a.err.RetryAfter
		a.retryAfter = &after
	}
	a.response = exchangeResponse{
		statusCode: a.statusCode, sqlState: get[string](e, "sqlstate"), headers: get[headersAttr](e, "headers"), content: get[string](e, "content"),
		chunks: get[[]string](e, "chunks"), complete: get[bool](e, "complete"),
	}
	t := o.targets[e.Target]
	t.inFlight--
	t.failures = get[int](e, "breaker_failures")
	o.pay(s, get[float64](e, "cost_usd"), get[usageAttr](e, "usage").Usage)
	if a.outcome != "success" {
		return
	}
	if g := o.gateways[get[string](e, "gateway")]; g != nil {
		g.servedBy = append(g.servedBy, a.target)
		if get[bool](e, "fallback") {
			g.fallbacks++
		}
	}
}

// pay books an answer of a step on it, on the steps around it, and on the runs
// that it is part of.
func (o *observed) pay(s *stepResult, usd float64, used providers.Usage) {
	o.run.pay(usd, used)
	for n := s.node; n != nil; n = n.outer {
		s := o.steps[n.name]
		s.costUSD += usd
		addUsage(&s.usage, used)
		if s.ran != nil {
			s.ran.pay(usd, used)
		}
	}
}

func (r *runResult) pay(usd float64, used providers.Usage) {
	r.costUSD += usd
	addUsage(&r.usage, used)
}

func (o *observed) rejection(s *stepResult, e *trace.Event) {
	r := rejection{at: e.At - s.started, round: e.Round, target: e.Target, reason: get[string](e, "reason")}
	s.rejections = append(s.rejections, r)
	t := o.targets[e.Target]
	t.rejections = append(t.rejections, r)
	if r.reason == string(failure.CircuitOpen) {
		t.rejected++
	}
}

func (o *observed) stepEnd(s *stepResult, e *trace.Event) {
	s.status = get[string](e, "status")
	s.err = failureOf(e)
	s.skippedReason = get[string](e, "skipped_reason")
	s.stop = get[string](e, "stop")
	if !s.began {
		o.order = append(o.order, s)
		return
	}
	s.ended = e.At
	s.retries += get[int](e, "retries")
	if n := len(s.delays); n > 0 && s.delays[n-1].at+s.delays[n-1].delay > e.At {
		s.delays = s.delays[:n-1] // it was cut short and did not take place
	}
	value := func(key string, at *cty.Value) {
		if v := get[valueAttr](e, key); v.Value != cty.NilVal {
			*at = v.Value
		}
	}
	value("output", &s.output)
	value("json", &s.json)
	s.hasContent = get[bool](e, "answered")
	s.content = get[string](e, "content")
	s.body = get[string](e, "body")
	s.chunks = get[[]string](e, "chunks")
	s.finishReason = get[string](e, "finish_reason")
	s.toolCalls = get[callsAttr](e, "tool_calls")
	s.model = get[string](e, "model")
	s.turns = get[int](e, "turns")
	s.iterations = get[int](e, "iterations")
	s.aggregate, s.outcome = get[string](e, "aggregate"), get[string](e, "outcome")
	value("entries", &s.entries)
	value("structured", &s.structured)
	value("progress", &s.progress)
	value("rows", &s.rows)
	s.isError = get[bool](e, "is_error")
	if e.Attr("affected") != nil {
		n := get[int](e, "affected")
		s.affected = &n
	}
	s.statusCode = get[int](e, "status_code")
	s.headers = get[headersAttr](e, "headers")
}

func (o *observed) runEnd(s *stepResult, e *trace.Event) {
	run := &o.run
	if s != nil {
		run = s.ran
	}
	run.ended = e.At
	run.status = get[string](e, "status")
	run.err = failureOf(e)
	run.partial = get[partialAttr](e, "partial_result").partialResult
	if v := get[valueAttr](e, "output"); v.Value != cty.NilVal {
		run.output = v.Value
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

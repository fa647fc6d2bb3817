package observe

import (
	"slices"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
)

var usageFields = []read.Field[providers.Usage]{
	{Name: "prompt_tokens", Shape: read.NumberShape, Doc: "Tokens of the prompts.", Value: func(u *providers.Usage) cty.Value { return read.Number(u.Prompt) }},
	{Name: "completion_tokens", Shape: read.NumberShape, Doc: "Tokens of the answers.", Value: func(u *providers.Usage) cty.Value { return read.Number(u.Completion) }},
	{Name: "total_tokens", Shape: read.NumberShape, Doc: "Both.", Value: func(u *providers.Usage) cty.Value { return read.Number(u.Total) }},
	{Name: "cached_tokens", Shape: read.NumberShape, Doc: "Prompt tokens read from a cache.", Value: func(u *providers.Usage) cty.Value { return read.Number(u.Cached) }},
	{Name: "reasoning_tokens", Shape: read.NumberShape, Doc: "Completion tokens spent on reasoning.", Value: func(u *providers.Usage) cty.Value { return read.Number(u.Reasoning) }},
}

var toolCallFields = []read.Field[providers.ToolCall]{
	{Name: "id", Shape: read.TextShape, Doc: "The call's id.", Value: func(c *providers.ToolCall) cty.Value { return read.Text(c.ID) }},
	{Name: "name", Shape: read.TextShape, Doc: "The tool.", Value: func(c *providers.ToolCall) cty.Value { return read.Text(c.Name) }},
	{Name: "arguments", Shape: read.AnyShape, Doc: "The arguments as a value; as a string where they are not JSON.", Value: func(c *providers.ToolCall) cty.Value { return ToolArguments(c.Arguments) }},
}

// ToolArguments reads the JSON text that a model wrote; what is no JSON stays
// text.
func ToolArguments(raw string) cty.Value {
	if v := read.JsonValue(raw); !v.IsNull() {
		return v
	}
	return read.Text(raw)
}

var requestFields = []read.Field[event.Request]{
	{Name: "method", Shape: read.OneOf(read.Method), Doc: "The method.", Value: func(r *event.Request) cty.Value { return read.Text(r.Method) }},
	{Name: "statement", Shape: read.Nullable(read.TextShape), Doc: "The statement, of a database.", Value: func(r *event.Request) cty.Value { return read.TextOrNull(r.Statement) }},
	{Name: "url", Shape: read.TextShape, Doc: "The URL.", Value: func(r *event.Request) cty.Value { return read.Text(r.URL) }},
	{Name: "headers", Shape: read.HeadersShape, Doc: "The header fields, names in lower case. A value that is not UTF-8 is read as ISO 8859-1.", Value: func(r *event.Request) cty.Value { return read.TextMap(r.Headers) }},
	{Name: "body", Shape: read.TextShape, Doc: "The body as text. That of a program is read below a `Content-Encoding` of gzip or deflate.", Value: func(r *event.Request) cty.Value { return read.Text(r.Body) }},
	{Name: "json", Shape: read.AnyShape, Doc: "The body as a value, null where it is not JSON.", Value: func(r *event.Request) cty.Value { return read.JsonValue(r.Body) }},
}

var responseFields = []read.Field[event.AttemptEnd]{
	{Name: "status_code", Shape: read.Nullable(read.StatusShape), Doc: "The status.", Value: func(r *event.AttemptEnd) cty.Value { return read.NumberOrNull(r.StatusCode) }},
	{Name: "sqlstate", Shape: read.Nullable(read.TextShape), Doc: "The state of a database's error.", Value: func(r *event.AttemptEnd) cty.Value {
		if r.Failed == nil {
			return read.Null
		}
		return read.TextOrNull(r.SQLState)
	}},
	{Name: "headers", Shape: read.HeadersShape, Doc: "The header fields, names in lower case.", Value: func(r *event.AttemptEnd) cty.Value { return read.TextMap(r.Headers) }},
	{Name: "content", Shape: read.TextShape, Doc: "What was read of the content.", Value: func(r *event.AttemptEnd) cty.Value { return read.Text(r.Content) }},
	{Name: "chunks", Shape: read.TupleOf(read.TextShape), Doc: "The deltas of a stream.", Value: func(r *event.AttemptEnd) cty.Value { return read.Texts(r.Chunks) }},
	{Name: "complete", Shape: read.BoolShape, Doc: "Whether it ended as the protocol demands.", Value: func(r *event.AttemptEnd) cty.Value { return cty.BoolVal(r.Complete) }},
}

// AttemptFields are the attributes of step.NAME.attempts[n].
var AttemptFields = []read.Field[attemptResult]{
	{Name: "n", Shape: read.CountShape, Doc: "Counts the attempts of the step.", Value: func(a *attemptResult) cty.Value { return read.Number(a.n) }},
	{Name: "round", Shape: read.CountShape, Doc: "The round of the retry policy.", Value: func(a *attemptResult) cty.Value { return read.Number(a.round) }},
	{Name: "turn", Shape: read.Nullable(read.CountShape), Doc: "The turn of a tool loop.", Value: func(a *attemptResult) cty.Value { return read.NumberOrNull(a.turn) }},
	{Name: "iteration", Shape: read.Nullable(read.CountShape), Doc: "The iteration of a loop.", Value: func(a *attemptResult) cty.Value { return read.NumberOrNull(a.iteration) }},
	{Name: "at_ms", Shape: read.NumberShape, Doc: "When it was dialled, from the start of the step.", Value: func(a *attemptResult) cty.Value { return read.Millis(a.at) }},
	{Name: "ended_ms", Shape: read.NumberShape, Doc: "When it ended, from the start of the step.", Value: func(a *attemptResult) cty.Value { return read.Ended(!a.open, a.ended) }},
	{Name: "elapsed_ms", Shape: read.NumberShape, Doc: "How long it took.", Value: func(a *attemptResult) cty.Value { return read.Ended(!a.open, a.ended-a.at) }},
	{Name: "target", Shape: read.OneOf(read.Target), Doc: "The target that was dialled.", Value: func(a *attemptResult) cty.Value { return read.Text(a.target) }},
	{Name: "provider", Shape: read.OneOf(read.Provider), Doc: "The provider behind it.", Value: func(a *attemptResult) cty.Value { return read.Text(a.provider) }},
	{Name: "status_code", Shape: read.Nullable(read.StatusShape), Doc: "The status of the answer.", Value: func(a *attemptResult) cty.Value { return read.NumberOrNull(a.response.StatusCode) }},
	{Name: "outcome", Shape: read.OneOf(read.Outcome), Doc: `"success", "failure" or "cancelled".`, Value: func(a *attemptResult) cty.Value { return read.TextOrNull(a.outcome) }},
	{Name: "fault", Shape: read.Nullable(read.OneOf(read.Fault)), Doc: "The kind of the injected fault.", Value: func(a *attemptResult) cty.Value { return read.TextOrNull(a.fault) }},
	{Name: "error", Shape: read.FailureShape, Doc: "The failure.", Nested: func(a *attemptResult, need *read.Needs) cty.Value { return read.FailureVal(a.err, need) }, Direct: func(a *attemptResult) plain.Value { return read.DirectFailure(a.err) }},
	{Name: "retry_after_ms", Shape: read.Nullable(read.NumberShape), Doc: "The wait that the server asked for.", Value: func(a *attemptResult) cty.Value {
		if a.retryAfter == nil {
			return read.Null
		}
		return read.Millis(*a.retryAfter)
	}},
	{Name: "started_at_ms", Shape: read.NumberShape, Doc: "When it was dialled, from the start of the run.", Value: func(a *attemptResult) cty.Value { return read.Millis(a.step.Started + a.at) }},
	{Name: "ended_at_ms", Shape: read.NumberShape, Doc: "When it ended, from the start of the run.", Value: func(a *attemptResult) cty.Value { return read.Ended(!a.open, a.step.Started+a.ended) }},
	{Name: "gap_ms", Shape: read.Nullable(read.NumberShape), Doc: "From the end of the attempt before it in its call; null for the first.", Value: func(a *attemptResult) cty.Value {
		gap, ok := a.gap()
		return read.Ended(ok, gap)
	}},
	{Name: "idempotency_key", Shape: read.Nullable(read.TextShape), Doc: "The Idempotency-Key of the request.", Value: func(a *attemptResult) cty.Value { return read.TextOrNull(a.request.Headers["idempotency-key"]) }},
	{Name: "trace_id", Shape: read.Nullable(read.TextShape), Doc: "The trace that a program's request belongs to, by its traceparent: that of the program's spans.", Value: func(a *attemptResult) cty.Value {
		if a.asker == nil {
			return read.Null
		}
		return read.TextOrNull(a.asker.TraceID)
	}},
	{Name: "retry_count", Shape: read.Nullable(read.AnyNumberShape), Doc: "The X-Stainless-Retry-Count of the request, in which some SDKs count.", Value: func(a *attemptResult) cty.Value {
		if a.asker == nil || a.asker.RetryCount == nil {
			return read.Null
		}
		return read.Number(*a.asker.RetryCount)
	}},
	{Name: "lane", Shape: read.Nullable(read.TextShape), Doc: "The lane of the endpoint, of a program's request.", Value: func(a *attemptResult) cty.Value {
		if a.asker == nil {
			return read.Null
		}
		return read.Text(a.asker.Lane)
	}},
	{Name: "call", Shape: read.Nullable(read.NumberShape), Doc: "The call of the endpoint that a program's request belongs to, from 1.", Value: func(a *attemptResult) cty.Value {
		return ofServed(a, func(s *event.Served) cty.Value { return read.Number(s.CallNumber) })
	}},
	{Name: "ended_by", Shape: read.Nullable(read.OneOf(endedBy)), Doc: `Who ended the exchange with a program: "server", also where the run stopped the program, or "client".`, Value: func(a *attemptResult) cty.Value {
		return ofServed(a, func(s *event.Served) cty.Value { return read.Text(s.EndedBy) })
	}},
	{Name: "sent_bytes", Shape: read.Nullable(read.NumberShape), Doc: "Bytes that were sent to a program.", Value: func(a *attemptResult) cty.Value {
		return ofServed(a, func(s *event.Served) cty.Value { return read.Number(s.SentBytes) })
	}},
	{Name: "connection", Shape: read.Nullable(read.NumberShape), Doc: "The connection that a program's request came over, from 1.", Value: func(a *attemptResult) cty.Value {
		if a.asker == nil {
			return read.Null
		}
		return read.NumberOrNull(a.asker.Connection)
	}},
	{Name: "reused", Shape: read.Nullable(read.BoolShape), Doc: "Whether a request had come over that connection before.", Value: func(a *attemptResult) cty.Value {
		if a.asker == nil || a.asker.Connection == 0 {
			return read.Null
		}
		return cty.BoolVal(a.asker.Reused)
	}},
	{Name: "request", Shape: read.ShapeOf("request", requestFields), Doc: "What was sent.", Nested: func(a *attemptResult, need *read.Needs) cty.Value {
		return read.Object(requestFields, a.request, need)
	}},
	{Name: "response", Shape: read.ShapeOf("response", responseFields), Doc: "What came back.", Nested: func(a *attemptResult, need *read.Needs) cty.Value {
		return read.Object(responseFields, a.response, need)
	}},
}

// RejectionFields are those of a call that a policy of a target refused before
// it was dialled.
var RejectionFields = []read.Field[rejection]{
	{Name: "at_ms", Shape: read.NumberShape, Doc: "When, from the start of the step.", Value: func(r *rejection) cty.Value { return read.Millis(r.at) }},
	{Name: "round", Shape: read.CountShape, Doc: "The round of the retry policy.", Value: func(r *rejection) cty.Value { return read.Number(r.round) }},
	{Name: "target", Shape: read.OneOf(read.Target), Doc: "The target that refused.", Value: func(r *rejection) cty.Value { return read.Text(r.target) }},
	{Name: "reason", Shape: read.OneOf(read.Refusal), Doc: read.Quoted(read.Refusal) + ".", Value: func(r *rejection) cty.Value { return read.Text(r.reason) }},
}

// gap is the time from the end of the attempt before it in its call, at least 0;
// ok is false for the first. A step's call is a turn of it.
func (a *attemptResult) gap() (d time.Duration, ok bool) {
	prior := a.prior
	if a.asker == nil && a.n > 1 {
		if before := a.step.attempt(a.n - 1); before.turn == a.turn && before.iteration == a.iteration {
			prior = before
		}
	}
	if prior == nil || prior.open {
		return 0, false
	}
	return max(0, a.at-prior.ended), true
}

// ofServed is a value of how the answer to a program ended, null before it has.
func ofServed(a *attemptResult, value func(*event.Served) cty.Value) cty.Value {
	if a.served == nil {
		return read.Null
	}
	return value(a.served)
}

var (
	attemptsShape   = read.Nullable(read.TupleOf(read.ShapeOf("attempt", AttemptFields)))
	rejectionsShape = read.Nullable(read.TupleOf(read.ShapeOf("rejection", RejectionFields)))
	usageShape      = read.Nullable(read.ShapeOf("usage", usageFields))
)

func attemptsVal(list []*attemptResult, need *read.Needs) cty.Value {
	return read.Elements(list, need, func(a *attemptResult, part *read.Needs) cty.Value {
		if part.Whole() && a.asker == nil {
			return read.Object(stepAttemptFields, a, part)
		}
		return read.Object(AttemptFields, a, part)
	})
}

// stepAttemptFields are those of an attempt of a workflow's step, as a whole
// shows them: without those that only the request of a program has.
var stepAttemptFields = slices.DeleteFunc(slices.Clone(AttemptFields), func(f read.Field[attemptResult]) bool {
	return slices.Contains(ProgramAttemptAttrs, f.Name)
})

// callAttemptFields are those of a call of an actor: its target is the actor, and
// nothing goes over a wire.
var callAttemptFields = func() []read.Field[attemptResult] {
	list := []read.Field[attemptResult]{
		{Name: "target", Shape: read.OneOf(read.Actor), Doc: "The actor that was called.", Value: func(a *attemptResult) cty.Value { return read.Text(a.target) }},
	}
	for _, f := range AttemptFields {
		if slices.Contains([]string{"n", "round", "at_ms", "ended_ms", "elapsed_ms", "outcome", "error", "started_at_ms", "ended_at_ms", "gap_ms"}, f.Name) {
			list = append(list, f)
		}
	}
	return list
}()

func rejectionsVal(list []rejection, need *read.Needs) cty.Value {
	return read.Elements(list, need, func(r rejection, part *read.Needs) cty.Value { return read.Object(RejectionFields, &r, part) })
}

// StepFields are what every step can be asked for.
var StepFields = []read.Field[StepResult]{
	{Name: "status", Shape: read.OneOf(read.StepStatus), Doc: `"success", "failed", "timeout", "skipped", "cancelled" or "aborted".`, Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.Status) }},
	{Name: "output", Shape: read.AnyShape, Doc: "What dependants read.", Value: func(s *StepResult) cty.Value { return s.Output }},
	{Name: "error", Shape: read.FailureShape, Doc: "The failure of a step that did not succeed.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return read.FailureVal(s.Err, need) }, Direct: func(s *StepResult) plain.Value { return read.DirectFailure(s.Err) }},
	{Name: "attempts", Shape: attemptsShape, Doc: "Every dial, in order.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return attemptsVal(s.attempts, need) }, Direct: func(s *StepResult) plain.Value { return plain.ListOf(attemptList(s.attempts)) }},
	{Name: "rejections", Shape: rejectionsShape, Doc: "Targets that were refused without a dial.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return rejectionsVal(s.rejections, need) }},
	{Name: "retries", Shape: read.Nullable(read.NumberShape), Doc: "Rounds after the first, all turns added.", Value: func(s *StepResult) cty.Value { return read.Number(s.retries) }},
	{Name: "stop", Shape: read.Nullable(read.OneOf(read.Stop)), Doc: `Why no further round followed a failed one: "exhausted", "not_retryable", "not_idempotent", "wait_too_long", "terminal" or "cancelled".`, Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.stop) }},
	{Name: "delays_ms", Shape: read.Nullable(read.TupleOf(read.NumberShape)), Doc: "The waits between rounds.", Value: func(s *StepResult) cty.Value {
		if s.asked != nil {
			return gapsVal(s.attempts)
		}
		return read.TupleVal(s.Delays, func(w Wait) cty.Value { return read.Millis(w.delay) })
	}},
	{Name: "started_ms", Shape: read.Nullable(read.NumberShape), Doc: "When it started.", Value: func(s *StepResult) cty.Value { return read.Millis(s.Started) }},
	{Name: "ended_ms", Shape: read.Nullable(read.NumberShape), Doc: "When it ended.", Value: func(s *StepResult) cty.Value { return read.Ended(s.Status != "", s.Ended) }},
	{Name: "elapsed_ms", Shape: read.Nullable(read.NumberShape), Doc: "How long it took.", Value: func(s *StepResult) cty.Value { return read.Ended(s.Status != "", s.Ended-s.Started) }},
	{Name: "target", Shape: read.Nullable(read.OneOf(read.Callee)), Doc: "The target that answered, or was called last.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.target) }},
	{Name: "provider", Shape: read.Nullable(read.OneOf(read.Provider)), Doc: "The provider behind it.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.provider) }},
	{Name: "cost_usd", Shape: read.Nullable(read.NumberShape), Doc: "What its answers cost.", Value: func(s *StepResult) cty.Value { return read.Dollars(s.costUSD) }},
	{Name: "skipped_reason", Shape: read.Nullable(read.OneOf(read.SkipReason)), Doc: "Why it did not run.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.SkippedReason) }},
	{Name: "replaced_by", Shape: read.Nullable(read.OneOf(read.Step)), Doc: "The step that ran in its place.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.replacedBy) }},
}

// llmFields are what a step of kind llm has beside the common
// attributes.
var llmFields = []read.Field[StepResult]{
	{Name: "content", Shape: read.Nullable(read.TextShape), Doc: "The text of the answer, null where none came.", Value: func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Content)
	}},
	{Name: "chunks", Shape: read.Nullable(read.TupleOf(read.TextShape)), Doc: "The deltas of a stream.", Value: func(s *StepResult) cty.Value { return read.Texts(s.Chunks) }},
	{Name: "finish_reason", Shape: read.Nullable(read.TextShape), Doc: "Why the model stopped.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.FinishReason) }},
	{Name: "tool_calls", Shape: read.Nullable(read.TupleOf(read.ShapeOf("tool call", toolCallFields))), Doc: "The calls that the model asked for, of all turns.", Nested: func(s *StepResult, need *read.Needs) cty.Value {
		return read.Elements(s.ToolCalls, need, func(c providers.ToolCall, part *read.Needs) cty.Value { return read.Object(toolCallFields, &c, part) })
	}},
	{Name: "usage", Shape: usageShape, Doc: "Tokens of all turns and rounds that were answered.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }},
	{Name: "model", Shape: read.Nullable(read.TextShape), Doc: "The model that answered.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.Model) }},
	{Name: "turns", Shape: read.Nullable(read.NumberShape), Doc: "Turns of the tool loop.", Value: func(s *StepResult) cty.Value { return read.Number(s.Turns) }},
}

// httpFields are what a step of kind http has besides.
var httpFields = []read.Field[StepResult]{
	{Name: "status_code", Shape: read.Nullable(read.StatusShape), Doc: "The status of the answer.", Value: func(s *StepResult) cty.Value { return read.NumberOrNull(s.StatusCode) }},
	{Name: "headers", Shape: read.HeadersShape, Doc: "The header fields, names in lower case.", Value: func(s *StepResult) cty.Value { return read.TextMap(s.Headers) }},
	{Name: "body", Shape: read.Nullable(read.TextShape), Doc: "The body as text, null where no answer came.", Value: func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Body)
	}},
	{Name: "json", Shape: read.AnyShape, Doc: "The body as a value, null where it is not JSON.", Value: func(s *StepResult) cty.Value { return s.JSON.OrNull() }},
}

// StepVal is what step.NAME reads. A step that did not run has null in place
// of everything but its status and the reason.
func StepVal(s *StepResult, need *read.Needs) cty.Value {
	attrs := map[string]cty.Value{}
	if n := need.Size(len(StepFields)); n > read.SmallMap {
		attrs = make(map[string]cty.Value, n)
	}
	AddStep(attrs, s, need)
	for _, n := range s.Inner {
		if part := need.Of(n.Step.Name); part != nil {
			attrs[n.Step.Name] = StepVal(s.inside(n), part)
		}
	}
	return cty.ObjectVal(attrs)
}

// AddStep adds the attributes of a step without the steps inside it.
func AddStep(attrs map[string]cty.Value, s *StepResult, need *read.Needs) {
	fields := kinds()[s.Step.Kind].shown(s, need)
	if e := s.Step.Endpoint; e != nil && e.Declared {
		fields = endpointKinds()[s.Step.Kind].fields
	}
	addResult(attrs, fields, s, need)
	if of := need.Of(runsName); of != nil && (s.Step.Kind == plan.KindLoop || s.Step.Kind == plan.KindWorkflow) && s.Began {
		attrs[runsName] = s.runsVal(of)
	}
	if s.Step.Valued && need.Of("value") != nil {
		attrs["value"] = s.Output
	}
}

func addResult(attrs map[string]cty.Value, fields []read.Field[StepResult], s *StepResult, need *read.Needs) {
	if s.Began || s.Ran != nil || s.Step.Endpoint != nil && s.of.Driven() {
		read.AddAttributes(attrs, fields, s, need)
		return
	}
	read.AddNulls(attrs, fields, need)
	if s.uncalled() {
		read.AddAttributes(attrs, slices.DeleteFunc(slices.Clone(fields), func(f read.Field[StepResult]) bool { return !countsCalls(f.Name) }), s, need)
	}
	add := func(name string, v cty.Value) {
		if _, wanted := attrs[name]; wanted {
			attrs[name] = v
		}
	}
	add("status", read.TextOrNull(s.Status))
	add("skipped_reason", read.TextOrNull(s.SkippedReason))
	if s.Step.Sub != nil {
		add("error", read.FailureVal(s.Err, need.Of("error")))
		for i := range subFields {
			add(subFields[i].Name, subFields[i].Value(s))
		}
	}
}

var transitionFields = []read.Field[transition]{
	{Name: "at_ms", Shape: read.NumberShape, Doc: "When.", Value: func(t *transition) cty.Value { return read.Millis(t.at) }},
	{Name: "from", Shape: read.OneOf(read.BreakerState), Doc: "The state before.", Value: func(t *transition) cty.Value { return read.Text(string(t.from)) }},
	{Name: "to", Shape: read.OneOf(read.BreakerState), Doc: "The state after.", Value: func(t *transition) cty.Value { return read.Text(string(t.to)) }},
}

// BreakerFields are the attributes of breaker.NAME.
var BreakerFields = []read.Field[targetResult]{
	{Name: "state", Shape: read.OneOf(read.BreakerState), Doc: `"closed", "open" or "half_open", as the last call left it.`, Value: func(t *targetResult) cty.Value { return read.Text(string(t.state)) }},
	{Name: "failures", Shape: read.NumberShape, Doc: "Consecutive failures, or those in the window.", Value: func(t *targetResult) cty.Value { return read.Number(t.failures) }},
	{Name: "rejected", Shape: read.NumberShape, Doc: "Calls that it refused.", Value: func(t *targetResult) cty.Value { return read.Number(t.rejected) }},
	{Name: "transitions", Shape: read.TupleOf(read.ShapeOf("transition", transitionFields)), Doc: "Changes of state.", Nested: func(t *targetResult, need *read.Needs) cty.Value {
		return read.Elements(t.transitions, need, func(t transition, part *read.Needs) cty.Value { return read.Object(transitionFields, &t, part) })
	}},
}

// TargetFields are the attributes of target.NAME.
var TargetFields = []read.Field[targetResult]{
	{Name: "attempts", Shape: read.TupleOf(read.ShapeOf("attempt", AttemptFields)), Doc: "Every dial of the target, in order.", Nested: func(t *targetResult, need *read.Needs) cty.Value { return attemptsVal(t.attempts, need) }, Direct: func(t *targetResult) plain.Value { return plain.ListOf(attemptList(t.attempts)) }},
	{Name: "rejections", Shape: read.TupleOf(read.ShapeOf("rejection", RejectionFields)), Doc: "Calls refused without a dial.", Nested: func(t *targetResult, need *read.Needs) cty.Value { return rejectionsVal(t.rejections, need) }},
	{Name: "in_flight_max", Shape: read.NumberShape, Doc: "Most attempts under way at one time.", Value: func(t *targetResult) cty.Value { return read.Number(t.inFlightMax) }},
	{Name: "breaker", Shape: read.Nullable(read.ShapeOf("breaker", BreakerFields)), Doc: "Its circuit breaker, null without one.", Nested: func(t *targetResult, need *read.Needs) cty.Value {
		if !t.guarded {
			return read.Null
		}
		return read.Object(BreakerFields, t, need)
	}, Direct: directBreaker},
}

// GatewayFields are the attributes of gateway.NAME.
var GatewayFields = []read.Field[gatewayResult]{
	{Name: "served_by", Shape: read.ListOf(read.Target), Doc: "The target that answered each call.", Value: func(g *gatewayResult) cty.Value { return read.Texts(g.servedBy) }},
	{Name: "decisions", Shape: read.TupleOf(read.ShapeOf("decision", DecisionFields)), Doc: "How each round of a call went through it.", Nested: func(g *gatewayResult, need *read.Needs) cty.Value {
		return read.Elements(g.decisions(), need, func(d *decision, part *read.Needs) cty.Value { return read.Object(DecisionFields, d, part) })
	}},
	{Name: "fallbacks", Shape: read.NumberShape, Doc: "Answers that did not come from the first target in order.", Value: func(g *gatewayResult) cty.Value { return read.Number(g.fallbacks) }},
}

// The shapes of what a condition can read of a run.
var (
	RunShape       = read.ShapeOf("run", RunFields)
	TargetShape    = read.ShapeOf("target", TargetFields)
	BreakerShape   = read.ShapeOf("breaker", BreakerFields)
	GatewayShape   = read.ShapeOf("gateway", GatewayFields)
	StepsItemShape = read.ShapeOf("step", stepItemFields)
)

// stepItemFields are the attributes of an element of the tuple steps.
var stepItemFields = append([]read.Field[StepResult]{
	{Name: "name", Shape: read.OneOf(read.Step), Doc: "The step's name."},
	{Name: "kind", Shape: read.OneOf(stepKind), Doc: "The step's kind."},
}, StepFields...)

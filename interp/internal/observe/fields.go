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
	read.Attr("prompt_tokens", read.NumberShape, "Tokens of the prompts.", func(u *providers.Usage) cty.Value { return read.Number(u.Prompt) }),
	read.Attr("completion_tokens", read.NumberShape, "Tokens of the answers.", func(u *providers.Usage) cty.Value { return read.Number(u.Completion) }),
	read.Attr("total_tokens", read.NumberShape, "Both.", func(u *providers.Usage) cty.Value { return read.Number(u.Total) }),
	read.Attr("cached_tokens", read.NumberShape, "Prompt tokens read from a cache.", func(u *providers.Usage) cty.Value { return read.Number(u.Cached) }),
	read.Attr("reasoning_tokens", read.NumberShape, "Completion tokens spent on reasoning.", func(u *providers.Usage) cty.Value { return read.Number(u.Reasoning) }),
}

var toolCallFields = []read.Field[providers.ToolCall]{
	read.Attr("id", read.TextShape, "The call's id.", func(c *providers.ToolCall) cty.Value { return read.Text(c.ID) }),
	read.Attr("name", read.TextShape, "The tool.", func(c *providers.ToolCall) cty.Value { return read.Text(c.Name) }),
	read.Attr("arguments", read.AnyShape, "The arguments as a value; as a string where they are not JSON.", func(c *providers.ToolCall) cty.Value { return ToolArguments(c.Arguments) }),
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
	read.Attr("method", read.OneOf(read.Method), "The method.", func(r *event.Request) cty.Value { return read.Text(r.Method) }),
	read.Attr("statement", read.Nullable(read.TextShape), "The statement, of a database.", func(r *event.Request) cty.Value { return read.TextOrNull(r.Statement) }),
	read.Attr("url", read.TextShape, "The URL.", func(r *event.Request) cty.Value { return read.Text(r.URL) }),
	read.Attr("headers", read.HeadersShape, "The header fields, names in lower case.", func(r *event.Request) cty.Value { return read.TextMap(r.Headers) }),
	read.Attr("body", read.TextShape, "The body as text.", func(r *event.Request) cty.Value { return read.Text(r.Body) }),
	read.Attr("json", read.AnyShape, "The body as a value, null where it is not JSON.", func(r *event.Request) cty.Value { return read.JsonValue(r.Body) }),
}

var responseFields = []read.Field[event.AttemptEnd]{
	read.Attr("status_code", read.Nullable(read.StatusShape), "The status.", func(r *event.AttemptEnd) cty.Value { return read.NumberOrNull(r.StatusCode) }),
	read.Attr("sqlstate", read.Nullable(read.TextShape), "The state of a database's error.", func(r *event.AttemptEnd) cty.Value {
		if r.Failed == nil {
			return read.Null
		}
		return read.TextOrNull(r.SQLState)
	}),
	read.Attr("headers", read.HeadersShape, "The header fields, names in lower case.", func(r *event.AttemptEnd) cty.Value { return read.TextMap(r.Headers) }),
	read.Attr("content", read.TextShape, "What was read of the content.", func(r *event.AttemptEnd) cty.Value { return read.Text(r.Content) }),
	read.Attr("chunks", read.TupleOf(read.TextShape), "The deltas of a stream.", func(r *event.AttemptEnd) cty.Value { return read.Texts(r.Chunks) }),
	read.Attr("complete", read.BoolShape, "Whether it ended as the protocol demands.", func(r *event.AttemptEnd) cty.Value { return cty.BoolVal(r.Complete) }),
}

// AttemptFields are the attributes of step.NAME.attempts[n].
var AttemptFields = []read.Field[attemptResult]{
	read.Attr("n", read.CountShape, "Counts the attempts of the step.", func(a *attemptResult) cty.Value { return read.Number(a.n) }),
	read.Attr("round", read.CountShape, "The round of the retry policy.", func(a *attemptResult) cty.Value { return read.Number(a.round) }),
	read.Attr("turn", read.Nullable(read.CountShape), "The turn of a tool loop.", func(a *attemptResult) cty.Value { return read.NumberOrNull(a.turn) }),
	read.Attr("iteration", read.Nullable(read.CountShape), "The iteration of a loop.", func(a *attemptResult) cty.Value { return read.NumberOrNull(a.iteration) }),
	read.Attr("at_ms", read.NumberShape, "When it was dialled, from the start of the step.", func(a *attemptResult) cty.Value { return read.Millis(a.at) }),
	read.Attr("ended_ms", read.NumberShape, "When it ended, from the start of the step.", func(a *attemptResult) cty.Value { return read.Ended(!a.open, a.ended) }),
	read.Attr("elapsed_ms", read.NumberShape, "How long it took.", func(a *attemptResult) cty.Value { return read.Ended(!a.open, a.ended-a.at) }),
	read.Attr("target", read.OneOf(read.Target), "The target that was dialled.", func(a *attemptResult) cty.Value { return read.Text(a.target) }),
	read.Attr("provider", read.OneOf(read.Provider), "The provider behind it.", func(a *attemptResult) cty.Value { return read.Text(a.provider) }),
	read.Attr("status_code", read.Nullable(read.StatusShape), "The status of the answer.", func(a *attemptResult) cty.Value { return read.NumberOrNull(a.response.StatusCode) }),
	read.Attr("outcome", read.OneOf(read.Outcome), `"success", "failure" or "cancelled".`, func(a *attemptResult) cty.Value { return read.TextOrNull(a.outcome) }),
	read.Attr("fault", read.Nullable(read.OneOf(read.Fault)), "The kind of the injected fault.", func(a *attemptResult) cty.Value { return read.TextOrNull(a.fault) }),
	read.Part("error", read.FailureShape, "The failure.", func(a *attemptResult, need *read.Needs) cty.Value { return read.FailureVal(a.err, need) }).Directly(func(a *attemptResult) plain.Value { return read.DirectFailure(a.err) }),
	read.Attr("retry_after_ms", read.Nullable(read.NumberShape), "The wait that the server asked for.", func(a *attemptResult) cty.Value {
		if a.retryAfter == nil {
			return read.Null
		}
		return read.Millis(*a.retryAfter)
	}),
	read.Attr("started_at_ms", read.NumberShape, "When it was dialled, from the start of the run.", func(a *attemptResult) cty.Value { return read.Millis(a.step.Started + a.at) }),
	read.Attr("ended_at_ms", read.NumberShape, "When it ended, from the start of the run.", func(a *attemptResult) cty.Value { return read.Ended(!a.open, a.step.Started+a.ended) }),
	read.Attr("gap_ms", read.Nullable(read.NumberShape), "From the end of the attempt before it in its call; null for the first.", func(a *attemptResult) cty.Value {
		gap, ok := a.gap()
		return read.Ended(ok, gap)
	}),
	read.Attr("idempotency_key", read.Nullable(read.TextShape), "The Idempotency-Key of the request.", func(a *attemptResult) cty.Value { return read.TextOrNull(a.request.Headers["idempotency-key"]) }),
	read.Attr("trace_id", read.Nullable(read.TextShape), "The trace that a program's request belongs to, by its traceparent: that of the program's spans.", func(a *attemptResult) cty.Value {
		if a.asker == nil {
			return read.Null
		}
		return read.TextOrNull(a.asker.TraceID)
	}),
	read.Attr("retry_count", read.Nullable(read.AnyNumberShape), "The X-Stainless-Retry-Count of the request, in which some SDKs count.", func(a *attemptResult) cty.Value {
		if a.asker == nil || a.asker.RetryCount == nil {
			return read.Null
		}
		return read.Number(*a.asker.RetryCount)
	}),
	read.Attr("lane", read.Nullable(read.TextShape), "The lane of the endpoint, of a program's request.", func(a *attemptResult) cty.Value {
		if a.asker == nil {
			return read.Null
		}
		return read.Text(a.asker.Lane)
	}),
	read.Attr("call", read.Nullable(read.NumberShape), "The call of the endpoint that a program's request belongs to, from 1.", func(a *attemptResult) cty.Value {
		return ofServed(a, func(s *event.Served) cty.Value { return read.Number(s.CallNumber) })
	}),
	read.Attr("ended_by", read.Nullable(read.OneOf(endedBy)), `Who ended the exchange with a program: "server" or "client".`, func(a *attemptResult) cty.Value {
		return ofServed(a, func(s *event.Served) cty.Value { return read.Text(s.EndedBy) })
	}),
	read.Attr("sent_bytes", read.Nullable(read.NumberShape), "Bytes that were sent to a program.", func(a *attemptResult) cty.Value {
		return ofServed(a, func(s *event.Served) cty.Value { return read.Number(s.SentBytes) })
	}),
	read.Attr("connection", read.Nullable(read.NumberShape), "The connection that a program's request came over, from 1.", func(a *attemptResult) cty.Value {
		if a.asker == nil {
			return read.Null
		}
		return read.NumberOrNull(a.asker.Connection)
	}),
	read.Attr("reused", read.Nullable(read.BoolShape), "Whether a request had come over that connection before.", func(a *attemptResult) cty.Value {
		if a.asker == nil || a.asker.Connection == 0 {
			return read.Null
		}
		return cty.BoolVal(a.asker.Reused)
	}),
	read.Part("request", read.ShapeOf("request", requestFields), "What was sent.", func(a *attemptResult, need *read.Needs) cty.Value {
		return read.Object(requestFields, a.request, need)
	}),
	read.Part("response", read.ShapeOf("response", responseFields), "What came back.", func(a *attemptResult, need *read.Needs) cty.Value {
		return read.Object(responseFields, a.response, need)
	}),
}

// RejectionFields are those of a call that a policy of a target refused before
// it was dialled.
var RejectionFields = []read.Field[rejection]{
	read.Attr("at_ms", read.NumberShape, "When, from the start of the step.", func(r *rejection) cty.Value { return read.Millis(r.at) }),
	read.Attr("round", read.CountShape, "The round of the retry policy.", func(r *rejection) cty.Value { return read.Number(r.round) }),
	read.Attr("target", read.OneOf(read.Target), "The target that refused.", func(r *rejection) cty.Value { return read.Text(r.target) }),
	read.Attr("reason", read.OneOf(read.Refusal), read.Quoted(read.Refusal)+".", func(r *rejection) cty.Value { return read.Text(r.reason) }),
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
		read.Attr("target", read.OneOf(read.Actor), "The actor that was called.", func(a *attemptResult) cty.Value { return read.Text(a.target) }),
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
	read.Attr("status", read.OneOf(read.StepStatus), `"success", "failed", "timeout", "skipped", "cancelled" or "aborted".`, func(s *StepResult) cty.Value { return read.TextOrNull(s.Status) }),
	read.Attr("output", read.AnyShape, "What dependants read.", func(s *StepResult) cty.Value { return s.Output }),
	read.Part("error", read.FailureShape, "The failure of a step that did not succeed.", func(s *StepResult, need *read.Needs) cty.Value { return read.FailureVal(s.Err, need) }).Directly(func(s *StepResult) plain.Value { return read.DirectFailure(s.Err) }),
	read.Part("attempts", attemptsShape, "Every dial, in order.", func(s *StepResult, need *read.Needs) cty.Value { return attemptsVal(s.attempts, need) }).Directly(func(s *StepResult) plain.Value { return plain.ListOf(attemptList(s.attempts)) }),
	read.Part("rejections", rejectionsShape, "Targets that were refused without a dial.", func(s *StepResult, need *read.Needs) cty.Value { return rejectionsVal(s.rejections, need) }),
	read.Attr("retries", read.Nullable(read.NumberShape), "Rounds after the first, all turns added.", func(s *StepResult) cty.Value { return read.Number(s.retries) }),
	read.Attr("stop", read.Nullable(read.OneOf(read.Stop)), `Why no further round followed a failed one: "exhausted", "not_retryable", "not_idempotent", "wait_too_long", "terminal" or "cancelled".`, func(s *StepResult) cty.Value { return read.TextOrNull(s.stop) }),
	read.Attr("delays_ms", read.Nullable(read.TupleOf(read.NumberShape)), "The waits between rounds.", func(s *StepResult) cty.Value {
		if s.asked != nil {
			return gapsVal(s.attempts)
		}
		return read.TupleVal(s.Delays, func(w Wait) cty.Value { return read.Millis(w.delay) })
	}),
	read.Attr("started_ms", read.Nullable(read.NumberShape), "When it started.", func(s *StepResult) cty.Value { return read.Millis(s.Started) }),
	read.Attr("ended_ms", read.Nullable(read.NumberShape), "When it ended.", func(s *StepResult) cty.Value { return read.Ended(s.Status != "", s.Ended) }),
	read.Attr("elapsed_ms", read.Nullable(read.NumberShape), "How long it took.", func(s *StepResult) cty.Value { return read.Ended(s.Status != "", s.Ended-s.Started) }),
	read.Attr("target", read.Nullable(read.OneOf(read.Callee)), "The target that answered, or was called last.", func(s *StepResult) cty.Value { return read.TextOrNull(s.target) }),
	read.Attr("provider", read.Nullable(read.OneOf(read.Provider)), "The provider behind it.", func(s *StepResult) cty.Value { return read.TextOrNull(s.provider) }),
	read.Attr("cost_usd", read.Nullable(read.NumberShape), "What its answers cost.", func(s *StepResult) cty.Value { return read.Dollars(s.costUSD) }),
	read.Attr("skipped_reason", read.Nullable(read.OneOf(read.SkipReason)), "Why it did not run.", func(s *StepResult) cty.Value { return read.TextOrNull(s.SkippedReason) }),
	read.Attr("replaced_by", read.Nullable(read.OneOf(read.Step)), "The step that ran in its place.", func(s *StepResult) cty.Value { return read.TextOrNull(s.replacedBy) }),
}

// llmFields are what a step of kind llm has beside the common
// attributes.
var llmFields = []read.Field[StepResult]{
	read.Attr("content", read.Nullable(read.TextShape), "The text of the answer, null where none came.", func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Content)
	}),
	read.Attr("chunks", read.Nullable(read.TupleOf(read.TextShape)), "The deltas of a stream.", func(s *StepResult) cty.Value { return read.Texts(s.Chunks) }),
	read.Attr("finish_reason", read.Nullable(read.TextShape), "Why the model stopped.", func(s *StepResult) cty.Value { return read.TextOrNull(s.FinishReason) }),
	read.Part("tool_calls", read.Nullable(read.TupleOf(read.ShapeOf("tool call", toolCallFields))), "The calls that the model asked for, of all turns.", func(s *StepResult, need *read.Needs) cty.Value {
		return read.Elements(s.ToolCalls, need, func(c providers.ToolCall, part *read.Needs) cty.Value { return read.Object(toolCallFields, &c, part) })
	}),
	read.Part("usage", usageShape, "Tokens of all turns and rounds that were answered.", func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }),
	read.Attr("model", read.Nullable(read.TextShape), "The model that answered.", func(s *StepResult) cty.Value { return read.TextOrNull(s.Model) }),
	read.Attr("turns", read.Nullable(read.NumberShape), "Turns of the tool loop.", func(s *StepResult) cty.Value { return read.Number(s.Turns) }),
}

// httpFields are what a step of kind http has besides.
var httpFields = []read.Field[StepResult]{
	read.Attr("status_code", read.Nullable(read.StatusShape), "The status of the answer.", func(s *StepResult) cty.Value { return read.NumberOrNull(s.StatusCode) }),
	read.Attr("headers", read.HeadersShape, "The header fields, names in lower case.", func(s *StepResult) cty.Value { return read.TextMap(s.Headers) }),
	read.Attr("body", read.Nullable(read.TextShape), "The body as text, null where no answer came.", func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Body)
	}),
	read.Attr("json", read.AnyShape, "The body as a value, null where it is not JSON.", func(s *StepResult) cty.Value { return s.JSON.OrNull() }),
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
	read.Attr("at_ms", read.NumberShape, "When.", func(t *transition) cty.Value { return read.Millis(t.at) }),
	read.Attr("from", read.OneOf(read.BreakerState), "The state before.", func(t *transition) cty.Value { return read.Text(string(t.from)) }),
	read.Attr("to", read.OneOf(read.BreakerState), "The state after.", func(t *transition) cty.Value { return read.Text(string(t.to)) }),
}

// BreakerFields are the attributes of breaker.NAME.
var BreakerFields = []read.Field[targetResult]{
	read.Attr("state", read.OneOf(read.BreakerState), `"closed", "open" or "half_open", as the last call left it.`, func(t *targetResult) cty.Value { return read.Text(string(t.state)) }),
	read.Attr("failures", read.NumberShape, "Consecutive failures, or those in the window.", func(t *targetResult) cty.Value { return read.Number(t.failures) }),
	read.Attr("rejected", read.NumberShape, "Calls that it refused.", func(t *targetResult) cty.Value { return read.Number(t.rejected) }),
	read.Part("transitions", read.TupleOf(read.ShapeOf("transition", transitionFields)), "Changes of state.", func(t *targetResult, need *read.Needs) cty.Value {
		return read.Elements(t.transitions, need, func(t transition, part *read.Needs) cty.Value { return read.Object(transitionFields, &t, part) })
	}),
}

// TargetFields are the attributes of target.NAME.
var TargetFields = []read.Field[targetResult]{
	read.Part("attempts", read.TupleOf(read.ShapeOf("attempt", AttemptFields)), "Every dial of the target, in order.", func(t *targetResult, need *read.Needs) cty.Value { return attemptsVal(t.attempts, need) }).Directly(func(t *targetResult) plain.Value { return plain.ListOf(attemptList(t.attempts)) }),
	read.Part("rejections", read.TupleOf(read.ShapeOf("rejection", RejectionFields)), "Calls refused without a dial.", func(t *targetResult, need *read.Needs) cty.Value { return rejectionsVal(t.rejections, need) }),
	read.Attr("in_flight_max", read.NumberShape, "Most attempts under way at one time.", func(t *targetResult) cty.Value { return read.Number(t.inFlightMax) }),
	read.Part("breaker", read.Nullable(read.ShapeOf("breaker", BreakerFields)), "Its circuit breaker, null without one.", func(t *targetResult, need *read.Needs) cty.Value {
		if !t.guarded {
			return read.Null
		}
		return read.Object(BreakerFields, t, need)
	}).Directly(directBreaker),
}

// GatewayFields are the attributes of gateway.NAME.
var GatewayFields = []read.Field[gatewayResult]{
	read.Attr("served_by", read.ListOf(read.Target), "The target that answered each call.", func(g *gatewayResult) cty.Value { return read.Texts(g.servedBy) }),
	read.Part("decisions", read.TupleOf(read.ShapeOf("decision", DecisionFields)), "How each round of a call went through it.", func(g *gatewayResult, need *read.Needs) cty.Value {
		return read.Elements(g.decisions(), need, func(d *decision, part *read.Needs) cty.Value { return read.Object(DecisionFields, d, part) })
	}),
	read.Attr("fallbacks", read.NumberShape, "Answers that did not come from the first target in order.", func(g *gatewayResult) cty.Value { return read.Number(g.fallbacks) }),
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
	read.Attr[StepResult]("name", read.OneOf(read.Step), "The step's name.", nil),
	read.Attr[StepResult]("kind", read.OneOf(stepKind), "The step's kind.", nil),
}, StepFields...)

package interp

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// A field is one attribute that an expression can read: its shape for the
// static check and the way to its value come from one table, so neither can
// miss the other.
type field[T any] struct {
	name  string
	shape *schema.Shape
	doc   string
	value func(*T) cty.Value
	// nested, in place of value, builds an attribute that has parts of its own
	// as far as they are read.
	nested func(t *T, read *needs) cty.Value
}

// Attr is an attribute whose value is built whole.
func Attr[T any](name string, shape *schema.Shape, doc string, value func(*T) cty.Value) field[T] {
	return field[T]{name: name, shape: shape, doc: doc, value: value}
}

// Part is an attribute that has parts of its own, built as far as they are read.
func Part[T any](name string, shape *schema.Shape, doc string, nested func(t *T, read *needs) cty.Value) field[T] {
	return field[T]{name: name, shape: shape, doc: doc, nested: nested}
}

// object builds the value of t, as far as it is read. One of which nothing is
// read but that it is there has the attributes that tell it from others, for
// the reader of a failing condition.
func object[T any](fields []field[T], t *T, read *needs) cty.Value {
	attrs := map[string]cty.Value{}
	if n := read.size(len(fields)); n > smallMap {
		attrs = make(map[string]cty.Value, n)
	}
	addAttributes(attrs, fields, t, read)
	return cty.ObjectVal(attrs)
}

// smallMap is how many entries a map has that is on the stack where nobody keeps
// it. go-cty copies the attributes of an object.
const smallMap = 8

// addAttributes adds the parts of that object by name.
func addAttributes[T any](attrs map[string]cty.Value, fields []field[T], t *T, read *needs) {
	brief := read != nil && !read.all && len(read.kids) == 0
	for i := range fields {
		f := &fields[i]
		part := read.of(f.name)
		if brief && telling[f.name] {
			part = everything
		}
		switch {
		case part == nil:
		case f.nested != nil:
			attrs[f.name] = f.nested(t, part)
		default:
			attrs[f.name] = f.value(t)
		}
	}
}

// telling are attributes that tell one element of a tuple from the next.
var telling = map[string]bool{"n": true, "at_ms": true, "target": true, "outcome": true, "reason": true, "from": true, "to": true}

// addNulls adds the attributes that are read, all null.
func addNulls[T any](attrs map[string]cty.Value, fields []field[T], read *needs) {
	for i := range fields {
		if f := &fields[i]; read.of(f.name) != nil {
			attrs[f.name] = null
		}
	}
}

func shapeOf[T any](name string, fields []field[T]) *schema.Shape {
	s := &schema.Shape{Kind: schema.ShapeObject, Name: name, Observed: true, Attrs: make(map[string]*schema.Shape, len(fields))}
	for _, f := range fields {
		shape := *f.shape
		shape.Doc = f.doc
		s.Attrs[f.name] = &shape
	}
	return s
}

var null = cty.NullVal(cty.DynamicPseudoType)

// Shapes of readable values.
var (
	anyShape    = &schema.Shape{Observed: true, Nullable: true}
	textShape   = &schema.Shape{Kind: schema.ShapeString, Observed: true}
	numberShape = &schema.Shape{Kind: schema.ShapeNumber, Observed: true}
	boolShape   = &schema.Shape{Kind: schema.ShapeBool, Observed: true}
	openShape   = &schema.Shape{Kind: schema.ShapeObject, Observed: true, Open: true, Nullable: true}
)

func nullable(s *schema.Shape) *schema.Shape {
	n := *s
	n.Nullable = true
	return &n
}

func tupleOf(elem *schema.Shape) *schema.Shape {
	return &schema.Shape{Kind: schema.ShapeTuple, Elem: elem, Observed: true}
}

func text(s string) cty.Value { return cty.StringVal(s) }

func textOrNull(s string) cty.Value {
	if s == "" {
		return null
	}
	return cty.StringVal(s)
}

func number(n int) cty.Value { return cty.NumberIntVal(int64(n)) }

func numberOrNull(n int) cty.Value {
	if n == 0 {
		return null
	}
	return number(n)
}

// millis is how every duration is read: truncated to whole milliseconds.
func millis(d time.Duration) cty.Value { return cty.NumberIntVal(d.Milliseconds()) }

// ended is a time that is known at the end of what it is of, null before.
func ended(over bool, d time.Duration) cty.Value {
	if !over {
		return null
	}
	return millis(d)
}

func texts(list []string) cty.Value { return dsl.CtyValue(list) }

func textMap(m map[string]string) cty.Value {
	if m == nil {
		return null
	}
	return dsl.CtyValue(m)
}

func tupleVal[T any](list []T, value func(T) cty.Value) cty.Value {
	vals := make([]cty.Value, len(list))
	for i, e := range list {
		vals[i] = value(e)
	}
	return cty.TupleVal(vals)
}

// jsonValue decodes a body, null when it is no JSON.
func jsonValue(body string) cty.Value {
	if body == "" {
		return null
	}
	// Numbers stay as they are written: an id may be too long for a float.
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return null
	}
	if _, err := d.Token(); err != io.EOF {
		return null // more than one value
	}
	return dsl.CtyValue(v)
}

var failureFields = []field[failure.Failure]{
	{"kind", kindShape, "The typed kind.", func(f *failure.Failure) cty.Value { return text(string(f.Kind)) }, nil},
	{"cause", nullable(causeShape), "What broke a connection.", func(f *failure.Failure) cty.Value { return textOrNull(string(f.Cause)) }, nil},
	{"type", nullable(textShape), "The name of an exception.", func(f *failure.Failure) cty.Value { return textOrNull(f.Type) }, nil},
	{"mode", nullable(domain(domainMode)), "The code that the taxonomy gave.", func(f *failure.Failure) cty.Value { return modeText(f, func(m *failure.Mode) string { return m.Code }) }, nil},
	{"category", nullable(domain(domainCategory)), "The mode's category.", func(f *failure.Failure) cty.Value {
		return modeText(f, func(m *failure.Mode) string { return m.Category })
	}, nil},
	{"retryable", boolShape, "Whether it may be tried again.", func(f *failure.Failure) cty.Value { return cty.BoolVal(f.Retryable) }, nil},
	{"terminal", boolShape, "Whether it ends the call whatever the policy says.", func(f *failure.Failure) cty.Value { return cty.BoolVal(f.Mode != nil && f.Mode.Terminal) }, nil},
	{"partial", boolShape, "Whether there may be partial results.", func(f *failure.Failure) cty.Value { return cty.BoolVal(f.Mode != nil && f.Mode.Partial) }, nil},
	{"severity", nullable(severityShape), "The mode's severity.", func(f *failure.Failure) cty.Value {
		return modeText(f, func(m *failure.Mode) string { return m.Severity })
	}, nil},
	{"message", textShape, "For people.", func(f *failure.Failure) cty.Value { return text(f.Message) }, nil},
	{"status_code", nullable(numberShape), "The HTTP status.", func(f *failure.Failure) cty.Value { return numberOrNull(f.StatusCode) }, nil},
	{"sqlstate", nullable(textShape), "The state of a database's error.", func(f *failure.Failure) cty.Value { return textOrNull(f.SQLState) }, nil},
	{"retry_after_ms", nullable(numberShape), "The wait that the server asked for.", func(f *failure.Failure) cty.Value {
		if !f.HasRetryAfter {
			return null
		}
		return millis(f.RetryAfter)
	}, nil},
	{"step", nullable(textShape), "The step that observed it.", func(f *failure.Failure) cty.Value { return textOrNull(f.Step) }, nil},
	{"attempt", nullable(numberShape), "The attempt that observed it.", func(f *failure.Failure) cty.Value { return numberOrNull(f.Attempt) }, nil},
	{"target", nullable(textShape), "The target that was called.", func(f *failure.Failure) cty.Value { return textOrNull(f.Target) }, nil},
	{"rule", nullable(textShape), "The rule that gave the mode, as `scenario explain` names it.", func(f *failure.Failure) cty.Value { return textOrNull(f.Rule) }, nil},
	{"stage", stageShape, `The stage of the run in which it was observed: "plan", "route", "execute" or "aggregate".`, func(f *failure.Failure) cty.Value { return text(string(failure.StageOf(f))) }, nil},
	{"operation", nullable(textShape), "What was being done, such as \"chat gpt-4o-mini\" or \"GET /path\".", func(f *failure.Failure) cty.Value { return textOrNull(f.Operation) }, nil},
	{"retries", numberShape, "Rounds of the step that had followed its first.", func(f *failure.Failure) cty.Value { return number(f.Retries) }, nil},
	{"chain", tupleOf(shapeOf("failure beneath", chainFields)), "What lies beneath it, the nearest first: the failures of a gateway's targets, what a deadline cut short, the causes of an exception.", nil, func(f *failure.Failure, read *needs) cty.Value {
		return tupleVal(f.Chain, func(c failure.Failure) cty.Value { return object(chainFields, &c, read) })
	}},
	{"stack", nullable(textShape), "The stack trace that came with an exception.", func(f *failure.Failure) cty.Value { return textOrNull(f.Stack) }, nil},
}

// chainFields are what a failure beneath another says of itself.
var chainFields = []field[failure.Failure]{
	{"kind", nullable(kindShape), "The typed kind; null for an error that was never observed by itself.", func(f *failure.Failure) cty.Value { return textOrNull(string(f.Kind)) }, nil},
	{"cause", nullable(causeShape), "What broke a connection.", func(f *failure.Failure) cty.Value { return textOrNull(string(f.Cause)) }, nil},
	{"type", nullable(textShape), "The name of its type.", func(f *failure.Failure) cty.Value { return textOrNull(f.Type) }, nil},
	{"mode", nullable(domain(domainMode)), "The code that the taxonomy gave.", func(f *failure.Failure) cty.Value { return modeText(f, func(m *failure.Mode) string { return m.Code }) }, nil},
	{"message", textShape, "For people.", func(f *failure.Failure) cty.Value { return text(f.Message) }, nil},
	{"status_code", nullable(numberShape), "The HTTP status.", func(f *failure.Failure) cty.Value { return numberOrNull(f.StatusCode) }, nil},
	{"step", nullable(textShape), "The step that observed it.", func(f *failure.Failure) cty.Value { return textOrNull(f.Step) }, nil},
	{"attempt", nullable(numberShape), "The attempt that observed it.", func(f *failure.Failure) cty.Value { return numberOrNull(f.Attempt) }, nil},
	{"target", nullable(textShape), "The target that was called.", func(f *failure.Failure) cty.Value { return textOrNull(f.Target) }, nil},
}

func modeText(f *failure.Failure, get func(*failure.Mode) string) cty.Value {
	if f.Mode == nil {
		return null
	}
	return textOrNull(get(f.Mode))
}

func failureVal(f *failure.Failure, read *needs) cty.Value {
	if f == nil {
		return null
	}
	return object(failureFields, f, read)
}

var failureShape = nullable(shapeOf("failure", failureFields))

var usageFields = []field[providers.Usage]{
	{"prompt_tokens", numberShape, "Tokens of the prompts.", func(u *providers.Usage) cty.Value { return number(u.Prompt) }, nil},
	{"completion_tokens", numberShape, "Tokens of the answers.", func(u *providers.Usage) cty.Value { return number(u.Completion) }, nil},
	{"total_tokens", numberShape, "Both.", func(u *providers.Usage) cty.Value { return number(u.Total) }, nil},
	{"cached_tokens", numberShape, "Prompt tokens read from a cache.", func(u *providers.Usage) cty.Value { return number(u.Cached) }, nil},
	{"reasoning_tokens", numberShape, "Completion tokens spent on reasoning.", func(u *providers.Usage) cty.Value { return number(u.Reasoning) }, nil},
}

var toolCallFields = []field[providers.ToolCall]{
	{"id", textShape, "The call's id.", func(c *providers.ToolCall) cty.Value { return text(c.ID) }, nil},
	{"name", textShape, "The tool.", func(c *providers.ToolCall) cty.Value { return text(c.Name) }, nil},
	{"arguments", anyShape, "The arguments as a value; as text where they are no JSON.", func(c *providers.ToolCall) cty.Value { return toolArguments(c.Arguments) }, nil},
}

// toolArguments reads the JSON text that a model wrote; what is no JSON stays
// text.
func toolArguments(raw string) cty.Value {
	if v := jsonValue(raw); !v.IsNull() {
		return v
	}
	return text(raw)
}

var requestFields = []field[exchangeRequest]{
	{"method", textShape, "The method.", func(r *exchangeRequest) cty.Value { return text(r.method) }, nil},
	{"statement", nullable(textShape), "The statement, of a database.", func(r *exchangeRequest) cty.Value { return textOrNull(r.statement) }, nil},
	{"url", textShape, "The URL.", func(r *exchangeRequest) cty.Value { return text(r.url) }, nil},
	{"headers", openShape, "The header fields, names in lower case.", func(r *exchangeRequest) cty.Value { return textMap(r.headers) }, nil},
	{"body", textShape, "The body as text.", func(r *exchangeRequest) cty.Value { return text(r.body) }, nil},
	{"json", anyShape, "The body as a value, null where it is no JSON.", func(r *exchangeRequest) cty.Value { return jsonValue(r.body) }, nil},
}

var responseFields = []field[exchangeResponse]{
	{"status_code", nullable(numberShape), "The status.", func(r *exchangeResponse) cty.Value { return numberOrNull(r.statusCode) }, nil},
	{"sqlstate", nullable(textShape), "The state of a database's error.", func(r *exchangeResponse) cty.Value { return textOrNull(r.sqlState) }, nil},
	{"headers", openShape, "The header fields, names in lower case.", func(r *exchangeResponse) cty.Value { return textMap(r.headers) }, nil},
	{"content", textShape, "What was read of the content.", func(r *exchangeResponse) cty.Value { return text(r.content) }, nil},
	{"chunks", tupleOf(textShape), "The deltas of a stream.", func(r *exchangeResponse) cty.Value { return texts(r.chunks) }, nil},
	{"complete", boolShape, "Whether it ended as the protocol demands.", func(r *exchangeResponse) cty.Value { return cty.BoolVal(r.complete) }, nil},
}

var attemptFields = []field[attemptResult]{
	{"n", numberShape, "Counts the attempts of the step.", func(a *attemptResult) cty.Value { return number(a.n) }, nil},
	{"round", numberShape, "The round of the retry policy.", func(a *attemptResult) cty.Value { return number(a.round) }, nil},
	{"turn", nullable(numberShape), "The turn of a tool loop.", func(a *attemptResult) cty.Value { return numberOrNull(a.turn) }, nil},
	{"iteration", nullable(numberShape), "The iteration of a loop.", func(a *attemptResult) cty.Value { return numberOrNull(a.iteration) }, nil},
	{"at_ms", numberShape, "When it was dialled, from the start of the step.", func(a *attemptResult) cty.Value { return millis(a.at) }, nil},
	{"ended_ms", numberShape, "When it ended, from the start of the step.", func(a *attemptResult) cty.Value { return ended(!a.open, a.ended) }, nil},
	{"elapsed_ms", numberShape, "How long it took.", func(a *attemptResult) cty.Value { return ended(!a.open, a.ended-a.at) }, nil},
	{"target", textShape, "The target that was dialled.", func(a *attemptResult) cty.Value { return text(a.target) }, nil},
	{"provider", textShape, "The provider behind it.", func(a *attemptResult) cty.Value { return text(a.provider) }, nil},
	{"status_code", nullable(numberShape), "The status of the answer.", func(a *attemptResult) cty.Value { return numberOrNull(a.statusCode) }, nil},
	{"outcome", outcomeShape, `"success", "failure" or "cancelled".`, func(a *attemptResult) cty.Value { return textOrNull(a.outcome) }, nil},
	{"fault", nullable(textShape), "The kind of the injected fault.", func(a *attemptResult) cty.Value { return textOrNull(a.fault) }, nil},
	{"error", failureShape, "The failure.", nil, func(a *attemptResult, read *needs) cty.Value { return failureVal(a.err, read) }},
	{"retry_after_ms", nullable(numberShape), "The wait that the server asked for.", func(a *attemptResult) cty.Value {
		if a.retryAfter == nil {
			return null
		}
		return millis(*a.retryAfter)
	}, nil},
	{"request", shapeOf("request", requestFields), "What was sent.", nil, func(a *attemptResult, read *needs) cty.Value { return object(requestFields, &a.request, read) }},
	{"response", shapeOf("response", responseFields), "What came back.", nil, func(a *attemptResult, read *needs) cty.Value { return object(responseFields, &a.response, read) }},
}

var rejectionFields = []field[rejection]{
	{"at_ms", numberShape, "When, from the start of the step.", func(r *rejection) cty.Value { return millis(r.at) }, nil},
	{"round", numberShape, "The round of the retry policy.", func(r *rejection) cty.Value { return number(r.round) }, nil},
	{"target", textShape, "The target that refused.", func(r *rejection) cty.Value { return text(r.target) }, nil},
	{"reason", reasonShape, `"circuit_open", "rate_limit" or "bulkhead".`, func(r *rejection) cty.Value { return text(r.reason) }, nil},
}

var (
	attemptsShape   = nullable(tupleOf(shapeOf("attempt", attemptFields)))
	rejectionsShape = nullable(tupleOf(shapeOf("rejection", rejectionFields)))
	usageShape      = nullable(shapeOf("usage", usageFields))
)

func attemptsVal(list []*attemptResult, read *needs) cty.Value {
	return tupleVal(list, func(a *attemptResult) cty.Value { return object(attemptFields, a, read) })
}

func rejectionsVal(list []rejection, read *needs) cty.Value {
	return tupleVal(list, func(r rejection) cty.Value { return object(rejectionFields, &r, read) })
}

var stepFields = []field[stepResult]{
	{"status", stepStatusShape, `"success", "failed", "timeout", "skipped", "cancelled" or "aborted".`, func(s *stepResult) cty.Value { return textOrNull(s.status) }, nil},
	{"output", anyShape, "What dependants read.", func(s *stepResult) cty.Value { return s.output }, nil},
	{"error", failureShape, "The failure of a step that did not succeed.", nil, func(s *stepResult, read *needs) cty.Value { return failureVal(s.err, read) }},
	{"attempts", attemptsShape, "Every dial, in order.", nil, func(s *stepResult, read *needs) cty.Value { return attemptsVal(s.attempts, read) }},
	{"rejections", rejectionsShape, "Targets that were refused without a dial.", nil, func(s *stepResult, read *needs) cty.Value { return rejectionsVal(s.rejections, read) }},
	{"retries", nullable(numberShape), "Rounds after the first, all turns added.", func(s *stepResult) cty.Value { return number(s.retries) }, nil},
	{"stop", nullable(stopShape), `Why no further round followed a failed one: "exhausted", "not_retryable", "not_idempotent", "wait_too_long", "terminal" or "cancelled".`, func(s *stepResult) cty.Value { return textOrNull(s.stop) }, nil},
	{"delays_ms", nullable(tupleOf(numberShape)), "The waits between rounds.", func(s *stepResult) cty.Value {
		return tupleVal(s.delays, func(w wait) cty.Value { return millis(w.delay) })
	}, nil},
	{"started_ms", nullable(numberShape), "When it started.", func(s *stepResult) cty.Value { return millis(s.started) }, nil},
	{"ended_ms", nullable(numberShape), "When it ended.", func(s *stepResult) cty.Value { return ended(s.status != "", s.ended) }, nil},
	{"elapsed_ms", nullable(numberShape), "How long it took.", func(s *stepResult) cty.Value { return ended(s.status != "", s.ended-s.started) }, nil},
	{"target", nullable(textShape), "The target that answered, or was called last.", func(s *stepResult) cty.Value { return textOrNull(s.target) }, nil},
	{"provider", nullable(textShape), "The provider behind it.", func(s *stepResult) cty.Value { return textOrNull(s.provider) }, nil},
	{"cost_usd", nullable(numberShape), "What its answers cost.", func(s *stepResult) cty.Value { return cty.NumberFloatVal(s.costUSD) }, nil},
	{"skipped_reason", nullable(textShape), "Why it did not run.", func(s *stepResult) cty.Value { return textOrNull(s.skippedReason) }, nil},
	{"replaced_by", nullable(textShape), "The step that ran in its place.", func(s *stepResult) cty.Value { return textOrNull(s.replacedBy) }, nil},
}

// llmFields and httpFields are what the kinds of step have beside the common
// attributes.
var llmFields = []field[stepResult]{
	{"content", nullable(textShape), "The text of the answer.", func(s *stepResult) cty.Value {
		if !s.hasContent {
			return null
		}
		return text(s.content)
	}, nil},
	{"chunks", nullable(tupleOf(textShape)), "The deltas of a stream.", func(s *stepResult) cty.Value { return texts(s.chunks) }, nil},
	{"finish_reason", nullable(textShape), "Why the model stopped.", func(s *stepResult) cty.Value { return textOrNull(s.finishReason) }, nil},
	{"tool_calls", nullable(tupleOf(shapeOf("tool call", toolCallFields))), "The calls that the model asked for, of all turns.", nil, func(s *stepResult, read *needs) cty.Value {
		return tupleVal(s.toolCalls, func(c providers.ToolCall) cty.Value { return object(toolCallFields, &c, read) })
	}},
	{"usage", usageShape, "Tokens of all turns and rounds that were answered.", nil, func(s *stepResult, read *needs) cty.Value { return object(usageFields, &s.usage, read) }},
	{"model", nullable(textShape), "The model that answered.", func(s *stepResult) cty.Value { return textOrNull(s.model) }, nil},
	{"turns", nullable(numberShape), "Turns of the tool loop.", func(s *stepResult) cty.Value { return number(s.turns) }, nil},
}

var httpFields = []field[stepResult]{
	{"status_code", nullable(numberShape), "The status of the answer.", func(s *stepResult) cty.Value { return numberOrNull(s.statusCode) }, nil},
	{"headers", openShape, "The header fields, names in lower case.", func(s *stepResult) cty.Value { return textMap(s.headers) }, nil},
	{"body", nullable(textShape), "The body as text.", func(s *stepResult) cty.Value {
		if !s.hasContent {
			return null
		}
		return text(s.body)
	}, nil},
	{"json", anyShape, "The body as a value, null where it is no JSON.", func(s *stepResult) cty.Value { return s.json }, nil},
}

// fieldsOf lists what a kind of step can be asked for.
func fieldsOf(kind string) []field[stepResult] {
	switch kind {
	case "llm":
		return llmStepFields
	case "http":
		return httpStepFields
	case kindMCP:
		return mcpStepFields
	case "sql":
		return sqlStepFields
	case kindLoop:
		return loopStepFields
	case kindWorkflow:
		return workflowStepFields
	case kindClassify:
		return classifyStepFields
	case kindFanout:
		return fanoutStepFields
	case kindSub:
		return subStepFields
	case kindCall:
		return callStepFields
	case kindHandler:
		return handlerFields
	}
	return stepFields
}

var (
	llmStepFields  = append(append([]field[stepResult]{}, stepFields...), llmFields...)
	httpStepFields = append(append([]field[stepResult]{}, stepFields...), httpFields...)

	llmStepShape   = shapeOf("llm step", llmStepFields)
	httpStepShape  = shapeOf("http step", httpStepFields)
	plainStepShape = shapeOf("step", stepFields)
)

func stepShape(kind string) *schema.Shape {
	switch kind {
	case "llm":
		return llmStepShape
	case "http":
		return httpStepShape
	case kindMCP:
		return mcpStepShape
	case "sql":
		return sqlStepShape
	case kindLoop:
		return loopStepShape
	case kindWorkflow:
		return workflowStepShape
	case kindClassify:
		return classifyStepShape
	case kindFanout:
		return fanoutStepShape
	case kindSub:
		return subStepShape
	case kindCall:
		return callStepShape
	}
	return plainStepShape
}

// stepVal is what step.NAME reads. A step that did not run has null in place
// of everything but its status and the reason.
func stepVal(s *stepResult, read *needs) cty.Value {
	attrs := map[string]cty.Value{}
	if n := read.size(len(stepFields)); n > smallMap {
		attrs = make(map[string]cty.Value, n)
	}
	addStep(attrs, s, read)
	for _, n := range s.inner {
		if part := read.of(n.step.name); part != nil {
			attrs[n.step.name] = stepVal(s.of.steps[n.name], part)
		}
	}
	return cty.ObjectVal(attrs)
}

// addStep adds the attributes of a step without the steps inside it.
func addStep(attrs map[string]cty.Value, s *stepResult, read *needs) {
	addResult(attrs, fieldsOf(s.step.kind), s, read)
	if s.step.valued && read.of("value") != nil {
		attrs["value"] = s.output
	}
}

func addResult(attrs map[string]cty.Value, fields []field[stepResult], s *stepResult, read *needs) {
	if s.began || s.ran != nil {
		addAttributes(attrs, fields, s, read)
		return
	}
	addNulls(attrs, fields, read)
	add := func(name string, v cty.Value) {
		if _, wanted := attrs[name]; wanted {
			attrs[name] = v
		}
	}
	add("status", textOrNull(s.status))
	add("skipped_reason", textOrNull(s.skippedReason))
	if s.step.sub != nil {
		add("error", failureVal(s.err, read.of("error")))
		for i := range subFields {
			add(subFields[i].name, subFields[i].value(s))
		}
	}
}

var transitionFields = []field[transition]{
	{"at_ms", numberShape, "When.", func(t *transition) cty.Value { return millis(t.at) }, nil},
	{"from", stateShape, "The state before.", func(t *transition) cty.Value { return text(string(t.from)) }, nil},
	{"to", stateShape, "The state after.", func(t *transition) cty.Value { return text(string(t.to)) }, nil},
}

var breakerFields = []field[targetResult]{
	{"state", stateShape, `"closed", "open" or "half_open", as the last call left it.`, func(t *targetResult) cty.Value { return text(string(t.state)) }, nil},
	{"failures", numberShape, "Consecutive failures, or those in the window.", func(t *targetResult) cty.Value { return number(t.failures) }, nil},
	{"rejected", numberShape, "Calls that it refused.", func(t *targetResult) cty.Value { return number(t.rejected) }, nil},
	{"transitions", tupleOf(shapeOf("transition", transitionFields)), "Changes of state.", nil, func(t *targetResult, read *needs) cty.Value {
		return tupleVal(t.transitions, func(t transition) cty.Value { return object(transitionFields, &t, read) })
	}},
}

var targetFields = []field[targetResult]{
	{"attempts", tupleOf(shapeOf("attempt", attemptFields)), "Every dial of the target, in order.", nil, func(t *targetResult, read *needs) cty.Value { return attemptsVal(t.attempts, read) }},
	{"rejections", tupleOf(shapeOf("rejection", rejectionFields)), "Calls refused without a dial.", nil, func(t *targetResult, read *needs) cty.Value { return rejectionsVal(t.rejections, read) }},
	{"in_flight_max", numberShape, "Most attempts under way at one time.", func(t *targetResult) cty.Value { return number(t.inFlightMax) }, nil},
	{"breaker", nullable(shapeOf("breaker", breakerFields)), "Its circuit breaker, null without one.", nil, func(t *targetResult, read *needs) cty.Value {
		if !t.guarded {
			return null
		}
		return object(breakerFields, t, read)
	}},
}

var gatewayFields = []field[gatewayResult]{
	{"served_by", tupleOf(textShape), "The target that answered each call.", func(g *gatewayResult) cty.Value { return texts(g.servedBy) }, nil},
	{"decisions", tupleOf(shapeOf("decision", decisionFields)), "How each round of a call went through it.", nil, func(g *gatewayResult, read *needs) cty.Value {
		return tupleVal(g.decisions(), func(d *decision) cty.Value { return object(decisionFields, d, read) })
	}},
	{"fallbacks", numberShape, "Answers that did not come from the first target in order.", func(g *gatewayResult) cty.Value { return number(g.fallbacks) }, nil},
}

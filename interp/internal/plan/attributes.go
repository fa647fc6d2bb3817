package plan

import (
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// ValueAttr carries a value of the language.
type ValueAttr struct{ cty.Value }

// AppendJSON implements trace.Value.
func (v ValueAttr) AppendJSON(dst []byte) []byte {
	if !v.IsWhollyKnown() {
		return append(dst, "null"...)
	}
	return trace.AppendValue(dst, dsl.GoValue(v.Value))
}

// IfValue is a value of the language, or nothing where it is null.
func IfValue(v cty.Value) any {
	if v == cty.NilVal || v.IsNull() {
		return nil
	}
	return ValueAttr{v}
}

// RunIDAttr carries the id of a run, which costs the encoding of the whole plan
// and is computed where somebody reads it.
type RunIDAttr struct{ Plan *Plan }

// AppendJSON implements trace.Value.
func (v RunIDAttr) AppendJSON(dst []byte) []byte { return trace.AppendString(dst, v.Text()) }

// Text implements trace.Text. The id of a run that never began is empty.
func (v RunIDAttr) Text() string {
	if v.Plan == nil {
		return ""
	}
	return v.Plan.RunID()
}

// Failed adds a failure to the attributes of an event, in the order of the
// keys.
func Failed(list []trace.Attr, f *failure.Failure) []trace.Attr {
	if f == nil {
		return list
	}
	var mode failure.Mode
	var terminal, partial, retryAfter any
	if f.Mode != nil {
		mode = *f.Mode
		terminal, partial = mode.Terminal, mode.Partial
	}
	if f.HasRetryAfter {
		retryAfter = f.RetryAfter
	}
	list = AddAttrs(slices.Grow(list, failedUsual), "after_retries", IfSet(f.Retries), "category", mode.Category, "cause", string(f.Cause),
		"chain", chainAttr(f.Chain), "doing", f.Operation, "error_type", f.Type)
	list = append(list, trace.Attr{Key: "kind", Value: string(f.Kind)}, trace.Attr{Key: "message", Value: f.Message})
	return AddAttrs(list, "mode", mode.Code, "partial", partial, "retry_after_ns", retryAfter, "retryable", f.Retryable, "rule", f.Rule,
		"severity", mode.Severity, "sqlstate", f.SQLState, "stack", f.Stack, "stage", string(failure.StageOf(f)),
		"status_code", IfSet(f.StatusCode), "terminal", terminal)
}

// failedUsual is how many attributes a failure usually has, an answer's status
// among them.
const failedUsual = 15

// FailureOf reads a failure back from the attributes of an event, nil where
// it has none.
func FailureOf(e *trace.Event) *failure.Failure {
	kind := failure.Kind(Get[string](e, "kind"))
	if kind == "" {
		return nil
	}
	f := &failure.Failure{
		Kind: kind, Cause: failure.Cause(Get[string](e, "cause")), Type: Get[string](e, "error_type"), Message: Get[string](e, "message"),
		Stage: failure.Stage(Get[string](e, "stage")), Operation: Get[string](e, "doing"), Stack: Get[string](e, "stack"),
		Retries: Get[int](e, "after_retries"), Chain: Get[chainAttr](e, "chain"),
		Rule: Get[string](e, "rule"), SQLState: Get[string](e, "sqlstate"), Retryable: Get[bool](e, "retryable"), Step: e.Step, Attempt: e.Attempt, Target: e.Target,
	}
	if e.Attempt == 0 {
		f.Attempt, f.Target = Get[int](e, "failed_attempt"), Get[string](e, "failed_target")
	}
	if step := Get[string](e, "failed_step"); step != "" {
		f.Step = step
	}
	if code := Get[string](e, "mode"); code != "" {
		f.Mode = &failure.Mode{
			Code: code, Category: Get[string](e, "category"), Severity: Get[string](e, "severity"),
			Retryable: f.Retryable, Terminal: Get[bool](e, "terminal"), Partial: Get[bool](e, "partial"),
		}
	}
	for i := range e.Attrs {
		if e.Attrs[i].Key == "retry_after_ns" {
			f.RetryAfter, f.HasRetryAfter = e.Attrs[i].Value.(time.Duration)
		}
	}
	switch kind {
	case failure.HTTPStatus, failure.RateLimit, failure.Overloaded:
		// Of any other kind the status is the answer's, which had nothing to
		// do with the failure.
		f.StatusCode = Get[int](e, "status_code")
	}
	return f
}

// UsageAttr carries token counts.
type UsageAttr struct{ providers.Usage }

// AppendJSON implements trace.Value.
func (u UsageAttr) AppendJSON(dst []byte) []byte {
	return Document{
		{"cached_tokens", u.Cached},
		{"completion_tokens", u.Completion},
		{"prompt_tokens", u.Prompt},
		{"reasoning_tokens", u.Reasoning},
		{"total_tokens", u.Total},
	}.AppendJSON(dst)
}

// Tokens gives the metrics what they would else decode.
func (u UsageAttr) Tokens() (in, out int64) { return int64(u.Prompt), int64(u.Completion) }

// InstantsAttr carries instants of a run.
type InstantsAttr []time.Duration

// AppendJSON implements trace.Value.
func (l InstantsAttr) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, at := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(at), 10)
	}
	return append(dst, ']')
}

// CallsAttr carries tool calls.
type CallsAttr []providers.ToolCall

// AppendJSON implements trace.Value.
func (c CallsAttr) AppendJSON(dst []byte) []byte {
	list := make([]any, len(c))
	for i, call := range c {
		list[i] = map[string]any{"arguments": call.Arguments, "id": call.ID, "name": call.Name}
	}
	return trace.AppendValue(dst, list)
}

// chainAttr carries the failures beneath one.
type chainAttr []failure.Failure

// AppendJSON implements trace.Value.
func (c chainAttr) AppendJSON(dst []byte) []byte {
	list := make([]any, len(c))
	for i := range c {
		f := &c[i]
		object := map[string]any{"message": f.Message}
		add := func(key, value string) {
			if value != "" {
				object[key] = value
			}
		}
		add("kind", string(f.Kind))
		add("cause", string(f.Cause))
		add("type", f.Type)
		add("step", f.Step)
		add("target", f.Target)
		if f.Mode != nil {
			add("mode", f.Mode.Code)
		}
		if f.StatusCode != 0 {
			object["status_code"] = f.StatusCode
		}
		if f.Attempt != 0 {
			object["attempt"] = f.Attempt
		}
		list[i] = object
	}
	return trace.AppendValue(dst, list)
}

// PartialAttr carries what is there of a run.
type PartialAttr struct{ PartialResult }

// AppendJSON implements trace.Value.
func (p PartialAttr) AppendJSON(dst []byte) []byte {
	data := make(map[string]any, len(p.Data))
	for name, v := range p.Data {
		data[name] = ValueAttr{v}
	}
	return trace.AppendValue(dst, map[string]any{
		"data": data, "completed_steps": p.Completed, "completion_ratio": p.Ratio, "failed_steps": p.Failed, "hint": p.Hint,
		"recoverable": p.Recoverable, "remaining_steps": p.Remaining, "skipped_steps": p.Skipped,
	})
}

// HeadersAttr carries header fields, names in lower case.
type HeadersAttr map[string]string

// AppendJSON implements trace.Value.
func (h HeadersAttr) AppendJSON(dst []byte) []byte {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	sort.Strings(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = trace.AppendString(dst, name)
		dst = append(dst, ':')
		dst = trace.AppendString(dst, h[name])
	}
	return append(dst, '}')
}

// Attrs builds the attributes of one event: pairs of key and value, in the
// order of their keys. Nil values and empty strings are left out.
func Attrs(pairs ...any) []trace.Attr {
	return AddAttrs(make([]trace.Attr, 0, len(pairs)/2), pairs...)
}

// AddAttrs adds to a list what [attrs] builds.
func AddAttrs(list []trace.Attr, pairs ...any) []trace.Attr {
	for i := 0; i+1 < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case nil:
			continue
		case string:
			if v == "" {
				continue
			}
		case HeadersAttr:
			if len(v) == 0 {
				continue
			}
		case CallsAttr:
			if len(v) == 0 {
				continue
			}
		case chainAttr:
			if len(v) == 0 {
				continue
			}
		case []string:
			if len(v) == 0 {
				continue
			}
		case ValueAttr:
			if v.IsNull() {
				continue
			}
		}
		list = append(list, trace.Attr{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return list
}

// Get finds an attribute of an event.
func Get[T any](e *trace.Event, key string) T {
	for i := range e.Attrs {
		if e.Attrs[i].Key == key {
			v, _ := e.Attrs[i].Value.(T)
			return v
		}
	}
	var none T
	return none
}

// IfSet is n, or nothing when it is zero.
func IfSet[T int | float64 | time.Duration | bool](n T) any {
	var zero T
	if n == zero {
		return nil
	}
	return n
}

// HeaderMap flattens header fields: names in lower case, several values joined
// by a comma, credentials hidden.
func HeaderMap(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name, values := range h {
		m[strings.ToLower(name)] = ByName.Header(name, strings.Join(values, ", "))
	}
	return m
}

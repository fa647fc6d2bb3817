package interp

import (
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// valueAttr carries a value of the language.
type valueAttr struct{ cty.Value }

// AppendJSON implements trace.Value.
func (v valueAttr) AppendJSON(dst []byte) []byte {
	if !v.IsWhollyKnown() {
		return append(dst, "null"...)
	}
	return trace.AppendValue(dst, dsl.GoValue(v.Value))
}

// ifValue is a value of the language, or nothing where it is null.
func ifValue(v cty.Value) any {
	if v == cty.NilVal || v.IsNull() {
		return nil
	}
	return valueAttr{v}
}

// runIDAttr carries the id of a run, which costs the encoding of the whole plan
// and is computed where somebody reads it.
type runIDAttr struct{ plan *Plan }

// AppendJSON implements trace.Value.
func (v runIDAttr) AppendJSON(dst []byte) []byte { return trace.AppendString(dst, v.Text()) }

// Text implements trace.Text. The id of a run that never began is empty.
func (v runIDAttr) Text() string {
	if v.plan == nil {
		return ""
	}
	return v.plan.runID()
}

// failed adds a failure to the attributes of an event, in the order of the
// keys.
func failed(list []trace.Attr, f *failure.Failure) []trace.Attr {
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
	list = addAttrs(slices.Grow(list, failedUsual), "after_retries", ifSet(f.Retries), "category", mode.Category, "cause", string(f.Cause),
		"chain", chainAttr(f.Chain), "doing", f.Operation, "error_type", f.Type)
	list = append(list, trace.Attr{Key: "kind", Value: string(f.Kind)}, trace.Attr{Key: "message", Value: f.Message})
	return addAttrs(list, "mode", mode.Code, "partial", partial, "retry_after_ns", retryAfter, "retryable", f.Retryable, "rule", f.Rule,
		"severity", mode.Severity, "sqlstate", f.SQLState, "stack", f.Stack, "stage", string(failure.StageOf(f)),
		"status_code", ifSet(f.StatusCode), "terminal", terminal)
}

// failedUsual is how many attributes a failure usually has, an answer's status
// among them.
const failedUsual = 15

// failureOf reads a failure back from the attributes of an event, nil where
// it has none.
func failureOf(e *trace.Event) *failure.Failure {
	kind := failure.Kind(get[string](e, "kind"))
	if kind == "" {
		return nil
	}
	f := &failure.Failure{
		Kind: kind, Cause: failure.Cause(get[string](e, "cause")), Type: get[string](e, "error_type"), Message: get[string](e, "message"),
		Stage: failure.Stage(get[string](e, "stage")), Operation: get[string](e, "doing"), Stack: get[string](e, "stack"),
		Retries: get[int](e, "after_retries"), Chain: get[chainAttr](e, "chain"),
		Rule: get[string](e, "rule"), SQLState: get[string](e, "sqlstate"), Retryable: get[bool](e, "retryable"), Step: e.Step, Attempt: e.Attempt, Target: e.Target,
	}
	if e.Attempt == 0 {
		f.Attempt, f.Target = get[int](e, "failed_attempt"), get[string](e, "failed_target")
	}
	if step := get[string](e, "failed_step"); step != "" {
		f.Step = step
	}
	if code := get[string](e, "mode"); code != "" {
		f.Mode = &failure.Mode{
			Code: code, Category: get[string](e, "category"), Severity: get[string](e, "severity"),
			Retryable: f.Retryable, Terminal: get[bool](e, "terminal"), Partial: get[bool](e, "partial"),
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
		f.StatusCode = get[int](e, "status_code")
	}
	return f
}

// usageAttr carries token counts.
type usageAttr struct{ providers.Usage }

// AppendJSON implements trace.Value.
func (u usageAttr) AppendJSON(dst []byte) []byte {
	return document{
		{"cached_tokens", u.Cached},
		{"completion_tokens", u.Completion},
		{"prompt_tokens", u.Prompt},
		{"reasoning_tokens", u.Reasoning},
		{"total_tokens", u.Total},
	}.AppendJSON(dst)
}

// Tokens gives the metrics what they would else decode.
func (u usageAttr) Tokens() (in, out int64) { return int64(u.Prompt), int64(u.Completion) }

// instantsAttr carries instants of a run.
type instantsAttr []time.Duration

// AppendJSON implements trace.Value.
func (l instantsAttr) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, at := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(at), 10)
	}
	return append(dst, ']')
}

// callsAttr carries tool calls.
type callsAttr []providers.ToolCall

// AppendJSON implements trace.Value.
func (c callsAttr) AppendJSON(dst []byte) []byte {
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

// partialAttr carries what is there of a run.
type partialAttr struct{ partialResult }

// AppendJSON implements trace.Value.
func (p partialAttr) AppendJSON(dst []byte) []byte {
	data := make(map[string]any, len(p.data))
	for name, v := range p.data {
		data[name] = valueAttr{v}
	}
	return trace.AppendValue(dst, map[string]any{
		"data": data, "completed_steps": p.completed, "completion_ratio": p.ratio, "failed_steps": p.failed, "hint": p.hint,
		"recoverable": p.recoverable, "remaining_steps": p.remaining, "skipped_steps": p.skipped,
	})
}

// headersAttr carries header fields, names in lower case.
type headersAttr map[string]string

// AppendJSON implements trace.Value.
func (h headersAttr) AppendJSON(dst []byte) []byte {
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

// attrs builds the attributes of one event: pairs of key and value, in the
// order of their keys. Nil values and empty strings are left out.
func attrs(pairs ...any) []trace.Attr {
	return addAttrs(make([]trace.Attr, 0, len(pairs)/2), pairs...)
}

// addAttrs adds to a list what [attrs] builds.
func addAttrs(list []trace.Attr, pairs ...any) []trace.Attr {
	for i := 0; i+1 < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case nil:
			continue
		case string:
			if v == "" {
				continue
			}
		case headersAttr:
			if len(v) == 0 {
				continue
			}
		case callsAttr:
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
		case valueAttr:
			if v.IsNull() {
				continue
			}
		}
		list = append(list, trace.Attr{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return list
}

// get finds an attribute of an event.
func get[T any](e *trace.Event, key string) T {
	for i := range e.Attrs {
		if e.Attrs[i].Key == key {
			v, _ := e.Attrs[i].Value.(T)
			return v
		}
	}
	var none T
	return none
}

// ifSet is n, or nothing when it is zero.
func ifSet[T int | float64 | time.Duration | bool](n T) any {
	var zero T
	if n == zero {
		return nil
	}
	return n
}

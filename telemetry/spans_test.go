package telemetry

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/telemetry/internal/fixture"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/trace/tracetest"
)

// tree draws spans as lines: depth, name, times in seconds, status.
func tree(spans []Span) string {
	depth := map[string]int{}
	var b strings.Builder
	for _, s := range spans {
		d := 0
		if s.Parent.IsValid() {
			d = depth[s.Parent.String()] + 1
		}
		depth[s.ID.String()] = d
		fmt.Fprintf(&b, "%s%s %v-%v %s\n", strings.Repeat("  ", d), s.Name, s.Start.Seconds(), s.End.Seconds(), s.Status)
	}
	return b.String()
}

// Every start of the fixture has its end (V104).
func TestFixtureIsWhole(t *testing.T) {
	if lost := tracetest.Unended(fixture.FallbackRun()); lost != nil {
		t.Error(lost)
	}
}

// FallbackRun lets the tests outside of the package look at the fixture.
var FallbackRun = fixture.FallbackRun

// Spans nest as §13 says, are named by the operation, and have the times and
// outcomes of the trace.
func TestSpanTree(t *testing.T) {
	want := `scenario falls back 0-5 unset
  workflow support 0-5 ok
    step ask 0-3 ok
      chat gpt-4o-mini 0-2 error
      chat claude 2-3 ok
    step page 3-4.5 ok
      GET /p 4-4.5 ok
    step later 4.5-4.5 unset
`
	if diff := cmp.Diff(want, tree(Spans(fixture.Header, fixture.FallbackRun()))); diff != "" {
		t.Error(diff)
	}
}

// With a primary that fails and a backup that answers there are two attempt
// spans, and only the first has an error and the fault.
func TestV40(t *testing.T) {
	var spans []Span
	for _, s := range Spans(fixture.Header, fixture.FallbackRun()) {
		if s.Attr("scenario.step_id") == "ask" && s.Attr("gen_ai.operation.name") == "chat" {
			spans = append(spans, s)
		}
	}
	if len(spans) != 2 {
		t.Fatalf("%d attempt spans", len(spans))
	}
	want := []trace.Attr(fixture.Attrs("error.type", "timeout", "gen_ai.operation.name", "chat", "gen_ai.provider.name", "openai", "gen_ai.request.model", "gpt-4o-mini",
		"http.request.method", "POST", "mock.fault_type", "timeout", "scenario.answered_by", "script", "scenario.attempt", int64(1), "scenario.round", int64(1),
		"scenario.status", "failure", "scenario.step_id", "ask", "scenario.target", "primary", "url.full", "https://h/v1/chat/completions?key=x"))
	if diff := cmp.Diff(want, spans[0].Attributes); diff != "" {
		t.Error(diff)
	}
	if spans[0].Message != "too late" || spans[1].Message != "" {
		t.Errorf("messages %q, %q", spans[0].Message, spans[1].Message)
	}
	for _, key := range []string{"error.type", "mock.fault_type"} {
		if v := spans[1].Attr(key); v != nil {
			t.Errorf("the second has %s = %v", key, v)
		}
	}
	for key, value := range map[string]any{"gen_ai.usage.input_tokens": int64(10), "gen_ai.usage.output_tokens": int64(1), "http.response.status_code": int64(200)} {
		if v := spans[1].Attr(key); !trace.MatchValue(value, v) {
			t.Errorf("the second has %s = %v, want %v", key, v, value)
		}
	}
	if diff := cmp.Diff([]string{"stop"}, spans[1].Attr("gen_ai.response.finish_reasons")); diff != "" {
		t.Error(diff)
	}
}

// Other events stand on the span they belong to.
func TestSpanEvents(t *testing.T) {
	got := map[string][]string{}
	for _, s := range Spans(fixture.Header, fixture.FallbackRun()) {
		for _, e := range s.Events {
			got[s.Name] = append(got[s.Name], fmt.Sprintf("%s@%v", e.Name, e.At.Seconds()))
		}
	}
	want := map[string][]string{
		"chat gpt-4o-mini": {"fault@0", "failure@2"},
		"workflow support": {"breaker@2"},
		"step ask":         {"fallback@3"},
		"step page":        {"rejection@3", "retry_wait@3"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Steps of a loop, of an inner workflow and of parallel calls, and sessions of
// actors find their own parents.
func TestNesting(t *testing.T) {
	var l trace.Log
	add := func(seconds float64, typ trace.Type, e trace.Event, kv ...any) {
		e.Type, e.Payload = typ, fixture.Attrs(kv...)
		l.Append(fixture.At(seconds, e))
	}
	step := func(name string, iteration int) trace.Event { return trace.Event{Step: name, Iteration: iteration} }
	add(0, trace.RunStart, trace.Event{}, "workflow", "main")
	add(0, trace.StepStart, step("loop", 0))
	add(0, trace.StepStart, step("loop.inner", 1))
	add(0, trace.AttemptStart, trace.Event{Step: "loop.inner", Iteration: 1, Attempt: 1})
	add(1, trace.AttemptEnd, trace.Event{Step: "loop.inner", Iteration: 1, Attempt: 1}, "outcome", "success")
	add(1, trace.StepEnd, step("loop.inner", 1), "status", "success")
	add(1, trace.StepStart, step("loop.inner", 2))
	add(2, trace.StepEnd, step("loop.inner", 2), "status", "failed", "kind", "timeout")
	add(2, trace.StepStart, step("loop.again", 2))
	add(2, trace.StepStart, step("loop.again.x", 1))
	add(2, trace.StepEnd, step("loop.again.x", 1), "status", "success")
	add(2, trace.StepEnd, step("loop.again", 2), "status", "success")
	add(2, trace.StepEnd, step("loop", 0), "status", "failed")
	add(2, trace.StepStart, step("sub", 0))
	add(2, trace.RunStart, step("sub", 0), "workflow", "inner")
	add(2, trace.StepStart, step("sub.a", 0))
	add(3, trace.StepEnd, step("sub.a", 0), "status", "cancelled")
	add(3, trace.RunEnd, step("sub", 0), "status", "timeout")
	add(3, trace.StepEnd, step("sub", 0), "status", "timeout")
	add(3, trace.SessionStart, trace.Event{Actor: "health", Call: "c1"}, "handler", "trigger", "session", 1)
	add(3, trace.SessionStart, trace.Event{Actor: "health", Call: "c2"}, "handler", "trigger", "session", 2)
	add(4, trace.SessionEnd, trace.Event{Actor: "health", Call: "c1"}, "handler", "trigger", "session", 1, "status", "success")
	add(4, trace.RunEnd, trace.Event{}, "status", "failed", "message", "no")
	add(5, trace.Gate, trace.Event{}, "gate", "unused_reply")
	want := `scenario falls back 0-5 error
  workflow main 0-4 error
    step loop 0-2 error
      step loop.inner 0-1 ok
        attempt 0-1 ok
      step loop.inner 1-2 error
      step loop.again 2-2 ok
        step loop.again.x 2-2 ok
    step sub 2-3 error
      workflow inner 2-3 error
        step sub.a 2-3 unset
    session health.trigger 3-4 ok
    session health.trigger 3-5 unset
`
	if diff := cmp.Diff(want, tree(Spans(fixture.Header, l.Events()))); diff != "" {
		t.Error(diff)
	}
}

// Equal traces give equal spans; another run has other ids, all of them valid
// and different.
func TestSpansAreDeterministic(t *testing.T) {
	a, b := Spans(fixture.Header, fixture.FallbackRun()), Spans(fixture.Header, fixture.FallbackRun())
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	other := fixture.Header
	other.RunID = "run-2"
	c := Spans(other, fixture.FallbackRun())
	seen := map[string]bool{}
	for _, s := range slices.Concat(a, c) {
		if id := s.ID.String(); seen[id] || !s.ID.IsValid() || s.TraceID == (TraceID{}) {
			t.Errorf("%s has the id %s again, or an invalid one", s.Name, id)
		}
		seen[s.ID.String()] = true
	}
}

// What the trace leaves open ends with it, and ends without a start do nothing.
func TestBrokenTrace(t *testing.T) {
	spans := Spans(fixture.Header, []trace.Event{
		{Seq: 1, Type: trace.StepStart, Step: "a"},
		{Seq: 2, Type: trace.AttemptEnd, Step: "b", Attempt: 1, At: time.Second},
		{Seq: 3, Type: trace.RunEnd, At: time.Second},
		{Seq: 4, Type: "nonsense", At: 2 * time.Second},
	})
	want := "scenario falls back 0-2 unset\n  step a 0-2 unset\n"
	if diff := cmp.Diff(want, tree(spans)); diff != "" {
		t.Error(diff)
	}
	if got := Spans(trace.Header{}, nil); len(got) != 1 {
		t.Errorf("of no events: %v", got)
	}
}

// A span's object is what expressions filter and read.
func TestSpanObject(t *testing.T) {
	s := Span{
		Name: "n", Start: 1500 * time.Microsecond, End: 2 * time.Second, Status: OK,
		Attributes: fixture.Attrs("a", 1), Events: []SpanEvent{{Name: "e", At: time.Second, Attributes: fixture.Attrs("b", "c")}},
	}
	want := map[string]any{
		"name": "n", "start_ms": int64(1), "end_ms": int64(2000), "status": "ok", "attributes": map[string]any{"a": 1},
		"events": []any{map[string]any{"name": "e", "at_ms": int64(1000), "attributes": map[string]any{"b": "c"}}},
	}
	if diff := cmp.Diff(want, s.Object()); diff != "" {
		t.Error(diff)
	}
}

// Computing the spans of a run of 1,000 steps costs a few allocations a step.
func BenchmarkSpans(b *testing.B) {
	var l trace.Log
	for i := range 1000 {
		step := fmt.Sprint("s", i)
		l.Append(trace.Event{Type: trace.StepStart, Step: step})
		l.Append(trace.Event{Type: trace.AttemptStart, Step: step, Attempt: 1, Payload: fixture.Attrs("operation", "chat", "model", "m")})
		l.Append(trace.Event{Type: trace.AttemptEnd, Step: step, Attempt: 1, Payload: fixture.Attrs("by", "script", "outcome", "success")})
		l.Append(trace.Event{Type: trace.StepEnd, Step: step, Payload: fixture.Attrs("status", "success")})
	}
	b.ReportAllocs()
	for b.Loop() {
		Spans(fixture.Header, l.Events())
		Metrics(l.Events(), "")
	}
}

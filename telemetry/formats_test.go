package telemetry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/telemetry/internal/fixture"
	"github.com/scenario-lang/scenario/trace"
)

// The parts of OTLP/JSON that a trace request may have, by the field names of
// opentelemetry-proto's trace.proto and common.proto in lowerCamelCase.
type (
	otlpRequest struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes []otlpAttr }
			ScopeSpans []struct {
				Scope struct{ Name string }
				Spans []otlpSpan
			}
		}
	}
	otlpSpan struct {
		TraceID           string `json:"traceId"`
		SpanID            string `json:"spanId"`
		ParentSpanID      string `json:"parentSpanId"`
		Name              string
		Kind              int
		StartTimeUnixNano string
		EndTimeUnixNano   string
		Attributes        []otlpAttr
		Events            []struct {
			TimeUnixNano string
			Name         string
			Attributes   []otlpAttr
		}
		Status struct {
			Code    int
			Message string
		}
	}
	otlpAttr struct {
		Key   string
		Value otlpValue
	}
	otlpValue struct {
		StringValue *string
		BoolValue   *bool
		IntValue    *string
		DoubleValue *float64
		ArrayValue  *struct{ Values []otlpValue }
	}
)

// text is the value as canonical JSON, in which both sides are compared.
func (v *otlpValue) text() string {
	switch {
	case v.StringValue != nil:
		return string(trace.AppendString(nil, *v.StringValue))
	case v.BoolValue != nil:
		return strconv.FormatBool(*v.BoolValue)
	case v.IntValue != nil:
		return *v.IntValue
	case v.DoubleValue != nil:
		return string(trace.AppendFloat(nil, *v.DoubleValue))
	case v.ArrayValue != nil:
		var parts []string
		for i := range v.ArrayValue.Values {
			parts = append(parts, v.ArrayValue.Values[i].text())
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "nothing"
}

func otlpAttrs(attrs []otlpAttr) map[string]string {
	m := map[string]string{}
	for _, a := range attrs {
		m[a.Key] = a.Value.text()
	}
	return m
}

// Shows that a strict reader of OTLP/JSON, which knows the protocol's names
// alone, finds every span again: hexadecimal ids, times as decimal strings,
// kinds and statuses as the protocol's numbers.
func TestOTLPJSON(t *testing.T) {
	spans := Spans(fixture.Header, fixture.FallbackRun())
	data := AppendOTLP(nil, spans)
	var request otlpRequest
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&request); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	scope := request.ResourceSpans[0].ScopeSpans[0]
	if name := otlpAttrs(request.ResourceSpans[0].Resource.Attributes)["service.name"]; name != `"scenario"` || scope.Scope.Name != "github.com/scenario-lang/scenario" {
		t.Errorf("resource %s, scope %s", name, scope.Scope.Name)
	}
	if len(scope.Spans) != len(spans) {
		t.Fatalf("%d spans, want %d", len(scope.Spans), len(spans))
	}
	hex16, hex32 := regexp.MustCompile(`^[0-9a-f]{16}$`), regexp.MustCompile(`^[0-9a-f]{32}$`)
	status := map[Status]int{Unset: 0, OK: 1, Error: 2}
	for i, got := range scope.Spans {
		want := &spans[i]
		if !hex32.MatchString(got.TraceID) || !hex16.MatchString(got.SpanID) || got.SpanID != want.ID.String() || got.TraceID != want.TraceID.String() {
			t.Errorf("%s: ids %s %s", want.Name, got.TraceID, got.SpanID)
		}
		if parent := want.Parent.String(); got.ParentSpanID != parent && want.Parent.IsValid() || !want.Parent.IsValid() && got.ParentSpanID != "" {
			t.Errorf("%s: parent %q, want %q", want.Name, got.ParentSpanID, parent)
		}
		if kind := map[bool]int{false: 1, true: 3}[want.Client]; got.Kind != kind || got.Name != want.Name {
			t.Errorf("%s: kind %d, want %d", got.Name, got.Kind, kind)
		}
		// 2000-01-01T00:00:00Z is 946,684,800 s after the Unix epoch.
		if start := fmt.Sprint(946684800_000000000 + want.Start.Nanoseconds()); got.StartTimeUnixNano != start {
			t.Errorf("%s: starts at %s, want %s", want.Name, got.StartTimeUnixNano, start)
		}
		if end := fmt.Sprint(946684800_000000000 + want.End.Nanoseconds()); got.EndTimeUnixNano != end {
			t.Errorf("%s: ends at %s, want %s", want.Name, got.EndTimeUnixNano, end)
		}
		if got.Status.Code != status[want.Status] || got.Status.Message != want.Message {
			t.Errorf("%s: status %+v", want.Name, got.Status)
		}
		if diff := cmp.Diff(canonical(want.Attributes), otlpAttrs(got.Attributes)); diff != "" {
			t.Errorf("%s: %s", want.Name, diff)
		}
		if len(got.Events) != len(want.Events) {
			t.Fatalf("%s: %d events, want %d", want.Name, len(got.Events), len(want.Events))
		}
		for n, e := range got.Events {
			if e.Name != want.Events[n].Name || e.TimeUnixNano != fmt.Sprint(946684800_000000000+want.Events[n].At.Nanoseconds()) {
				t.Errorf("%s: event %+v", want.Name, e)
			}
		}
	}
}

func canonical(attrs []trace.Attr) map[string]string {
	m := map[string]string{}
	for _, a := range attrs {
		m[a.Key] = string(trace.AppendValue(nil, a.Value))
	}
	return m
}

// Shows how each type of value is written: 64-bit integers as strings, and
// what the protocol has no type for as its canonical JSON.
func TestOTLPValues(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"a\"b", `{"stringValue":"a\"b"}`},
		{true, `{"boolValue":true}`},
		{42, `{"intValue":"42"}`},
		{time.Second, `{"intValue":"1000000000"}`},
		{0.25, `{"doubleValue":0.25}`},
		{[]string{"x", "y"}, `{"arrayValue":{"values":[{"stringValue":"x"},{"stringValue":"y"}]}}`},
		{[]string{}, `{"arrayValue":{"values":[]}}`},
		{map[string]any{"b": 1, "a": "z"}, `{"stringValue":"{\"a\":\"z\",\"b\":1}"}`},
	} {
		if got := string(appendOTLPValue(nil, Plain(c.value))); got != c.want {
			t.Errorf("%v is written as %s, want %s", c.value, got, c.want)
		}
	}
}

// A chromeEvent is what the Trace Event Format lists for the phases X, i and M.
type chromeEvent struct {
	Ph    string
	Pid   *int
	Tid   *int
	Ts    *float64
	Dur   *float64
	Name  string
	Cat   string
	Cname string
	S     string
	Args  map[string]any
}

func chromeEvents(t *testing.T, pid int, h trace.Header, spans []Span) []chromeEvent {
	t.Helper()
	text := ChromeOpen + string(AppendChrome(nil, pid, h, spans)) + ChromeClose
	var file struct {
		DisplayTimeUnit string
		TraceEvents     []chromeEvent
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil || file.DisplayTimeUnit != "ms" {
		t.Fatalf("%v, time unit %q\n%s", err, file.DisplayTimeUnit, text)
	}
	return file.TraceEvents
}

// Shows the file that Perfetto reads: the scenario is a process, its steps are
// threads with the attempts inside, times are in microseconds.
func TestChrome(t *testing.T) {
	spans := Spans(fixture.Header, fixture.FallbackRun())
	var complete []string
	threads := map[int]string{}
	instants := 0
	for _, e := range chromeEvents(t, 3, fixture.Header, spans) {
		if e.Pid == nil || *e.Pid != 3 || e.Tid == nil {
			t.Fatalf("an event without its process or thread: %+v", e)
		}
		switch e.Ph {
		case "M":
			if e.Name == "thread_name" {
				threads[*e.Tid] = e.Args["name"].(string)
			}
			if e.Name == "process_name" && e.Args["name"] != "falls back (a.scenario.hcl)" {
				t.Errorf("the process is %v", e.Args)
			}
		case "X":
			complete = append(complete, fmt.Sprintf("%s: %s %v+%v", threads[*e.Tid], e.Name, *e.Ts, *e.Dur))
		case "i":
			instants++
			if e.S != "t" || e.Ts == nil || e.Dur != nil {
				t.Errorf("no instant of a thread: %+v", e)
			}
		default:
			t.Errorf("unexpected phase %q", e.Ph)
		}
	}
	want := []string{
		"scenario falls back: scenario falls back 0+5e+06",
		"scenario falls back: workflow support 0+5e+06",
		"step ask: step ask 0+3e+06",
		"step ask: chat gpt-4o-mini 0+2e+06",
		"step ask: chat claude 2e+06+1e+06",
		"step page: step page 3e+06+1.5e+06",
		"step page: GET /p 4e+06+500000",
		"step later: step later 4.5e+06+0",
	}
	if diff := cmp.Diff(want, complete); diff != "" {
		t.Error(diff)
	}
	events := 0
	for _, s := range spans {
		events += len(s.Events)
	}
	if instants != events {
		t.Errorf("%d instants, want %d", instants, events)
	}
}

// Shows that spans which overlap without one being inside the other, such as
// one step that two calls run at a time, stand on different threads: a viewer
// draws them wrongly otherwise.
func TestChromeThreadsNest(t *testing.T) {
	step := trace.Attr{Key: "scenario.step_kind", Value: "llm"}
	span := func(id, parent byte, name string, start, end time.Duration, attrs ...trace.Attr) Span {
		return Span{Name: name, ID: SpanID{id}, Parent: SpanID{parent}, Start: start, End: end, Attributes: attrs}
	}
	spans := []Span{
		span(1, 0, "scenario s", 0, 9),
		span(2, 1, "step a", 0, 4, step),
		span(3, 2, "chat", 0, 3),
		span(4, 1, "step a", 2, 6, step),
		span(5, 4, "chat", 2, 5),
		span(6, 4, "chat", 4, 6), // beside its sibling, where thread 2 is free again
		span(7, 1, "step a", 6, 8, step),
		span(8, 7, "chat", 6, 6),
	}
	type interval struct{ start, end float64 }
	threads := map[int][]interval{}
	var tids []int
	for _, e := range chromeEvents(t, 1, trace.Header{}, spans) {
		if e.Ph == "X" {
			tids = append(tids, *e.Tid)
			threads[*e.Tid] = append(threads[*e.Tid], interval{*e.Ts, *e.Ts + *e.Dur})
		}
	}
	for tid, intervals := range threads {
		for i, a := range intervals {
			for _, b := range intervals[i+1:] {
				apart := b.start >= a.end || b.end <= a.start
				within := b.start >= a.start && b.end <= a.end || a.start >= b.start && a.end <= b.end
				if !apart && !within {
					t.Errorf("thread %d has %v beside %v", tid, a, b)
				}
			}
		}
	}
	if want := []int{1, 2, 2, 3, 3, 2, 2, 2}; !slices.Equal(tids, want) {
		t.Errorf("the threads are %v, want %v", tids, want)
	}
}

// Shows that times below a microsecond are kept.
func TestMicros(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0", 1: "0.001", 1500: "1.500", 2 * time.Second: "2000000", time.Microsecond: "1"} {
		if got := string(appendMicros(nil, d)); got != want {
			t.Errorf("%s is %s, want %s", d, got, want)
		}
	}
}

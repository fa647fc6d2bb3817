package export

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/telemetry/internal/fixture"
	"github.com/scenario-lang/scenario/trace"
)

// exported exports within somebody else's span, which must not become a parent.
func exported(spans []telemetry.Span) tracetest.SpanStubs {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter), sdktrace.WithIDGenerator(IDs{}))
	around := oteltrace.NewSpanContext(oteltrace.SpanContextConfig{TraceID: oteltrace.TraceID{9}, SpanID: oteltrace.SpanID{9}})
	ctx := oteltrace.ContextWithSpanContext(context.Background(), around)
	Spans(ctx, spans, provider.Tracer("scenario"))
	return exporter.GetSpans()
}

// What the SDK exports is what was computed: ids, parents, names, times,
// status, attributes, events.
func TestExportSpans(t *testing.T) {
	spans := telemetry.Spans(fixture.Header, fixture.FallbackRun())
	got := map[telemetry.SpanID]tracetest.SpanStub{}
	stubs := exported(spans)
	for _, s := range stubs {
		got[telemetry.SpanID(s.SpanContext.SpanID())] = s
	}
	if len(stubs) != len(spans) || len(got) != len(spans) {
		t.Fatalf("%d spans exported, %d computed", len(stubs), len(spans))
	}
	status := map[telemetry.Status]codes.Code{telemetry.OK: codes.Ok, telemetry.Error: codes.Error, telemetry.Unset: codes.Unset}
	for _, s := range spans {
		e, ok := got[s.ID]
		if !ok {
			t.Errorf("%s was not exported under its id", s.Name)
			continue
		}
		if e.Name != s.Name || telemetry.SpanID(e.Parent.SpanID()) != s.Parent || telemetry.TraceID(e.SpanContext.TraceID()) != s.TraceID {
			t.Errorf("%s: name %s, parent %s, trace %s", s.Name, e.Name, e.Parent.SpanID(), e.SpanContext.TraceID())
		}
		if !e.StartTime.Equal(telemetry.Epoch.Add(s.Start)) || !e.EndTime.Equal(telemetry.Epoch.Add(s.End)) {
			t.Errorf("%s: %v - %v", s.Name, e.StartTime, e.EndTime)
		}
		if e.Status.Code != status[s.Status] || e.Status.Description != s.Message || s.Client != (e.SpanKind == oteltrace.SpanKindClient) {
			t.Errorf("%s: status %v, kind %v", s.Name, e.Status, e.SpanKind)
		}
		compareAttributes(t, s.Name, s.Attributes, e.Attributes)
		if len(e.Events) != len(s.Events) {
			t.Errorf("%s: %d events, want %d", s.Name, len(e.Events), len(s.Events))
			continue
		}
		for i, event := range s.Events {
			if e.Events[i].Name != event.Name || !e.Events[i].Time.Equal(telemetry.Epoch.Add(event.At)) {
				t.Errorf("%s: event %v", s.Name, e.Events[i])
			}
			compareAttributes(t, s.Name+" "+event.Name, event.Attributes, e.Events[i].Attributes)
		}
	}
	if root := stubs[len(stubs)-1]; root.Name != "scenario falls back" || root.Parent.IsValid() {
		t.Errorf("the scenario's span does not end last, or has a parent: %s", root.Name)
	}
}

// compareAttributes compares by canonical JSON, which both sides have.
func compareAttributes(t *testing.T, name string, want []trace.Attr, got []attribute.KeyValue) {
	t.Helper()
	a, b := map[string]string{}, map[string]string{}
	for _, w := range want {
		a[w.Key] = string(trace.AppendValue(nil, w.Value))
	}
	for _, g := range got {
		b[string(g.Key)] = string(trace.AppendValue(nil, g.Value.AsInterface()))
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// Values that OpenTelemetry has no type for are exported as canonical JSON.
func TestAttributeValues(t *testing.T) {
	type word string
	for _, tc := range []struct {
		v    any
		want attribute.Value
	}{
		{"x", attribute.StringValue("x")},
		{word("x"), attribute.StringValue("x")},
		{true, attribute.BoolValue(true)},
		{5, attribute.Int64Value(5)},
		{uint64(5), attribute.Int64Value(5)},
		{uint64(1 << 63), attribute.StringValue("9223372036854775808")},
		{0.5, attribute.Float64Value(0.5)},
		{time.Second, attribute.Int64Value(1e9)},
		{[]string{"a"}, attribute.StringSliceValue([]string{"a"})},
		{[]any{"a", 1}, attribute.StringValue(`["a",1]`)},
		{map[string]any{"b": 1, "a": nil}, attribute.StringValue(`{"b":1}`)},
	} {
		if got := attributeValue(tc.v); got != tc.want && got.Type() != attribute.STRINGSLICE {
			t.Errorf("%v: %v, want %v", tc.v, got.AsInterface(), tc.want.AsInterface())
		} else if diff := cmp.Diff(tc.want.AsInterface(), got.AsInterface()); diff != "" {
			t.Error(diff)
		}
	}
}

// What a reader of the SDK collects is what was computed: every series with
// its labels and its numbers.
func TestExportMetrics(t *testing.T) {
	series := telemetry.Metrics(fixture.FallbackRun(), "agentloom")
	reader := sdkmetric.NewManualReader()
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	if err := Metrics(t.Context(), series, provider.Meter("scenario")); err != nil {
		t.Fatal(err)
	}
	var rm metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &rm); err != nil {
		t.Fatal(err)
	}
	type number struct {
		value float64
		count uint64
	}
	got, want := map[string]number{}, map[string]number{}
	key := func(name string, set attribute.Set) string { return name + set.Encoded(attribute.DefaultEncoder()) }
	for _, m := range rm.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				got[key(m.Name, p.Attributes)] = number{value: float64(p.Value)}
			}
		case metricdata.Gauge[float64]:
			for _, p := range data.DataPoints {
				got[key(m.Name, p.Attributes)] = number{value: p.Value}
			}
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				got[key(m.Name, p.Attributes)] = number{p.Sum, p.Count}
			}
		default:
			t.Errorf("%s is a %T", m.Name, m.Data)
		}
	}
	for _, s := range series {
		n := number{value: s.Value}
		if s.Kind == telemetry.Histogram {
			n = number{s.Sum(), uint64(len(s.Values))}
		}
		want[key(s.Name, labelSet(s.Labels))] = n
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(number{})); diff != "" || len(want) != len(series) {
		t.Errorf("%d series, %d keys: %s", len(series), len(want), diff)
	}
}

type brokenMeter struct{ noop.Meter }

func (brokenMeter) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return nil, errors.New("no room")
}

// An instrument that cannot be made is an error that names the metric.
func TestExportMetricsError(t *testing.T) {
	err := Metrics(t.Context(), telemetry.Metrics(fixture.FallbackRun(), ""), brokenMeter{})
	if err == nil || err.Error() != `telemetry: exporting the metric "scenario_attempts_total": no room` {
		t.Error(err)
	}
}

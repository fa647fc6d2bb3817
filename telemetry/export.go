package telemetry

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/scenario-lang/scenario/trace"
)

// Epoch is the instant at which exported virtual time begins.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// ExportSpans gives computed spans to a tracer, every time set explicitly.
// Parents start before their children and end after them. With [IDs] as the
// provider's generator the exported ids are the computed ones.
func ExportSpans(ctx context.Context, spans []Span, tracer oteltrace.Tracer) {
	contexts := make(map[oteltrace.SpanID]context.Context, len(spans))
	started := make([]oteltrace.Span, len(spans))
	var room []attribute.KeyValue // of one span or event at a time; the SDK copies it
	for i := range spans {
		s := &spans[i]
		parent, ok := contexts[s.Parent]
		if !ok {
			parent = oteltrace.ContextWithSpanContext(ctx, oteltrace.SpanContext{})
		}
		parent = context.WithValue(parent, idsKey{}, ids{s.TraceID, s.ID})
		room = appendAttributes(room[:0], s.Attributes)
		contexts[s.ID], started[i] = tracer.Start(parent, s.Name,
			oteltrace.WithTimestamp(Epoch.Add(s.Start)), s.kind(), oteltrace.WithAttributes(room...))
	}
	for i := len(spans) - 1; i >= 0; i-- {
		room = finishSpan(started[i], &spans[i], room)
	}
}

var (
	kindInternal = oteltrace.WithSpanKind(oteltrace.SpanKindInternal)
	kindClient   = oteltrace.WithSpanKind(oteltrace.SpanKindClient)
)

func (s *Span) kind() oteltrace.SpanStartOption {
	if s.Client {
		return kindClient
	}
	return kindInternal
}

func finishSpan(to oteltrace.Span, s *Span, room []attribute.KeyValue) []attribute.KeyValue {
	for _, e := range s.Events {
		room = appendAttributes(room[:0], e.Attributes)
		to.AddEvent(e.Name, oteltrace.WithTimestamp(Epoch.Add(e.At)), oteltrace.WithAttributes(room...))
	}
	switch s.Status {
	case OK:
		to.SetStatus(codes.Ok, "")
	case Error:
		to.SetStatus(codes.Error, s.Message)
	}
	to.End(oteltrace.WithTimestamp(Epoch.Add(s.End)))
	return room
}

// appendAttributes translates what a trace may hold. OpenTelemetry has no
// objects and no mixed lists: they are exported as their canonical JSON.
func appendAttributes(out []attribute.KeyValue, attrs []trace.Attr) []attribute.KeyValue {
	for _, a := range attrs {
		if a.Value != nil {
			out = append(out, attribute.KeyValue{Key: attribute.Key(a.Key), Value: attributeValue(a.Value)})
		}
	}
	return out
}

func attributeValue(v any) attribute.Value {
	switch v := v.(type) {
	case string:
		return attribute.StringValue(v)
	case []string:
		return attribute.StringSliceValue(v)
	case bool:
		return attribute.BoolValue(v)
	case int:
		return attribute.IntValue(v)
	case int64:
		return attribute.Int64Value(v)
	case float64:
		return attribute.Float64Value(v)
	case trace.Value:
		return attribute.StringValue(string(v.AppendJSON(nil)))
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return attribute.StringValue(r.String())
	case reflect.Bool:
		return attribute.BoolValue(r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return attribute.Int64Value(r.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := r.Uint(); n <= math.MaxInt64 {
			return attribute.Int64Value(int64(n))
		}
	case reflect.Float32, reflect.Float64:
		return attribute.Float64Value(r.Float())
	}
	return attribute.StringValue(string(trace.AppendValue(nil, v)))
}

// ExportMetrics gives computed series to a meter. It returns the first error
// of making an instrument; the run and its trace are unaffected by one.
func ExportMetrics(ctx context.Context, series []Series, meter metric.Meter) error {
	var to instrument
	for i := range series {
		s := &series[i]
		if to.of != s.Metric { // those of one metric stand together
			var err error
			if to, err = instrumentOf(s.Metric, meter); err != nil {
				return fmt.Errorf("telemetry: exporting the metric %q: %w", s.Name, err)
			}
		}
		to.record(ctx, s)
	}
	return nil
}

// An instrument is that of a metric; one of the three is not nil.
type instrument struct {
	of        *Metric
	counter   metric.Int64Counter
	gauge     metric.Float64Gauge
	histogram metric.Float64Histogram
}

func instrumentOf(m *Metric, meter metric.Meter) (to instrument, err error) {
	to.of = m
	switch m.Kind {
	case Counter:
		to.counter, err = meter.Int64Counter(m.Name, metric.WithUnit(m.Unit), metric.WithDescription(m.Doc))
	case Gauge:
		to.gauge, err = meter.Float64Gauge(m.Name, metric.WithUnit(m.Unit), metric.WithDescription(m.Doc))
	case Histogram:
		to.histogram, err = meter.Float64Histogram(m.Name, metric.WithUnit(m.Unit), metric.WithDescription(m.Doc), metric.WithExplicitBucketBoundaries(m.Buckets...))
	}
	return to, err
}

func (to *instrument) record(ctx context.Context, s *Series) {
	set := metric.WithAttributeSet(labelSet(s.Labels))
	switch s.Kind {
	case Counter:
		to.counter.Add(ctx, int64(s.Value), set)
	case Gauge:
		to.gauge.Record(ctx, s.Value, set)
	case Histogram:
		for _, v := range s.Values {
			to.histogram.Record(ctx, v, set)
		}
	}
}

func labelSet(labels []Label) attribute.Set {
	kvs := make([]attribute.KeyValue, len(labels))
	for i, l := range labels {
		kvs[i] = attribute.String(l.Key, l.Value)
	}
	return attribute.NewSet(kvs...)
}

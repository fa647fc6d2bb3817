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
	for i := range spans {
		s := &spans[i]
		parent, ok := contexts[s.Parent]
		if !ok {
			parent = oteltrace.ContextWithSpanContext(ctx, oteltrace.SpanContext{})
		}
		parent = context.WithValue(parent, idsKey{}, ids{s.TraceID, s.ID})
		contexts[s.ID], started[i] = tracer.Start(parent, s.Name, startOptions(s)...)
	}
	for i := len(spans) - 1; i >= 0; i-- {
		finishSpan(started[i], &spans[i])
	}
}

func startOptions(s *Span) []oteltrace.SpanStartOption {
	kind := oteltrace.SpanKindInternal
	if s.Client {
		kind = oteltrace.SpanKindClient
	}
	return []oteltrace.SpanStartOption{
		oteltrace.WithTimestamp(Epoch.Add(s.Start)),
		oteltrace.WithSpanKind(kind),
		oteltrace.WithAttributes(attributes(s.Attributes)...),
	}
}

func finishSpan(to oteltrace.Span, s *Span) {
	for _, e := range s.Events {
		to.AddEvent(e.Name, oteltrace.WithTimestamp(Epoch.Add(e.At)), oteltrace.WithAttributes(attributes(e.Attributes)...))
	}
	switch s.Status {
	case OK:
		to.SetStatus(codes.Ok, "")
	case Error:
		to.SetStatus(codes.Error, s.Message)
	}
	to.End(oteltrace.WithTimestamp(Epoch.Add(s.End)))
}

// attributes translates what a trace may hold. OpenTelemetry has no objects
// and no mixed lists: they are exported as their canonical JSON.
func attributes(attrs []trace.Attr) []attribute.KeyValue {
	out := make([]attribute.KeyValue, 0, len(attrs))
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
	for i := range series {
		if err := exportSeries(ctx, &series[i], meter); err != nil {
			return fmt.Errorf("telemetry: exporting the metric %q: %w", series[i].Name, err)
		}
	}
	return nil
}

func exportSeries(ctx context.Context, s *Series, meter metric.Meter) error {
	set := metric.WithAttributeSet(labelSet(s.Labels))
	switch s.Kind {
	case Counter:
		c, err := meter.Int64Counter(s.Name, metric.WithUnit(s.Unit), metric.WithDescription(s.Doc))
		if err != nil {
			return err
		}
		c.Add(ctx, int64(s.Value), set)
	case Gauge:
		g, err := meter.Float64Gauge(s.Name, metric.WithUnit(s.Unit), metric.WithDescription(s.Doc))
		if err != nil {
			return err
		}
		g.Record(ctx, s.Value, set)
	case Histogram:
		h, err := meter.Float64Histogram(s.Name, metric.WithUnit(s.Unit), metric.WithDescription(s.Doc),
			metric.WithExplicitBucketBoundaries(s.Buckets...))
		if err != nil {
			return err
		}
		for _, v := range s.Values {
			h.Record(ctx, v, set)
		}
	}
	return nil
}

func labelSet(labels []Label) attribute.Set {
	kvs := make([]attribute.KeyValue, len(labels))
	for i, l := range labels {
		kvs[i] = attribute.String(l.Key, l.Value)
	}
	return attribute.NewSet(kvs...)
}

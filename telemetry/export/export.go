// Package export gives the spans and metrics of a run to the OpenTelemetry API.
//
//	provider := sdktrace.NewTracerProvider(sdktrace.WithIDGenerator(export.IDs{}))
//	export.Spans(ctx, telemetry.Spans(header, events), provider.Tracer("scenario"))
package export

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// Spans gives computed spans to a tracer, every time set explicitly.
// Parents start before their children and end after them. With [IDs] as the
// provider's generator the exported ids are the computed ones.
func Spans(ctx context.Context, spans []telemetry.Span, tracer oteltrace.Tracer) {
	contexts := make(map[telemetry.SpanID]context.Context, len(spans))
	started := make([]oteltrace.Span, len(spans))
	var room []attribute.KeyValue // of one span or event at a time; the SDK copies it
	for i := range spans {
		s := &spans[i]
		parent, ok := contexts[s.Parent]
		if !ok {
			parent = oteltrace.ContextWithSpanContext(ctx, oteltrace.SpanContext{})
		}
		parent = context.WithValue(parent, idsKey{}, ids{oteltrace.TraceID(s.TraceID), oteltrace.SpanID(s.ID)})
		room = appendAttributes(room[:0], s.Attributes)
		contexts[s.ID], started[i] = tracer.Start(parent, s.Name,
			oteltrace.WithTimestamp(telemetry.Epoch.Add(s.Start)), kindOf(s), oteltrace.WithAttributes(room...))
	}
	for i := len(spans) - 1; i >= 0; i-- {
		room = finishSpan(started[i], &spans[i], room)
	}
}

var (
	kindInternal = oteltrace.WithSpanKind(oteltrace.SpanKindInternal)
	kindClient   = oteltrace.WithSpanKind(oteltrace.SpanKindClient)
)

func kindOf(s *telemetry.Span) oteltrace.SpanStartOption {
	if s.Client {
		return kindClient
	}
	return kindInternal
}

func finishSpan(to oteltrace.Span, s *telemetry.Span, room []attribute.KeyValue) []attribute.KeyValue {
	for _, e := range s.Events {
		room = appendAttributes(room[:0], e.Attributes)
		to.AddEvent(e.Name, oteltrace.WithTimestamp(telemetry.Epoch.Add(e.At)), oteltrace.WithAttributes(room...))
	}
	switch s.Status {
	case telemetry.OK:
		to.SetStatus(codes.Ok, "")
	case telemetry.Error:
		to.SetStatus(codes.Error, s.Message)
	}
	to.End(oteltrace.WithTimestamp(telemetry.Epoch.Add(s.End)))
	return room
}

// appendAttributes translates what a trace may hold.
func appendAttributes(out []attribute.KeyValue, attrs []trace.Attr) []attribute.KeyValue {
	for _, a := range attrs {
		if a.Value != nil {
			out = append(out, attribute.KeyValue{Key: attribute.Key(a.Key), Value: attributeValue(a.Value)})
		}
	}
	return out
}

func attributeValue(v any) attribute.Value {
	switch v := telemetry.Plain(v).(type) {
	case []string:
		return attribute.StringSliceValue(v)
	case bool:
		return attribute.BoolValue(v)
	case int64:
		return attribute.Int64Value(v)
	case float64:
		return attribute.Float64Value(v)
	case string:
		return attribute.StringValue(v)
	}
	return attribute.Value{}
}

// Metrics gives computed series to a meter. It returns the first error
// of making an instrument; the run and its trace are unaffected by one.
func Metrics(ctx context.Context, series []telemetry.Series, meter metric.Meter) error {
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
	of        *telemetry.Metric
	counter   metric.Int64Counter
	gauge     metric.Float64Gauge
	histogram metric.Float64Histogram
}

func instrumentOf(m *telemetry.Metric, meter metric.Meter) (to instrument, err error) {
	to.of = m
	switch m.Kind {
	case telemetry.Counter:
		to.counter, err = meter.Int64Counter(m.Name, metric.WithUnit(m.Unit), metric.WithDescription(m.Doc))
	case telemetry.Gauge:
		to.gauge, err = meter.Float64Gauge(m.Name, metric.WithUnit(m.Unit), metric.WithDescription(m.Doc))
	case telemetry.Histogram:
		to.histogram, err = meter.Float64Histogram(m.Name, metric.WithUnit(m.Unit), metric.WithDescription(m.Doc), metric.WithExplicitBucketBoundaries(m.Buckets...))
	}
	return to, err
}

func (to *instrument) record(ctx context.Context, s *telemetry.Series) {
	set := metric.WithAttributeSet(labelSet(s.Labels))
	switch s.Kind {
	case telemetry.Counter:
		to.counter.Add(ctx, int64(s.Value), set)
	case telemetry.Gauge:
		to.gauge.Record(ctx, s.Value, set)
	case telemetry.Histogram:
		for _, v := range s.Values {
			to.histogram.Record(ctx, v, set)
		}
	}
}

func labelSet(labels []telemetry.Label) attribute.Set {
	kvs := make([]attribute.KeyValue, len(labels))
	for i, l := range labels {
		kvs[i] = attribute.String(l.Key, l.Value)
	}
	return attribute.NewSet(kvs...)
}

type idsKey struct{}

type ids struct {
	trace oteltrace.TraceID
	span  oteltrace.SpanID
}

// IDs makes a tracer provider of the SDK give exported spans the ids that package
// telemetry computed: pass it to the SDK's WithIDGenerator. It is for
// [Spans] alone; for any other span it has no id.
type IDs struct{}

// NewIDs returns the ids of the span that is being exported.
func (IDs) NewIDs(ctx context.Context) (oteltrace.TraceID, oteltrace.SpanID) {
	id, _ := ctx.Value(idsKey{}).(ids)
	return id.trace, id.span
}

// NewSpanID returns the id of the span that is being exported.
func (IDs) NewSpanID(ctx context.Context, _ oteltrace.TraceID) oteltrace.SpanID {
	id, _ := ctx.Value(idsKey{}).(ids)
	return id.span
}

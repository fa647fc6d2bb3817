package main

import (
	"context"
	"fmt"
	"sync"

	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/exemplar"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/telemetry/export"
)

// runFile does what the command does with a file and hands on every result.
func runFile(path string, source []byte, each func(*interp.Result) error) error {
	file, diags := dsl.Parse(path, source)
	if diags.HasErrors() {
		return diags
	}
	suite, diags := interp.Compile(file, interp.Options{})
	if diags.HasErrors() {
		return diags
	}
	for _, plan := range suite.Plans {
		r := interp.Run(plan, interp.RunOptions{})
		if r.Verdict != interp.Pass {
			return fmt.Errorf("%s: %q is %s: %v", path, plan.Name, r.Verdict, r.Problems)
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// testOne runs the scenarios of a file without telemetry.
func testOne(path string, source []byte) error {
	return runFile(path, source, func(*interp.Result) error { return nil })
}

// testWithTelemetry also computes spans and metrics and takes them through the
// SDK, as the command does.
func testWithTelemetry(path string, source []byte) error {
	return runFile(path, source, func(r *interp.Result) error {
		return suite().add(telemetry.Spans(r.Header(), r.Events), telemetry.Metrics(r.Events, r.Plan.Prefix))
	})
}

// exporter is what the command has for all scenarios: one provider of each kind,
// set up as in its otlp.go, and in the place of a receiver nothing.
type exporter struct {
	mu     sync.Mutex
	tracer trace.Tracer
	meter  metric.Meter
	spans  batch
}

var suite = sync.OnceValue(func() *exporter {
	e := &exporter{}
	unlimited := sdktrace.SpanLimits{
		AttributeValueLengthLimit: -1, AttributeCountLimit: -1, EventCountLimit: -1,
		LinkCountLimit: -1, AttributePerEventCountLimit: -1, AttributePerLinkCountLimit: -1,
	}
	e.tracer = sdktrace.NewTracerProvider(
		sdktrace.WithSpanProcessor(&e.spans), sdktrace.WithIDGenerator(export.IDs{}),
		sdktrace.WithSampler(sdktrace.AlwaysSample()), sdktrace.WithRawSpanLimits(unlimited),
	).Tracer(telemetry.ScopeName)
	e.meter = sdkmetric.NewMeterProvider(
		sdkmetric.WithReader(sdkmetric.NewManualReader()),
		sdkmetric.WithExemplarFilter(exemplar.AlwaysOffFilter), sdkmetric.WithCardinalityLimit(0),
	).Meter(telemetry.ScopeName)
	return e
})

func (e *exporter) add(spans []telemetry.Span, series []telemetry.Series) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := len(e.spans.pending)
	export.Spans(context.Background(), spans, e.tracer)
	if got := len(e.spans.pending) - before; got != len(spans) {
		return fmt.Errorf("%d of %d spans were exported", got, len(spans))
	}
	if len(e.spans.pending) >= 512 {
		e.spans.pending = nil // delivered
	}
	return export.Metrics(context.Background(), series, e.meter)
}

// batch collects spans that have ended.
type batch struct{ pending []sdktrace.ReadOnlySpan }

// OnStart implements sdktrace.SpanProcessor.
func (b *batch) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd implements sdktrace.SpanProcessor.
func (b *batch) OnEnd(s sdktrace.ReadOnlySpan) { b.pending = append(b.pending, s) }

// Shutdown implements sdktrace.SpanProcessor.
func (b *batch) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdktrace.SpanProcessor.
func (b *batch) ForceFlush(context.Context) error { return nil }

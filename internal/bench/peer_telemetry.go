package main

import (
	"context"
	"fmt"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/telemetry"
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
// SDK, with providers of its own for every scenario as the command has.
func testWithTelemetry(path string, source []byte) error {
	return runFile(path, source, func(r *interp.Result) error {
		ctx := context.Background()
		collected := tracetest.NewSpanRecorder()
		tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(collected), sdktrace.WithIDGenerator(telemetry.IDs{}))
		spans := telemetry.Spans(r.Header(), r.Events)
		telemetry.ExportSpans(ctx, spans, tracers.Tracer("scenario"))
		if got := len(collected.Ended()); got != len(spans) {
			return fmt.Errorf("%d of %d spans were exported", got, len(spans))
		}
		reader := sdkmetric.NewManualReader()
		meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
		if err := telemetry.ExportMetrics(ctx, telemetry.Metrics(r.Events, r.Plan.Prefix), meters.Meter("scenario")); err != nil {
			return err
		}
		var data metricdata.ResourceMetrics
		return reader.Collect(ctx, &data)
	})
}

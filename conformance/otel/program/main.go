// Program asks its service once, and tells of it through OpenTelemetry's SDK. Its
// argument says how it ends: shutdown flushes and ends, signal does so when it is
// told to end, runs never flushes by itself and waits to be told, forgets ends
// without a flush.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, end string) error {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return err
	}
	points, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return err
	}
	traces := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans))
	metrics := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(points)))
	if err := ask(ctx, traces, metrics); err != nil {
		return err
	}
	switch end {
	case "forgets":
		os.Exit(0)
	case "runs":
		<-stop
		os.Exit(0)
	case "signal":
		<-stop
	}
	if err := traces.Shutdown(ctx); err != nil {
		return err
	}
	return metrics.Shutdown(ctx)
}

// ask asks the service, and falls back where it fails.
func ask(ctx context.Context, traces *sdktrace.TracerProvider, metrics *sdkmetric.MeterProvider) error {
	meter, tracer := metrics.Meter("shop.stock"), traces.Tracer("shop.stock")
	state, err := meter.Int64Gauge("breaker.state")
	if err != nil {
		return err
	}
	asked, err := meter.Int64Counter("shop.requests", metric.WithUnit("{request}"))
	if err != nil {
		return err
	}
	took, err := meter.Float64Histogram("shop.duration", metric.WithUnit("s"))
	if err != nil {
		return err
	}
	ctx, span := tracer.Start(ctx, "ask")
	defer span.End()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, os.Getenv("DATA")+"/7", nil)
	if err != nil {
		return err
	}
	propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(req.Header))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	asked.Add(ctx, 2, metric.WithAttributes(attribute.String("outcome", "failure")))
	asked.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", "success")))
	took.Record(ctx, 0.5)
	took.Record(ctx, 1.5)
	state.Record(ctx, 1, metric.WithAttributes(attribute.String("target", "data")))
	if resp.StatusCode != http.StatusOK {
		span.SetStatus(codes.Error, "no answer")
		_, second := tracer.Start(ctx, "fallback")
		second.SetAttributes(attribute.Int("retries", 0), attribute.Bool("cached", true))
		second.AddEvent("served")
		second.End()
	}
	return nil
}

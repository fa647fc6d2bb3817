package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/exemplar"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/scenario-lang/scenario/telemetry"
)

const (
	// flushLimit is how long the end of a suite waits for what is still to be
	// delivered.
	flushLimit = 10 * time.Second
	// spansPerRequest and requestsAhead bound what is delivered at a time, and
	// what waits for a receiver that is slower than the suite.
	spansPerRequest = 512
	requestsAhead   = 8
)

// An exporter gives spans and metrics of a suite to a receiver of OTLP. What
// goes wrong with that is told at the end on standard error, and changes
// nothing else. It is used from one goroutine.
type exporter struct {
	warn    io.Writer
	traces  *traceExport
	metrics *metricExport
	after   func(time.Duration) <-chan time.Time
	cancel  context.CancelFunc
}

// exporter returns what the OTEL_* variables ask for, nil where they ask for
// nothing.
func (a *app) exporter() *exporter {
	traces, wrong := a.destination(traceSignal)
	if wrong != nil {
		a.notExported(wrong)
	}
	metrics, wrong := a.destination(metricSignal)
	if wrong != nil {
		a.notExported(wrong)
	}
	if traces == nil && metrics == nil {
		return nil
	}
	res, err := a.resource()
	if err != nil {
		a.notExported(err)
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &exporter{warn: a.stderr, after: a.after, cancel: cancel}
	if traces != nil {
		e.traces = newTraceExport(ctx, newOTLPSender(traces, a.after), res)
	}
	if metrics != nil {
		e.metrics = newMetricExport(ctx, newOTLPSender(metrics, a.after), res)
	}
	return e
}

func (a *app) notExported(err error) {
	fmt.Fprintf(a.stderr, "Warning: telemetry is not exported: %s.\n", err)
}

// resource says whose telemetry it is: OTEL_SERVICE_NAME, the attributes of
// OTEL_RESOURCE_ATTRIBUTES, and else our own name.
func (a *app) resource() (*resource.Resource, error) {
	text, _ := a.env("OTEL_RESOURCE_ATTRIBUTES")
	attrs, err := pairs("OTEL_RESOURCE_ATTRIBUTES", text)
	if err != nil {
		return nil, err
	}
	if name, _ := a.env("OTEL_SERVICE_NAME"); name != "" {
		attrs["service.name"] = name
	} else if attrs["service.name"] == "" {
		attrs["service.name"] = telemetry.ServiceName
	}
	var kvs []attribute.KeyValue
	for _, k := range sortedKeys(attrs) {
		kvs = append(kvs, attribute.String(k, attrs[k]))
	}
	return resource.NewSchemaless(kvs...), nil
}

// add takes what was computed for one scenario.
func (e *exporter) add(o *outcome) {
	if e == nil || !o.result.Ran() {
		return
	}
	if e.traces != nil {
		e.traces.add(o.spans)
	}
	if e.metrics != nil {
		e.metrics.add(o)
	}
}

// close delivers what is left, until the deadline.
func (e *exporter) close() {
	if e == nil {
		return
	}
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		select {
		case <-e.after(flushLimit):
			e.cancel()
		case <-done:
		}
	})
	if e.traces != nil {
		e.tell(e.traces.sender, e.traces.close())
	}
	if e.metrics != nil {
		e.tell(e.metrics.sender, e.metrics.close())
	}
	close(done)
	group.Wait()
	e.cancel()
}

func (e *exporter) tell(s *otlpSender, err error) {
	_ = s.Stop(context.Background())
	if err != nil {
		fmt.Fprintf(e.warn, "Warning: cannot export to %s: %s. Results and traces are not affected.\n", s.to.shown(), err)
	}
}

// A traceExport gives spans to the SDK, which translates them, and delivers
// them while the suite runs. After the first failure it drops what comes, so
// that a receiver which is not there costs the suite no time.
type traceExport struct {
	sender  *otlpSender
	tracer  oteltrace.Tracer
	ctx     context.Context
	batches chan []sdktrace.ReadOnlySpan
	pending []sdktrace.ReadOnlySpan
	worker  sync.WaitGroup
	lost    int
	err     error
}

func newTraceExport(ctx context.Context, sender *otlpSender, res *resource.Resource) *traceExport {
	t := &traceExport{sender: sender, ctx: ctx, batches: make(chan []sdktrace.ReadOnlySpan, requestsAhead)}
	unlimited := sdktrace.SpanLimits{
		AttributeValueLengthLimit: -1, AttributeCountLimit: -1, EventCountLimit: -1,
		LinkCountLimit: -1, AttributePerEventCountLimit: -1, AttributePerLinkCountLimit: -1,
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(res), sdktrace.WithSpanProcessor(t), sdktrace.WithIDGenerator(telemetry.IDs{}),
		sdktrace.WithSampler(sdktrace.AlwaysSample()), sdktrace.WithRawSpanLimits(unlimited),
	)
	t.tracer = provider.Tracer(telemetry.ScopeName)
	t.worker.Go(t.deliver)
	return t
}

// deliver sends the batches, one after the other.
func (t *traceExport) deliver() {
	to := otlptrace.NewUnstarted(t.sender)
	for batch := range t.batches {
		if t.err == nil {
			t.err = to.ExportSpans(t.ctx, batch)
		}
		if t.err != nil {
			t.lost += len(batch)
		}
	}
}

func (t *traceExport) add(spans []telemetry.Span) {
	telemetry.ExportSpans(t.ctx, spans, t.tracer)
	if len(t.pending) >= spansPerRequest {
		t.flush()
	}
}

func (t *traceExport) flush() {
	if len(t.pending) > 0 {
		t.batches <- t.pending
		t.pending = nil
	}
}

func (t *traceExport) close() error {
	t.flush()
	close(t.batches)
	t.worker.Wait()
	if t.err != nil {
		return fmt.Errorf("%w (%d spans were lost)", t.err, t.lost)
	}
	return nil
}

// OnStart implements sdktrace.SpanProcessor.
func (t *traceExport) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd implements sdktrace.SpanProcessor.
func (t *traceExport) OnEnd(s sdktrace.ReadOnlySpan) { t.pending = append(t.pending, s) }

// Shutdown implements sdktrace.SpanProcessor.
func (t *traceExport) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdktrace.SpanProcessor.
func (t *traceExport) ForceFlush(context.Context) error { return nil }

// A metricExport adds up the metrics of all scenarios and delivers them once.
type metricExport struct {
	sender *otlpSender
	ctx    context.Context
	reader *sdkmetric.ManualReader
	res    *resource.Resource
	meter  metric.Meter
	err    error
	// longest is the virtual time of the longest scenario, which the points
	// have: they stand for all.
	longest time.Duration
}

func newMetricExport(ctx context.Context, sender *otlpSender, res *resource.Resource) *metricExport {
	reader := sdkmetric.NewManualReader()
	provider := sdkmetric.NewMeterProvider(
		sdkmetric.WithReader(reader), sdkmetric.WithResource(res),
		sdkmetric.WithExemplarFilter(exemplar.AlwaysOffFilter), sdkmetric.WithCardinalityLimit(0),
	)
	return &metricExport{sender: sender, ctx: ctx, reader: reader, res: res, meter: provider.Meter(telemetry.ScopeName)}
}

func (m *metricExport) add(o *outcome) {
	m.longest = max(m.longest, o.result.Virtual)
	if err := telemetry.ExportMetrics(m.ctx, o.series, m.meter); err != nil && m.err == nil {
		m.err = err
	}
}

func (m *metricExport) close() error {
	var rm metricdata.ResourceMetrics
	if m.err == nil {
		m.err = m.reader.Collect(context.Background(), &rm)
	}
	if m.err != nil || len(rm.ScopeMetrics) == 0 {
		return m.err
	}
	return m.sender.send(m.ctx, metricsData(&rm, m.longest))
}

package otlp

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
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
	"github.com/scenario-lang/scenario/telemetry/export"
)

const (
	// FlushLimit is how long the end of a suite waits for what is still to be
	// delivered.
	FlushLimit = 10 * time.Second
	// spansPerRequest and requestsAhead bound what is delivered at a time, and
	// what waits for a receiver that is slower than the suite.
	spansPerRequest = 512
	requestsAhead   = 8
)

// A Host is what surrounds the export.
type Host struct {
	// Env reads a variable of the environment.
	Env func(name string) (string, bool)
	// Warn is told what goes wrong.
	Warn io.Writer
	// After waits on the real clock.
	After func(time.Duration) <-chan time.Time
	// Version is that of the command, for the receiver.
	Version string
}

// An Exporter gives spans and metrics of a suite to a receiver of OTLP. What
// goes wrong with that is told at the end on standard error, and changes
// nothing else. It is used from one goroutine. A nil Exporter exports nothing.
type Exporter struct {
	warn    io.Writer
	traces  *traceExport
	metrics *metricExport
	after   func(time.Duration) <-chan time.Time
	cancel  context.CancelFunc
}

// Open returns what the OTEL_* variables ask for, nil where they ask for
// nothing.
func Open(h Host) *Exporter {
	traces, wrong := h.destination(traceSignal)
	if wrong != nil {
		h.notExported(wrong)
	}
	metrics, wrong := h.destination(metricSignal)
	if wrong != nil {
		h.notExported(wrong)
	}
	if traces == nil && metrics == nil {
		return nil
	}
	res, err := h.resource()
	if err != nil {
		h.notExported(err)
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &Exporter{warn: h.Warn, after: h.After, cancel: cancel}
	if traces != nil {
		e.traces = newTraceExport(ctx, newSender(traces, h), res)
	}
	if metrics != nil {
		e.metrics = newMetricExport(ctx, newSender(metrics, h), res)
	}
	return e
}

func (h *Host) notExported(err error) {
	fmt.Fprintf(h.Warn, "Warning: telemetry is not exported: %s.\n", err)
}

// resource says whose telemetry it is: OTEL_SERVICE_NAME, the attributes of
// OTEL_RESOURCE_ATTRIBUTES, and else our own name.
func (h *Host) resource() (*resource.Resource, error) {
	text, _ := h.Env("OTEL_RESOURCE_ATTRIBUTES")
	attrs, err := pairs("OTEL_RESOURCE_ATTRIBUTES", text)
	if err != nil {
		return nil, err
	}
	if name, _ := h.Env("OTEL_SERVICE_NAME"); name != "" {
		attrs["service.name"] = name
	} else if attrs["service.name"] == "" {
		attrs["service.name"] = telemetry.ServiceName
	}
	var kvs []attribute.KeyValue
	for _, k := range slices.Sorted(maps.Keys(attrs)) {
		kvs = append(kvs, attribute.String(k, attrs[k]))
	}
	return resource.NewSchemaless(kvs...), nil
}

// Traces reports whether spans are exported.
func (e *Exporter) Traces() bool { return e != nil && e.traces != nil }

// Metrics reports whether metrics are exported.
func (e *Exporter) Metrics() bool { return e != nil && e.metrics != nil }

// Add takes what was computed for one scenario, which took so long on its own
// clock.
func (e *Exporter) Add(spans []telemetry.Span, series []telemetry.Series, virtual time.Duration) {
	if e.Traces() {
		e.traces.add(spans)
	}
	if e.Metrics() {
		e.metrics.add(series, virtual)
	}
}

// Close delivers what is left, until the deadline.
func (e *Exporter) Close() {
	if e == nil {
		return
	}
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		select {
		case <-e.after(FlushLimit):
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

func (e *Exporter) tell(s *sender, err error) {
	_ = s.Stop(context.Background())
	if err != nil {
		fmt.Fprintf(e.warn, "Warning: cannot export to %s: %s. Results and traces are not affected.\n", s.to.shown(), err)
	}
}

// A traceExport gives spans to the SDK, which translates them, and delivers
// them while the suite runs. After the first failure it drops what comes, so
// that a receiver which is not there costs the suite no time.
type traceExport struct {
	sender  *sender
	tracer  oteltrace.Tracer
	ctx     context.Context
	batches chan []sdktrace.ReadOnlySpan
	pending []sdktrace.ReadOnlySpan
	worker  sync.WaitGroup
	lost    int
	err     error
}

func newTraceExport(ctx context.Context, sender *sender, res *resource.Resource) *traceExport {
	t := &traceExport{sender: sender, ctx: ctx, batches: make(chan []sdktrace.ReadOnlySpan, requestsAhead)}
	unlimited := sdktrace.SpanLimits{
		AttributeValueLengthLimit: -1, AttributeCountLimit: -1, EventCountLimit: -1,
		LinkCountLimit: -1, AttributePerEventCountLimit: -1, AttributePerLinkCountLimit: -1,
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(res), sdktrace.WithSpanProcessor(t), sdktrace.WithIDGenerator(export.IDs{}),
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
	export.Spans(t.ctx, spans, t.tracer)
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
	sender *sender
	ctx    context.Context
	reader *sdkmetric.ManualReader
	res    *resource.Resource
	meter  metric.Meter
	err    error
	// longest is the virtual time of the longest scenario, which the points
	// have: they stand for all.
	longest time.Duration
}

func newMetricExport(ctx context.Context, sender *sender, res *resource.Resource) *metricExport {
	reader := sdkmetric.NewManualReader()
	provider := sdkmetric.NewMeterProvider(
		sdkmetric.WithReader(reader), sdkmetric.WithResource(res),
		sdkmetric.WithExemplarFilter(exemplar.AlwaysOffFilter), sdkmetric.WithCardinalityLimit(0),
	)
	return &metricExport{sender: sender, ctx: ctx, reader: reader, res: res, meter: provider.Meter(telemetry.ScopeName)}
}

func (m *metricExport) add(series []telemetry.Series, virtual time.Duration) {
	m.longest = max(m.longest, virtual)
	if err := export.Metrics(m.ctx, series, m.meter); err != nil && m.err == nil {
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

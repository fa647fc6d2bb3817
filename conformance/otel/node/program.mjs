// Asks its service once, and tells of it through OpenTelemetry's SDK for Node, as
// ../program does in Go: shutdown flushes and ends, signal does so when it is told to
// end, runs never flushes by itself, forgets ends without a flush.
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

const end = process.argv[2]
const told = new Promise(resolve => process.on('SIGTERM', resolve))

const tracers = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
tracers.register() // with the propagator of traceparent
const interval = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) // which sdk-node would read
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis: interval, exportTimeoutMillis: interval })],
})

const meter = meters.getMeter('shop.stock')
const tracer = tracers.getTracer('shop.stock')
const asked = meter.createCounter('shop.requests', { unit: '{request}' })
const took = meter.createHistogram('shop.duration', { unit: 's' })

await tracer.startActiveSpan('ask', async span => {
  const headers = {}
  propagation.inject(context.active(), headers)
  const response = await fetch(process.env.DATA + '/7', { headers })
  await response.arrayBuffer()
  asked.add(2, { outcome: 'failure' })
  asked.add(1, { outcome: 'success' })
  took.record(0.5)
  took.record(1.5)
  meter.createGauge('breaker.state').record(1, { target: 'data' })
  if (!response.ok) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'no answer' })
    const second = tracer.startSpan('fallback', { attributes: { retries: 0, cached: true } }, trace.setSpan(context.active(), span))
    second.addEvent('served')
    second.end()
  }
  span.end()
})

if (end === 'forgets') process.exit(0)
if (end === 'runs') {
  setInterval(() => {}, 1000)
  await told
  process.exit(0)
}
if (end === 'signal') {
  const on = setInterval(() => {}, 1000)
  await told
  clearInterval(on)
}
await tracers.shutdown()
await meters.shutdown()
process.exit(0)

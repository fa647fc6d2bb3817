// Package telemetry computes spans and metrics from the trace of a run, as
// plain values that expressions query, and writes them in formats of other tools.
// Package telemetry/export gives the same values to the OpenTelemetry API. Nothing is
// computed until it is asked for.
//
//	spans := telemetry.Spans(header, log.Events())
//	series := telemetry.Metrics(log.Events(), "")
//	retries := telemetry.Query(series, "scenario_retries_total", map[string]string{"step_id": "ask"})
//
// Times are virtual: what is exported begins at [Epoch], and equal traces give
// equal spans, ids included.
package telemetry

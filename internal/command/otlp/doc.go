// Package otlp exports what a suite's traces tell, as spans and metrics, to a
// receiver of OTLP over HTTP, where the standard OTEL_* variables ask for it. It
// is the one package that links the SDK of OpenTelemetry.
//
//	e := otlp.Open(otlp.Host{Env: os.LookupEnv, Warn: os.Stderr, After: time.After})
//	defer e.Close()
//	e.Add(spans, series, virtual) // once for every scenario that ran
package otlp

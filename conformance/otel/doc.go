// Package otel holds what `scenario exec` receives against OpenTelemetry's own SDKs:
// programs in Go and in Node that are set up by their environment alone, and that
// end in each way in which programs end.
package otel

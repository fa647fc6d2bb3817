// Package otlp keeps what a program says of itself, and answers questions about
// it: spans, metrics and logs that it sends by OTLP over HTTP, and a page of
// metrics in the text format of Prometheus.
//
//	store := otlp.NewStore(otlp.Options{Redact: redactor, Changed: look})
//	go http.Serve(listener, store) // for OTEL_EXPORTER_OTLP_ENDPOINT
//	store.Ready()                  // counters count from here
//	trips, err := store.Metric("breaker.trips", map[string]any{"target": "primary"})
//
// Names are the program's own. A question about one that it never used is an
// error, which lists those nearest to it: an answer would be a guess.
//
// Every answer is redacted, as a cassette is, and only the newest is kept. A question is
// asked of what was sent: one for a secret finds where it stands.
package otlp

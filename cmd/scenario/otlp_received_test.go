package main

import (
	"net/http/httptest"
	"testing"

	"github.com/scenario-lang/scenario/internal/otlp"
)

// Shows that what OpenTelemetry's SDK sends, packed or not, is received as it was
// meant: the command's own export of a suite in which one scenario retries once
// and the other fails.
func TestExportIsReceived(t *testing.T) {
	for _, packing := range []string{"", "gzip"} {
		store := otlp.NewStore(otlp.Options{})
		server := httptest.NewServer(store)
		defer server.Close()
		got, _ := exporting(t, map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_COMPRESSION": packing, "OTEL_SERVICE_NAME": "a suite",
		})
		got.check(t, 1, got.stdout)
		spans, err := store.Spans(otlp.SpanQuery{Name: "step answer"})
		if err != nil || len(spans) != 2 {
			t.Fatalf("%d spans, %v", len(spans), err)
		}
		for _, s := range spans {
			if len(s.TraceID) != 32 || len(s.ID) != 16 || len(s.Parent) != 16 || s.Resource["service.name"] != "a suite" || s.Attributes["scenario.step_id"] != "answer" {
				t.Errorf("%+v", s)
			}
			within, err := store.Spans(otlp.SpanQuery{TraceID: s.TraceID})
			if err != nil || len(within) < 3 {
				t.Errorf("%d spans of the trace, %v", len(within), err)
			}
		}
		// The step that retried took the two seconds that its policy waits.
		if took := spans[0].End.Sub(spans[0].Start); took.Seconds() != 2 {
			t.Errorf("the first step took %s", took)
		}
		for _, c := range []struct {
			name   string
			labels map[string]any
			want   float64
		}{
			{"scenario_attempts_total", map[string]any{"step_id": "answer"}, 3},
			{"scenario_retries_total", nil, 1},
			{"gen_ai.client.operation.duration", nil, 3},
		} {
			if value, err := store.Metric(c.name, c.labels); value != c.want || err != nil {
				t.Errorf("%s: %v, %v, want %v", c.name, value, err, c.want)
			}
		}
	}
}

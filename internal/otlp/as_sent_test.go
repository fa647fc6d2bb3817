package otlp

import (
	"fmt"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// Shows that questions for a secret, or for a part of it, find where a program sent it, that no
// answer has it, and that questions for what nobody sent find nothing.
func TestQuestionsForSecrets(t *testing.T) {
	const secret = "hunter2-hunter2"
	s := NewStore(Options{Redact: redact.New([]string{secret})})
	account := &commonpb.KeyValue{Key: "password", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: 123456789}}}
	taken(t, s, "/v1/traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{
		{Name: "login " + secret, Attributes: append(attrs("user", secret), account)},
	}}}}}})
	taken(t, s, "/v1/logs", &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		{Body: str("logging in with " + secret), Attributes: attrs("user", secret)},
	}}}}}})
	point := &metricspb.NumberDataPoint{Attributes: attrs("user", secret), Value: &metricspb.NumberDataPoint_AsInt{AsInt: 3}}
	resource := &metricspb.ResourceMetrics{Resource: &resourcepb.Resource{Attributes: attrs("owner", secret)}}
	resource.ScopeMetrics = []*metricspb.ScopeMetrics{{Metrics: []*metricspb.Metric{{
		Name: "logins", Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: []*metricspb.NumberDataPoint{point}}},
	}}}}
	taken(t, s, "/v1/metrics", &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{resource}})
	if err := s.Scrape(strings.NewReader(`visits{user="` + secret + "\"} 2\n")); err != nil {
		t.Fatal(err)
	}

	logs := func(q LogQuery) float64 {
		list, err := s.Logs(q)
		return found(t, len(list), err)
	}
	spans := func(q SpanQuery) float64 {
		list, err := s.Spans(q)
		return found(t, len(list), err)
	}
	metric := func(name, label, value string) float64 {
		v, err := s.Metric(name, map[string]any{label: value})
		return found(t, v, err)
	}
	shown := redact.Placeholder(secret)
	for name, c := range map[string]struct {
		got  float64
		want float64
	}{
		"a body":                  {logs(LogQuery{Body: "*" + secret + "*"}), 1},
		"a part":                  {logs(LogQuery{Body: "*hunter2"}), 1},
		"as it is shown":          {logs(LogQuery{Body: "*" + shown}), 1},
		"another":                 {logs(LogQuery{Body: "*hunter3*"}), 0},
		"an attribute of a log":   {logs(LogQuery{Attributes: map[string]any{"user": secret}}), 1},
		"a part of an attribute":  {logs(LogQuery{Attributes: map[string]any{"user": "hunter2"}}), 0},
		"a span":                  {spans(SpanQuery{Name: "login " + secret}), 1},
		"an attribute of a span":  {spans(SpanQuery{Attributes: map[string]any{"user": secret}}), 1},
		"a number under its name": {spans(SpanQuery{Attributes: map[string]any{"password": 123456789.0}}), 1},
		"an attribute as shown":   {spans(SpanQuery{Attributes: map[string]any{"user": shown}}), 1},
		"a label":                 {metric("logins", "user", secret), 3},
		"a label as shown":        {metric("logins", "user", shown), 3},
		"another label":           {metric("logins", "user", "hunter3"), 0},
		"of the resource":         {metric("logins", "owner", secret), 3},
		"a label of a page":       {metric("visits", "user", secret), 2},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if all := said(t, s); strings.Contains(all, secret) || strings.Contains(all, "123456789") {
		t.Errorf("%s", all)
	}
	named, _ := s.Spans(SpanQuery{Name: "login " + secret})
	if strings.Contains(fmt.Sprintf("%#v", named), secret) {
		t.Errorf("%#v", named)
	}
}

// found is a number of which nothing went wrong.
func found[N int | float64](t *testing.T, n N, err error) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return float64(n)
}

package otlp

import (
	"fmt"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// said is all that a store answers.
func said(t *testing.T, s *Store) string {
	t.Helper()
	got := s.Received()
	spans, err := s.Spans(SpanQuery{})
	if (err == nil) != (got.Spans > 0) {
		t.Fatalf("of %d spans: %v", got.Spans, err)
	}
	logs, err := s.Logs(LogQuery{})
	if (err == nil) != (got.Logs > 0) {
		t.Fatalf("of %d records: %v", got.Logs, err)
	}
	metrics, err := s.Metrics("")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%#v\n%#v\n%#v", spans, metrics, logs)
}

// A secret, known by its value or by its form, is in no answer, wherever the
// program has put it.
func TestSecretsAreHidden(t *testing.T) {
	for name, c := range map[string]struct {
		secret string
		known  *redact.Redactor
	}{
		"by value": {"canary of the environment", redact.New([]string{"canary of the environment"})},
		"by form":  {"sk-ant-api03-" + strings.Repeat("aB3dE5gH7j", 9) + "123-AA" + "AA", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewStore(Options{Redact: c.known})
			text := "said " + c.secret
			spans, metrics, logs := everywhere(text)
			taken(t, s, "/v1/traces", spans)
			taken(t, s, "/v1/metrics", metrics)
			taken(t, s, "/v1/logs", logs)
			page := strings.ReplaceAll(`a{label="`+text+`"} 1`, "\n", "")
			if err := s.Scrape(strings.NewReader(page)); err != nil {
				t.Fatal(err)
			}
			all := said(t, s)
			if i := strings.Index(all, c.secret); i >= 0 {
				t.Errorf("%s", all[max(0, i-200):i+200])
			}
			if n := strings.Count(all, "said "); n < 30 {
				t.Errorf("only %d texts were kept", n)
			}
		})
	}
}

// What stands under the name of a credential is hidden whatever it is.
func TestNamesThatHide(t *testing.T) {
	s := NewStore(Options{})
	integer := &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: 123456789}}
	taken(t, s, "/v1/traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{
		Name: "a", Attributes: append(attrs("api_key", "hunter2hunter2", "user", "hunter2hunter2"), &commonpb.KeyValue{Key: "password", Value: integer}, &commonpb.KeyValue{Key: "n", Value: integer}),
	}}}}}}})
	spans, err := s.Spans(SpanQuery{})
	if err != nil || len(spans) != 1 {
		t.Fatal(spans, err)
	}
	a := spans[0].Attributes
	if !redact.IsPlaceholder(a["api_key"].(string)) || a["user"] != "hunter2hunter2" || !redact.IsPlaceholder(fmt.Sprint(a["password"])) || a["n"] != int64(123456789) {
		t.Errorf("%v", a)
	}
}

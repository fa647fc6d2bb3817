package otlp

import (
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Spans are found by each of what a query says, and by all of it together.
func TestSpanQueries(t *testing.T) {
	s := NewStore(Options{})
	span := func(name string, code tracepb.Status_StatusCode, trace byte, attributes ...*commonpb.KeyValue) *tracepb.Span {
		return &tracepb.Span{Name: name, Status: &tracepb.Status{Code: code}, TraceId: []byte{trace, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, Attributes: attributes}
	}
	n := &commonpb.KeyValue{Key: "n", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: 2}}}
	yes := &commonpb.KeyValue{Key: "yes", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}}
	taken(t, s, "/v1/traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{
		span("a", tracepb.Status_STATUS_CODE_UNSET, 1, n, yes),
		span("a", tracepb.Status_STATUS_CODE_ERROR, 1, attrs("k", "v")...),
		span("b", tracepb.Status_STATUS_CODE_OK, 2, attrs("k", "2")...),
	}}}}}})
	for name, c := range map[string]struct {
		query SpanQuery
		want  int
	}{
		"all":                      {SpanQuery{}, 3},
		"by name":                  {SpanQuery{Name: "a"}, 2},
		"by status":                {SpanQuery{Status: "error"}, 1},
		"by none":                  {SpanQuery{Status: "unset"}, 1},
		"by trace":                 {SpanQuery{TraceID: "02000000000000000000000000000001"}, 1},
		"by name and status":       {SpanQuery{Name: "a", Status: "ok"}, 0},
		"by an attribute":          {SpanQuery{Attributes: map[string]any{"k": "v"}}, 1},
		"by a number":              {SpanQuery{Attributes: map[string]any{"n": 2.0, "yes": true}}, 1},
		"a number is no text":      {SpanQuery{Attributes: map[string]any{"k": 2.0}}, 0},
		"by one that is not there": {SpanQuery{Attributes: map[string]any{"k": "v", "l": "v"}}, 0},
	} {
		list, err := s.Spans(c.query)
		if len(list) != c.want || err != nil {
			t.Errorf("%s: %d, %v, want %d", name, len(list), err, c.want)
		}
	}
}

// Records are found by their level, whoever names it, and by a pattern of their
// text.
func TestLogQueries(t *testing.T) {
	s := NewStore(Options{})
	record := func(n logspb.SeverityNumber, word, body string) *logspb.LogRecord {
		return &logspb.LogRecord{SeverityNumber: n, SeverityText: word, Body: str(body), ObservedTimeUnixNano: 5, Attributes: attrs("k", "v")}
	}
	structure := &logspb.LogRecord{Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: attrs("event", "trip")}}}}
	taken(t, s, "/v1/logs", &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		record(logspb.SeverityNumber_SEVERITY_NUMBER_WARN, "", "retrying in 2s"),
		record(logspb.SeverityNumber_SEVERITY_NUMBER_WARN3, "Achtung", "retrying in 4s"),
		record(0, "WARNING", "breaker opened"), record(0, "CRITICAL", "gone"), record(0, "err", "lost"), record(0, "notice", "hm"),
		record(logspb.SeverityNumber_SEVERITY_NUMBER_FATAL4, "", ""), record(99, "", "unknown"), structure,
	}}}}}})
	for _, c := range []struct {
		query LogQuery
		want  int
	}{
		{LogQuery{}, 9},
		{LogQuery{Severity: "warn"}, 3},
		{LogQuery{Severity: "WARN"}, 3},
		{LogQuery{Severity: "achtung"}, 1},
		{LogQuery{Severity: "warning"}, 1},
		{LogQuery{Severity: "fatal"}, 2},
		{LogQuery{Severity: "error"}, 1},
		{LogQuery{Severity: "notice"}, 1},
		{LogQuery{Body: "retrying in 2s"}, 1},
		{LogQuery{Body: "retrying*"}, 2},
		{LogQuery{Body: "retrying"}, 0},
		{LogQuery{Body: "*4s", Severity: "warn"}, 1},
		{LogQuery{Body: `{"event":"trip"}`}, 1},
		{LogQuery{Body: `*trip*`}, 1},
		{LogQuery{Attributes: map[string]any{"k": "v"}}, 8},
		{LogQuery{Attributes: map[string]any{"k": "w"}}, 0},
	} {
		list, err := s.Logs(c.query)
		if len(list) != c.want || err != nil {
			t.Errorf("%+v: %d, %v, want %d", c.query, len(list), err, c.want)
		}
	}
	if list, _ := s.Logs(LogQuery{}); list[0].At.UnixNano() != 5 {
		t.Errorf("it was said at %s, want when it was observed", list[0].At)
	}
}

// A question to which silence is no answer is an error: where nothing of its kind
// ever came, and for a severity that nobody has.
func TestSilenceIsNoAnswer(t *testing.T) {
	s := NewStore(Options{})
	_, err := s.Spans(SpanQuery{Status: "error"})
	if want := "the program has sent no span at all: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = s.Logs(LogQuery{Severity: "error"})
	if want := "the program has sent no log record at all: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	taken(t, s, "/v1/logs", &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		{SeverityText: "Notice", Body: str("hm")},
	}}}}}})
	_, err = s.Logs(LogQuery{Severity: "notce"})
	if want := `there is no severity "notce"; the nearest that there are: "notice", `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if list, err := s.Logs(LogQuery{Severity: "error"}); len(list) != 0 || err != nil {
		t.Errorf("of a level that nothing had: %v, %v", list, err)
	}
}

// A pattern fits as one that is matched by trying every place does.
func TestPatterns(t *testing.T) {
	var fits func(pattern, text string) bool
	fits = func(pattern, text string) bool {
		switch {
		case pattern == "":
			return text == ""
		case pattern[0] == '*':
			return fits(pattern[1:], text) || text != "" && fits(pattern, text[1:])
		}
		return text != "" && pattern[0] == text[0] && fits(pattern[1:], text[1:])
	}
	var words []string
	for n := range 3 * 3 * 3 * 3 * 3 {
		var b strings.Builder
		for ; n > 0; n /= 3 {
			b.WriteByte("ab*"[n%3])
		}
		words = append(words, b.String())
	}
	for _, pattern := range words {
		for _, text := range words {
			if got, want := matches(pattern, text), fits(pattern, text); got != want {
				t.Fatalf("%q of %q: %t, want %t", pattern, text, got, want)
			}
		}
	}
}

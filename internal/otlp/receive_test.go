package otlp

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// post sends a body as an exporter does.
func post(s *Store, path, kind, encoding, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	if encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// taken sends a message in protobuf, which has to be taken.
func taken(t *testing.T, s *Store, path string, m proto.Message) {
	t.Helper()
	body, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if w := post(s, path, binary, "", string(body)); w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Type") != binary {
		t.Fatalf("%d %v: %q", w.Code, w.Header(), w.Body)
	}
}

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func str(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func attrs(list ...string) (kvs []*commonpb.KeyValue) {
	for i := 0; i < len(list); i += 2 {
		kvs = append(kvs, &commonpb.KeyValue{Key: list[i], Value: str(list[i+1])})
	}
	return kvs
}

// An export of each signal is understood in JSON, packed and not, and one of them
// in protobuf, field by field.
func TestEverySignal(t *testing.T) {
	began := time.Unix(1700000000, 0).UTC()
	at := began.Add(300 * time.Millisecond)
	service := map[string]any{"service.name": "shop.orders"}
	wantSpans := []Span{{
		Name: "place order", TraceID: "3f2c9a7e51b84d06a1e7c05d9b64f218", ID: "a40d6e13b9572c8f", Parent: "a40d6e13b9572c8e",
		Kind: "server", Start: began, End: began.Add(time.Second), Status: "unset",
		Attributes: map[string]any{"order.kind": "plain"}, Resource: service, Scope: "shop.stock",
	}}
	wantLogs := []Log{{
		Severity: "info", SeverityText: "Information", Body: "order 7 is placed", At: at, Resource: service, Scope: "shop.stock",
		TraceID: "3f2c9a7e51b84d06a1e7c05d9b64f218", SpanID: "a40d6e13b9572c8f",
		Attributes: map[string]any{
			"order.note": "as before", "order.gift": true, "order.items": int64(10), "order.weight": 1.25,
			"order.tags": []any{"tea", "cups"}, "order.address": map[string]any{"city": "plain"},
		},
	}}
	of := func(label string) map[string]any { return map[string]any{label: "plain"} }
	wantMetrics := []Series{
		{Name: "breaker.state", Unit: "1", Kind: Gauge, Labels: of("target"), Resource: service, Scope: "shop.stock", Value: 10},
		{Name: "orders.placed", Unit: "1", Kind: Counter, Labels: of("channel"), Resource: service, Scope: "shop.stock", Value: 5},
		{Name: "orders.size", Unit: "1", Kind: Histogram, Labels: of("currency"), Resource: service, Scope: "shop.stock", Value: 2, Sum: 2},
		{Name: "orders.wait", Unit: "1", Kind: Histogram, Labels: of("queue"), Resource: service, Scope: "shop.stock", Value: 3, Sum: 10},
	}
	for _, encoding := range []string{"", "gzip", "identity", "protobuf"} {
		changes := 0
		s := NewStore(Options{Changed: func() { changes++ }})
		for _, name := range []string{"traces", "metrics", "logs"} {
			if encoding == "protobuf" && name == "traces" {
				id := func(s string) []byte { b, _ := hex.DecodeString(s); return b }
				taken(t, s, "/v1/traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
					Resource: &resourcepb.Resource{Attributes: attrs("service.name", "shop.orders")},
					ScopeSpans: []*tracepb.ScopeSpans{{Scope: &commonpb.InstrumentationScope{Name: "shop.stock"}, Spans: []*tracepb.Span{{
						TraceId: id("3f2c9a7e51b84d06a1e7c05d9b64f218"), SpanId: id("a40d6e13b9572c8f"), ParentSpanId: id("a40d6e13b9572c8e"),
						Name: "place order", StartTimeUnixNano: 1700000000000000000, EndTimeUnixNano: 1700000001000000000,
						Kind: tracepb.Span_SPAN_KIND_SERVER, Attributes: attrs("order.kind", "plain"),
					}}}},
				}}})
				continue
			}
			body := example(t, name+".json")
			header := encoding
			if encoding == "gzip" {
				body = packed(body)
			} else if encoding == "protobuf" {
				header = ""
			}
			w := post(s, "/v1/"+name, "application/json; charset=utf-8", header, body)
			if w.Code != http.StatusOK || w.Body.String() != "{}" || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s: %d, %q", name, w.Code, w.Body)
			}
		}
		spans, err := s.Spans(SpanQuery{})
		if diff := cmp.Diff(wantSpans, spans); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", encoding, err, diff)
		}
		logs, err := s.Logs(LogQuery{})
		if diff := cmp.Diff(wantLogs, logs); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", encoding, err, diff)
		}
		list, err := s.Metrics("")
		if diff := cmp.Diff(wantMetrics, list); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", encoding, err, diff)
		}
		if got := s.Received(); changes != 3 || got != (Received{Spans: 1, Logs: 1, Points: 4}) {
			t.Errorf("%s: %d changes, %+v", encoding, changes, got)
		}
	}
}

// What is no export is refused with the status that the protocol has for it, says
// why, and leaves no trace of itself.
func TestRefusals(t *testing.T) {
	spans := example(t, "traces.json")
	for name, c := range map[string]struct {
		method, path, kind, encoding, body string
		status                             int
		says                               string
	}{
		"elsewhere":           {"POST", "/v1/profiles", asJSON, "", spans, 404, "/v1/traces"},
		"another method":      {"GET", "/v1/traces", asJSON, "", spans, 405, "POST"},
		"another kind":        {"POST", "/v1/traces", "text/plain", "", spans, 415, "text/plain"},
		"no kind":             {"POST", "/v1/traces", "", "", spans, 415, "application/x-protobuf"},
		"another encoding":    {"POST", "/v1/traces", asJSON, "br", spans, 415, "gzip"},
		"not packed":          {"POST", "/v1/traces", asJSON, "gzip", spans, 400, "gzip"},
		"packed, cut":         {"POST", "/v1/traces", asJSON, "gzip", packed(spans)[:100], 400, "unexpected EOF"},
		"no JSON":             {"POST", "/v1/traces", asJSON, "", spans[:200], 400, "cannot be read"},
		"other JSON":          {"POST", "/v1/traces", asJSON, "", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"kept?"},{"name":1}]}]}]}`, 400, "cannot be read"},
		"no protobuf":         {"POST", "/v1/traces", binary, "", "\x0a\xff", 400, "cannot be read"},
		"too large":           {"POST", "/v1/traces", binary, "", strings.Repeat("x", bodyMost+1), 413, "67108864 bytes"},
		"too large, unpacked": {"POST", "/v1/logs", binary, "gzip", packed(strings.Repeat("x", bodyMost+1)), 413, "67108864 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewStore(Options{Changed: func() { t.Error("something has changed") }})
			r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.kind)
			if c.encoding != "" {
				r.Header.Set("Content-Encoding", c.encoding)
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			said := w.Body.String()
			if w.Header().Get("Content-Type") == binary {
				number, kind, n := protowire.ConsumeTag([]byte(said))
				text, m := protowire.ConsumeString([]byte(said)[max(n, 0):])
				if number != 2 || kind != protowire.BytesType || n+m != len(said) {
					t.Errorf("%q is no google.rpc.Status", said)
				}
				said = text
			}
			if w.Code != c.status || !strings.Contains(said, c.says) {
				t.Errorf("%d, want %d: %s", w.Code, c.status, said)
			}
			if got := s.Received(); got != (Received{}) {
				t.Errorf("received: %+v", got)
			}
		})
	}
}

// What the protocol may gain later is passed over, and identifiers that are none
// are kept as they are.
func TestUnknownFieldsAndIdentifiers(t *testing.T) {
	s := NewStore(Options{})
	w := post(s, "/v1/traces", asJSON, "", `{"later":1,"resourceSpans":[{"scopeSpans":[{"spans":[
		{"name":"a","traceId":"00000000000000000000000000000000","spanId":"0000000000000000","kind":77,"status":{"code":2,"message":"no"},"later":{}},
		{"name":"b","traceId":"PyyaflG4TQah58Bdm2TyGA==","kind":"SPAN_KIND_CLIENT","status":{"code":"STATUS_CODE_OK"},
		 "events":[{"name":"e","timeUnixNano":"1000000","attributes":[{"key":"k"}]}]}]}]}]}`)
	spans, err := s.Spans(SpanQuery{})
	want := []Span{
		{Name: "a", Status: "error", Message: "no", Attributes: map[string]any{}, Resource: map[string]any{}},
		{
			Name: "b", TraceID: "3f2c9a7e51b84d06a1e7c05d9b64f218", Kind: "client", Status: "ok", Attributes: map[string]any{}, Resource: map[string]any{},
			Events: []Event{{Name: "e", At: time.UnixMilli(1).UTC(), Attributes: map[string]any{"k": nil}}},
		},
	}
	if diff := cmp.Diff(want, spans); w.Code != 200 || err != nil || diff != "" {
		t.Errorf("%d %s, %v\n%s", w.Code, w.Body, err, diff)
	}
	since := func(at time.Time) any {
		if at.IsZero() {
			return nil
		}
		return float64(at.UnixNano()) / 1e6
	}
	wantObject := map[string]any{
		"name": "b", "trace_id": "3f2c9a7e51b84d06a1e7c05d9b64f218", "span_id": nil, "parent_id": nil, "kind": "client",
		"start_ms": nil, "end_ms": nil, "status": "ok", "message": nil, "attributes": map[string]any{}, "resource": map[string]any{}, "scope": nil,
		"events": []any{map[string]any{"name": "e", "at_ms": 1.0, "attributes": map[string]any{"k": nil}}},
	}
	if diff := cmp.Diff(wantObject, spans[1].Object(since)); diff != "" {
		t.Error(diff)
	}
}

// everywhere is a message for each signal with a text in every place that can
// hold one.
func everywhere(text string) (*tracepb.TracesData, *metricspb.MetricsData, *logspb.LogsData) {
	resource := &resourcepb.Resource{Attributes: attrs("resource", text, text, "key")}
	scope := &commonpb.InstrumentationScope{Name: text, Version: text, Attributes: attrs("scope", text)}
	nested := append(attrs("plain", text, text, "key"), &commonpb.KeyValue{Key: "nested", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{
		ArrayValue: &commonpb.ArrayValue{Values: []*commonpb.AnyValue{str(text), {Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: attrs("deep", text, text, "key")}}}}},
	}}})
	spans := &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{Resource: resource, ScopeSpans: []*tracepb.ScopeSpans{{Scope: scope, Spans: []*tracepb.Span{{
		Name: text, TraceState: text, Attributes: nested, Status: &tracepb.Status{Message: text},
		Events: []*tracepb.Span_Event{{Name: text, Attributes: nested}},
	}}}}}}}
	metric := func(data *metricspb.Metric) *metricspb.Metric {
		data.Name, data.Unit, data.Description = text, text, text
		return data
	}
	numbers := []*metricspb.NumberDataPoint{{Attributes: nested}}
	metrics := &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{Resource: resource, ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: scope, Metrics: []*metricspb.Metric{
		metric(&metricspb.Metric{Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: numbers}}}),
		metric(&metricspb.Metric{Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{DataPoints: numbers, IsMonotonic: true}}}),
		metric(&metricspb.Metric{Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{DataPoints: []*metricspb.HistogramDataPoint{{Attributes: nested}}}}}),
		metric(&metricspb.Metric{Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: []*metricspb.SummaryDataPoint{{Attributes: nested}}}}}),
	}}}}}}
	logs := &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{Resource: resource, ScopeLogs: []*logspb.ScopeLogs{{Scope: scope, LogRecords: []*logspb.LogRecord{
		{SeverityText: text, Body: str(text), Attributes: nested, EventName: text},
		{Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: nested}}}},
	}}}}}}
	return spans, metrics, logs
}

// FuzzReceive: whatever is sent, it is taken or refused, and nothing else comes
// of it.
func FuzzReceive(f *testing.F) {
	spans, metrics, logs := everywhere("a")
	for _, m := range []proto.Message{spans, metrics, logs} {
		body, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	for _, name := range []string{"traces", "metrics", "logs"} {
		f.Add(example(&testing.T{}, name+".json"))
	}
	f.Fuzz(func(t *testing.T, body string) {
		s := NewStore(Options{Most: 100})
		for _, path := range []string{"/v1/traces", "/v1/metrics", "/v1/logs"} {
			for _, kind := range []string{binary, asJSON} {
				if w := post(s, path, kind, "", body); w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
					t.Errorf("%s as %s: %d", path, kind, w.Code)
				}
			}
		}
		said(t, s)
	})
}

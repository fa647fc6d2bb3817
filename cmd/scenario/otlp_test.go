package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/otlp"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A receiver is a collector on loopback that keeps what it is sent.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	headers []http.Header
	spans   []*tracepb.Span
	metrics []*metricspb.Metric
	service string
	// answer replaces the answer to request n, from 1, where it returns true.
	answer func(w http.ResponseWriter, n int) bool
	count  int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	r.headers = append(r.headers, req.Header)
	if r.answer != nil && r.answer(w, r.count) {
		return
	}
	var body io.Reader = req.Body
	if req.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(req.Body)
	}
	data, _ := io.ReadAll(body)
	var err error
	switch req.URL.Path {
	case "/v1/traces":
		err = r.takeTraces(data)
	case "/v1/metrics":
		err = r.takeMetrics(data)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
	if err != nil || req.Method != http.MethodPost || req.Header.Get("Content-Type") != "application/x-protobuf" {
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (r *receiver) takeTraces(data []byte) error {
	var m tracepb.TracesData
	err := proto.Unmarshal(data, &m)
	for _, rs := range m.ResourceSpans {
		r.service = attributesOf(rs.Resource.Attributes)["service.name"]
		for _, ss := range rs.ScopeSpans {
			r.spans = append(r.spans, ss.Spans...)
		}
	}
	return err
}

func (r *receiver) takeMetrics(data []byte) error {
	var m metricspb.MetricsData
	err := proto.Unmarshal(data, &m)
	for _, rm := range m.ResourceMetrics {
		for _, sm := range rm.ScopeMetrics {
			r.metrics = append(r.metrics, sm.Metrics...)
		}
	}
	return err
}

func attributesOf(kvs []*commonpb.KeyValue) map[string]string {
	m := map[string]string{}
	for _, kv := range kvs {
		m[kv.Key] = kv.Value.GetStringValue()
	}
	return m
}

const exportedFile = `
provider "openai" "primary" { model = "gpt-4o-mini" }
retry "linear" "fixed" { delay = "2s" }
workflow "ask" {
  provider = provider.primary
  step "llm" "answer" {
    prompt = "hi"
    retry  = retry.fixed
  }
}
scenario "one" {
  run = workflow.ask
  on "answer" {
    fault "http_error" {
      status_code = 500
      times       = 1
    }
    reply { content = "hello" }
  }
  expect "answer" { content = "hello" }
}
scenario "two" {
  run = workflow.ask
  on "answer" {
    reply { content = "hello" }
  }
  expect "answer" { content = "goodbye" }
}
`

// exporting runs a suite of two scenarios, of which the second fails, with the
// given environment. Waits end at once.
func exporting(t *testing.T, env map[string]string, args ...string) (played, string) {
	t.Helper()
	got := exportingWith(t, harness.KeepSource, env, append([]string{"--trace-out", "t", "--json"}, args...)...)
	traced, _ := os.ReadFile("t")
	return got, string(traced)
}

// exportingWith does so with so much room for compiled files.
func exportingWith(t *testing.T, keep int64, env map[string]string, args ...string) played {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a"+suite.Suffix, []byte(exportedFile), 0o666); err != nil {
		t.Fatal(err)
	}
	a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
	a.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	a.After = func(d time.Duration) <-chan time.Time {
		if d == otlp.FlushLimit {
			return nil
		}
		c := make(chan time.Time, 1)
		c <- time.Time{}
		return c
	}
	a.Keep = keep
	got := end(execute(a, append([]string{"test"}, args...)))
	got.stdout = wallMS.ReplaceAllString(got.stdout, "")
	return got
}

// Shows that spans and metrics, each without the other, are those of a suite
// whose files all stay compiled where no file does.
func TestExportOfEarlyRuns(t *testing.T) {
	for _, signal := range []string{"TRACES", "METRICS"} {
		sent := func(keep int64) string {
			r := newReceiver(t)
			env := map[string]string{"OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT": r.URL + "/v1/" + strings.ToLower(signal)}
			got := exportingWith(t, keep, env)
			got.check(t, 1, got.stdout)
			var names []string
			for _, s := range r.spans {
				names = append(names, fmt.Sprintf("%s %x", s.Name, s.TraceId))
			}
			for _, m := range r.metrics {
				names = append(names, m.Name)
			}
			slices.Sort(names)
			return strings.Join(names, "\n") + got.stdout + got.stderr
		}
		all, none := sent(1<<30), sent(0)
		if all != none || len(all) < 200 {
			t.Errorf("%s with room for all files:\n%s\nwith room for none:\n%s", signal, all, none)
		}
	}
}

// Shows that a receiver of OTLP gets the spans and metrics that the trace of
// the suite shows, with the names of the GenAI conventions and virtual times,
// and that results, trace and exit code are those of a suite without one.
func TestExport(t *testing.T) {
	plain, plainTrace := exporting(t, nil)
	r := newReceiver(t)
	got, traced := exporting(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL,
		"OTEL_EXPORTER_OTLP_HEADERS":  "x-tenant=a%20b",
		"OTEL_RESOURCE_ATTRIBUTES":    "service.name=ignored,team=x",
		"OTEL_SERVICE_NAME":           "checkout",
	})
	if got != plain || traced != plainTrace || got.code != 1 {
		t.Errorf("with a receiver:\n%+v\nwithout:\n%+v\nequal traces: %v", got, plain, traced == plainTrace)
	}
	if r.headers[0].Get("x-tenant") != "a b" || r.service != "checkout" || len(r.headers) != 2 {
		t.Errorf("headers %v, service %q", r.headers, r.service)
	}

	var names []string
	for _, s := range r.spans {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	want := "chat gpt-4o-mini,chat gpt-4o-mini,chat gpt-4o-mini,scenario one,scenario two,step answer,step answer,workflow ask,workflow ask"
	if strings.Join(names, ",") != want {
		t.Errorf("the spans are %v", names)
	}
	for _, s := range r.spans {
		attrs := attributesOf(s.Attributes)
		if s.Name == "chat gpt-4o-mini" && (attrs["gen_ai.operation.name"] != "chat" || attrs["gen_ai.provider.name"] != "openai" || s.Kind != tracepb.Span_SPAN_KIND_CLIENT) {
			t.Errorf("an attempt has %v, kind %s", attrs, s.Kind)
		}
		// Virtual time begins 946,684,800 s after the Unix epoch.
		if s.Name == "scenario one" && (s.StartTimeUnixNano != 946684800e9 || s.EndTimeUnixNano != 946684802e9) {
			t.Errorf("the scenario is from %d to %d", s.StartTimeUnixNano, s.EndTimeUnixNano)
		}
	}

	found := map[string]bool{}
	for _, m := range r.metrics {
		found[m.Name] = true
		switch m.Name {
		case "scenario_mock_fault_total":
			p := m.GetSum().DataPoints[0]
			if attrs := attributesOf(p.Attributes); p.GetAsInt() != 1 || attrs["fault_type"] != "http_error" || attrs["step_id"] != "answer" || !m.GetSum().IsMonotonic {
				t.Errorf("%v", m)
			}
		case "scenario_attempts_total":
			sum := int64(0)
			for _, p := range m.GetSum().DataPoints {
				sum += p.GetAsInt()
			}
			if sum != 3 {
				t.Errorf("%d attempts, want 3 in both scenarios: %v", sum, m)
			}
		case "gen_ai.client.operation.duration":
			count := uint64(0)
			for _, p := range m.GetHistogram().DataPoints {
				count += p.Count
				if p.TimeUnixNano != 946684802e9 || p.StartTimeUnixNano != 946684800e9 || len(p.BucketCounts) != len(p.ExplicitBounds)+1 {
					t.Errorf("%v", p)
				}
			}
			if count != 3 || m.Unit != "s" {
				t.Errorf("%v", m)
			}
		}
	}
	for _, name := range []string{"scenario_mock_fault_total", "scenario_retries_total", "scenario_attempts_total", "gen_ai.client.operation.duration", "gen_ai.client.token.usage"} {
		if !found[name] {
			t.Errorf("no metric %s among %v", name, found)
		}
	}
}

// Shows that two suites with one plan are exported with equal bytes in
// protobuf: nothing of the wall clock or of the order of a map is in them.
func TestExportIsDeterministic(t *testing.T) {
	var first []byte
	for range 5 {
		r := newReceiver(t)
		exporting(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"})
		data := &tracepb.ScopeSpans{Spans: r.spans}
		more := &metricspb.ScopeMetrics{Metrics: r.metrics}
		a, _ := proto.MarshalOptions{Deterministic: true}.Marshal(data)
		b, _ := proto.MarshalOptions{Deterministic: true}.Marshal(more)
		if a = append(a, b...); first == nil {
			first = a
		}
		if len(a) == 0 || string(a) != string(first) {
			t.Fatal("two exports of one suite differ")
		}
	}
}

// Shows that nothing is sent unless it was asked for, and which variables ask.
func TestExportIsAskedFor(t *testing.T) {
	r := newReceiver(t)
	for _, c := range []struct {
		name          string
		env           map[string]string
		spans, points bool
	}{
		{"nothing", map[string]string{"OTEL_SERVICE_NAME": "x"}, false, false},
		{"common endpoint", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL + "/"}, true, true},
		{"own endpoint as it is", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": r.URL + "/v1/traces"}, true, false},
		{"one signal off", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_TRACES_EXPORTER": "none"}, false, true},
		{"both named", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp"}, true, true},
		{"disabled", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_SDK_DISABLED": "true"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.spans, r.metrics = nil, nil
			got, _ := exporting(t, c.env)
			if len(r.spans) > 0 != c.spans || len(r.metrics) > 0 != c.points || got.stderr != "" {
				t.Errorf("%d spans, %d metrics\n%s", len(r.spans), len(r.metrics), got.stderr)
			}
		})
	}
	r.spans = nil
	if exporting(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL}, "--list"); len(r.spans) > 0 {
		t.Error("--list exported something")
	}
}

// Shows that a receiver that does not do its part is told on standard error,
// without what may be a secret, and changes neither results nor exit code.
func TestExportFails(t *testing.T) {
	plain, plainTrace := exporting(t, nil)
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter, int) bool
		env    map[string]string
		stderr string
		calls  int
	}{
		{"refused", nil, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": gone.URL}, "connection refused (9 spans were lost)", 0},
		{"refused, with a key in its address", nil, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": strings.Replace(gone.URL, "http://", "http://u:s3cret@", 1) + "?key=s3cret"}, "connection refused (9 spans were lost)", 0},
		{"unauthorized", status(401), nil, "the receiver answers 401 Unauthorized (9 spans were lost)", 1},
		{"busy", status(503), nil, "the receiver answers 503 Service Unavailable (9 spans were lost)", 4},
		{"busy twice", func(w http.ResponseWriter, n int) bool { return n <= 2 && status(503)(w, n) }, nil, "", 3},
		{"partial", func(w http.ResponseWriter, _ int) bool {
			// partial_success { rejected_spans: 3, error_message: "full" }
			w.Write([]byte{0x0a, 0x08, 0x08, 0x03, 0x12, 0x04, 'f', 'u', 'l', 'l'})
			return true
		}, nil, `the receiver refused 3 of them: "full"`, 1},
		{"nonsense is no refusal", func(w http.ResponseWriter, _ int) bool { w.Write([]byte("<html>")); return true }, nil, "", 1},
		{"protocol", nil, map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, `OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", and only http/protobuf is spoken`, 0},
		{"exporter", nil, map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, `OTEL_TRACES_EXPORTER is "zipkin", and only otlp and none are known`, 0},
		{"endpoint", nil, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"}, "is no http or https address; for example http://localhost:4318", 0},
		{"headers", nil, map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=b,s3cret"}, "entry 2 of OTEL_EXPORTER_OTLP_HEADERS is not of the form key=value", 0},
		{"timeout", nil, map[string]string{"OTEL_EXPORTER_OTLP_TIMEOUT": "soon"}, `OTEL_EXPORTER_OTLP_TIMEOUT is "soon", and not a number of milliseconds`, 0},
		{"certificate", nil, map[string]string{"OTEL_EXPORTER_OTLP_CERTIFICATE": "none.pem"}, "OTEL_EXPORTER_OTLP_CERTIFICATE: open none.pem", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReceiver(t)
			r.answer = c.answer
			env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_METRICS_EXPORTER": "none"}
			for k, v := range c.env {
				env[k] = v
			}
			got, traced := exporting(t, env)
			if !strings.Contains(got.stderr, c.stderr) || c.stderr == "" && got.stderr != "" || strings.Contains(got.stderr, "s3cret") {
				t.Errorf("standard error:\n%s\nwant %q", got.stderr, c.stderr)
			}
			if r.count != c.calls {
				t.Errorf("%d requests, want %d", r.count, c.calls)
			}
			got.stderr = ""
			if got != plain || traced != plainTrace {
				t.Errorf("the suite went otherwise:\n%+v", got)
			}
		})
	}
}

func status(code int) func(http.ResponseWriter, int) bool {
	return func(w http.ResponseWriter, _ int) bool {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(code)
		return true
	}
}

// Shows that a receiver which never answers holds the command up no longer
// than the deadline for what is still to be delivered.
func TestExportDeadline(t *testing.T) {
	asked := make(chan struct{}, 1)
	hang := make(chan struct{})
	r := newReceiver(t)
	r.answer = func(http.ResponseWriter, int) bool {
		asked <- struct{}{}
		<-hang
		return true
	}
	defer close(hang)
	writeSuite(t, 1, -1)
	a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
	a.Env = func(name string) (string, bool) {
		return map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": r.URL + "/v1/traces"}[name], true
	}
	a.After = func(d time.Duration) <-chan time.Time {
		c := make(chan time.Time, 1)
		if d == otlp.FlushLimit {
			go func() { <-asked; c <- time.Time{} }()
		}
		return c
	}
	got := end(execute(a, []string{"test"}))
	if got.code != 0 || !strings.Contains(got.stderr, "context canceled (9 spans were lost)") {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
}

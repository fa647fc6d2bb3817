package faults_test

import (
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	httpadapter "github.com/scenario-lang/scenario/providers/http"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// A client is an adapter with the input of one attempt.
type client struct {
	name    string
	adapter providers.Adapter
	in      providers.Input
}

var (
	llm        = client{"llm", openai.Adapter{}, providers.Input{Model: "m"}}
	llmStream  = client{"llm stream", openai.Adapter{}, providers.Input{Model: "m", Stream: true}}
	web        = client{"http", httpadapter.Adapter{}, providers.Input{BaseURL: "https://api.example.com"}}
	webStream  = client{"http stream", httpadapter.Adapter{}, providers.Input{BaseURL: "https://api.example.com", Stream: true}}
	everywhere = []client{llm, llmStream, web, webStream}
	streams    = []client{llmStream, webStream}
)

// strike is one occurrence of a fault on a client.
func (c client) strike(args schema.Values) faults.Strike {
	return faults.Strike{
		Args: args, Stream: c.in.Stream, Host: "api.example.com:443",
		Vendor: providers.Vendor{Adapter: c.adapter, In: c.in},
		Meta:   wire.Meta{Step: "answer", Attempt: 2, By: "script"},
	}
}

func (c client) play(t *testing.T, kind string, s faults.Strike) adaptertest.Played {
	t.Helper()
	script, err := faults.Lookup(kind).Script(s)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	if want := (wire.Meta{Step: "answer", Attempt: 2, By: "script", Fault: kind}); script.Meta != want {
		t.Errorf("%s: the script says it is %+v", kind, script.Meta)
	}
	p, err := adaptertest.Play(c.adapter, c.in, script)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// AL1 to AL6: shows what every kind is observed as on every adapter it is for:
// the specified table. The first row of each kind has no arguments.
func TestObserved(t *testing.T) {
	type args = schema.Values
	for _, c := range []struct {
		kind    string
		args    args
		clients []client
		want    failure.Kind
		cause   failure.Cause
		status  int
	}{
		{"timeout", nil, everywhere, failure.Timeout, "", 0},

		{"http_error", nil, everywhere, failure.HTTPStatus, "", 500},
		{"http_error", args{"status_code": 429}, everywhere, failure.RateLimit, "", 429},
		{"http_error", args{"status_code": 529}, everywhere, failure.Overloaded, "", 529},
		{"http_error", args{"status_code": 404, "body": "gone"}, everywhere, failure.HTTPStatus, "", 404},
		{"http_error", args{"status_code": 503, "json": map[string]any{"a": 1.0}}, everywhere, failure.HTTPStatus, "", 503},

		{"malformed_response", nil, everywhere, failure.MalformedResponse, "", 0},
		{"malformed_response", args{"raw": "{"}, everywhere, failure.MalformedResponse, "", 0},
		{"malformed_response", args{"raw": "not valid json", "raw_base64": "AP8="}, everywhere, failure.MalformedResponse, "", 0},
		{"malformed_response", args{"where": "frame"}, []client{llmStream}, failure.MalformedResponse, "", 0},
		{"malformed_response", args{"where": "frame", "frame": 4, "raw": "a\nb"}, []client{llmStream}, failure.MalformedResponse, "", 0},

		{"stream_truncate", nil, streams, failure.StreamInterrupted, "", 0},
		{"stream_truncate", args{"end": "eof"}, streams, failure.StreamInterrupted, "", 0},
		{"stream_truncate", args{"end": "clean"}, []client{llmStream}, failure.StreamIncomplete, "", 0},
		{"stream_truncate", args{"end": "stall"}, streams, failure.Timeout, "", 0},
		{"stream_truncate", args{"after_chunks": 0}, streams, failure.Connection, failure.Reset, 0},
		{"stream_truncate", args{"after_events": 5, "end": "clean"}, []client{llmStream}, failure.StreamIncomplete, "", 0},
		{"stream_truncate", args{"after_bytes": 5, "end": "clean"}, streams, failure.StreamIncomplete, "", 0},

		{"connection_reset", nil, everywhere, failure.Connection, failure.Reset, 0},
		{"connection_reset", args{"after_bytes": 0}, everywhere, failure.Connection, failure.Reset, 0},
		{"connection_reset", args{"after_bytes": 5}, everywhere, failure.Connection, failure.Reset, 0},
		{"connection_reset", args{"after_bytes": 5000}, streams, failure.StreamInterrupted, "", 0},
		{"connection_reset", args{"after_bytes": 5000}, []client{llm, web}, failure.Connection, failure.Reset, 0},

		{"stale_response", nil, everywhere, "", "", 0},
		{"swapped_response", nil, everywhere, "", "", 0},
		{"truncated_list", nil, everywhere, "", "", 0},
		{"wrong_numbers", args{"factor": 0.5}, everywhere, "", "", 0},
		{"wrong_record", nil, everywhere, "", "", 0},
		{"contradiction", nil, []client{web, webStream}, "", "", 0},
		{"refusal", nil, []client{llm, llmStream}, "", "", 0},

		{"partial_response", nil, []client{llm, llmStream}, "", "", 0},

		{"connection_refused", nil, everywhere, failure.Connection, failure.Refused, 0},
		{"connection_refused", args{"reason": "no route"}, everywhere, failure.Connection, failure.Refused, 0},
		{"dns_error", nil, everywhere, failure.Connection, failure.DNS, 0},
		{"dns_error", args{"reason": "server misbehaving"}, everywhere, failure.Connection, failure.DNS, 0},
		{"tls_error", nil, everywhere, failure.Connection, failure.TLS, 0},
		{"tls_error", args{"reason": "expired yesterday"}, everywhere, failure.Connection, failure.TLS, 0},

		{"slow_stream", nil, streams, "", "", 0},
		{"slow_stream", args{"bytes_per_second": 100}, streams, "", "", 0},

		{"delay", args{"by": 2 * time.Second}, everywhere, "", "", 0},

		{"empty_response", nil, everywhere, failure.MalformedResponse, "", 0},

		{"wrong_content_type", nil, everywhere, failure.MalformedResponse, "", 0},
		{"wrong_content_type", args{"content_type": "text/plain"}, []client{llm, llmStream}, failure.MalformedResponse, "", 0},

		{"error_in_200", nil, everywhere, failure.HTTPStatus, "", 200},
		{"error_in_200", args{"type": "rate_limit_error"}, everywhere, failure.RateLimit, "", 200},
		{"error_in_200", args{"type": "overloaded_error", "message": "later"}, everywhere, failure.Overloaded, "", 200},

		{"bad_gzip", nil, everywhere, failure.MalformedResponse, "", 0},

		{"content_length_mismatch", nil, []client{llm, llmStream, web}, failure.Connection, failure.EOF, 0},
		{"content_length_mismatch", nil, []client{webStream}, failure.StreamInterrupted, "", 0},
		{"content_length_mismatch", args{"by": -50}, everywhere, failure.MalformedResponse, "", 0},

		{"garbage", nil, everywhere, failure.MalformedResponse, "", 0},

		{"stream_error_event", nil, []client{llmStream}, failure.StreamInterrupted, "", 0},
		{"stream_error_event", args{"after_chunks": 0}, []client{llmStream}, failure.StreamInterrupted, "", 0},
		{"stream_error_event", args{"type": "rate_limit_error"}, []client{llmStream}, failure.RateLimit, "", 0},
		{"stream_error_event", args{"type": "overloaded_error"}, []client{llmStream}, failure.Overloaded, "", 0},

		{"error", nil, everywhere, failure.Exception, "", 0},
	} {
		for _, client := range c.clients {
			p := client.play(t, c.kind, client.strike(c.args))
			f := p.Failed
			if f == nil {
				f = &failure.Failure{Message: "none"}
			}
			if f.Kind != c.want || f.Cause != c.cause || f.StatusCode != c.status || f.Message == "" {
				t.Errorf("%s %v on %s: observed as %q (%s), status %d: %s", c.kind, c.args, client.name, f.Kind, f.Cause, f.StatusCode, f.Message)
			}
			if reason, ok := c.args["reason"].(string); ok && !strings.Contains(f.Message, reason) {
				t.Errorf("%s: %q does not give the reason", c.kind, f.Message)
			}
		}
	}
}

// Shows that every kind is valid with an empty body wherever it is said to mean
// something, and refuses nothing there.
func TestEmptyBody(t *testing.T) {
	for _, k := range faults.Kinds() {
		for _, where := range k.For {
			for _, client := range map[string][]client{"llm": {llm, llmStream}, "http": {web, webStream}, "stream": streams, "llm stream": {llmStream}}[where] {
				if _, err := k.Script(client.strike(nil)); err != nil {
					t.Errorf("%s on %s: %v", k.Name, client.name, err)
				}
			}
		}
	}
}

// AL7: shows that a fault is the same bytes, waits and errors every time.
func TestDeterministic(t *testing.T) {
	for _, k := range forProviders() {
		first, err := k.Script(llmStream.strike(nil))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := k.Script(llmStream.strike(nil))
		if string(first.Bytes()) != string(again.Bytes()) || len(first.Ops) != len(again.Ops) || said(first) != said(again) {
			t.Errorf("%s differs from itself", k.Name)
		}
	}
}

func said(s wire.WireScript) string {
	if err := errors.Join(s.Dial, s.TLS, s.Err); err != nil {
		return err.Error()
	}
	return ""
}

// Shows that after is the wait before a fault fires, for every kind that ends by
// itself: the dial, the first byte, the exception. Only a kind whose wait is the
// fault may take longer. Silence without after lasts until the caller's own
// deadline.
func TestAfter(t *testing.T) {
	const after = 5 * time.Second
	for _, k := range forProviders() {
		if k.Endless {
			continue // what it says about after is that the silence begins then
		}
		at := func(after time.Duration) time.Duration {
			s := llmStream.strike(nil)
			s.After, s.HasAfter = after, true
			return llmStream.play(t, k.Name, s).Elapsed
		}
		atOnce, later := at(0), at(after)
		if later-atOnce != after {
			t.Errorf("%s ends after %s, and with after = %q after %s", k.Name, atOnce, after, later)
		}
		if atOnce != 0 && !k.Slow {
			t.Errorf("%s with after = 0 takes %s: say with Slow that its wait is the fault", k.Name, atOnce)
		}
	}
	if p := llm.play(t, "timeout", llm.strike(nil)); p.Elapsed != adaptertest.Deadline {
		t.Errorf("silence ended at %s", p.Elapsed)
	}
	s := llm.strike(nil)
	s.After, s.HasAfter = 2*adaptertest.Deadline, true
	if p := llm.play(t, "timeout", s); p.Elapsed != adaptertest.Deadline || p.Failed.Kind != failure.Timeout {
		t.Errorf("AL1: the shorter deadline did not win: %s, %+v", p.Elapsed, p.Failed)
	}
	s.After = 0
	if p := llm.play(t, "timeout", s); p.Elapsed != 0 || p.Failed.Kind != failure.Timeout {
		t.Errorf("after = 0 is not at once: %s, %+v", p.Elapsed, p.Failed)
	}
}

// AL2: shows that a rate limit carries the headers given, over the vendor's
// own, and the wait they ask for.
func TestHTTPErrorHeaders(t *testing.T) {
	p := llm.play(t, "http_error", llm.strike(schema.Values{
		"status_code": 429, "headers": map[string]string{"Retry-After": "30", "content-type": "application/json; charset=utf-8", "X-B": "b"},
	}))
	if !p.Failed.HasRetryAfter || p.Failed.RetryAfter != 30*time.Second || !strings.Contains(p.Failed.Message, "Rate limit") {
		t.Errorf("%+v", p.Failed)
	}
	if got := p.Out.Headers; len(got["Content-Type"]) != 1 || got.Get("Content-Type") != "application/json; charset=utf-8" || got.Get("X-B") != "b" {
		t.Errorf("headers %v", got)
	}
}

// Shows that a body of text and one of JSON are announced as what they are.
func TestHTTPErrorBody(t *testing.T) {
	for body, media := range map[string]string{"Rate limit exceeded": "text/plain; charset=utf-8", `{"a":1}`: "application/json"} {
		p := web.play(t, "http_error", web.strike(schema.Values{"body": body}))
		if string(p.Out.Body) != body || p.Out.Headers.Get("Content-Type") != media || p.Out.StatusCode != http.StatusInternalServerError {
			t.Errorf("%+v, body %s", p.Out, p.Out.Body)
		}
	}
}

// AL6: shows that a partial answer is a success with its finish reason and no
// completion tokens, of its own text, of the answer it disturbs, or of the
// text given.
func TestPartialResponse(t *testing.T) {
	base := openai.Adapter{}.Render(llm.in, providers.Output{
		Content: "whole answer", Latency: time.Second, Usage: providers.Usage{Set: true, Prompt: 7, Completion: 2},
	})
	for _, c := range []struct {
		args             schema.Values
		base             *wire.Response
		content, reason  string
		prompt, complete int
	}{
		{nil, nil, "This answer was cut", "length", 0, 0},
		{nil, &base, "whole answer", "length", 7, 0},
		{schema.Values{"content": "own", "finish_reason": "content_filter", "usage": map[string]any{"completion_tokens": 3}}, &base, "own", "content_filter", 0, 3},
	} {
		s := llm.strike(c.args)
		s.Base = c.base
		p := llm.play(t, "partial_response", s)
		if p.Failed != nil || p.Out.Content != c.content || p.Out.FinishReason != c.reason ||
			p.Out.Usage != (providers.Usage{Set: true, Prompt: c.prompt, Completion: c.complete, Total: c.prompt + c.complete}) {
			t.Errorf("%v: %+v, %+v", c.args, p.Failed, p.Out)
		}
	}
}

// Shows that the one fault without a form on the wire is an error of its type,
// and that a mode it names is the failure's.
func TestError(t *testing.T) {
	p := llm.play(t, "error", llm.strike(schema.Values{"type": "MemoryError", "message": "boom", "mode": "SYSTEM_OOM"}))
	if f := p.Failed; f.Kind != failure.Exception || f.Type != "MemoryError" || f.Message != "boom" || f.Mode == nil || f.Mode.Code != "SYSTEM_OOM" {
		t.Errorf("%+v", p.Failed)
	}
	script, err := faults.Lookup("error").Script(llm.strike(nil))
	var e *faults.Error
	if err != nil || !errors.As(script.Err, &e) || e.Type != "Exception" || e.Message != "injected error" || e.Mode != "" {
		t.Errorf("%v, %+v", err, script.Err)
	}
}

// Shows that a reason changes what an error says and nothing that a program
// could ask it.
func TestReasonKeepsTheError(t *testing.T) {
	args := schema.Values{"reason": "said so"}
	var unknown *net.DNSError
	var authority x509.UnknownAuthorityError
	for kind, is := range map[string]func(error) bool{
		"connection_refused": func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) },
		"dns_error":          func(err error) bool { return errors.As(err, &unknown) && unknown.IsNotFound },
		"tls_error":          func(err error) bool { return errors.As(err, &authority) },
	} {
		script, err := faults.Lookup(kind).Script(web.strike(args))
		if err != nil {
			t.Fatal(err)
		}
		if raised := errors.Join(script.Dial, script.TLS); !is(raised) || !strings.Contains(raised.Error(), "said so") {
			t.Errorf("%s: %v", kind, raised)
		}
	}
}

// Shows that a kind is said to fail exactly where a whole answer of it is a failure
// to every client, so that a success shows nothing of it.
func TestFails(t *testing.T) {
	for _, k := range faults.Kinds() {
		for _, where := range k.For {
			for _, c := range map[string][]client{"llm": {llm, llmStream}, "http": {web, webStream}, "stream": streams, "llm stream": {llmStream}}[where] {
				script, err := k.Script(c.strike(nil))
				if err != nil {
					t.Fatal(err)
				}
				whole := !k.Hops && script.Dial == nil && script.TLS == nil && script.Err == nil && len(script.Ops) > 0 && script.Ops[len(script.Ops)-1].End == wire.EndNone
				var failed *failure.Failure
				if whole {
					failed = c.play(t, k.Name, c.strike(nil)).Failed
				}
				switch {
				case whole && failed != nil && k.Fails == nil:
					t.Errorf("%s: its answer is a failure on %s, and nothing says that it has to be", k.Name, c.name)
				case whole && failed == nil && k.Fails != nil && k.Fails(nil):
					t.Errorf("%s: it is a success on %s, and said to fail", k.Name, c.name)
				}
			}
		}
	}
}

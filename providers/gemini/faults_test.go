package gemini_test

import (
	"testing"

	"github.com/scenario-lang/scenario/dsl/schema"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/gemini"
)

// Shows what every kind of fault is observed as on this vendor's wire, plain
// and streamed: the table of semantics.md §3. A kind that the table does not
// name must still be rendered and read without one of the two breaking.
func TestFaults(t *testing.T) {
	// An empty kind is a success, or a fault that means nothing there.
	type row struct {
		plain, stream failure.Kind
		args          schema.Values
	}
	want := map[string][]row{
		"timeout":    {{failure.Timeout, failure.Timeout, nil}},
		"http_error": {{failure.HTTPStatus, failure.HTTPStatus, nil}, {failure.RateLimit, failure.RateLimit, schema.Values{"status_code": 429}}, {failure.Overloaded, failure.Overloaded, schema.Values{"status_code": 529}}},
		"malformed_response": {
			{failure.MalformedResponse, failure.MalformedResponse, nil},
			{"", failure.MalformedResponse, schema.Values{"where": "frame"}},
		},
		"stream_truncate": {
			{"", failure.StreamInterrupted, nil},
			{"", failure.StreamInterrupted, schema.Values{"end": "eof"}},
			{"", failure.StreamIncomplete, schema.Values{"end": "clean"}},
			{"", failure.Timeout, schema.Values{"end": "stall"}},
			{"", failure.Connection, schema.Values{"after_chunks": 0}},
			{"", failure.StreamIncomplete, schema.Values{"after_bytes": 5, "end": "clean"}},
		},
		"connection_reset":   {{failure.Connection, failure.Connection, nil}, {failure.Connection, failure.StreamInterrupted, schema.Values{"after_bytes": 5000}}},
		"partial_response":   {{"", "", nil}},
		"connection_refused": {{failure.Connection, failure.Connection, nil}},
		"dns_error":          {{failure.Connection, failure.Connection, nil}},
		"tls_error":          {{failure.Connection, failure.Connection, nil}},
		"empty_response":     {{failure.MalformedResponse, failure.MalformedResponse, nil}},
		"wrong_content_type": {{failure.MalformedResponse, failure.MalformedResponse, nil}},
		"bad_gzip":           {{failure.MalformedResponse, failure.MalformedResponse, nil}},
		"garbage":            {{failure.MalformedResponse, failure.MalformedResponse, nil}},
		"error":              {{failure.Exception, failure.Exception, nil}},
		"error_in_200": {
			{failure.HTTPStatus, failure.HTTPStatus, nil},
			{failure.RateLimit, failure.RateLimit, schema.Values{"type": "rate_limit_error"}},
			{failure.Overloaded, failure.Overloaded, schema.Values{"type": "overloaded_error"}},
		},
		"stream_error_event": {
			{"", failure.StreamInterrupted, nil},
			{"", failure.RateLimit, schema.Values{"type": "rate_limit_error"}},
			{"", failure.Overloaded, schema.Values{"type": "overloaded_error", "after_chunks": 1}},
		},
		"slow_stream": {{"", "", nil}},
	}
	for _, k := range faults.Kinds() {
		rows, listed := want[k.Name]
		if !listed {
			rows = []row{{}}
		}
		for _, r := range rows {
			for _, in := range []providers.Input{plainIn, streamIn} {
				expected := r.plain
				if in.Stream {
					expected = r.stream
				}
				script, err := k.Script(faults.Strike{
					Args: r.args, Stream: in.Stream, Host: "api.example.com:443",
					Vendor: providers.Vendor{Adapter: gemini.Adapter{}, In: in},
				})
				if err != nil {
					if expected != "" {
						t.Errorf("%s %v, stream %t: %v", k.Name, r.args, in.Stream, err)
					}
					continue
				}
				p, err := adaptertest.Play(gemini.Adapter{}, in, script)
				if err != nil || p.Unclosed {
					t.Fatalf("%s: %v, unclosed %t", k.Name, err, p.Unclosed)
				}
				f := p.Failed
				if f == nil {
					f = &failure.Failure{}
				}
				if listed && f.Kind != expected {
					t.Errorf("%s %v, stream %t: observed as %q: %s", k.Name, r.args, in.Stream, f.Kind, f.Message)
				}
			}
		}
	}
}

// AL6: shows that a partial answer ends in the vendor's word for a limit.
func TestPartialResponse(t *testing.T) {
	script, err := faults.Lookup("partial_response").Script(faults.Strike{Vendor: providers.Vendor{Adapter: gemini.Adapter{}, In: plainIn}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := adaptertest.Play(gemini.Adapter{}, plainIn, script)
	if err != nil || p.Failed != nil || p.Out.FinishReason != "MAX_TOKENS" || p.Out.Usage.Completion != 0 || p.Out.Content == "" {
		t.Errorf("%v, %+v, %+v", err, p.Failed, p.Out)
	}
}

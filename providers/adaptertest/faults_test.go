package adaptertest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
	"github.com/scenario-lang/scenario/providers/cohere"
	"github.com/scenario-lang/scenario/providers/gemini"
	"github.com/scenario-lang/scenario/providers/ollama"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// An observed row says what a fault is observed as in a whole answer and in a
// stream; "" is a success, or a fault that means nothing there.
type observed struct {
	whole, stream failure.Kind
	args          schema.Values
}

// observations is the specified table for every model's wire.
var observations = map[string][]observed{
	"timeout": {{failure.Timeout, failure.Timeout, nil}},
	"http_error": {
		{failure.HTTPStatus, failure.HTTPStatus, nil},
		{failure.RateLimit, failure.RateLimit, schema.Values{"status_code": 429}},
		{failure.Overloaded, failure.Overloaded, schema.Values{"status_code": 529}},
	},
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
	"connection_reset": {
		{failure.Connection, failure.Connection, nil},
		{failure.Connection, failure.StreamInterrupted, schema.Values{"after_bytes": 5000}},
	},
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
	"delay":       {{"", "", nil}},
}

// A modelInterface is one that language models are asked by.
type modelInterface struct {
	name    string
	adapter providers.Adapter
	limit   string
}

// modelInterfaces are all of them, and the word of each for an answer that met
// its limit.
var modelInterfaces = []modelInterface{
	{"Chat Completions", openai.Adapter{}, "length"},
	{"Responses", openai.Responses{}, "max_output_tokens"},
	{"Messages", anthropic.Adapter{}, "max_tokens"},
	{"generateContent", gemini.Adapter{}, "MAX_TOKENS"},
	{"Ollama", ollama.Adapter{}, "length"},
	{"Cohere", cohere.Adapter{}, "MAX_TOKENS"},
}

// Shows what every kind of fault is observed as on every model's wire, in a
// whole answer and in a stream, and that a partial answer ends in the vendor's
// word for a limit (AL6). A kind that the table does not name must still be
// rendered and read without one of the two breaking.
func TestFaults(t *testing.T) {
	for _, c := range modelInterfaces {
		t.Run(c.name, func(t *testing.T) {
			observe(t, c.adapter)
			partial(t, c.adapter, c.limit)
		})
	}
}

func modelInput(stream bool) providers.Input {
	return providers.Input{Model: "m", Messages: []providers.Message{{Role: "user", Content: "12345"}}, Stream: stream}
}

func observe(t *testing.T, a providers.Adapter) {
	t.Helper()
	for _, k := range faults.Kinds() {
		rows, listed := observations[k.Name]
		if !listed {
			rows = []observed{{}}
		}
		for _, r := range rows {
			for _, stream := range []bool{false, true} {
				want := r.whole
				if stream {
					want = r.stream
				}
				got, ok := strike(t, a, modelInput(stream), k, r.args)
				if (!ok && want != "") || (ok && listed && got != want) {
					t.Errorf("%s %v, stream %t: observed as %q, want %q", k.Name, r.args, stream, got, want)
				}
			}
		}
	}
}

func partial(t *testing.T, a providers.Adapter, limit string) {
	t.Helper()
	script, err := faults.Lookup("partial_response").Script(faults.Strike{Vendor: providers.Vendor{Adapter: a, In: modelInput(false)}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := adaptertest.Play(a, modelInput(false), script)
	if err != nil || p.Failed != nil || p.Out.FinishReason != limit || p.Out.Usage.Completion != 0 || p.Out.Content == "" {
		t.Errorf("a partial answer: %v, %+v, %+v", err, p.Failed, p.Out)
	}
}

// strike is what one fault is observed as, "" for a success; ok is false where
// the kind refuses to strike there.
func strike(t *testing.T, a providers.Adapter, in providers.Input, k *faults.Kind, args schema.Values) (kind failure.Kind, ok bool) {
	t.Helper()
	script, err := k.Script(faults.Strike{
		Args: args, Stream: in.Stream, Host: "api.example.com:443",
		Vendor: providers.Vendor{Adapter: a, In: in},
	})
	if err != nil {
		return "", false
	}
	p, err := adaptertest.Play(a, in, script)
	if err != nil || p.Unclosed {
		t.Fatalf("%s: %v, unclosed %t", k.Name, err, p.Unclosed)
	}
	if p.Failed == nil {
		return "", true
	}
	return p.Failed.Kind, true
}

// Shows that one malformed event of a stream keeps what it is framed in, so that
// clients which go by the names of events read it: only its data is other, and so
// is no other event.
func TestMalformedFrameKeepsItsName(t *testing.T) {
	const raw = "not valid json"
	for _, c := range modelInterfaces {
		t.Run(c.name, func(t *testing.T) {
			good := c.adapter.Render(modelInput(true), providers.Output{Chunks: []string{"1", "2"}})
			for frame := range good.Parts {
				base := good.Clone()
				script, err := faults.Lookup("malformed_response").Script(faults.Strike{
					Args: schema.Values{"where": "frame", "frame": frame + 1}, Stream: true, Base: &base,
					Vendor: providers.Vendor{Adapter: c.adapter, In: modelInput(true)},
				})
				if err != nil {
					t.Fatal(err)
				}
				want := good.Clone()
				lines := strings.Split(strings.TrimRight(string(want.Parts[frame].Data), "\n"), "\n")
				last := len(lines) - 1 // the data comes last, and in one line
				if _, sse := strings.CutPrefix(lines[last], "data: "); sse {
					lines[last] = "data: " + raw + "\n"
				} else {
					lines[last] = raw
				}
				want.Parts[frame].Data = []byte(strings.Join(lines, "\n") + "\n")
				if got, want := script.Bytes(), want.Script(wire.Meta{}).Bytes(); !bytes.Equal(got, want) {
					t.Errorf("event %d: got\n%q, want\n%q", frame+1, got, want)
				}
			}
		})
	}
}

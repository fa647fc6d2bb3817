package catalog_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/schema"
)

// Shows that every kind is whole: an adapter, a family, and documented
// attributes whose defaults and names a reader can use.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range catalog.Kinds() {
		if seen[k.Name] || catalog.Lookup(k.Name) != k {
			t.Errorf("%s is listed twice or not found", k.Name)
		}
		seen[k.Name] = true
		if k.Adapter == nil || k.ReplyOutput == nil || !slices.Contains([]string{"llm", "http", "mcp", "sql"}, k.Family) || !strings.HasSuffix(k.Summary, ".") {
			t.Errorf("%s is incomplete: %+v", k.Name, k)
		}
		for _, a := range append(append([]schema.Attr{}, k.Attrs...), k.Reply...) {
			if a.Name == "" || !strings.HasSuffix(a.Doc, ".") {
				t.Errorf("%s: attribute %q is not documented", k.Name, a.Name)
			}
		}
		if out, err := k.ReplyOutput(schema.Values{}); err != nil {
			t.Errorf("%s: an empty reply: %v, %+v", k.Name, err, out)
		}
	}
	if !seen["openai"] || !seen["http"] || catalog.Lookup("nobody") != nil {
		t.Errorf("found %v", seen)
	}
}

// Shows that every value the attribute `api` may have names an adapter, its
// default the kind's own, and that a kind without it has one adapter.
func TestSpeaker(t *testing.T) {
	for _, k := range catalog.Kinds() {
		var values []string
		for _, a := range k.Attrs {
			if a.Name == "api" {
				values = a.OneOf
				if k.Speaker(strings.Trim(a.Default, `"`)) != k.Adapter {
					t.Errorf("%s: the default of api is not its adapter", k.Name)
				}
			}
		}
		if len(values) != len(k.APIs) || k.Speaker("") != k.Adapter {
			t.Errorf("%s: api is one of %q, and there are %d adapters", k.Name, values, len(k.APIs))
		}
		for _, v := range values {
			if k.APIs[v] == nil {
				t.Errorf("%s: no adapter for api = %q", k.Name, v)
			}
		}
	}
	if a := catalog.Lookup("openai").Speaker("responses"); a != (openai.Responses{}) {
		t.Errorf("responses are spoken by %T", a)
	}
}

// Shows what each attribute of a model's reply becomes.
func TestOpenAIReply(t *testing.T) {
	got, err := catalog.Lookup("openai").ReplyOutput(schema.Values{
		"chunks": []string{"a ", "b"},
		"tool_calls": []any{
			map[string]any{"id": "c", "name": "f", "arguments": map[string]any{"z": 1.0, "a": []any{"<"}}},
			map[string]any{"name": "g", "arguments": "not json"},
			map[string]any{"name": "h"},
		},
		"finish_reason": "length",
		"usage":         map[string]any{"prompt_tokens": 10.0, "completion_tokens": 1},
		"model":         "m", "cost_usd": 0.5, "latency": time.Second, "chunk_delay": time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := providers.Output{
		Chunks: []string{"a ", "b"},
		ToolCalls: []providers.ToolCall{
			{ID: "c", Name: "f", Arguments: `{"a":["<"],"z":1}`}, {Name: "g", Arguments: "not json"}, {Name: "h", Arguments: "{}"},
		},
		FinishReason: "length", Usage: providers.Usage{Set: true, Prompt: 10, Completion: 1, Total: 11},
		Model: "m", CostUSD: 0.5, Latency: time.Second, ChunkDelay: time.Minute,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Shows what each attribute of an HTTP reply becomes.
func TestHTTPReply(t *testing.T) {
	got, err := catalog.Lookup("http").ReplyOutput(schema.Values{
		"status_code": 201, "headers": map[string]string{"x-a": "1"}, "json": map[string]any{"b": 2.0, "a": nil}, "cost_usd": 1,
	})
	want := providers.Output{
		StatusCode: 201, Headers: http.Header{"X-A": {"1"}, "Content-Type": {"application/json"}},
		Body: []byte(`{"a":null,"b":2}`), CostUSD: 1, Spelling: map[string]string{"X-A": "x-a"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

// Shows that a value of the wrong shape is refused with its place, what was
// expected and what it is.
func TestReplyRefuses(t *testing.T) {
	for _, c := range []struct {
		kind   string
		values schema.Values
		want   string
	}{
		{"openai", schema.Values{"content": 1.0}, "content must be a string, and is the number 1"},
		{"openai", schema.Values{"content": "a", "chunks": []string{"a"}}, "content and chunks both"},
		{"openai", schema.Values{"chunks": []any{"a", true}}, "chunks must be a list of strings, and is the bool true"},
		{"openai", schema.Values{"tool_calls": "x"}, "tool_calls must be a list of objects"},
		{"openai", schema.Values{"tool_calls": []any{map[string]any{"name": "f"}, "x"}}, "tool_calls[1] must be an object"},
		{"openai", schema.Values{"tool_calls": []any{map[string]any{"id": "f"}}}, "tool_calls[0].name is missing"},
		{"openai", schema.Values{"tool_calls": []any{map[string]any{"name": 1}}}, "tool_calls[0].name must be a string"},
		{"openai", schema.Values{"tool_calls": []any{map[string]any{"name": "f", "args": 1}}}, "tool_calls[0].args is not known; there are id, name, arguments"},
		{"openai", schema.Values{"usage": map[string]any{"prompt_tokens": 1.5}}, "usage.prompt_tokens must be an integer"},
		{"openai", schema.Values{"usage": map[string]any{"tokens": 1}}, "usage.tokens is not known"},
		{"openai", schema.Values{"latency": "5s"}, "latency must be a duration"},
		{"http", schema.Values{"body": "a", "json": 1.0}, "body and json both"},
		{"http", schema.Values{"headers": "x"}, "headers must be an object of strings"},
		{"http", schema.Values{"status_code": "x"}, "status_code must be an integer"},
		{"http", schema.Values{"json": func() {}}, "json cannot be written as JSON"},
	} {
		_, err := catalog.Lookup(c.kind).ReplyOutput(c.values)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.values, err, c.want)
		}
	}
}

// whole are the adapters whose protocol has the arguments of a tool call in one piece, as an object.
var whole = []string{"gemini", "ollama"}

// Shows that in the streams of every model the arguments of a tool call come in two pieces, so that a program which
// takes one for all of them is found out.
func TestArgumentsComeInPieces(t *testing.T) {
	const head, tail = "Gh", "ent"
	for _, k := range catalog.Kinds() {
		if k.Family != "llm" {
			continue
		}
		speakers := []providers.Adapter{k.Adapter}
		for _, a := range k.APIs {
			speakers = append(speakers, a)
		}
		for _, a := range speakers {
			out := providers.Output{ToolCalls: []providers.ToolCall{{ID: "call_1", Name: "get_weather", Arguments: `{"c":"` + head + tail + `abcdef"}`}}, FinishReason: "tool_calls"}
			response := a.Render(providers.Input{Stream: true}, out)
			first, second := false, false
			for _, p := range response.Parts {
				text := string(p.Data)
				first = first || strings.Contains(text, head) && !strings.Contains(text, "abcdef")
				second = second || strings.Contains(text, "abcdef") && !strings.Contains(text, head)
			}
			if pieces := first && second; pieces == slices.Contains(whole, k.Name) {
				t.Errorf("%s, %T: in pieces: %v", k.Name, a, pieces)
			}
		}
	}
}

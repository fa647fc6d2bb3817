package wrong

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

func number(n int) *int { return &n }

// right are answers, and what is wrong of each
// in each way: nil where it cannot be wrong so, or a fault has it so.
var right = []struct {
	name, family string
	out          *providers.Output
	wrong        map[Way]schema.Values
}{
	{
		name: "a text of a model", family: "llm",
		out: &providers.Output{Content: "äbcd", FinishReason: "stop", Latency: time.Second, CostUSD: 0.5},
		wrong: map[Way]schema.Values{
			Empty:   {"content": "", "finish_reason": "stop", "latency": time.Second, "cost_usd": 0.5},
			Half:    {"content": "äb", "finish_reason": "stop", "latency": time.Second, "cost_usd": 0.5},
			Retyped: {"content": `{"text":"äbcd"}`, "finish_reason": "stop", "latency": time.Second, "cost_usd": 0.5},
		},
	},
	{
		name: "JSON of a model, in chunks", family: "llm",
		out: &providers.Output{Chunks: []string{`{"a"`, `:1`, `}`}, ChunkDelay: time.Millisecond},
		wrong: map[Way]schema.Values{
			Empty:   {"content": "", "chunk_delay": time.Millisecond},
			Half:    {"chunks": []string{`{"a"`}, "chunk_delay": time.Millisecond},
			Retyped: {"content": `[{"a":1}]`, "chunk_delay": time.Millisecond},
		},
	},
	{
		name: "calls of a model", family: "llm",
		out: &providers.Output{ToolCalls: []providers.ToolCall{{ID: "1", Name: "a", Arguments: "{}"}, {Name: "b", Arguments: "{}"}}, FinishReason: "tool_calls"},
		wrong: map[Way]schema.Values{
			Empty: {"content": ""},
			Half:  {"tool_calls": []any{map[string]any{"id": "1", "name": "a", "arguments": "{}"}}},
		},
	},
	{
		name: "an object", family: "http",
		out: &providers.Output{StatusCode: 201, Body: []byte(`{"id":7,"items":["a","b"],"note":null}`), Headers: http.Header{"Content-Type": {"application/json"}, "X": {"y"}}},
		wrong: map[Way]schema.Values{
			Empty:   {"json": map[string]any{}, "status_code": 201, "headers": map[string]string{"X": "y"}},
			Half:    {"json": map[string]any{"id": 7.0}, "status_code": 201, "headers": map[string]string{"X": "y"}},
			Retyped: {"json": []any{map[string]any{"id": 7.0, "items": []any{"a", "b"}, "note": nil}}, "status_code": 201, "headers": map[string]string{"X": "y"}},
		},
	},
	{
		name: "a list in an object", family: "http",
		out: &providers.Output{Body: []byte(`{"items":[1,2,3]}`)},
		wrong: map[Way]schema.Values{
			Empty:   {"json": map[string]any{}},
			Half:    {"json": map[string]any{"items": []any{1.0}}},
			Retyped: {"json": []any{map[string]any{"items": []any{1.0, 2.0, 3.0}}}},
		},
	},
	{
		name: "a number of JSON", family: "http",
		out: &providers.Output{Body: []byte(`7`), Headers: http.Header{"Content-Type": {"application/json"}}},
		wrong: map[Way]schema.Values{
			Empty:   {"body": "null", "headers": map[string]string{"Content-Type": "application/json"}},
			Retyped: {"json": []any{7.0}},
		},
	},
	{
		name: "a text", family: "http",
		out: &providers.Output{Body: []byte("abc")},
		wrong: map[Way]schema.Values{
			Empty:   {"body": ""},
			Half:    {"body": "a"},
			Retyped: {"json": []any{"abc"}},
		},
	},
	{
		name: "a stream", family: "http",
		out: &providers.Output{Chunks: []string{"a", `[1]`, "c"}},
		wrong: map[Way]schema.Values{
			Empty:   {"chunks": []string{}},
			Half:    {"chunks": []string{"a"}},
			Retyped: {"chunks": []string{`{"text":"a"}`, "1", `{"text":"c"}`}},
		},
	},
	{
		name: "a text of a tool", family: "mcp",
		out: &providers.Output{Content: "found"},
		wrong: map[Way]schema.Values{
			Empty:   {"content": ""},
			Half:    {"content": "fo"},
			Retyped: {"content": `{"text":"found"}`},
		},
	},
	{
		name: "what a tool has for programs", family: "mcp",
		out: &providers.Output{Structured: []byte(`{"hits":["a","b"],"total":2}`)},
		wrong: map[Way]schema.Values{
			Empty:   {"structured": map[string]any{}},
			Half:    {"structured": map[string]any{"hits": []any{"a", "b"}}},
			Retyped: {"structured": map[string]any{"hits": "a", "total": []any{2.0}}},
		},
	},
	{name: "an error of a tool", family: "mcp", out: &providers.Output{Content: "found", IsError: true}},
	{
		name: "rows", family: "sql",
		out: &providers.Output{Columns: []providers.Column{{Name: "id", Type: "int8"}, {Name: "name", Type: "text"}}, Rows: [][]any{{1.0, "a"}, {2.0, "b"}}},
		wrong: map[Way]schema.Values{
			Retyped: {"rows": []any{map[string]any{"id": "1", "name": []any{"a"}}, map[string]any{"id": "2", "name": []any{"b"}}}, "columns": []string{"id text", "name jsonb"}},
		},
	},
	{
		name: "rows that were changed", family: "sql",
		out: &providers.Output{Affected: number(3)},
		wrong: map[Way]schema.Values{
			Empty: {"affected": 0},
			Half:  {"affected": 1},
		},
	},
}

// What is wrong of an answer is its content, and not when it comes or what it costs.
func TestReply(t *testing.T) {
	for _, c := range right {
		for _, way := range Ways() {
			got, err := Reply(c.family, way, c.out)
			want, possible := c.wrong[way]
			switch {
			case (err == nil) != possible:
				t.Errorf("%s, %s: %v, %v", c.name, way, got, err)
			case possible:
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %s (- want, + got):\n%s", c.name, way, diff)
				}
			}
		}
	}
}

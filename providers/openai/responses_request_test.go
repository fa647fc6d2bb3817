package openai_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/openai"
)

// Shows the request as the API's reference describes it, byte for byte: turns,
// calls and their answers as items of one list, tools that are not strict, and
// a response format in this API's own shape.
func TestResponsesRequest(t *testing.T) {
	zero, limit := 0.0, 100
	schema := map[string]any{"type": "object"}
	for _, c := range []struct {
		name string
		in   providers.Input
		body string
	}{
		{"least", providers.Input{}, `{"input":[]}`},
		{
			"a tool loop, streamed",
			providers.Input{
				Model: "m", Temperature: &zero, MaxTokens: &limit, Stream: true,
				Tools: []providers.Tool{{Name: "f", Description: "d", Schema: schema}, {Name: "g"}},
				Messages: []providers.Message{
					{Role: "system", Content: "s"},
					{Role: "user", Content: "a < b & c"},
					{Role: "assistant", Content: "so", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: "{}"}, {Name: "g", Arguments: "{}"}}},
					{Role: "tool", ToolCallID: "c1", Name: "f", Content: "7"},
					{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "c3", Name: "g", Arguments: "{}"}}},
				},
			},
			`{"model":"m","input":[{"role":"system","content":"s"},{"role":"user","content":"a < b & c"},{"role":"assistant","content":"so"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"type":"function_call","call_id":"call_2","name":"g","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"7"},{"type":"function_call","call_id":"c3","name":"g","arguments":"{}"}],` +
				`"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":false},{"type":"function","name":"g","parameters":null,"strict":false}],` +
				`"temperature":0,"max_output_tokens":100,"stream":true}`,
		},
		{
			"a schema in the other interface's shape",
			providers.Input{ResponseFormat: map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "n", "schema": schema, "strict": true}}},
			`{"input":[],"text":{"format":{"name":"n","schema":{"type":"object"},"strict":true,"type":"json_schema"}}}`,
		},
		{
			"a schema in its own shape",
			providers.Input{ResponseFormat: map[string]any{"type": "json_schema", "name": "n", "schema": schema}},
			`{"input":[],"text":{"format":{"name":"n","schema":{"type":"object"},"type":"json_schema"}}}`,
		},
		{"any JSON", providers.Input{ResponseFormat: map[string]any{"type": "json_object"}}, `{"input":[],"text":{"format":{"type":"json_object"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.in.BaseURL, c.in.APIKey = "https://x.example/openai/v1?api-version=preview", "k"
			req, err := openai.Responses{}.Request(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{req.Method, req.URL.String(), string(body), req.Header.Get("Authorization")}
			if diff := cmp.Diff([]string{"POST", "https://x.example/openai/v1/responses?api-version=preview", c.body, "Bearer k"}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := (openai.Responses{}).Request(context.Background(), providers.Input{BaseURL: "x"}); err == nil || !strings.Contains(err.Error(), "must begin with http") {
		t.Errorf("a bad base: %v", err)
	}
}

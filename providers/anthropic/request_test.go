package anthropic_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/anthropic"
)

// Shows the request as the API's reference describes it, byte for byte, at
// each host that speaks it: order of fields, the system apart, results of
// calls as one turn, a limit always, and a key only where there is one.
func TestRequest(t *testing.T) {
	zero, limit := 0.0, 100
	schema := map[string]any{"type": "object", "properties": map[string]any{"b": 1, "a": 2}}
	user := []providers.Message{{Role: "user", Content: "a < b & c"}}
	const vertex = "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic"
	for _, c := range []struct {
		name string
		in   providers.Input
		url  string
		body string
		auth []string // X-Api-Key, Authorization, Anthropic-Version
	}{
		{
			name: "least", in: providers.Input{},
			url:  "https://api.anthropic.com/v1/messages",
			body: `{"max_tokens":4096,"messages":[]}`,
			auth: []string{"", "", "2023-06-01"},
		},
		{
			name: "streamed to a stand-in",
			in:   providers.Input{BaseURL: "http://127.0.0.1:8080/_s/a?x=1", Model: "m", APIKey: "k", Stream: true, Messages: user},
			url:  "http://127.0.0.1:8080/_s/a/v1/messages?x=1",
			body: `{"model":"m","max_tokens":4096,"messages":[{"role":"user","content":"a < b & c"}],"stream":true}`,
			auth: []string{"k", "", "2023-06-01"},
		},
		{
			name: "a base with the version", in: providers.Input{BaseURL: "https://api.anthropic.com/v1/"},
			url:  "https://api.anthropic.com/v1/messages",
			body: `{"max_tokens":4096,"messages":[]}`,
			auth: []string{"", "", "2023-06-01"},
		},
		{
			name: "Vertex AI", in: providers.Input{BaseURL: vertex, Model: "claude-3-7-sonnet@20250219", APIKey: "k", Messages: user},
			url:  vertex + "/models/claude-3-7-sonnet@20250219:rawPredict",
			body: `{"anthropic_version":"vertex-2023-10-16","max_tokens":4096,"messages":[{"role":"user","content":"a < b & c"}]}`,
			auth: []string{"", "Bearer k", ""},
		},
		{
			name: "Vertex AI streamed", in: providers.Input{BaseURL: vertex + "/", Model: "claude", Stream: true},
			url:  vertex + "/models/claude:streamRawPredict",
			body: `{"anthropic_version":"vertex-2023-10-16","max_tokens":4096,"messages":[],"stream":true}`,
			auth: []string{"", "", ""},
		},
		{
			name: "Bedrock", in: providers.Input{BaseURL: "https://bedrock-runtime.us-east-1.amazonaws.com", Model: "us.anthropic.claude-haiku-4-5-v1:0", APIKey: "k"},
			url:  "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-haiku-4-5-v1%3A0/invoke",
			body: `{"anthropic_version":"bedrock-2023-05-31","max_tokens":4096,"messages":[]}`,
			auth: []string{"", "Bearer k", ""},
		},
		{
			name: "Bedrock, as a stream", in: providers.Input{BaseURL: "https://bedrock-runtime.us-east-1.amazonaws.com", Model: "m", Stream: true},
			url:  "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke-with-response-stream",
			body: `{"anthropic_version":"bedrock-2023-05-31","max_tokens":4096,"messages":[]}`,
			auth: []string{"", "", ""},
		},
		{
			name: "a tool loop",
			in: providers.Input{
				Model: "m", Temperature: &zero, MaxTokens: &limit,
				ResponseFormat: map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "x", "strict": true, "schema": schema}},
				Tools:          []providers.Tool{{Name: "f", Description: "d", Schema: schema}, {Name: "g"}},
				Messages: []providers.Message{
					{Role: "system", Content: "be"},
					{Role: "system", Content: "brief"},
					{Role: "user", Content: "go"},
					{Role: "assistant", Content: "so", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x": 1}`}, {ID: "c2", Name: "g"}}},
					{Role: "tool", ToolCallID: "c1", Name: "f", Content: "1"},
					{Role: "tool", ToolCallID: "c2", Name: "g"},
					{Role: "assistant", Content: "done"},
				},
			},
			url: "https://api.anthropic.com/v1/messages",
			body: `{"model":"m","max_tokens":100,"system":"be\n\nbrief","messages":[{"role":"user","content":"go"},` +
				`{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"c1","name":"f","input":{"x":1}},{"type":"tool_use","id":"c2","name":"g","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"},{"type":"tool_result","tool_use_id":"c2","content":""}]},` +
				`{"role":"assistant","content":"done"}],` +
				`"tools":[{"name":"f","description":"d","input_schema":{"properties":{"a":2,"b":1},"type":"object"}},{"name":"g","input_schema":{"type":"object"}}],` +
				`"temperature":0,"output_config":{"format":{"schema":{"properties":{"a":2,"b":1},"type":"object"},"type":"json_schema"}}}`,
			auth: []string{"", "", "2023-06-01"},
		},
		{
			name: "calls of a vendor that gives no ids",
			in: providers.Input{Model: "m", ResponseFormat: "as it is", Messages: []providers.Message{
				{Role: "assistant", ToolCalls: []providers.ToolCall{{Name: "f"}, {Name: "g"}}},
				{Role: "tool", Name: "f", Content: "1"},
				{Role: "tool", Name: "g", Content: "2"},
				{Role: "assistant", ToolCalls: []providers.ToolCall{{Name: "f"}}},
				{Role: "tool", Name: "f", Content: "3"},
			}},
			url: "https://api.anthropic.com/v1/messages",
			body: `{"model":"m","max_tokens":4096,"messages":[` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}},{"type":"tool_use","id":"toolu_2","name":"g","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"1"},{"type":"tool_result","tool_use_id":"toolu_2","content":"2"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_3","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_3","content":"3"}]}],"output_config":{"format":"as it is"}}`,
			auth: []string{"", "", "2023-06-01"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := anthropic.Adapter{}.Request(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				t.Fatal(err)
			}
			h := req.Header
			got := []string{req.Method, req.URL.String(), string(body), h.Get("X-Api-Key"), h.Get("Authorization"), h.Get("Anthropic-Version"), h.Get("Content-Type")}
			want := append([]string{http.MethodPost, c.url, c.body}, append(c.auth, "application/json")...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Shows that the headers of provider and step win over the adapter's own.
func TestRequestHeaders(t *testing.T) {
	in := providers.Input{APIKey: "k", Headers: map[string]string{"x-api-key": "own", "anthropic-version": "2024-01-01", "anthropic-beta": "b"}}
	req, err := anthropic.Adapter{}.Request(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := []string{req.Header.Get("X-Api-Key"), req.Header.Get("Anthropic-Version"), req.Header.Get("Anthropic-Beta")}; !cmp.Equal(got, []string{"own", "2024-01-01", "b"}) {
		t.Errorf("got %q", got)
	}
}

// Shows that an input no request can be made of is refused with its reason.
func TestRequestRefuses(t *testing.T) {
	const bedrock = "https://bedrock-runtime.us-east-1.amazonaws.com"
	for _, c := range []struct {
		in   providers.Input
		want string
	}{
		{providers.Input{BaseURL: "api.anthropic.com"}, "must begin with http"},
		{providers.Input{BaseURL: "http://%zz"}, "is no URL"},
		{providers.Input{ResponseFormat: func() {}}, "cannot be written as JSON"},
		{providers.Input{BaseURL: bedrock}, "contains the model"},
		{providers.Input{BaseURL: "https://h/publishers/anthropic"}, "contains the model"},
	} {
		_, err := anthropic.Adapter{}.Request(context.Background(), c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

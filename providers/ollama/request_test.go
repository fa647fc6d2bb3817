package ollama_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/ollama"
)

// Shows the request as the interface's reference describes it, byte for byte:
// stream is always said, options are apart, arguments are objects, a tool's
// answer names the tool, and a format is "json" or a schema.
func TestRequest(t *testing.T) {
	zero, limit := 0.0, 100
	schema := map[string]any{"type": "object"}
	for _, c := range []struct {
		name string
		in   providers.Input
		url  string
		body string
		auth string
	}{
		{"least", providers.Input{}, "http://127.0.0.1:11434/api/chat", `{"messages":[],"stream":false}`, ""},
		{
			"a tool loop, streamed, at another host",
			providers.Input{
				BaseURL: "https://ollama.com/", APIKey: "k", Model: "m", Temperature: &zero, MaxTokens: &limit, Stream: true,
				Tools: []providers.Tool{{Name: "f", Description: "d", Schema: schema}, {Name: "g"}},
				Messages: []providers.Message{
					{Role: "user", Content: "a < b & c"},
					{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x":1}`}, {Name: "g", Arguments: "not json"}}},
					{Role: "tool", ToolCallID: "c1", Name: "f", Content: "7"},
				},
			},
			"https://ollama.com/api/chat",
			`{"model":"m","messages":[{"role":"user","content":"a < b & c"},` +
				`{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"f","arguments":{"x":1}}},{"id":"call_2","function":{"name":"g","arguments":"not json"}}]},` +
				`{"role":"tool","content":"7","tool_name":"f","tool_call_id":"c1"}],` +
				`"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"g"}}],` +
				`"options":{"temperature":0,"num_predict":100},"stream":true}`,
			"Bearer k",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := ollama.Adapter{}.Request(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{req.Method, req.URL.String(), string(body), req.Header.Get("Authorization")}
			if diff := cmp.Diff([]string{"POST", c.url, c.body, c.auth}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Shows what each way to write a response format becomes.
func TestRequestFormat(t *testing.T) {
	schema := map[string]any{"type": "object"}
	for _, c := range []struct {
		given any
		want  string
	}{
		{nil, ""},
		{map[string]any{"type": "text"}, ""},
		{map[string]any{"type": "json_object"}, `"format":"json",`},
		{"json", `"format":"json",`},
		{map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "n", "schema": schema}}, `"format":{"type":"object"},`},
		{map[string]any{"type": "json_schema", "name": "n", "schema": schema}, `"format":{"type":"object"},`},
		{schema, `"format":{"type":"object"},`},
	} {
		req, err := ollama.Adapter{}.Request(context.Background(), providers.Input{ResponseFormat: c.given})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(req.Body)
		if want := `{"messages":[],` + c.want + `"stream":false}`; err != nil || string(body) != want {
			t.Errorf("%v: %s, %v, want %s", c.given, body, err, want)
		}
	}
}

// Shows that an input no request can be made of is refused with its reason.
func TestRequestRefuses(t *testing.T) {
	for want, in := range map[string]providers.Input{
		"must begin with http":      {BaseURL: "ftp://x"},
		"is no URL":                 {BaseURL: "http://%zz"},
		"cannot be written as JSON": {ResponseFormat: func() {}},
	} {
		if _, err := (ollama.Adapter{}).Request(context.Background(), in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

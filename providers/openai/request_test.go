package openai_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/openai"
)

// Shows the request as the API's reference describes it, byte for byte: order
// of fields, null content beside tool calls, no escaping for HTML, usage asked
// for in streams, and a key only where there is one.
func TestRequest(t *testing.T) {
	zero, limit := 0.0, 100
	schema := map[string]any{"type": "object", "properties": map[string]any{"b": 1, "a": 2}}
	for _, c := range []struct {
		name string
		in   providers.Input
		url  string
		body string
		auth string
	}{
		{
			name: "least", in: providers.Input{},
			url:  "https://api.openai.com/v1/chat/completions",
			body: `{"messages":[]}`,
		},
		{
			name: "streamed to a compatible host",
			in:   providers.Input{BaseURL: "http://127.0.0.1:8080/v1/", Model: "m", APIKey: "k", Stream: true, Messages: []providers.Message{{Role: "user", Content: "a < b & c"}}},
			url:  "http://127.0.0.1:8080/v1/chat/completions",
			body: `{"model":"m","messages":[{"role":"user","content":"a < b & c"}],"stream":true,"stream_options":{"include_usage":true}}`,
			auth: "Bearer k",
		},
		{
			name: "a base with a query",
			in:   providers.Input{BaseURL: "https://x.example/openai/deployments/d%2Fe?api-version=1"},
			url:  "https://x.example/openai/deployments/d%2Fe/chat/completions?api-version=1",
			body: `{"messages":[]}`,
		},
		{
			name: "a tool loop",
			in: providers.Input{
				Model: "m", Temperature: &zero, MaxTokens: &limit, ResponseFormat: map[string]any{"type": "json_object"},
				Tools: []providers.Tool{{Name: "f", Description: "d", Schema: schema}, {Name: "g"}},
				Messages: []providers.Message{
					{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: "{}"}}},
					{Role: "tool", ToolCallID: "c1", Name: "f", Content: ""},
				},
			},
			url: "https://api.openai.com/v1/chat/completions",
			body: `{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","content":"","tool_call_id":"c1"}],` +
				`"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"properties":{"a":2,"b":1},"type":"object"}}},{"type":"function","function":{"name":"g"}}],` +
				`"temperature":0,"max_tokens":100,"response_format":{"type":"json_object"}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := openai.Adapter{}.Request(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{req.Method, req.URL.String(), string(body), req.Header.Get("Authorization"), req.Header.Get("Content-Type")}
			if diff := cmp.Diff([]string{http.MethodPost, c.url, c.body, c.auth, "application/json"}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Shows that the headers of provider and step win over the adapter's own.
func TestRequestHeaders(t *testing.T) {
	in := providers.Input{APIKey: "k", Headers: map[string]string{"authorization": "Token t", "host": "inner.example", "X-A": "1"}}
	req, err := openai.Adapter{}.Request(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := []string{req.Header.Get("Authorization"), req.Host, req.Header.Get("X-A"), req.Header.Get("Host")}; !cmp.Equal(got, []string{"Token t", "inner.example", "1", ""}) {
		t.Errorf("got %q", got)
	}
}

// Shows that an input no request can be made of is refused with its reason.
func TestRequestRefuses(t *testing.T) {
	for _, c := range []struct {
		in   providers.Input
		want string
	}{
		{providers.Input{BaseURL: "api.openai.com"}, "must begin with http"},
		{providers.Input{BaseURL: "http://%zz"}, "is no URL"},
		{providers.Input{BaseURL: "ftp://x"}, "must begin with http"},
		{providers.Input{ResponseFormat: func() {}}, "cannot be written as JSON"},
	} {
		_, err := openai.Adapter{}.Request(context.Background(), c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

package cohere_test

import (
	"context"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/cohere"
)

// Shows the request as the vendor's reference describes it, byte for byte: a plan
// beside calls, a tool's answer by the id of its call, and a schema beside the type
// json_object.
func TestRequest(t *testing.T) {
	zero, limit := 0.0, 100
	schema := map[string]any{"type": "object"}
	for _, c := range []struct {
		name, url, body, auth string
		in                    providers.Input
	}{
		{"least", "https://api.cohere.com/v2/chat", `{"stream":false,"messages":[]}`, "", providers.Input{}},
		{
			"a tool loop, streamed, at another host", "https://x.example/v2/chat",
			`{"stream":true,"model":"m","messages":[{"role":"user","content":"a < b & c"},` +
				`{"role":"assistant","tool_plan":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"call_2","type":"function","function":{"name":"g","arguments":"not json"}}]},` +
				`{"role":"tool","content":"7","tool_call_id":"c1"}],` +
				`"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"g"}}],` +
				`"response_format":{"json_schema":{"type":"object"},"type":"json_object"},"max_tokens":100,"temperature":0}`,
			"Bearer k",
			providers.Input{
				BaseURL: "https://x.example/", APIKey: "k", Model: "m", Temperature: &zero, MaxTokens: &limit, Stream: true,
				ResponseFormat: map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "n", "schema": schema}},
				Tools:          []providers.Tool{{Name: "f", Description: "d", Schema: schema}, {Name: "g"}},
				Messages: []providers.Message{
					{Role: "user", Content: "a < b & c"},
					{Role: "assistant", Content: "I look.", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x":1}`}, {Name: "g", Arguments: "not json"}}},
					{Role: "tool", ToolCallID: "c1", Name: "f", Content: "7"},
				},
			},
		},
	} {
		req, err := cohere.Adapter{}.Request(context.Background(), c.in)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{req.Method, req.URL.String(), string(body), req.Header.Get("Authorization")}
		if diff := cmp.Diff([]string{"POST", c.url, c.body, c.auth}, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

const chatPath = "/v2/chat"

// Shows that requests are read in the forms that the vendor's reference allows.
func TestRead(t *testing.T) {
	adaptertest.Requests(t, cohere.Adapter{}, []adaptertest.Request{
		{
			Name: "as the library writes it", Path: chatPath,
			Body: `{"model":"command-a-03-2025","stream":true,"temperature":0.3,"max_tokens":20,"documents":[{"data":{}}],"citation_options":{"mode":"FAST"},
				"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"What is "},{"type":"text","text":"this?"},{"type":"image_url","image_url":{"url":"data:"}}]}],
				"tools":[{"type":"function","function":{"name":"look","description":"looks","parameters":{"type":"object"}}}]}`,
			Want: providers.Input{
				Model: "command-a-03-2025", Stream: true, Temperature: new(0.3), MaxTokens: new(20),
				Messages: []providers.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "What is this?"}},
				Tools:    []providers.Tool{{Name: "look", Description: "looks", Schema: map[string]any{"type": "object"}}},
			},
		},
		{
			Name: "a tool loop", Path: chatPath,
			Body: `{"model":"m","messages":[{"role":"assistant","tool_plan":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 2}"}}]},{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"rain"}]}]}`,
			Want: providers.Input{Model: "m", Messages: []providers.Message{
				{Role: "assistant", Content: "I look.", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: `{"a": 2}`}}},
				{Role: "tool", ToolCallID: "c1", Content: "rain"},
			}},
		},
		{Name: "empty", Path: chatPath, Err: "the body is empty, and must be a JSON object"},
		{Name: "no messages", Path: chatPath, Body: `{"model":"m","message":"Hi"}`, Err: "messages is missing"},
		{Name: "a call that is none", Path: chatPath, Body: `{"messages":[{"role":"assistant","tool_calls":[{"name":"f"}]}]}`, Err: "messages[0].tool_calls[0].function is missing"},
	})
	adaptertest.Unclaimed(t, cohere.Adapter{}, "GET /v2/chat", "POST /v1/chat", "POST /v2/embed", "POST /v2/rerank", "POST /compatibility/v1/chat/completions", "POST /")
}

// Shows that nothing a client may send makes the reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", `{"messages":[]}`,
		`{"messages":[{"role":"assistant","tool_plan":"a","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"x","tool_call_id":"c"}],"response_format":{"type":"json_schema","schema":{}}}`,
		`{"messages":[{"role":"user","content":"a"}],"temperature":1e400,"response_format":{"type":"text"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		adaptertest.ReadArbitrary(t, cohere.Adapter{}, adaptertest.NewRequest("POST", chatPath), body, cohere.BaseURL)
	})
}

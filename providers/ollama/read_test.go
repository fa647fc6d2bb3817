package ollama_test

import (
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/ollama"
)

const chatPath = "/api/chat"

// Shows that requests are read in every form that the interface's reference
// allows (https://docs.ollama.com/api/chat, for tools
// https://docs.ollama.com/capabilities/tool-calling), and that what cannot be
// understood is said with its place.
func TestRead(t *testing.T) {
	adaptertest.Requests(t, ollama.Adapter{}, []adaptertest.Request{
		{
			Name: "as the libraries write it", Path: chatPath,
			Body: `{"model":"llama3.2","stream":false,"format":{"type":"object"},"think":true,"keep_alive":"5m","options":{"temperature":0,"num_predict":-1,"seed":7},
				"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is this?","images":["AA=="]}],
				"tools":[{"type":"function","function":{"name":"look","description":"looks","parameters":{"type":"object"}}}]}`,
			Want: providers.Input{
				Model: "llama3.2", Temperature: new(0.0), MaxTokens: new(-1), ResponseFormat: map[string]any{"type": "object"},
				Messages: []providers.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "What is this?"}},
				Tools:    []providers.Tool{{Name: "look", Description: "looks", Schema: map[string]any{"type": "object"}}},
			},
		},
		{
			Name: "a tool loop, streamed where nothing is said of it", Path: chatPath,
			Body: `{"model":"m","format":"","messages":[{"role":"assistant","content":"","thinking":"hm","tool_calls":[{"type":"function","function":{"index":0,"name":"get_weather","arguments":{"z": 1, "a": 2}}}]},{"role":"tool","tool_name":"get_weather","content":"rain"}]}`,
			Want: providers.Input{Model: "m", Stream: true, Messages: []providers.Message{
				{Role: "assistant", ToolCalls: []providers.ToolCall{{Name: "get_weather", Arguments: `{"z":1,"a":2}`}}},
				{Role: "tool", Name: "get_weather", Content: "rain"},
			}},
		},
		{Name: "JSON is wanted", Path: chatPath, Body: `{"format":"json","stream":true,"messages":[]}`, Want: providers.Input{Stream: true, ResponseFormat: "json"}},
		{Name: "empty", Path: chatPath, Err: "the body is empty, and must be a JSON object"},
		{Name: "no messages", Path: chatPath, Body: `{"model":"m","prompt":"Hi"}`, Err: "messages is missing"},
		{Name: "a content of another kind", Path: chatPath, Body: `{"messages":[{"role":"user","content":[]}]}`, Err: "messages[0].content is a list, and must be a string"},
		{Name: "a call that is none", Path: chatPath, Body: `{"messages":[{"role":"assistant","tool_calls":[{"name":"f"}]}]}`, Err: "messages[0].tool_calls[0].function is missing"},
		{Name: "options of another kind", Path: chatPath, Body: `{"messages":[],"options":{"num_predict":"all"}}`, Err: `options.num_predict is the string "all", and must be a number`},
	})
	adaptertest.Unclaimed(t, ollama.Adapter{}, "GET /api/chat", "POST /api/generate", "POST /api/embed", "GET /api/tags", "POST /v1/chat/completions", "POST /")
}

// Shows that nothing a client may send makes the reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", `{"messages":[]}`,
		`{"messages":[{"role":"assistant","content":"a","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","content":"x","tool_call_id":"c"}],"format":{"type":"json_schema","schema":{}}}`,
		`{"messages":[{"role":"user","content":"a"}],"options":{"temperature":1e400},"format":{"type":"text"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		adaptertest.ReadArbitrary(t, ollama.Adapter{}, adaptertest.NewRequest("POST", chatPath), body, ollama.BaseURL)
	})
}

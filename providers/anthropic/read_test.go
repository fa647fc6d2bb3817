package anthropic_test

import (
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
)

const messagesPath = "/v1/messages"

// Shows that requests are read in every form that the API's reference allows
// (https://docs.anthropic.com/en/api/messages, for tools
// https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use,
// for other hosts https://docs.anthropic.com/en/api/claude-on-vertex-ai and
// https://docs.anthropic.com/en/api/claude-on-amazon-bedrock), and that what
// cannot be understood is said with its place.
func TestRead(t *testing.T) {
	adaptertest.Requests(t, anthropic.Adapter{}, []adaptertest.Request{
		{
			Name: "as the libraries write it", Path: messagesPath,
			Body: `{"model":"claude-sonnet-4-5","max_tokens":1024,"stream":true,"temperature":1,"metadata":{"user_id":"u"},"stop_sequences":["x"],"thinking":{"type":"enabled","budget_tokens":512},
				"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}},{"type":"text","text":"Be kind."}],
				"messages":[{"role":"user","content":[{"type":"text","text":"What is "},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"text","text":"this?"}]}],
				"tools":[{"name":"look","description":"looks","input_schema":{"type":"object"}},{"type":"bash_20250124","name":"bash"},{"type":"custom","name":"x","input_schema":{}},{"type":"mcp_toolset","mcp_server_name":"s"}],
				"tool_choice":{"type":"auto"},"output_config":{"format":{"type":"json_schema","schema":{}}}}`,
			Want: providers.Input{
				Model: "claude-sonnet-4-5", MaxTokens: new(1024), Stream: true, Temperature: new(1.0),
				ResponseFormat: map[string]any{"type": "json_schema", "schema": map[string]any{}},
				Messages:       []providers.Message{{Role: "system", Content: "Be brief."}, {Role: "system", Content: "Be kind."}, {Role: "user", Content: "What is this?"}},
				Tools:          []providers.Tool{{Name: "look", Description: "looks", Schema: map[string]any{"type": "object"}}, {Name: "bash"}, {Name: "x", Schema: map[string]any{}}},
			},
		},
		{
			Name: "a tool loop with text beside the results", Path: "/messages",
			Body: `{"model":"m","max_tokens":1,"system":"Be brief.","messages":[{"role":"user","content":"Weather?"},
				{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"z": 1, "a": 2}},{"type":"server_tool_use","id":"srv","name":"web_search","input":{}},{"type":"tool_use","id":"toolu_2","name":"now","input":{}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"ra"},{"type":"image","source":{}},{"type":"text","text":"in"}]},{"type":"tool_result","tool_use_id":"toolu_2","is_error":true},{"type":"text","text":"Go on."}]}]}`,
			Want: providers.Input{Model: "m", MaxTokens: new(1), Messages: []providers.Message{
				{Role: "system", Content: "Be brief."},
				{Role: "user", Content: "Weather?"},
				{Role: "assistant", Content: "I look.", ToolCalls: []providers.ToolCall{{ID: "toolu_1", Name: "get_weather", Arguments: `{"z":1,"a":2}`}, {ID: "toolu_2", Name: "now", Arguments: "{}"}}},
				{Role: "tool", ToolCallID: "toolu_1", Content: "rain"},
				{Role: "tool", ToolCallID: "toolu_2"},
				{Role: "user", Content: "Go on.", WithResults: true},
			}},
		},
		{
			Name: "an image alone", Path: messagesPath,
			Body: `{"messages":[{"role":"user","content":[{"type":"image","source":{}}]}],"output_format":{"type":"json_schema"}}`,
			Want: providers.Input{ResponseFormat: map[string]any{"type": "json_schema"}, Messages: []providers.Message{{Role: "user"}}},
		},
		{
			Name: "on Vertex AI", Path: "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4@20250514:streamRawPredict",
			Body: `{"anthropic_version":"vertex-2023-10-16","max_tokens":1,"messages":[]}`,
			Want: providers.Input{Model: "claude-sonnet-4@20250514", MaxTokens: new(1), Stream: true},
		},
		{
			Name: "on Vertex AI, in one piece", Path: "/models/m:rawPredict", Body: `{"messages":[]}`,
			Want: providers.Input{Model: "m"},
		},
		{
			Name: "on Bedrock", Path: "/model/us.anthropic.claude-3%3A0/invoke", Body: `{"anthropic_version":"bedrock-2023-05-31","messages":[{"role":"user","content":"Hi"}]}`,
			Want: providers.Input{Model: "us.anthropic.claude-3:0", Messages: []providers.Message{{Role: "user", Content: "Hi"}}},
		},
		{
			Name: "on Bedrock, as a stream", Path: "/model/us.anthropic.claude-3%3A0/invoke-with-response-stream", Body: `{"anthropic_version":"bedrock-2023-05-31","messages":[]}`,
			Want: providers.Input{BaseURL: "https://bedrock-runtime.amazonaws.com", Model: "us.anthropic.claude-3:0", Stream: true},
		},
		{Name: "empty", Path: messagesPath, Err: "the body is empty, and must be a JSON object"},
		{Name: "no messages", Path: messagesPath, Body: `{"model":"m"}`, Err: "messages is missing"},
		{Name: "a block that is none", Path: messagesPath, Body: `{"messages":[{"role":"user","content":["Hi"]}]}`, Err: `messages[0].content[0] is the string "Hi", and must be an object`},
		{Name: "a block without text", Path: messagesPath, Body: `{"messages":[{"role":"user","content":[{"type":"text"}]}]}`, Err: "messages[0].content[0].text is missing"},
		{Name: "a result of no call", Path: messagesPath, Body: `{"messages":[{"role":"user","content":[{"type":"tool_result","content":"x"}]}]}`, Err: "messages[0].content[0].tool_use_id is missing"},
		{Name: "an input of another kind", Path: messagesPath, Body: `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":[1]}]}]}`, Err: "messages[0].content[0].input is a list, and must be an object, or a string of JSON"},
		{Name: "a system of another kind", Path: messagesPath, Body: `{"system":{"text":"a"},"messages":[]}`, Err: "system is an object, and must be a string or a list"},
		{Name: "no content", Path: messagesPath, Body: `{"messages":[{"role":"user"}]}`, Err: "messages[0].content is missing"},
		{Name: "a tool without a name", Path: messagesPath, Body: `{"messages":[],"tools":[{"input_schema":{}}]}`, Err: "tools[0].name is missing"},
	})
	adaptertest.Unclaimed(
		t, anthropic.Adapter{}, "GET /v1/messages", "POST /v1/messages/count_tokens", "POST /v1/messages/batches", "POST /v1/complete",
		"POST /model/m/converse-stream", "POST /model//invoke", "POST /model//invoke-with-response-stream", "POST /model/m", "POST /models/m:generateContent", "POST /models/:rawPredict", "POST /",
	)
}

// Shows that nothing a client may send makes the reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", `{"messages":[]}`,
		`{"model":"m","max_tokens":1,"system":[{"text":"a"}],"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"b"}]}]}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"","name":"f","input":"{"}]},{"role":"user","content":"x"}],"tools":[{"name":"f"}]}`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, vertex bool) {
		path, base := messagesPath, anthropic.BaseURL
		if vertex {
			path, base = "/models/m:streamRawPredict", "https://x.example/publishers/anthropic"
		}
		adaptertest.ReadArbitrary(t, anthropic.Adapter{}, adaptertest.NewRequest("POST", path), body, base)
	})
}

package openai_test

import (
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
)

const chatPath = "/chat/completions"

// Shows that requests are read in every form that the API's reference allows
// (https://platform.openai.com/docs/api-reference/chat/create, and for functions
// https://platform.openai.com/docs/guides/function-calling), those that it calls
// deprecated too, and that what cannot be understood is said with its place.
func TestReadCompletion(t *testing.T) {
	adaptertest.Requests(t, openai.Adapter{}, []adaptertest.Request{
		{
			Name: "as the libraries write it", Path: chatPath,
			Body: `{"model":"gpt-5","stream":true,"stream_options":{"include_usage":true},"temperature":0.2,"max_completion_tokens":300,"top_p":1,"n":1,"user":"u","metadata":{"a":"b"},
				"messages":[{"role":"developer","content":"Be brief."},
				{"role":"user","name":"Ann","content":[{"type":"text","text":"What is in "},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"text","text":"this image?"}]}],
				"tools":[{"type":"function","function":{"name":"look","description":"looks","strict":true,"parameters":{"type":"object"}}},{"type":"web_search_preview"},{"type":"custom","custom":{"name":"sh","description":"runs"}}],
				"tool_choice":"auto","parallel_tool_calls":false,"response_format":{"type":"json_object"}}`,
			Want: providers.Input{
				Model: "gpt-5", Stream: true, Temperature: new(0.2), MaxTokens: new(300), ResponseFormat: map[string]any{"type": "json_object"},
				Messages: []providers.Message{{Role: "developer", Content: "Be brief."}, {Role: "user", Content: "What is in this image?"}},
				Tools:    []providers.Tool{{Name: "look", Description: "looks", Schema: map[string]any{"type": "object"}}, {Name: "sh", Description: "runs"}},
			},
		},
		{
			Name: "a tool loop", Path: chatPath,
			Body: `{"model":"m","messages":[{"role":"user","content":"Weather?"},
				{"role":"assistant","content":null,"refusal":null,"audio":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Ghent\"}"}},{"id":"call_b","type":"custom","custom":{"name":"sh","input":"ls -l"}}]},
				{"role":"tool","tool_call_id":"call_a","content":[{"type":"text","text":"rain"}]},{"role":"tool","tool_call_id":"call_b","content":"a.txt"}]}`,
			Want: providers.Input{Model: "m", Messages: []providers.Message{
				{Role: "user", Content: "Weather?"},
				{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "call_a", Name: "get_weather", Arguments: `{"city": "Ghent"}`}, {ID: "call_b", Name: "sh", Arguments: "ls -l"}}},
				{Role: "tool", ToolCallID: "call_a", Content: "rain"},
				{Role: "tool", ToolCallID: "call_b", Content: "a.txt"},
			}},
		},
		{
			Name: "functions, deprecated", Path: chatPath,
			Body: `{"model":"m","max_tokens":16,"functions":[{"name":"f","parameters":{}}],"messages":[{"role":"assistant","content":"","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"1"}]}`,
			Want: providers.Input{Model: "m", MaxTokens: new(16), Tools: []providers.Tool{{Name: "f", Schema: map[string]any{}}}, Messages: []providers.Message{
				{Role: "assistant", ToolCalls: []providers.ToolCall{{Name: "f", Arguments: "{}"}}},
				{Role: "tool", Name: "f", Content: "1"},
			}},
		},
		{
			Name: "refusals", Path: chatPath,
			Body: `{"messages":[{"role":"assistant","content":null,"refusal":"No."},{"role":"assistant","content":[{"type":"refusal","refusal":"Never."}]}]}`,
			Want: providers.Input{Messages: []providers.Message{{Role: "assistant", Content: "No."}, {Role: "assistant", Content: "Never."}}},
		},
		{
			Name: "arguments as an object, as some clients have them", Path: chatPath,
			Body: `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"b": 1, "a": 2}}}]}]}`,
			Want: providers.Input{Messages: []providers.Message{{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "c", Name: "f", Arguments: `{"b":1,"a":2}`}}}}},
		},
		{
			Name: "numbers keep their digits, the newer limit wins, nulls are nothing", Path: chatPath,
			Body: `{"max_tokens":1,"max_completion_tokens":2.0,"temperature":null,"tools":null,"response_format":{"n":12345678901234567890},"messages":[]}`,
			Want: providers.Input{MaxTokens: new(2), ResponseFormat: map[string]any{"n": uint64(12345678901234567890)}},
		},
		{Name: "empty", Path: chatPath, Err: "the body is empty, and must be a JSON object"},
		{Name: "no JSON", Path: chatPath, Body: `{"model":"m",}`, Err: "the body is not JSON: at byte 14: invalid character '}' looking for beginning of object key string"},
		{Name: "a list", Path: chatPath, Body: `[]`, Err: "the body is a list, and must be an object"},
		{Name: "null", Path: chatPath, Body: ` null `, Err: "the body is null, and must be an object"},
		{Name: "no messages", Path: chatPath, Body: `{"model":"m","messages":null}`, Err: "messages is missing"},
		{Name: "messages of another kind", Path: chatPath, Body: `{"messages":"Hi"}`, Err: `messages is the string "Hi", and must be a list`},
		{Name: "a message that is none", Path: chatPath, Body: `{"messages":[{"role":"user","content":"a"},null]}`, Err: "messages[1] is null, and must be an object"},
		{Name: "no role", Path: chatPath, Body: `{"messages":[{"content":"a"}]}`, Err: "messages[0].role is missing"},
		{Name: "a content of another kind", Path: chatPath, Body: `{"messages":[{"role":"user","content":7}]}`, Err: "messages[0].content is the number 7, and must be a string or a list"},
		{Name: "a part without a type", Path: chatPath, Body: `{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"text":"b"}]}]}`, Err: "messages[0].content[1].type is missing"},
		{Name: "a call without a name", Path: chatPath, Body: `{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"arguments":"{}"}}]}]}`, Err: "messages[0].tool_calls[0].function.name is missing"},
		{Name: "a limit that is no integer", Path: chatPath, Body: `{"max_tokens":1.5,"messages":[]}`, Err: "max_tokens is the number 1.5, and must be an integer"},
		{Name: "a flag of another kind", Path: chatPath, Body: `{"stream":"true","messages":[]}`, Err: `stream is the string "true", and must be true or false`},
		{Name: "a temperature of another kind", Path: chatPath, Body: `{"temperature":true,"messages":[]}`, Err: "temperature is true, and must be a number"},
	})
	adaptertest.Unclaimed(t, openai.Adapter{}, "GET /chat/completions", "POST /v1/chat/completions", "POST /chat/completions/x", "POST /embeddings", "POST /responses", "POST /", "POST /models/m:generateContent")
}

// Shows that requests are read in every form that the API's reference allows
// (https://platform.openai.com/docs/api-reference/responses/create), with items
// of all the types that a client sends back.
func TestReadResponse(t *testing.T) {
	adaptertest.Requests(t, openai.Responses{}, []adaptertest.Request{
		{
			Name: "a text", Path: "/responses",
			Body: `{"model":"gpt-5","input":"Hi","instructions":"Be brief.","max_output_tokens":50,"store":false,"reasoning":{"effort":"low"},"text":{"format":{"type":"text"},"verbosity":"low"}}`,
			Want: providers.Input{
				Model: "gpt-5", MaxTokens: new(50), ResponseFormat: map[string]any{"type": "text"},
				Messages: []providers.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Hi"}},
			},
		},
		{
			Name: "a tool loop, as its output is sent back", Path: "/responses",
			Body: `{"model":"m","stream":true,"input":[{"role":"user","content":[{"type":"input_text","text":"Weather"},{"type":"input_image","image_url":"https://x"},{"type":"input_text","text":"?"}]},
				{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"AA"},
				{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"I look.","annotations":[]}]},
				{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"get_weather","arguments":"{\"city\":\"Ghent\"}"},
				{"type":"function_call","call_id":"call_2","name":"now","arguments":""},
				{"type":"function_call_output","call_id":"call_1","output":"rain"},
				{"type":"function_call_output","call_id":"call_2","output":[{"type":"input_text","text":"no"},{"type":"input_text","text":"on"}]},
				{"type":"function_call","call_id":"call_3","name":"now","arguments":"{}"}],
				"tools":[{"type":"function","name":"get_weather","description":"d","strict":true,"parameters":{"type":"object"}},{"type":"web_search"},{"type":"custom","name":"sh"},{"type":"mcp","server_label":"s"}]}`,
			Want: providers.Input{
				Model: "m", Stream: true, Tools: []providers.Tool{{Name: "get_weather", Description: "d", Schema: map[string]any{"type": "object"}}, {Name: "sh"}},
				Messages: []providers.Message{
					{Role: "user", Content: "Weather?"},
					{Role: "assistant", Content: "I look.", ToolCalls: []providers.ToolCall{{ID: "call_1", Name: "get_weather", Arguments: `{"city":"Ghent"}`}, {ID: "call_2", Name: "now"}}},
					{Role: "tool", ToolCallID: "call_1", Content: "rain"},
					{Role: "tool", ToolCallID: "call_2", Content: "noon"},
					{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "call_3", Name: "now", Arguments: "{}"}}},
				},
			},
		},
		{
			Name: "going on from an answer that is kept", Path: "/responses",
			Body: `{"model":"m","previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"call_1","output":"{\"a\": 1}"}]}`,
			Want: providers.Input{Model: "m", Previous: "resp_1", Messages: []providers.Message{{Role: "tool", ToolCallID: "call_1", Content: `{"a": 1}`}}},
		},
		{
			Name: "the vendor's own tools, at the client and at the vendor", Path: "/responses",
			Body: `{"input":[{"type":"web_search_call","id":"ws_1","status":"completed"},{"type":"item_reference","id":"msg_9"},
				{"type":"computer_call","call_id":"c1","id":"cu_1","action":{"type": "screenshot"},"status":"completed"},
				{"type":"computer_call_output","call_id":"c1","output":{"type":"computer_screenshot","image_url":"x"}},
				{"type":"custom_tool_call","call_id":"c2","name":"sh","input":"ls"},{"type":"custom_tool_call_output","call_id":"c2","output":"a.txt"}]}`,
			Want: providers.Input{Messages: []providers.Message{
				{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "computer", Arguments: `{"type":"screenshot"}`}}},
				{Role: "tool", ToolCallID: "c1", Content: `{"type":"computer_screenshot","image_url":"x"}`},
				{Role: "assistant", ToolCalls: []providers.ToolCall{{ID: "c2", Name: "sh", Arguments: "ls"}}},
				{Role: "tool", ToolCallID: "c2", Content: "a.txt"},
			}},
		},
		{Name: "a prompt that is kept", Path: "/responses", Body: `{"prompt":{"id":"pmpt_1"}}`},
		{
			Name: "a refusal", Path: "/responses", Body: `{"input":[{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}]}`,
			Want: providers.Input{Messages: []providers.Message{{Role: "assistant", Content: "No."}}},
		},
		{Name: "an input of another kind", Path: "/responses", Body: `{"input":{"role":"user"}}`, Err: "input is an object, and must be a string or a list"},
		{Name: "an item without a type", Path: "/responses", Body: `{"input":[{"content":"a"}]}`, Err: "input[0].type is missing"},
		{Name: "an output of no call", Path: "/responses", Body: `{"input":[{"type":"function_call_output","output":"a"}]}`, Err: "input[0].call_id is missing"},
		{Name: "a format of another kind", Path: "/responses", Body: `{"text":"json"}`, Err: `text is the string "json", and must be an object`},
	})
	adaptertest.Unclaimed(t, openai.Responses{}, "GET /responses", "GET /responses/", "GET /responses/resp_1/input_items", "DELETE /responses/resp_1", "POST /responses/resp_1/cancel", "POST /responses/input_tokens", "POST /chat/completions")
}

// Shows that nothing a client may send makes a reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", `{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","content":"x"}],"tools":[{"type":"function","function":{"name":"f"}}]}`,
		`{"input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{"},{"type":"function_call_output","call_id":"c","output":[1]},{"type":"message","role":"assistant","content":"a"}]}`,
		`{"input":"a","instructions":"b","text":{"format":{"type":"json_schema","json_schema":{"a":1}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		adaptertest.ReadArbitrary(t, openai.Adapter{}, adaptertest.NewRequest("POST", chatPath), body, openai.BaseURL)
		adaptertest.ReadArbitrary(t, openai.Responses{}, adaptertest.NewRequest("POST", "/responses"), body, openai.BaseURL)
	})
}

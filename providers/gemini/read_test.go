package gemini_test

import (
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/gemini"
)

const (
	wholePath  = "/models/gemini-2.5-flash:generateContent"
	streamPath = "/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
)

// Shows that requests are read in every form that the API's reference allows
// (https://ai.google.dev/api/generate-content, for functions
// https://ai.google.dev/gemini-api/docs/function-calling, for Vertex AI
// https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference),
// in both spellings, and that what cannot be understood is said with its place.
func TestRead(t *testing.T) {
	adaptertest.Requests(t, gemini.Adapter{}, []adaptertest.Request{
		{
			Name: "as the libraries write it", Path: streamPath,
			Body: `{"systemInstruction":{"role":"user","parts":[{"text":"Be brief."},{"text":"Be kind."}]},"safetySettings":[],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},
				"contents":[{"role":"user","parts":[{"text":"What is "},{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"text":"this?"}]}],
				"tools":[{"functionDeclarations":[{"name":"look","description":"looks","parameters":{"type":"OBJECT"}},{"name":"now"}]},{"googleSearch":{}}],
				"generationConfig":{"temperature":0.5,"maxOutputTokens":100,"topP":0.9,"responseMimeType":"application/json","responseSchema":{"type":"STRING"},"thinkingConfig":{"thinkingBudget":0}}}`,
			Want: providers.Input{
				Model: "gemini-2.5-flash", Stream: true, Temperature: new(0.5), MaxTokens: new(100),
				ResponseFormat: map[string]any{"responseMimeType": "application/json", "responseSchema": map[string]any{"type": "STRING"}},
				Messages:       []providers.Message{{Role: "system", Content: "Be brief."}, {Role: "system", Content: "Be kind."}, {Role: "user", Content: "What is this?"}},
				Tools:          []providers.Tool{{Name: "look", Description: "looks", Schema: map[string]any{"type": "OBJECT"}}, {Name: "now"}},
			},
		},
		{
			Name: "in snake_case", Path: "/v1beta" + wholePath,
			Body: `{"system_instruction":{"parts":[{"text":"Be brief."}]},"contents":[{"parts":[{"text":"Hi"}]},
				{"role":"model","parts":[{"function_call":{"name":"f","args":{"b": 1, "a": 2}},"thought_signature":"c2ln"}]},
				{"role":"user","parts":[{"function_response":{"name":"f","response":{"output":"x"}}}]}],
				"tools":[{"function_declarations":[{"name":"f","parameters_json_schema":{"type":"object"}}]}],
				"generation_config":{"max_output_tokens":7,"response_mime_type":"application/json","response_json_schema":{}}}`,
			Want: providers.Input{
				Model: "gemini-2.5-flash", MaxTokens: new(7),
				ResponseFormat: map[string]any{"responseMimeType": "application/json", "responseJsonSchema": map[string]any{}},
				Tools:          []providers.Tool{{Name: "f", Schema: map[string]any{"type": "object"}}},
				Messages: []providers.Message{
					{Role: "system", Content: "Be brief."},
					{Role: "user", Content: "Hi"},
					{Role: "assistant", ToolCalls: []providers.ToolCall{{Name: "f", Arguments: `{"b":1,"a":2}`, Signature: "c2ln"}}},
					{Role: "tool", Name: "f", Content: "x"},
				},
			},
		},
		{
			Name: "thoughts, parallel calls and text beside the results", Path: wholePath,
			Body: `{"contents":[{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look."},{"functionCall":{"id":"1","name":"f","args":{}}},{"functionCall":{"name":"g"}}]},
				{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"result":{"n": 1}}}},{"functionResponse":{"name":"g","response":{"a": 1, "b": null}}},{"text":"Go on."}]},
				{"role":"function","parts":[{"functionResponse":{"name":"g","response":{}}}]}]}`,
			Want: providers.Input{Model: "gemini-2.5-flash", Messages: []providers.Message{
				{Role: "assistant", Content: "I look.", ToolCalls: []providers.ToolCall{{ID: "1", Name: "f", Arguments: "{}"}, {Name: "g", Arguments: "{}"}}},
				{Role: "tool", ToolCallID: "1", Name: "f", Content: `{"n":1}`},
				{Role: "tool", Name: "g", Content: `{"a":1,"b":null}`},
				{Role: "user", Content: "Go on.", WithResults: true},
				{Role: "tool", Name: "g", Content: "{}"},
			}},
		},
		{
			Name: "on Vertex AI", Path: "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generateContent",
			Body: `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":null}`,
			Want: providers.Input{Model: "gemini-2.5-pro", Messages: []providers.Message{{Role: "user", Content: "Hi"}}},
		},
		{
			Name: "a tuned model, and an instruction that is a text", Path: "/tunedModels/mine:generateContent",
			Body: `{"systemInstruction":"Be brief.","contents":[]}`,
			Want: providers.Input{Model: "tunedModels/mine", Messages: []providers.Message{{Role: "system", Content: "Be brief."}}},
		},
		{Name: "a stream that is a list", Path: "/models/m:streamGenerateContent", Body: `{"contents":[]}`, Err: "the address asks streamGenerateContent for a JSON list, which is not written: it has to have the query parameter alt=sse"},
		{Name: "empty", Path: wholePath, Err: "the body is empty, and must be a JSON object"},
		{Name: "no contents", Path: wholePath, Body: `{}`, Err: "contents is missing"},
		{Name: "contents of another kind", Path: wholePath, Body: `{"contents":"Hi"}`, Err: `contents is the string "Hi", and must be a list`},
		{Name: "a text of another kind", Path: wholePath, Body: `{"contents":[{"parts":[{"text":"a"},{"text":{}}]}]}`, Err: "contents[0].parts[1].text is an object, and must be a string"},
		{Name: "a call without a name", Path: wholePath, Body: `{"contents":[{"parts":[{"function_call":{"args":{}}}]}]}`, Err: "contents[0].parts[0].function_call.name is missing"},
		{Name: "an answer of another kind", Path: wholePath, Body: `{"contents":[{"parts":[{"functionResponse":{"name":"f","response":"x"}}]}]}`, Err: `contents[0].parts[0].functionResponse.response is the string "x", and must be an object`},
		{Name: "an instruction of another kind", Path: wholePath, Body: `{"system_instruction":[],"contents":[]}`, Err: "system_instruction is a list, and must be an object"},
	})
	adaptertest.Unclaimed(
		t, gemini.Adapter{}, "GET /models/m:generateContent", "POST /models/m:countTokens", "POST /models/m:embedContent", "POST /models/m",
		"POST /models/:generateContent", "POST /m:generateContent", "POST /files/m:generateContent", "POST /models/m:rawPredict", "POST /",
	)
}

// Shows that nothing a client may send makes the reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", `{"contents":[]}`,
		`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"s"}]},{"parts":[{"functionResponse":{"name":"f","response":{"result":1}}},{"text":"a"}]}]}`,
		`{"system_instruction":{"parts":[{"text":""}]},"contents":[{"parts":[{"text":"a","thought":true}]}],"generation_config":{"response_format":"x","temperature":1e400}}`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, stream bool) {
		path := wholePath
		if stream {
			path = streamPath
		}
		adaptertest.ReadArbitrary(t, gemini.Adapter{}, adaptertest.NewRequest("POST", path), body, gemini.BaseURL)
	})
}

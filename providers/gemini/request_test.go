package gemini_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/gemini"
)

// Shows the request as the API's reference describes it, byte for byte, at
// each host that speaks it: the model in the address, the system apart, calls
// with their signature, results of calls as one turn, and a key only where
// there is one.
func TestRequest(t *testing.T) {
	zero, limit := 0.0, 100
	schema := map[string]any{"type": "object", "properties": map[string]any{"b": 1, "a": 2}}
	user := []providers.Message{{Role: "user", Content: "a < b & c"}}
	const (
		own    = "https://generativelanguage.googleapis.com/v1beta/models/"
		vertex = "https://us-east5-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-east5/publishers/google"
	)
	for _, c := range []struct {
		name string
		in   providers.Input
		url  string
		body string
		auth []string // X-Goog-Api-Key, Authorization
	}{
		{
			name: "least", in: providers.Input{Model: "gemini-2.5-flash"},
			url: own + "gemini-2.5-flash:generateContent", body: `{"contents":[]}`, auth: []string{"", ""},
		},
		{
			name: "streamed to a stand-in",
			in:   providers.Input{BaseURL: "http://127.0.0.1:8080/?x=1", Model: "models/m", APIKey: "k", Stream: true, Messages: user},
			url:  "http://127.0.0.1:8080/v1beta/models/m:streamGenerateContent?alt=sse&x=1",
			body: `{"contents":[{"parts":[{"text":"a < b & c"}],"role":"user"}]}`, auth: []string{"k", ""},
		},
		{
			name: "Vertex AI", in: providers.Input{BaseURL: vertex, Model: "gemini-2.5-pro", APIKey: "k", Stream: true},
			url: vertex + "/models/gemini-2.5-pro:streamGenerateContent?alt=sse", body: `{"contents":[]}`, auth: []string{"", "Bearer k"},
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
					{Role: "assistant", Content: "so", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: `{"x": 1}`, Signature: "c2ln"}, {Name: "g"}}},
					{Role: "tool", ToolCallID: "c1", Content: "1"},
					{Role: "tool", Name: "g"},
					{Role: "assistant", Content: "done"},
					{Role: "tool", ToolCallID: "c9"},
				},
			},
			url: own + "m:generateContent",
			body: `{"systemInstruction":{"parts":[{"text":"be\n\nbrief"}]},"contents":[{"parts":[{"text":"go"}],"role":"user"},` +
				`{"parts":[{"text":"so"},{"functionCall":{"id":"c1","name":"f","args":{"x":1}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"g","args":{}}}],"role":"model"},` +
				`{"parts":[{"functionResponse":{"id":"c1","name":"f","response":{"result":"1"}}},{"functionResponse":{"name":"g","response":{"result":""}}}],"role":"user"},` +
				`{"parts":[{"text":"done"}],"role":"model"},{"parts":[{"functionResponse":{"id":"c9","name":"c9","response":{"result":""}}}],"role":"user"}],` +
				`"tools":[{"functionDeclarations":[{"name":"f","description":"d","parametersJsonSchema":{"properties":{"a":2,"b":1},"type":"object"}},{"name":"g"}]}],` +
				`"generationConfig":{"maxOutputTokens":100,"responseJsonSchema":{"properties":{"a":2,"b":1},"type":"object"},"responseMimeType":"application/json","temperature":0}}`,
			auth: []string{"", ""},
		},
		{
			name: "a format of OpenAI's without a schema", in: providers.Input{Model: "m", ResponseFormat: map[string]any{"type": "json_object"}},
			url: own + "m:generateContent", body: `{"contents":[],"generationConfig":{"responseMimeType":"application/json"}}`, auth: []string{"", ""},
		},
		{
			name: "a format of its own", in: providers.Input{Model: "m", ResponseFormat: map[string]any{"responseMimeType": "text/x.enum", "responseSchema": schema}},
			url: own + "m:generateContent", auth: []string{"", ""},
			body: `{"contents":[],"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"properties":{"a":2,"b":1},"type":"object"}}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := gemini.Adapter{}.Request(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				t.Fatal(err)
			}
			h := req.Header
			got := []string{req.Method, req.URL.String(), string(body), h.Get("X-Goog-Api-Key"), h.Get("Authorization"), h.Get("Content-Type")}
			want := append([]string{http.MethodPost, c.url, c.body}, append(c.auth, "application/json")...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Shows that the headers of provider and step win over the adapter's own.
func TestRequestHeaders(t *testing.T) {
	req, err := gemini.Adapter{}.Request(context.Background(), providers.Input{Model: "m", APIKey: "k", Headers: map[string]string{"x-goog-api-key": "own"}})
	if err != nil || req.Header.Get("X-Goog-Api-Key") != "own" {
		t.Errorf("%v, %v", err, req.Header)
	}
}

// Shows that an input no request can be made of is refused with its reason.
func TestRequestRefuses(t *testing.T) {
	for _, c := range []struct {
		in   providers.Input
		want string
	}{
		{providers.Input{}, "name one on the step or the provider"},
		{providers.Input{Model: "m", BaseURL: "generativelanguage.googleapis.com"}, "must begin with http"},
		{providers.Input{Model: "m", BaseURL: "http://%zz"}, "is no URL"},
		{providers.Input{Model: "m", ResponseFormat: func() {}}, "cannot be written as JSON"},
	} {
		_, err := gemini.Adapter{}.Request(context.Background(), c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

package match

import (
	"slices"
	"testing"
)

// What has messages, an input or a prompt is a request to a model only where it
// names one, or its path does; of anything else all is compared, and its query.
func TestWhatAsksAModel(t *testing.T) {
	m := Match{Profile: Semantic}
	request := func(url, body string) Request { return Request{Method: "POST", URL: url, Body: []byte(body)} }
	for _, c := range []struct {
		one, another, onePath, anotherPath string
		want                               []string
	}{
		{`{"sku":"a","messages":[{"content":"buy"}]}`, `{"sku":"b","messages":[{"content":"buy"}]}`, "/orders", "/orders", []string{"body.sku"}},
		{`{"messages":["x"]}`, `{"messages":["x"]}`, "/orders?account=1", "/orders?account=2", []string{"query.account[0]"}},
		{`{"input":"x","user":"a"}`, `{"input":"x","user":"b"}`, "/forms/7", "/forms/7", []string{"body.user"}},
		{`{"prompt":"x","size":1}`, `{"prompt":"x","size":2}`, "/prompts", "/prompts", []string{"body.size"}},
		{`{"input":"x","user":"a"}`, `{"input":"x","user":"b"}`, "/models/7/orders", "/models/7/orders", []string{"body.user"}},

		{`{"model":"m","messages":[],"temperature":1}`, `{"model":"m","messages":[],"temperature":0}`, "/any", "/any", nil},
		{`{"messages":[],"temperature":1}`, `{"messages":[],"temperature":0}`, "/openai/deployments/d/chat/completions?api-version=1", "/openai/deployments/d/chat/completions?api-version=2", nil},
		{`{"contents":[],"safetySettings":[1]}`, `{"contents":[],"safetySettings":[]}`, "/v1beta/models/g:generateContent", "/v1beta/models/g:generateContent", nil},
		{`{"messages":[],"max_tokens":1}`, `{"messages":[],"max_tokens":2}`, "/model/us.claude/invoke", "/model/us.claude/invoke", nil},
	} {
		var got []string
		for _, d := range m.Diff(request("https://a"+c.onePath, c.one), request("https://a"+c.anotherPath, c.another)) {
			got = append(got, d.Path)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q differ, want %q", c.onePath, c.one, got, c.want)
		}
	}
}

// Shows that semantic compares all that a model reads, wherever its vendor has that: each
// pair is different, and no field in which it differs is said to be ignored.
func TestWhatAModelReads(t *testing.T) {
	m := Match{Profile: Semantic}
	for _, c := range []struct{ url, one, another, want string }{
		{"https://api.cohere.com/v2/chat", `{"model":"c","messages":[],"documents":[{"data":{"t":"A"}}]}`, `{"model":"c","messages":[],"documents":[{"data":{"t":"B"}}]}`, "body.documents[0].data.t"},
		{"https://api.cohere.com/v2/chat", `{"model":"c","messages":[],"documents":["A"]}`, `{"model":"c","messages":[]}`, "body.documents"},
		{"http://ollama/api/generate", `{"model":"l","prompt":"p","images":["QQ=="]}`, `{"model":"l","prompt":"p","images":["Qg=="]}`, "body.images[0]"},
		{"http://ollama/api/generate", `{"model":"l","prompt":"p","suffix":"A"}`, `{"model":"l","prompt":"p","suffix":"B"}`, "body.suffix"},
		{"http://ollama/api/generate", `{"model":"l","prompt":"p","template":"A"}`, `{"model":"l","prompt":"p","template":"B"}`, "body.template"},
		{"http://ollama/api/generate", `{"model":"l","prompt":"p","context":[1]}`, `{"model":"l","prompt":"p","context":[2]}`, "body.context[0]"},
		{"https://api.openai.com/v1/chat/completions", `{"model":"g","messages":[],"functions":[{"name":"a"}]}`, `{"model":"g","messages":[],"functions":[{"name":"b"}]}`, "body.functions[0].name"},
		{"https://api.cloudflare.com/client/v4/accounts/a/ai/run/@cf/m", `{"prompt":"p","image":[1]}`, `{"prompt":"p","image":[2]}`, "body.image[0]"},
		{"https://bedrock/model/m/converse", `{"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"a","inputSchema":{"json":{}}}}]}}`, `{"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"b","inputSchema":{"json":{}}}}]}}`, "body.toolConfig.tools[0].name"},
	} {
		one, another := Request{Method: "POST", URL: c.url, Body: []byte(c.one)}, Request{Method: "POST", URL: c.url, Body: []byte(c.another)}
		diff := m.Diff(one, another)
		if len(diff) != 1 || diff[0].Path != c.want || !IsTold(one, diff[0].Path) {
			t.Errorf("%s: %v, want one difference, in %s", c.one, diff, c.want)
		}
		if again := m.Diff(one, one); len(again) > 0 {
			t.Errorf("%s is not equal to itself: %v", c.one, again)
		}
	}
	same := Request{Method: "POST", URL: "https://api.cohere.com/v2/chat", Body: []byte(`{"model":"c","messages":[]}`)}
	empty := Request{Method: "POST", URL: same.URL, Body: []byte(`{"model":"c","messages":[],"documents":[]}`)}
	if diff := m.Diff(same, empty); len(diff) > 0 {
		t.Errorf("no documents and none at all differ: %v", diff)
	}
}

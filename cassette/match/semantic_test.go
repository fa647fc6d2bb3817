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

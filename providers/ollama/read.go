package ollama

import (
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Claims reports whether a request asks for a chat completion. Completions of a
// text (/api/generate) and embeddings are not spoken.
func (Adapter) Claims(r *http.Request) bool { return chat.Posts(r, "/api/chat") }

// Read reads a request for a chat completion, as the interface's reference has
// it (https://docs.ollama.com/api/chat). One that does not say whether it wants
// a stream wants one.
func (Adapter) Read(_ *http.Request, body []byte) (providers.Input, error) {
	o := chat.ReadObject(body)
	options := o.Get("options").Object()
	in := providers.Input{
		Model:          o.Get("model").Text(),
		Tools:          chat.ReadFunctionTools(o.Get("tools")),
		Temperature:    options.Get("temperature").Number(),
		MaxTokens:      options.Get("num_predict").Int(),
		Stream:         true,
		ResponseFormat: o.Get("format").Any(),
	}
	if in.ResponseFormat == "" {
		in.ResponseFormat = nil // as the server takes it
	}
	if v := o.Get("stream"); v.Given() {
		in.Stream = v.Bool()
	}
	for _, m := range o.Need("messages").Objects() {
		in.Messages = append(in.Messages, readMessage(m))
	}
	return chat.Result(in, o)
}

func readMessage(o chat.Object) providers.Message {
	m := providers.Message{
		Role:       o.Need("role").Text(),
		Content:    o.Get("content").Text(),
		ToolCallID: o.Get("tool_call_id").Text(),
		Name:       o.Get("tool_name", "name").Text(),
	}
	for _, c := range o.Get("tool_calls").Objects() {
		f := c.Need("function").Object()
		m.ToolCalls = append(m.ToolCalls, providers.ToolCall{
			ID: c.Get("id").Text(), Name: f.Need("name").Text(), Arguments: f.Get("arguments").Arguments(),
		})
	}
	return m
}

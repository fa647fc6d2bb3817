package cohere

import (
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Claims reports whether a request asks for a chat completion of the second version.
// The first one (/v1/chat), embeddings and reranking are not spoken.
func (Adapter) Claims(r *http.Request) bool { return chat.Posts(r, "/v2/chat") }

// Read reads a request for a chat completion.
func (Adapter) Read(_ *http.Request, body []byte) (providers.Input, error) {
	o := chat.ReadObject(body)
	in := providers.Input{
		Model:          o.Get("model").Text(),
		Tools:          chat.ReadFunctionTools(o.Get("tools")),
		Temperature:    o.Get("temperature").Number(),
		MaxTokens:      o.Get("max_tokens").Int(),
		Stream:         o.Get("stream").Bool(),
		ResponseFormat: o.Get("response_format").Any(),
	}
	for _, m := range o.Need("messages").Objects() {
		in.Messages = append(in.Messages, readMessage(m))
	}
	return chat.Result(in, o)
}

func readMessage(o chat.Object) providers.Message {
	m := providers.Message{
		Role:       o.Need("role").Text(),
		Content:    o.Get("tool_plan").Text() + o.Get("content").Texts("text"),
		ToolCallID: o.Get("tool_call_id").Text(),
	}
	for _, c := range o.Get("tool_calls").Objects() {
		f := c.Need("function").Object()
		m.ToolCalls = append(m.ToolCalls, providers.ToolCall{
			ID: c.Get("id").Text(), Name: f.Need("name").Text(), Arguments: f.Get("arguments").Arguments(),
		})
	}
	return m
}

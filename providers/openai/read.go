package openai

import (
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Claims reports whether a request asks for a completion.
func (Adapter) Claims(r *http.Request) bool { return chat.Posts(r, "/chat/completions") }

// Read reads a request for a completion, as the API's reference has it
// (https://platform.openai.com/docs/api-reference/chat/create), with the fields
// that it calls deprecated. Of a content only the text is read, and of the name
// of a message only that of a function which answers.
func (Adapter) Read(_ *http.Request, body []byte) (providers.Input, error) {
	o := chat.ReadObject(body)
	in := providers.Input{
		Model:          o.Get("model").Text(),
		Tools:          chat.ReadFunctionTools(o.Get("tools")),
		Temperature:    o.Get("temperature").Number(),
		MaxTokens:      o.Get("max_completion_tokens", "max_tokens").Int(),
		Stream:         o.Get("stream").Bool(),
		ResponseFormat: o.Get("response_format").Any(),
	}
	options := o.Get("stream_options")
	in.Uncounted = in.Stream && (!options.Given() || !options.Object().Get("include_usage").Bool())
	for _, m := range o.Need("messages").Objects() {
		in.Messages = append(in.Messages, readMessage(m))
	}
	for _, f := range o.Get("functions").Objects() {
		in.Tools = append(in.Tools, chat.ReadFunction(f))
	}
	return chat.Result(in, o)
}

func readMessage(o chat.Object) providers.Message {
	m := providers.Message{
		Role:       o.Need("role").Text(),
		Content:    readContent(o.Get("content")) + o.Get("refusal").Text(),
		ToolCallID: o.Get("tool_call_id").Text(),
	}
	for _, c := range o.Get("tool_calls").Objects() {
		m.ToolCalls = append(m.ToolCalls, readCall(c))
	}
	if f := o.Get("function_call"); f.Given() {
		m.ToolCalls = append(m.ToolCalls, readFunctionCall(f.Object()))
	}
	if m.Role == "function" {
		m.Role, m.Name = "tool", o.Get("name").Text()
	}
	return m
}

// readContent is the text of a content, and what is said in the place of one.
func readContent(v chat.Value) string {
	if !v.IsList() {
		return v.Said()
	}
	said := ""
	for _, part := range v.Objects() {
		switch part.Need("type").Text() {
		case "text":
			said += part.Need("text").Text()
		case "refusal":
			said += part.Need("refusal").Text()
		}
	}
	return said
}

func readCall(o chat.Object) providers.ToolCall {
	var c providers.ToolCall
	if custom := o.Get("custom"); custom.Given() {
		call := custom.Object()
		c = providers.ToolCall{Name: call.Need("name").Text(), Arguments: call.Get("input").Text()}
	} else {
		c = readFunctionCall(o.Need("function").Object())
	}
	c.ID = o.Get("id").Text()
	return c
}

// readFunctionCall takes arguments as text, which they are, and as the object
// that some clients send.
func readFunctionCall(o chat.Object) providers.ToolCall {
	c := providers.ToolCall{Name: o.Need("name").Text()}
	if v := o.Get("arguments"); v.Given() {
		c.Arguments = v.Arguments()
	}
	return c
}

package openai

import (
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Claims reports whether a request asks for a response, or fetches one that was
// asked for in the background. Those that cancel or delete one are others.
func (Responses) Claims(r *http.Request) bool { return chat.Posts(r, "/responses") || fetches(r) }

func fetches(r *http.Request) bool {
	id, ok := strings.CutPrefix(r.URL.Path, "/responses/")
	return ok && r.Method == http.MethodGet && id != "" && !strings.Contains(id, "/")
}

// Read reads a request for a response, as the API's reference has it
// (https://platform.openai.com/docs/api-reference/responses/create). The
// instructions are a message of the system before all others. A message of the
// assistant and the calls behind it are one turn. Of tools that run at the
// vendor nothing is read, neither that they are offered nor what they did.
// One that fetches a response says nothing of what it answers.
func (Responses) Read(r *http.Request, body []byte) (providers.Input, error) {
	if fetches(r) {
		return providers.Input{Background: true, Stream: r.URL.Query().Get("stream") == "true"}, nil
	}
	o := chat.ReadObject(body)
	in := providers.Input{
		Model:          o.Get("model").Text(),
		Temperature:    o.Get("temperature").Number(),
		MaxTokens:      o.Get("max_output_tokens").Int(),
		Stream:         o.Get("stream").Bool(),
		ResponseFormat: o.Get("text").Object().Get("format").Any(),
		Previous:       o.Get("previous_response_id").Text(),
		Background:     o.Get("background").Bool(),
	}
	var said conversation
	if v := o.Get("instructions"); v.Given() {
		said.say("system", v.Texts(inputText))
	}
	if v := o.Get("input"); v.IsList() {
		for _, item := range v.Objects() {
			said.add(item)
		}
	} else if v.Given() {
		said.say("user", v.Said())
	}
	in.Messages = said.messages
	for _, t := range o.Get("tools").Objects() {
		switch t.Need("type").Text() {
		case "function", "custom":
			in.Tools = append(in.Tools, chat.ReadFunction(t))
		}
	}
	return chat.Result(in, o)
}

// Types of the parts of a content that are text.
const (
	inputText  = "input_text"
	outputText = "output_text"
)

// A conversation is put together from the items of an input.
type conversation struct {
	messages []providers.Message
	// open says that a call would belong to the last message.
	open bool
}

func (c *conversation) say(role, text string) {
	c.messages = append(c.messages, providers.Message{Role: role, Content: text})
	c.open = role == "assistant"
}

// add takes an item by its type. A type that has no meaning here, such as
// reasoning or a search of the vendor's, is passed over.
func (c *conversation) add(item chat.Object) {
	kind := item.Get("type").Text()
	switch {
	case kind == itemMessage, kind == "" && item.Get("role").Given():
		c.say(item.Need("role").Text(), itemText(item.Need("content")))
	case kind == "":
		item.Need("type")
	case strings.HasSuffix(kind, "_call_output"):
		c.messages = append(c.messages, providers.Message{
			Role: "tool", ToolCallID: item.Need("call_id").Text(), Content: outputOf(item.Get("output")),
		})
		c.open = false
	case strings.HasSuffix(kind, "_call") && item.Get("call_id").Given():
		c.call(calledBy(kind, item))
	}
}

func (c *conversation) call(call providers.ToolCall) {
	if !c.open {
		c.say("assistant", "")
	}
	last := &c.messages[len(c.messages)-1]
	last.ToolCalls = append(last.ToolCalls, call)
}

// itemText is the text of a message, and what is said in the place of one.
func itemText(v chat.Value) string {
	if !v.IsList() {
		return v.Said()
	}
	said := ""
	for _, part := range v.Objects() {
		switch part.Need("type").Text() {
		case inputText, outputText:
			said += part.Need("text").Text()
		case "refusal":
			said += part.Need("refusal").Text()
		}
	}
	return said
}

// outputOf is what a tool answered: a text, parts, or an object of the tool's
// own kind.
func outputOf(v chat.Value) string {
	if !v.Given() {
		return ""
	}
	if v.IsList() {
		if parts := v.List(); len(parts) > 0 && parts[0].IsObject() && parts[0].Object().Get("type").IsText() {
			return v.Texts(inputText, outputText)
		}
	}
	return v.Compact()
}

// calledBy is a call that the client is to answer, told by its call_id. The
// vendor's own kinds have a name of their type and say in fields of their own
// what is to be done.
func calledBy(kind string, item chat.Object) providers.ToolCall {
	call := providers.ToolCall{ID: item.Need("call_id").Text()}
	switch kind {
	case itemCall:
		call.Name = item.Need("name").Text()
		if v := item.Get("arguments"); v.Given() {
			call.Arguments = v.Arguments()
		}
	case "custom_tool_call":
		call.Name, call.Arguments = item.Need("name").Text(), item.Get("input").Text()
	default:
		call.Name = strings.TrimSuffix(kind, "_call")
		if v := item.Get("action", "operation"); v.Given() {
			call.Arguments = v.Compact()
		}
	}
	return call
}

package anthropic

import (
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// What a rendered answer says where a reply does not: fixed, so that equal
// replies are equal bytes.
const (
	defaultID    = "msg_scenario"
	defaultModel = "scenario"
)

// Render lays a reply out as the API answers it: one message, or a stream with
// an event per delta and the events that begin and end the message and each of
// its blocks. Reasoning is a thinking block before the text. A stream of
// content without chunks is cut after each word. Usage that the reply does not
// give is an estimate ([providers.EstimateUsage]); the stop reason is
// "end_turn", or "tool_use" where there are calls, and OpenAI's words for it
// are translated.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	out = completed(in, out)
	if in.Stream {
		return renderStream(out)
	}
	answer := envelope(out)
	answer.Content = blocks(out)
	answer.StopReason = &out.FinishReason
	answer.Usage = counted(out.Usage)
	return jsonAnswer(200, out, answer)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	switch {
	case out.Chunks != nil:
		out.Content = strings.Join(out.Chunks, "")
	case in.Stream:
		out.Chunks = providers.SplitWords(out.Content)
	}
	out.FinishReason = stopReason(out.FinishReason, len(out.ToolCalls))
	out.ID = first(out.ID, defaultID)
	out.Model = first(out.Model, in.Model, defaultModel)
	if !out.Usage.Set {
		out.Usage = providers.EstimateUsage(in, out)
	}
	return out
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

func envelope(out providers.Output) message {
	return message{ID: out.ID, Type: "message", Role: "assistant", Model: out.Model, Content: []any{}}
}

// blocks has no block for a text that is empty, as the API has none.
func blocks(out providers.Output) []any {
	list := []any{}
	if out.Reasoning != "" {
		list = append(list, thinkingBlock{Type: "thinking", Thinking: out.Reasoning})
	}
	if out.Content != "" {
		list = append(list, textBlock{Type: "text", Text: out.Content})
	}
	for i, c := range out.ToolCalls {
		list = append(list, toolUse(c, callID(c, i+1)))
	}
	return list
}

func jsonAnswer(status int, out providers.Output, body any) wire.Response {
	return wire.Response{
		Status: status,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
		Wait:   out.Latency,
		Parts:  []wire.Part{{Data: mustEncode(body)}},
	}
}

// mustEncode encodes this package's own objects, which hold nothing that JSON
// cannot say.
func mustEncode(v any) []byte {
	data, err := providers.EncodeJSON(v)
	if err != nil {
		return []byte("null")
	}
	return data
}

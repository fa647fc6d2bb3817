package anthropic

import (
	"cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// defaultID is the id of a rendered answer whose reply gives none: fixed, so
// that equal replies are equal bytes.
const defaultID = "msg_scenario"

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
		return renderStream(out, streamsAsAmazon(in))
	}
	answer := envelope(out)
	answer.Content = blocks(out)
	answer.StopReason = &out.FinishReason
	answer.Usage = counted(out.Usage)
	return whole(200, out, answer)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	out = chat.Filled(in, out)
	out.FinishReason = stopReason(out.FinishReason, len(out.ToolCalls))
	out.ID = cmp.Or(out.ID, defaultID)
	return out
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

func whole(status int, out providers.Output, body any) wire.Response {
	return chat.Whole(status, "application/json", out.Latency, body)
}

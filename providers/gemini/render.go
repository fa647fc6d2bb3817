package gemini

import (
	"cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// defaultID is the id of a rendered answer whose reply gives none: fixed, so
// that equal replies are equal bytes.
const defaultID = "scenario"

// Render lays a reply out as the API answers it: one object, or a stream with
// an event per delta and per call and a last one with the finish reason and
// the usage, after which there is no other end marker. Reasoning is a thought
// part before the text. A stream of content without chunks is cut after each
// word. Usage that the reply does not give is an estimate
// ([providers.EstimateUsage]); the finish reason is "STOP", and OpenAI's words
// for it are translated.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	out = completed(in, out)
	if in.Stream {
		return renderStream(out)
	}
	answer := envelope(out, parts(out)...)
	answer.Candidates[0].FinishReason = out.FinishReason
	answer.Usage = counted(out.Usage)
	return whole(200, out, answer)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	out = chat.Filled(in, out)
	out.FinishReason = finishReason(out.FinishReason)
	out.ID = cmp.Or(out.ID, defaultID)
	return out
}

func envelope(out providers.Output, said ...part) answer {
	return answer{
		Candidates:   []candidate{{Content: &content{Parts: said, Role: "model"}}},
		ModelVersion: out.Model,
		ResponseID:   out.ID,
	}
}

// parts has no part for a text that is empty, unless there is nothing else.
func parts(out providers.Output) []part {
	var list []part
	if out.Reasoning != "" {
		list = append(list, thoughtPart(out.Reasoning))
	}
	if out.Content != "" || (list == nil && out.ToolCalls == nil) {
		list = append(list, textPart(out.Content))
	}
	for _, c := range out.ToolCalls {
		list = append(list, callPart(c))
	}
	return list
}

func thoughtPart(text string) part { return part{Text: &text, Thought: true} }

func whole(status int, out providers.Output, body any) wire.Response {
	return chat.Whole(status, "application/json; charset=UTF-8", out.Latency, body)
}

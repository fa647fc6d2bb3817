package gemini

import (
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// What a rendered answer says where a reply does not: fixed, so that equal
// replies are equal bytes.
const (
	defaultID    = "scenario"
	defaultModel = "scenario"
)

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
	out.FinishReason = finishReason(out.FinishReason)
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

func jsonAnswer(status int, out providers.Output, body any) wire.Response {
	return wire.Response{
		Status: status,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/json; charset=UTF-8"}},
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

package wrong

import (
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// ofModel is what a model says. What it asks for is content, too: an empty answer asks
// for nothing.
func ofModel(v schema.Values, way Way, out *providers.Output) error {
	text, calls, chunks := out.Content, out.ToolCalls, out.Chunks
	if text == "" {
		text = strings.Join(chunks, "")
	}
	if out.FinishReason != "" && len(calls) == 0 {
		v["finish_reason"] = out.FinishReason
	}
	if out.Model != "" {
		v["model"] = out.Model
	}
	if u := out.Usage; u.Set {
		v["usage"] = map[string]any{
			"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Total, "cached_tokens": u.Cached, "reasoning_tokens": u.Reasoning,
		}
	}
	switch way {
	case Empty:
		text, calls, chunks = "", nil, nil
	case Half:
		var ok bool
		switch {
		case len(chunks) > 1:
			chunks = chunks[:len(chunks)/2]
		case len(calls) > 1:
			calls = calls[:len(calls)/2]
		default:
			if text, ok = halfText(text); !ok {
				return errNoHalf
			}
			chunks = nil
		}
	case Retyped:
		if text == "" {
			return errNoType
		}
		text, chunks = otherText(text), nil
	}
	if chunks != nil {
		v["chunks"] = chunks
	} else if text != "" || calls == nil {
		v["content"] = text
	}
	if calls != nil {
		v["tool_calls"] = toolCalls(calls)
	}
	return nil
}

func toolCalls(calls []providers.ToolCall) []any {
	list := make([]any, len(calls))
	for i, c := range calls {
		call := map[string]any{"name": c.Name, "arguments": c.Arguments}
		if c.ID != "" {
			call["id"] = c.ID
		}
		list[i] = call
	}
	return list
}

// otherText is JSON of another type where a text is JSON, and JSON where it is none.
func otherText(text string) string {
	v, ok := decoded([]byte(text))
	var other any = map[string]any{"text": text}
	if ok {
		other = retyped(v)
	}
	data, err := providers.EncodeJSON(other)
	if err != nil {
		return ""
	}
	return string(data)
}

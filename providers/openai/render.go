package openai

import (
	"cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// What a rendered answer says where a reply does not: fixed, so that equal
// replies are equal bytes.
const (
	defaultID = "chatcmpl-scenario"
	// created is 2000-01-01T00:00:00Z, where virtual time begins.
	created = 946684800
)

// Render lays a reply out as the API answers it: one JSON object, or for a
// stream a role event, an event per delta, two per tool call, one for the
// finish reason, one for the usage where the request asks for it, and [DONE]. A stream of content without
// chunks is cut after each word. Usage that the reply does not give is an
// estimate ([providers.EstimateUsage]); the finish reason is "stop", or
// "tool_calls" where there are any.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	out = completed(in, out)
	if in.Stream {
		return renderStream(in, out)
	}
	answer := envelope(out, "chat.completion", choice{
		Message: &message{
			Role:             "assistant",
			Content:          contentOrNull(out.Content, out.ToolCalls),
			ReasoningContent: out.Reasoning,
			ToolCalls:        calls(out.ToolCalls, &providers.CallIDs{Prefix: madeUp}),
		},
		FinishReason: &out.FinishReason,
	})
	answer.Usage = reported(out.Usage)
	return whole(200, out, answer)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	out = chat.Filled(in, out)
	if out.FinishReason == "" {
		out.FinishReason = "stop"
		if len(out.ToolCalls) > 0 {
			out.FinishReason = "tool_calls"
		}
	}
	out.ID = cmp.Or(out.ID, defaultID)
	if out.Usage.Total == 0 {
		out.Usage.Total = out.Usage.Prompt + out.Usage.Completion
	}
	return out
}

func envelope(out providers.Output, object string, choices ...choice) rendered {
	if choices == nil {
		choices = []choice{}
	}
	return rendered{ID: out.ID, Object: object, Created: created, Model: out.Model, Choices: choices}
}

func reported(u providers.Usage) *usage {
	r := &usage{PromptTokens: u.Prompt, CompletionTokens: u.Completion, TotalTokens: u.Total}
	if u.Cached > 0 {
		r.PromptDetails = &promptDetails{CachedTokens: u.Cached}
	}
	if u.Reasoning > 0 {
		r.CompletionDetails = &completionDetails{ReasoningTokens: u.Reasoning}
	}
	return r
}

func whole(status int, out providers.Output, body any) wire.Response {
	return chat.Whole(status, "application/json", out.Latency, body)
}

package openai

import (
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// What a rendered answer says where a reply does not: fixed, so that equal
// replies are equal bytes.
const (
	defaultID    = "chatcmpl-scenario"
	defaultModel = "scenario"
	// created is 2000-01-01T00:00:00Z, where virtual time begins.
	created = 946684800
)

// Render lays a reply out as the API answers it: one JSON object, or for a
// stream a role event, an event per delta, two per tool call, one for the
// finish reason, one for the usage, and [DONE]. A stream of content without
// chunks is cut after each word. Usage that the reply does not give is an
// estimate ([providers.EstimateUsage]); the finish reason is "stop", or
// "tool_calls" where there are any.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	out = completed(in, out)
	if in.Stream {
		return renderStream(out)
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
	if out.FinishReason == "" {
		out.FinishReason = "stop"
		if len(out.ToolCalls) > 0 {
			out.FinishReason = "tool_calls"
		}
	}
	out.ID = first(out.ID, defaultID)
	out.Model = first(out.Model, in.Model, defaultModel)
	if !out.Usage.Set {
		out.Usage = providers.EstimateUsage(in, out)
	}
	if out.Usage.Total == 0 {
		out.Usage.Total = out.Usage.Prompt + out.Usage.Completion
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
func mustEncode(v any) []byte { return mustAppend(nil, v) }

func mustAppend(dst []byte, v any) []byte {
	data, err := providers.AppendJSON(dst, v)
	if err != nil {
		return append(dst, "null"...)
	}
	return data
}

package openai

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Parse reads a completion, plain or streamed, or says why there is none. What a model says when it refuses is its content.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	out, failed := completions.Parse(ctx, in, resp, err, now, sink)
	return ofService(in, out), failed
}

var completions = chat.Dialect{
	Expected: "a completion was",
	Streamed: providers.EventStream,
	Refusal:  refusal,
	Object:   readCompletion,
	Stream:   readCompletionStream,
}

// ofService names the service whose thoughts they are in full.
func ofService(in providers.Input, out providers.Output) providers.Output {
	for i := range out.Thoughts {
		out.Thoughts[i].Of = in.ThoughtOf(out.Thoughts[i].Of)
	}
	return out
}

func refusal(body []byte) chat.Refusal {
	var vendor errorBody
	if providers.DecodeJSON(body, &vendor) != nil || vendor.Error.Message == "" {
		return chat.Refusal{}
	}
	return chat.Refusal{Text: vendor.Error.text()}
}

func readCompletion(_ providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
	var answer completion
	if err := providers.DecodeObject(body, &answer); err != nil {
		return out, providers.Malformed("the answer is no readable completion: %v: %s", err, providers.Excerpt(body))
	}
	if answer.Error != nil {
		out.Complete = true
		return out, errorInside(*answer.Error, out.StatusCode)
	}
	c, ok := answer.choice()
	if !ok || c.Message == nil {
		return out, providers.Malformed("the answer has no choices[0].message: %s", providers.Excerpt(body))
	}
	out = plainOutput(out, answer, c)
	out.Complete = true
	return out, nil
}

// choice is the first choice by index; others are never asked for.
func (c completion) choice() (choice, bool) {
	for _, ch := range c.Choices {
		if ch.Index == 0 {
			return ch, true
		}
	}
	return choice{}, false
}

func plainOutput(out providers.Output, answer completion, c choice) providers.Output {
	out.ID, out.Model = answer.ID, answer.Model
	out.Content = c.Message.Content.text() + c.Message.Refusal
	out.Reasoning = cmp.Or(c.Message.ReasoningContent, c.Message.Reasoning, c.Message.Content.thinking())
	out.Thoughts = chatThought{c.Message.Reasoning, c.Message.ReasoningContent, details(c.Message.ReasoningDetails)}.list()
	for _, t := range c.Message.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, providers.ToolCall{
			ID: t.ID, Name: t.Function.Name, Arguments: t.Function.Arguments,
		})
	}
	if c.FinishReason != nil {
		out.FinishReason = *c.FinishReason
	}
	out.Usage = answer.Usage.value()
	return out
}

// value is the usage in the engine's terms; a nil one was not reported.
func (u *usage) value() providers.Usage {
	if u == nil {
		return providers.Usage{}
	}
	v := providers.Usage{Set: true, Prompt: u.PromptTokens, Completion: u.CompletionTokens, Total: u.TotalTokens}
	if v.Total == 0 {
		v.Total = v.Prompt + v.Completion
	}
	if u.PromptDetails != nil {
		v.Cached = u.PromptDetails.CachedTokens
	}
	if u.CompletionDetails != nil {
		v.Reasoning = u.CompletionDetails.ReasoningTokens
	}
	return v
}

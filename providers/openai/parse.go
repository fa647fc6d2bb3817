package openai

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// Parse reads a completion, plain or streamed, or says why there is none
// (semantics.md §3). A streamed request that was answered by one JSON object is
// read as that; the whole content is then the only delta. What a model says
// when it refuses is its content.
func (a Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return parse(ctx, a, in, resp, err, now, sink)
}

// An answerReader is what differs between the package's interfaces in an
// answer whose status is a success.
type answerReader interface {
	// readObject reads one JSON object. Complete is set on every output but
	// that of an object which cannot be understood.
	readObject(body []byte, out providers.Output) (providers.Output, *failure.Failure)
	readStream(ctx context.Context, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure)
}

func parse(ctx context.Context, a answerReader, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		return providers.Output{}, providers.TransportFailure(providers.NoResponse(err))
	}
	defer resp.Body.Close()
	out := providers.Output{StatusCode: resp.StatusCode, Headers: resp.Header}
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	if sink == nil {
		sink = func(providers.Chunk) error { return nil }
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return refused(resp, out, now)
	}
	var failed *failure.Failure
	if media := providers.MediaType(resp.Header); in.Stream && media == providers.EventStream && resp.ContentLength != 0 {
		out, failed = a.readStream(ctx, resp, out, sink)
	} else {
		out, failed = parsePlain(a, in, resp, out, media, sink)
	}
	for i := range out.Thoughts {
		out.Thoughts[i].Of = in.ThoughtOf(out.Thoughts[i].Of)
	}
	return out, failed
}

// refused reads an answer whose status is no success.
func refused(resp *http.Response, out providers.Output, now func() time.Time) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	out.Complete = true
	var vendor errorBody
	detail := ""
	if providers.DecodeJSON(body, &vendor) == nil && vendor.Error.Message != "" {
		detail = vendor.Error.text()
	} else {
		detail = providers.ErrorText(body)
	}
	return out, providers.StatusFailure(resp, detail, now)
}

func parsePlain(a answerReader, in providers.Input, resp *http.Response, out providers.Output, media string, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	switch {
	case err != nil:
		return out, providers.TransportFailure(err)
	case len(bytes.TrimSpace(body)) == 0:
		return out, providers.Malformed("the answer is empty where a completion was expected")
	case !providers.IsJSON(media):
		return out, providers.Malformed("the answer's content type is %q where application/json was expected: %s", media, providers.Excerpt(body))
	}
	out, failed := a.readObject(body, out)
	if failed != nil || !in.Stream || out.Content == "" {
		return out, failed
	}
	out.Chunks = []string{out.Content}
	if err := sink(providers.Chunk{Content: out.Content}); err != nil {
		out.Complete = false
		return out, providers.Stopped(err)
	}
	return out, nil
}

func (Adapter) readObject(body []byte, out providers.Output) (providers.Output, *failure.Failure) {
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

// errorInside is an error object in an answer whose status promised success.
func errorInside(e apiError, status int) *failure.Failure {
	return &failure.Failure{
		Kind:       e.kind(failure.HTTPStatus),
		StatusCode: status,
		Message:    fmt.Sprintf("HTTP %d with an error inside: %s", status, e.text()),
	}
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
	out.Reasoning = first(c.Message.ReasoningContent, c.Message.Reasoning, c.Message.Content.thinking())
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

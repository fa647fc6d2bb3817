package openai

import (
	"cmp"
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A streamReader puts a streamed answer together, event by event.
type streamReader struct {
	chat.Answer
	calls   toolCalls
	thought streamedThought
	// chosen says that a choice was seen, if only an empty one.
	chosen bool
}

func readCompletionStream(ctx context.Context, _ providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{Answer: chat.Answer{Out: out, Sink: sink}}
	failed := chat.ReadEvents(ctx, resp.Body, r)
	return r.result(failed == nil), failed
}

// Take reads the data of one event.
func (r *streamReader) Take(data []byte) (bool, *failure.Failure) {
	if string(data) == done {
		return true, r.done()
	}
	return false, r.event(data)
}

// Cut is a stream that ends before its end marker.
func (r *streamReader) Cut(err error) *failure.Failure { return chat.Cut(err, done, r.Deltas) }

func (r *streamReader) done() *failure.Failure {
	if !r.chosen {
		return providers.Malformed("the stream ended with %s, but no event had a choice", done)
	}
	return nil
}

func (r *streamReader) event(data []byte) *failure.Failure {
	var e completion
	if err := providers.DecodeObject(data, &e); err != nil {
		return chat.Unreadable(err, data)
	}
	if e.Error != nil {
		return streamError(*e.Error)
	}
	if e.Choices == nil && e.Usage == nil {
		return providers.Malformed("an event of the stream has neither choices nor usage: %s", providers.Excerpt(data))
	}
	r.Out.ID, r.Out.Model = cmp.Or(r.Out.ID, e.ID), cmp.Or(r.Out.Model, e.Model)
	if e.Usage != nil {
		r.Out.Usage = e.Usage.value()
	}
	if c, ok := e.choice(); ok {
		r.chosen = true
		return r.choice(c)
	}
	return nil
}

func (r *streamReader) choice(c choice) *failure.Failure {
	if c.FinishReason != nil && *c.FinishReason != "" {
		r.Out.FinishReason = *c.FinishReason
	}
	if c.Delta == nil {
		return nil
	}
	r.thought.add(c.Delta)
	r.Think(cmp.Or(c.Delta.ReasoningContent, c.Delta.Reasoning, c.Delta.Content.thinking()))
	for _, t := range c.Delta.ToolCalls {
		r.Deltas++
		if err := r.calls.add(t); err != nil {
			return providers.Malformed("%v", err)
		}
	}
	return r.Say(c.Delta.text())
}

func (r *streamReader) result(complete bool) providers.Output {
	r.Out.Thoughts = r.thought.list()
	r.Out.ToolCalls = r.calls.list()
	return r.Output(complete)
}

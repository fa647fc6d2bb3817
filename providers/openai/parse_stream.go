package openai

import (
	"context"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// A streamReader puts a streamed answer together, event by event.
type streamReader struct {
	out       providers.Output
	content   strings.Builder
	reasoning strings.Builder
	calls     toolCalls
	thought   streamedThought
	// deltas counts what the model said: content, reasoning, tool calls. Once
	// there is one, a broken connection is an interrupted stream.
	deltas int
	// chosen says that a choice was seen, if only an empty one.
	chosen bool
	sink   func(providers.Chunk) error
}

func (Adapter) readStream(ctx context.Context, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{out: out, sink: sink}
	failed := readEvents(ctx, resp.Body, done, &r.deltas, r.take)
	return r.result(failed == nil), failed
}

func (r *streamReader) take(data []byte) (bool, *failure.Failure) {
	if string(data) == done {
		return true, r.done()
	}
	return false, r.event(data)
}

func (r *streamReader) done() *failure.Failure {
	if !r.chosen {
		return providers.Malformed("the stream ended with %s, but no event had a choice", done)
	}
	return nil
}

func (r *streamReader) event(data []byte) *failure.Failure {
	var e completion
	if err := providers.DecodeObject(data, &e); err != nil {
		return unreadable(err, data)
	}
	if e.Error != nil {
		return streamError(*e.Error)
	}
	if e.Choices == nil && e.Usage == nil {
		return providers.Malformed("an event of the stream has neither choices nor usage: %s", providers.Excerpt(data))
	}
	r.out.ID, r.out.Model = first(r.out.ID, e.ID), first(r.out.Model, e.Model)
	if e.Usage != nil {
		r.out.Usage = e.Usage.value()
	}
	if c, ok := e.choice(); ok {
		r.chosen = true
		return r.choice(c)
	}
	return nil
}

func (r *streamReader) choice(c choice) *failure.Failure {
	if c.FinishReason != nil && *c.FinishReason != "" {
		r.out.FinishReason = *c.FinishReason
	}
	if c.Delta == nil {
		return nil
	}
	r.thought.add(c.Delta)
	if text := first(c.Delta.ReasoningContent, c.Delta.Reasoning, c.Delta.Content.thinking()); text != "" {
		r.deltas++
		r.reasoning.WriteString(text)
	}
	for _, t := range c.Delta.ToolCalls {
		r.deltas++
		if err := r.calls.add(t); err != nil {
			return providers.Malformed("%v", err)
		}
	}
	if text := c.Delta.text(); text != "" {
		return r.chunk(text)
	}
	return nil
}

func (r *streamReader) chunk(text string) *failure.Failure {
	r.deltas++
	r.content.WriteString(text)
	r.out.Chunks = append(r.out.Chunks, text)
	if err := r.sink(providers.Chunk{Content: text}); err != nil {
		return providers.Stopped(err)
	}
	return nil
}

func (r *streamReader) result(complete bool) providers.Output {
	r.out.Content = r.content.String()
	r.out.Reasoning = r.reasoning.String()
	r.out.Thoughts = r.thought.list()
	r.out.ToolCalls = r.calls.list()
	r.out.Complete = complete
	return r.out
}

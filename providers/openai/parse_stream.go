package openai

import (
	"context"
	"errors"
	"io"
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
	// deltas counts what the model said: content, reasoning, tool calls. Once
	// there is one, a broken connection is an interrupted stream.
	deltas int
	// chosen says that a choice was seen, if only an empty one.
	chosen bool
	sink   func(providers.Chunk) error
}

func parseStream(ctx context.Context, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{out: out, sink: sink}
	failed := r.read(ctx, providers.NewEventReader(providers.LimitBody(resp.Body)))
	return r.result(failed == nil), failed
}

// read returns at the vendor's end marker, without waiting for the end of the
// body, or with the failure that came first.
func (r *streamReader) read(ctx context.Context, events *providers.EventReader) *failure.Failure {
	for {
		event, err := events.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return r.ended(err)
		}
		if string(event.Data) == done {
			return r.done()
		}
		if failed := r.event(event.Data); failed != nil {
			return failed
		}
	}
}

// ended is a stream that ends before its end marker (§17, 12).
func (r *streamReader) ended(err error) *failure.Failure {
	switch {
	case err == io.EOF:
		return r.incomplete("the stream ended without " + done)
	case errors.Is(err, providers.ErrCutEvent):
		return r.incomplete("the stream ended inside an event, without " + done)
	default:
		return providers.StreamFailure(err, r.deltas)
	}
}

func (r *streamReader) incomplete(message string) *failure.Failure {
	return &failure.Failure{Kind: failure.StreamIncomplete, Message: message}
}

func (r *streamReader) done() *failure.Failure {
	if !r.chosen {
		return providers.Malformed("the stream ended with %s, but no event had a choice", done)
	}
	return nil
}

func (r *streamReader) event(data []byte) *failure.Failure {
	var e completion
	if err := decode(data, &e); err != nil {
		return providers.Malformed("an event of the stream is not readable: %v: %s", err, providers.Excerpt(data))
	}
	if e.Error != nil {
		return &failure.Failure{Kind: e.Error.kind(failure.StreamInterrupted), Message: "the stream reported an error: " + e.Error.text()}
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
	if text := first(c.Delta.ReasoningContent, c.Delta.Reasoning); text != "" {
		r.deltas++
		r.reasoning.WriteString(text)
	}
	for _, t := range c.Delta.ToolCalls {
		r.deltas++
		if err := r.calls.add(t); err != nil {
			return providers.Malformed("%v", err)
		}
	}
	if c.Delta.Content == nil || *c.Delta.Content == "" {
		return nil
	}
	return r.chunk(*c.Delta.Content)
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
	r.out.ToolCalls = r.calls.list()
	r.out.Complete = complete
	return r.out
}

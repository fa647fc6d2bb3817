package gemini

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// callsMax bounds how many tool calls one answer may have.
const callsMax = 4096

// A streamReader puts a streamed answer together, event by event.
type streamReader struct {
	out       providers.Output
	content   strings.Builder
	reasoning strings.Builder
	usage     usage
	// deltas counts what the model said: text, thoughts, tool calls. Once there
	// is one, a broken connection is an interrupted stream.
	deltas int
	sink   func(providers.Chunk) error
}

func parseStream(ctx context.Context, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{out: out, sink: sink}
	failed := r.read(ctx, providers.NewEventReader(providers.LimitBody(resp.Body)))
	return r.result(failed == nil), failed
}

// read returns at the end of the body, as the event that ends the answer may
// be followed by others, or with the failure that came first.
func (r *streamReader) read(ctx context.Context, events *providers.EventReader) *failure.Failure {
	for {
		event, err := events.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return r.ended(err)
		}
		if failed := r.event(event.Data); failed != nil {
			return failed
		}
	}
}

// ended tells a stream that said why it ended from one that just did
// (semantics.md §3): the API has no other end marker.
func (r *streamReader) ended(err error) *failure.Failure {
	switch {
	case errors.Is(err, providers.ErrCutEvent):
		return incomplete("the stream ended inside an event")
	case err != io.EOF:
		return providers.StreamFailure(err, r.deltas)
	case r.out.FinishReason == "":
		return incomplete("the stream ended without a finishReason")
	default:
		return nil
	}
}

func incomplete(message string) *failure.Failure {
	return &failure.Failure{Kind: failure.StreamIncomplete, Message: message}
}

func (r *streamReader) event(data []byte) *failure.Failure {
	var a answer
	if err := providers.DecodeObject(data, &a); err != nil {
		return providers.Malformed("an event of the stream is not readable: %v: %s", err, providers.Excerpt(data))
	}
	switch {
	case a.Error != nil:
		return a.Error.observed(failure.StreamInterrupted, 0, "the stream reported an error")
	case a.empty():
		return providers.Malformed("an event of the stream has neither candidates nor usage: %s", providers.Excerpt(data))
	}
	r.out.ID, r.out.Model = first(r.out.ID, a.ResponseID), first(r.out.Model, a.ModelVersion)
	r.out.FinishReason = first(a.finish(), r.out.FinishReason)
	r.usage.update(a.Usage)
	return r.saying(a.says())
}

func (r *streamReader) saying(s saying) *failure.Failure {
	if s.thought != "" {
		r.deltas++
		r.reasoning.WriteString(s.thought)
	}
	r.deltas += len(s.calls)
	if r.out.ToolCalls = append(r.out.ToolCalls, s.calls...); len(r.out.ToolCalls) > callsMax {
		return providers.Malformed("the answer has more than %d tool calls", callsMax)
	}
	if s.text == "" {
		return nil
	}
	r.deltas++
	r.content.WriteString(s.text)
	r.out.Chunks = append(r.out.Chunks, s.text)
	if err := r.sink(providers.Chunk{Content: s.text}); err != nil {
		return providers.Stopped(err)
	}
	return nil
}

func (r *streamReader) result(complete bool) providers.Output {
	r.out.Content = r.content.String()
	r.out.Reasoning = r.reasoning.String()
	r.out.Usage = r.usage.value()
	r.out.Complete = complete
	return r.out
}

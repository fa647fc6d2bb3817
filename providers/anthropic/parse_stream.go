package anthropic

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
	blocks    openBlocks
	thoughts  thoughts
	of        string // the service whose thoughts they are
	usage     usage
	// deltas counts what the model said: text, thinking, tool calls. Once there
	// is one, a broken connection is an interrupted stream.
	deltas int
	// begun says that the message has begun.
	begun bool
	sink  func(providers.Chunk) error
}

func parseStream(ctx context.Context, in providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{out: out, sink: sink, of: in.ThoughtOf(format)}
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
		if done, failed := r.event(event.Data); done || failed != nil {
			return failed
		}
	}
}

// ended is a stream that ends before its end marker (semantics.md §3).
func (r *streamReader) ended(err error) *failure.Failure {
	switch {
	case err == io.EOF:
		return incomplete("the stream ended without " + typeStop)
	case errors.Is(err, providers.ErrCutEvent):
		return incomplete("the stream ended inside an event, without " + typeStop)
	default:
		return providers.StreamFailure(err, r.deltas)
	}
}

func incomplete(message string) *failure.Failure {
	return &failure.Failure{Kind: failure.StreamIncomplete, Message: message}
}

// event reads one event by the type in its data, which proxies keep where they
// lose the event's name. An unknown type is passed over, as the vendor asks.
func (r *streamReader) event(data []byte) (done bool, failed *failure.Failure) {
	var e struct {
		Type string
	}
	if failed := readEvent(data, &e); failed != nil {
		return false, failed
	}
	switch e.Type {
	case typeStart:
		return false, r.start(data)
	case typeBlockStart:
		return false, r.blockStart(data)
	case typeBlockDelta:
		return false, r.blockDelta(data)
	case typeDelta:
		return false, r.delta(data)
	case typeStop:
		return true, r.stop()
	case typeError, "":
		return false, reported(data)
	default:
		return false, nil
	}
}

func (r *streamReader) stop() *failure.Failure {
	if !r.begun {
		return providers.Malformed("the stream ended with %s, but no message began", typeStop)
	}
	return nil
}

// reported is an error in the midst of a stream, the vendor's or without a
// type that of a host of its models.
func reported(data []byte) *failure.Failure {
	var e struct{ Error *apiError }
	if failed := readEvent(data, &e); failed != nil {
		return failed
	}
	if e.Error == nil {
		return providers.Malformed("an event of the stream has neither a type nor an error: %s", providers.Excerpt(data))
	}
	return &failure.Failure{Kind: e.Error.kind(failure.StreamInterrupted), Message: "the stream reported an error: " + e.Error.text()}
}

func readEvent(data []byte, v any) *failure.Failure {
	if err := providers.DecodeObject(data, v); err != nil {
		return providers.Malformed("an event of the stream is not readable: %v: %s", err, providers.Excerpt(data))
	}
	return nil
}

func (r *streamReader) start(data []byte) *failure.Failure {
	var e struct{ Message *answer }
	if failed := readEvent(data, &e); failed != nil {
		return failed
	}
	if e.Message == nil {
		return providers.Malformed("%s has no message: %s", typeStart, providers.Excerpt(data))
	}
	r.begun = true
	r.out.ID, r.out.Model = e.Message.ID, e.Message.Model
	r.usage.update(&e.Message.Usage)
	return nil
}

func (r *streamReader) blockStart(data []byte) *failure.Failure {
	var e struct {
		Index int
		Block block `json:"content_block"`
	}
	if failed := readEvent(data, &e); failed != nil {
		return failed
	}
	if err := r.blocks.begin(e.Index, e.Block.call); err != nil {
		return providers.Malformed("%v", err)
	}
	if e.Block.call != nil {
		r.deltas++
	}
	r.thoughts.begin(e.Index, e.Block)
	r.thought(e.Block.thinking)
	return r.chunk(e.Block.text)
}

func (r *streamReader) blockDelta(data []byte) *failure.Failure {
	var e struct {
		Index int
		Delta delta
	}
	if failed := readEvent(data, &e); failed != nil {
		return failed
	}
	if err := r.blocks.add(e.Index, e.Delta.partial); err != nil {
		return providers.Malformed("%v: %s", err, providers.Excerpt(data))
	}
	if e.Delta.partial != "" {
		r.deltas++
	}
	r.thoughts.add(e.Index, e.Delta)
	r.thought(e.Delta.thinking)
	return r.chunk(e.Delta.text)
}

// delta is what is known at the end: the stop reason and the output's tokens.
func (r *streamReader) delta(data []byte) *failure.Failure {
	var e struct {
		Delta struct {
			StopReason string `json:"stop_reason"`
		}
		Usage *usage
	}
	if failed := readEvent(data, &e); failed != nil {
		return failed
	}
	r.out.FinishReason = first(e.Delta.StopReason, r.out.FinishReason)
	r.usage.update(e.Usage)
	return nil
}

func (r *streamReader) thought(text string) {
	if text != "" {
		r.deltas++
		r.reasoning.WriteString(text)
	}
}

func (r *streamReader) chunk(text string) *failure.Failure {
	if text == "" {
		return nil
	}
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
	r.out.Thoughts = r.thoughts.list(r.of)
	r.out.ToolCalls = r.blocks.calls()
	r.out.Usage = r.usage.value()
	r.out.Complete = complete
	return r.out
}

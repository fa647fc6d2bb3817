package anthropic

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
	blocks   openBlocks
	thoughts thoughts
	of       string // the service whose thoughts they are
	usage    usage
	// begun says that the message has begun.
	begun bool
}

func readStream(ctx context.Context, in providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{Answer: chat.Answer{Out: out, Sink: sink}, of: in.ThoughtOf(format)}
	failed := chat.ReadEvents(ctx, resp.Body, r)
	return r.result(failed == nil), failed
}

// Cut is a stream that ends before its end marker.
func (r *streamReader) Cut(err error) *failure.Failure { return chat.Cut(err, typeStop, r.Deltas) }

// Take reads one event by the type in its data, which proxies keep where they
// lose the event's name. An unknown type is passed over, as the vendor asks.
func (r *streamReader) Take(data []byte) (done bool, failed *failure.Failure) {
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
	return chat.ErrorEvent(e.Error.kind(failure.StreamInterrupted), e.Error.text())
}

func readEvent(data []byte, v any) *failure.Failure {
	if err := providers.DecodeObject(data, v); err != nil {
		return chat.Unreadable(err, data)
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
	r.Out.ID, r.Out.Model = e.Message.ID, e.Message.Model
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
		r.Deltas++
	}
	r.thoughts.begin(e.Index, e.Block)
	r.Think(e.Block.thinking)
	return r.Say(e.Block.text)
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
		r.Deltas++
	}
	r.thoughts.add(e.Index, e.Delta)
	r.Think(e.Delta.thinking)
	return r.Say(e.Delta.text)
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
	r.Out.FinishReason = cmp.Or(e.Delta.StopReason, r.Out.FinishReason)
	r.usage.update(e.Usage)
	return nil
}

func (r *streamReader) result(complete bool) providers.Output {
	r.Out.Thoughts = r.thoughts.list(r.of)
	r.Out.ToolCalls = r.blocks.calls()
	r.Out.Usage = r.usage.value()
	return r.Output(complete)
}

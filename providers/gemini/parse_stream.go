package gemini

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A streamReader puts a streamed answer together, event by event.
type streamReader struct {
	chat.Answer
	usage usage
}

func readStream(ctx context.Context, _ providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{Answer: chat.Answer{Out: out, Sink: sink}}
	failed := chat.ReadEvents(ctx, resp.Body, r)
	return r.result(failed == nil), failed
}

// Take reads one event. None is the last, as the one that ends the answer may be
// followed by others.
func (r *streamReader) Take(data []byte) (ended bool, failed *failure.Failure) {
	return false, r.event(data)
}

// Cut tells a stream that said why it ended from one that just did: the API has no other end marker.
func (r *streamReader) Cut(err error) *failure.Failure {
	switch {
	case errors.Is(err, providers.ErrCutEvent):
		return chat.Incomplete("the stream ended inside an event")
	case err != io.EOF:
		return providers.StreamFailure(err, r.Deltas)
	case r.Out.FinishReason == "":
		return chat.Incomplete("the stream ended without a finishReason")
	default:
		return nil
	}
}

func (r *streamReader) event(data []byte) *failure.Failure {
	var a answer
	if err := providers.DecodeObject(data, &a); err != nil {
		return chat.Unreadable(err, data)
	}
	switch {
	case a.Error != nil:
		return a.Error.observed(chat.ErrorEvent(a.Error.kind(failure.StreamInterrupted), a.Error.text()))
	case a.empty():
		return providers.Malformed("an event of the stream has neither candidates nor usage: %s", providers.Excerpt(data))
	}
	r.Out.ID, r.Out.Model = cmp.Or(r.Out.ID, a.ResponseID), cmp.Or(r.Out.Model, a.ModelVersion)
	r.Out.FinishReason = cmp.Or(a.finish(), r.Out.FinishReason)
	r.usage.update(a.Usage)
	return r.saying(a.says())
}

func (r *streamReader) saying(s saying) *failure.Failure {
	r.Think(s.thought)
	r.Deltas += len(s.calls)
	if r.Out.ToolCalls = append(r.Out.ToolCalls, s.calls...); len(r.Out.ToolCalls) > chat.CallsMax {
		return providers.Malformed("the answer has more than %d tool calls", chat.CallsMax)
	}
	return r.Say(s.text)
}

func (r *streamReader) result(complete bool) providers.Output {
	r.Out.Usage = r.usage.value()
	return r.Output(complete)
}

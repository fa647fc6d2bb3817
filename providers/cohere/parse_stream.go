package cohere

import (
	"cmp"
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// ending is the event that ends a stream.
const ending = "message-end"

func readStream(ctx context.Context, in providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := newReader(in, out, sink)
	failed := chat.ReadEvents(ctx, resp.Body, r)
	return r.result(failed == nil), failed
}

// Cut is a stream that ends before its last event.
func (r *reader) Cut(err error) *failure.Failure { return chat.Cut(err, ending, r.Deltas) }

// Take reads the data of one event. Those of types that it does not know, such as
// citations, are passed over.
func (r *reader) Take(data []byte) (bool, *failure.Failure) {
	if string(data) == "[DONE]" {
		return false, nil // of some hosts, behind the last event
	}
	var e event
	var d delta
	err := providers.DecodeObject(data, &e)
	if err == nil && len(e.Delta) > 0 {
		err = providers.DecodeJSON(e.Delta, &d)
	}
	if err != nil {
		return false, chat.Unreadable(err, data)
	}
	if e.Type == "" {
		if text := providers.ErrorText(data); text != "" {
			return false, chat.ErrorEvent(errorKind(text, failure.StreamInterrupted), text)
		}
		return false, providers.Malformed("an event of the stream has no type: %s", providers.Excerpt(data))
	}
	r.Out.ID = cmp.Or(r.Out.ID, e.ID)
	if e.Type == ending {
		return true, r.last(d, data)
	}
	return false, r.add(e, d)
}

// last reads the event that ends a stream.
func (r *reader) last(d delta, data []byte) *failure.Failure {
	r.Out.Usage = d.Usage.value()
	if len(d.Error) > 0 && string(d.Error) != "null" && string(d.Error) != `""` {
		text := providers.ErrorText(chat.Encode(object{"error": d.Error}))
		return chat.ErrorEvent(errorKind(text, failure.StreamInterrupted), text)
	}
	if r.Out.FinishReason = d.FinishReason; r.Out.FinishReason == "" {
		return providers.Malformed("the stream ended without a finish_reason: %s", providers.Excerpt(data))
	}
	return r.ended()
}

func (r *reader) add(e event, d delta) *failure.Failure {
	if d.Message == nil {
		return nil
	}
	if failed := r.Say(d.Message.ToolPlan); failed != nil {
		return failed
	}
	if failed := r.parts(d.Message.Content); failed != nil {
		return failed
	}
	for _, c := range d.Message.ToolCalls {
		index := len(r.Out.ToolCalls)
		if e.Index != nil {
			index = *e.Index
		}
		at, known := r.calls[index]
		if e.Type != "tool-call-start" && known {
			r.Deltas++
			r.Out.ToolCalls[at].Arguments += c.Function.Arguments
			continue
		}
		if failed := r.begin(index, c); failed != nil {
			return failed
		}
	}
	return nil
}

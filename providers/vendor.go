package providers

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A Vendor renders the answers that faults need in the shape of the provider
// of one attempt. It is the adapter bound to the attempt's input.
type Vendor struct {
	Adapter Adapter
	In      Input
}

// A Labeler is an adapter that can say of the parts of an event stream, one
// event each, which carry a delta of content and which is the end marker.
type Labeler interface {
	Label(*wire.Response)
}

// Label labels the parts of a stream in place; see [Labeler].
func (v Vendor) Label(resp *wire.Response) {
	if l, ok := v.Adapter.(Labeler); ok {
		l.Label(resp)
	}
}

// Error is the provider's error answer for a status.
func (v Vendor) Error(status int, typ, message string) wire.Response {
	return v.Adapter.RenderError(v.In, status, typ, message)
}

// Reply is an answer of the given content; chunks, where not nil, are the
// deltas of a stream. An empty finish reason is the provider's usual one. A
// completion of 0 or more is the number of tokens the answer reports, a
// negative one leaves it to the adapter.
func (v Vendor) Reply(content string, chunks []string, finishReason string, completion int) wire.Response {
	out := Output{Content: content, Chunks: chunks, FinishReason: finishReason}
	return v.Adapter.Render(v.In, withCompletion(v.In, out, completion))
}

// Again is the same answer with another finish reason and another number of
// completion tokens, and with what base waits before its first byte. It is
// false for a base that is no success.
func (v Vendor) Again(base wire.Response, finishReason string, completion int) (wire.Response, bool) {
	resp := &http.Response{
		StatusCode:    base.Status,
		Header:        http.Header{},
		Body:          io.NopCloser(bytes.NewReader(base.Body())),
		ContentLength: -1,
	}
	if base.Status == 0 {
		resp.StatusCode = http.StatusOK
	}
	for _, f := range base.Header {
		resp.Header.Add(f.Name, f.Value)
	}
	out, failed := v.Adapter.Parse(context.Background(), v.In, resp, nil, func() time.Time { return time.Time{} }, nil)
	if failed != nil {
		return wire.Response{}, false
	}
	out.FinishReason, out.Latency = finishReason, base.Wait
	return v.Adapter.Render(v.In, withCompletion(v.In, out, completion)), true
}

func withCompletion(in Input, out Output, completion int) Output {
	if completion < 0 {
		return out
	}
	if !out.Usage.Set {
		out.Usage = EstimateUsage(in, out)
	}
	out.Usage.Completion = completion
	out.Usage.Total = out.Usage.Prompt + completion
	return out
}

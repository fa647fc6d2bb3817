package providers

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

// A Vendor renders the answers that faults need in the shape of the provider
// of one attempt. It is the adapter bound to the attempt's input.
type Vendor struct {
	Adapter Adapter
	In      Input
	// Earlier is what the run was answered before, and whether it was: at the same
	// place, or the last of another place, which is of the address of where that is
	// not "". Nil says that nobody remembers.
	Earlier func(elsewhere bool, of string) (Output, bool)
}

// A Labeler is an adapter that can say of the parts of an event stream, one
// event each, which carry a delta of content and which is the end marker.
type Labeler interface {
	Label(*wire.Response)
}

// A StreamErrorer is an adapter whose provider reports an error inside a stream
// in another way than by its error object as the data of an unnamed event. The
// event is returned framed; an empty typ or message gets the provider's usual.
type StreamErrorer interface {
	RenderStreamError(in Input, typ, message string) []byte
}

// A WrongTyper is an adapter for which text/html is an answer like any other.
// WrongType names a content type under which an HTML page is none.
type WrongTyper interface {
	WrongType() string
}

// An Opener is an adapter of a protocol that is not HTTP, whose server speaks
// first: Opening is what it says then.
type Opener interface {
	Opening() []byte
}

// A Restorer is an adapter whose recordings hold an answer in another form than
// that of the wire. Restore returns the latter; the error says why there is
// none.
type Restorer interface {
	Restore(wire.Response) (wire.Response, error)
}

// A Noter is an adapter whose provider has an answer that says nothing but that
// all is well.
type Noter interface {
	RenderNote(in Input, warning string) wire.Response
}

// Opening is what the provider says before it is asked, nil over HTTP.
func (v Vendor) Opening() []byte {
	if s, ok := v.Adapter.(Opener); ok {
		return s.Opening()
	}
	return nil
}

// Note is an answer that has nothing to tell; see [Noter].
func (v Vendor) Note(warning string) wire.Response {
	if n, ok := v.Adapter.(Noter); ok {
		return n.RenderNote(v.In, warning)
	}
	return v.Reply("", nil, "", -1)
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

// Whole is Reply in one body, whether or not the input asks for a stream.
func (v Vendor) Whole(content string) wire.Response {
	in := v.In
	in.Stream = false
	return v.Adapter.Render(in, Output{Content: content})
}

// StreamError is the event by which the provider reports an error inside a
// stream; see [StreamErrorer].
func (v Vendor) StreamError(typ, message string) []byte {
	if a, ok := v.Adapter.(StreamErrorer); ok {
		return a.RenderStreamError(v.In, typ, message)
	}
	return AppendEvent(nil, "", v.Error(http.StatusOK, typ, message).Body())
}

// WrongType is a content type that the provider's client cannot take for an
// answer; see [WrongTyper].
func (v Vendor) WrongType() string {
	if a, ok := v.Adapter.(WrongTyper); ok {
		return a.WrongType()
	}
	return "text/html; charset=utf-8"
}

// A Typer is an adapter whose provider has means of its own to say what kind of
// failure it is; code is the provider's, "" for the usual one.
type Typer interface {
	RenderTyped(in Input, kind, message, code string) wire.Response
}

// Typed is an answer that is observed as the kind of failure; an adapter that
// has none answers with a status.
func (v Vendor) Typed(kind, message, code string) wire.Response {
	if a, ok := v.Adapter.(Typer); ok {
		return a.RenderTyped(v.In, kind, message, code)
	}
	return v.Error(http.StatusInternalServerError, kind, message)
}

// Misaddressed is an answer to another request than this one: base, or one of
// the vendor's own words where that is nil. It is false where answers name no
// request, and for a base that is no success.
func (v Vendor) Misaddressed(base *wire.Response) (wire.Response, bool) {
	if v.In.RPC.ID == "" {
		return wire.Response{}, false
	}
	out := Output{Content: "an answer to another request"}
	if base != nil {
		read, failed := v.read(*base)
		if failed != nil {
			return wire.Response{}, false
		}
		out = read
	}
	in := v.In
	in.RPC.ID += "-other"
	in.RPC.RawID = nil
	return v.Adapter.Render(in, out), true
}

// Again is the same answer with another finish reason and another number of
// completion tokens, and with what base waits before its first byte. It is
// false for a base that is no success.
func (v Vendor) Again(base wire.Response, finishReason string, completion int) (wire.Response, bool) {
	out, failed := v.read(base)
	if failed != nil {
		return wire.Response{}, false
	}
	out.FinishReason = finishReason
	return v.Adapter.Render(v.In, withCompletion(v.In, out, completion)), true
}

// Says is what an answer says, and how long it waits before it says so. It is false for
// one that is no success.
func (v Vendor) Says(base wire.Response) (Output, bool) {
	out, failed := v.read(base)
	return out, failed == nil
}

// read is what an answer says, and how long it waits before it says so.
func (v Vendor) read(base wire.Response) (Output, *failure.Failure) {
	resp := &http.Response{
		StatusCode:    base.Status,
		Header:        http.Header{},
		Body:          io.NopCloser(io.MultiReader(bytes.NewReader(base.Opening), bytes.NewReader(base.Body()))),
		ContentLength: -1,
	}
	if base.Status == 0 {
		resp.StatusCode = http.StatusOK
	}
	for _, f := range base.Header {
		resp.Header.Add(f.Name, f.Value)
	}
	out, failed := v.Adapter.Parse(context.Background(), v.In, resp, nil, func() time.Time { return time.Time{} }, nil)
	out.Latency = base.Wait
	return out, failed
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

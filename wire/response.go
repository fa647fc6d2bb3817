package wire

import (
	"bytes"
	"time"
)

// A Response is one answer, of HTTP unless it has an Opening, before it is laid
// out as bytes: the form in which adapters render a reply, cassettes hold a
// recording, and faults disturb either. [Response.Script] lays it out.
type Response struct {
	// Opening, where not nil, makes this the answer of a protocol of messages
	// that is not HTTP: the bytes with which the server opens the session, none
	// for one that refuses it. They come in the place of a head and at once, the
	// parts follow as they are, and Wait passes between the two. All that is
	// about HTTP (Status, Reason, Header, Trailer, Stream, Length) is ignored.
	Opening []byte
	// Status is the status code, 200 when zero; Reason defaults to the standard
	// text, and stays empty for a code that has none, such as 529.
	Status int
	Reason string
	// Header holds the fields in the order they are sent. Content-Length and
	// Transfer-Encoding are added by Script and ignored here.
	Header []Field
	// Wait passes before the status line.
	Wait time.Duration
	// Parts are the pieces of the body in order. A stream has one part per
	// event; any other body has one.
	Parts []Part
	// Trailer holds fields that are sent after the last part; they need the
	// framing of a stream, which the answer then has.
	Trailer []Field
	// Stream frames every part as two chunks of a chunked body, cut inside the
	// event: a client that puts no pieces together loses it. Otherwise the parts
	// are joined behind one Content-Length.
	Stream bool
	// Whole frames every part of a stream as one chunk, for bytes that nothing but
	// their pieces divides.
	Whole bool
	// Length, when not 0, is the Content-Length that is announced, whatever the
	// parts hold. It says nothing about a stream.
	Length int
	// End is how a recorded answer ended when it did not end by its own
	// framing: EndNone for a complete one. An answer that did not is laid out
	// so that a client can tell: without the last chunk, or with more content
	// announced than sent.
	End End
}

// A Field is one header line.
type Field struct{ Name, Value string }

// A Part is a piece of a body.
type Part struct {
	Wait time.Duration
	Data []byte
	Kind PartKind
}

// PartKind says what a part of a body carries, for faults that count.
type PartKind uint8

const (
	// PartBody is a piece of a body that is no event stream.
	PartBody PartKind = iota
	// PartChunk is an event that carries one delta of content.
	PartChunk
	// PartEvent is any other event: roles, tool calls, usage, comments.
	PartEvent
	// PartDone is the vendor's own end marker, such as "data: [DONE]".
	PartDone
)

// Body returns the parts joined: the content as a client that reads to the end
// sees it. The slice is new.
func (r Response) Body() []byte {
	body := make([]byte, 0, r.size())
	for _, p := range r.Parts {
		body = append(body, p.Data...)
	}
	return body
}

// Clone returns a copy that shares no memory with r, for a fault that disturbs
// an answer others still hold.
func (r Response) Clone() Response {
	r.Opening = bytes.Clone(r.Opening)
	if r.Header != nil {
		r.Header = append([]Field{}, r.Header...)
	}
	if r.Trailer != nil {
		r.Trailer = append([]Field{}, r.Trailer...)
	}
	if r.Parts != nil {
		r.Parts = append([]Part{}, r.Parts...)
	}
	for i, p := range r.Parts {
		r.Parts[i].Data = bytes.Clone(p.Data)
	}
	return r
}

// Count reports how many parts have the given kind.
func (r Response) Count(kind PartKind) int {
	n := 0
	for _, p := range r.Parts {
		if p.Kind == kind {
			n++
		}
	}
	return n
}

func (r Response) size() int {
	n := 0
	for _, p := range r.Parts {
		n += len(p.Data)
	}
	return n
}

package wire

import "time"

// A Response is one HTTP answer before it is laid out as bytes: the form in
// which adapters render a reply, cassettes hold a recording, and faults
// disturb either. [Response.Script] lays it out.
type Response struct {
	// Status is the status code; Reason defaults to the standard text.
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
	// Stream frames every part as one chunk of a chunked body. Otherwise the
	// parts are joined behind one Content-Length.
	Stream bool
	// End is how a recorded answer ended when it did not end by its own
	// framing: EndNone for a complete one.
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

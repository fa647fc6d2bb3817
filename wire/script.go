package wire

import (
	"net/http"
	"time"
)

// End says how a connection ends after the bytes of an [Op].
type End uint8

const (
	// EndNone leaves the connection as it is: more operations follow, or the
	// response was complete by its own framing.
	EndNone End = iota
	// EndFIN closes the connection in an orderly way (TCP FIN).
	EndFIN
	// EndRST resets the connection (TCP RST).
	EndRST
	// EndHang is silence until the client gives up.
	EndHang
	// EndTimeout is a read timeout raised by the client's own transport. On a
	// real connection, where a server cannot cause one, it is silence.
	EndTimeout
)

// An Op waits, delivers bytes, then possibly ends the connection.
type Op struct {
	Wait time.Duration
	Data []byte
	// Cut, where it lies inside Data, is where the bytes come apart: no Read of the
	// in-process transport goes past it, and a connection gets the two sides in a
	// write each (see [ServeOptions]).
	Cut int
	End End
}

// A WireScript is everything a client meets on one dial. The zero value is a
// connection that is closed before any byte.
type WireScript struct {
	// Delay passes before Dial, TLS or Err strikes, or before the first Op.
	Delay time.Duration
	// Dial is the error of the dial (refused, unknown host …), TLS that of the
	// handshake. At most one of them is set; Ops are then not played.
	Dial, TLS error
	// Err is returned by the in-process transport as it is. It belongs to the
	// one fault without a form on the wire; ServeConn answers it with a reset.
	Err error
	Ops []Op
	// BodyErr, where not nil, is what reading the body ends in where the
	// connection ends inside it: a recorded error that its client's transport
	// raised over bytes that are not known. On a real connection it is the cut.
	BodyErr error
	// Through, where not nil, answers in the place of everything above: the
	// network, in a live run. ServeConn answers it with a reset.
	Through http.RoundTripper
	Meta    Meta
}

// Meta says where a script came from. It is for traces and reports; a client
// never sees it.
type Meta struct {
	Step    string
	Attempt int
	// Fault is the kind of the injected fault, "" when nothing was injected.
	Fault string
	// By is what answered: "script", "cassette" or "live".
	By string
	// Entry is the 1-based entry of the step's script or the 1-based
	// interaction of the cassette.
	Entry int
	Pos   Pos
	// CostUSD is what the answer costs if it arrives, in US dollars; no wire
	// format says so.
	CostUSD float64
}

// Pos is a place in a file; lines and columns count from 1, and the zero value
// is no place at all.
type Pos struct {
	File         string
	Line, Column int
}

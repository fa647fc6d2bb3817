package telemetry

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"

	"github.com/scenario-lang/scenario/trace"
)

// A TraceID names a trace, and a SpanID one of its spans, as W3C Trace Context has them.
type (
	TraceID [16]byte
	SpanID  [8]byte
)

// IsValid reports whether an id names a span: not all of its bytes are zero.
func (id SpanID) IsValid() bool { return id != SpanID{} }

// String is the id in hexadecimal digits.
func (id TraceID) String() string { return hex.EncodeToString(id[:]) }

// String is the id in hexadecimal digits.
func (id SpanID) String() string { return hex.EncodeToString(id[:]) }

// traceID derives the id of a scenario's trace from its run id, or from the
// rest of the header where there is none.
func traceID(h trace.Header) TraceID {
	seed := []byte(h.RunID)
	if h.RunID == "" {
		seed = h.AppendJSON(nil)
	}
	sum := sha256.Sum256(seed)
	return TraceID(sum[:16])
}

// spanID derives a span's id from its trace and from the number of the event
// that began it, 0 for the scenario itself. It is never the invalid zero.
func spanID(of TraceID, seq uint64) SpanID {
	h := fnv.New64a()
	h.Write(of[:])
	h.Write(binary.BigEndian.AppendUint64(nil, seq))
	var id SpanID
	binary.BigEndian.PutUint64(id[:], h.Sum64()|1)
	return id
}

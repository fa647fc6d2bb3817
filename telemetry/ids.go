package telemetry

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"

	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/scenario-lang/scenario/trace"
)

// traceID derives the id of a scenario's trace from its run id, or from the
// rest of the header where there is none.
func traceID(h trace.Header) oteltrace.TraceID {
	seed := []byte(h.RunID)
	if h.RunID == "" {
		seed = h.AppendJSON(nil)
	}
	sum := sha256.Sum256(seed)
	return oteltrace.TraceID(sum[:16])
}

// spanID derives a span's id from its trace and from the number of the event
// that began it, 0 for the scenario itself. It is never the invalid zero.
func spanID(of oteltrace.TraceID, seq uint64) oteltrace.SpanID {
	h := fnv.New64a()
	h.Write(of[:])
	h.Write(binary.BigEndian.AppendUint64(nil, seq))
	var id oteltrace.SpanID
	binary.BigEndian.PutUint64(id[:], h.Sum64()|1)
	return id
}

type idsKey struct{}

type ids struct {
	trace oteltrace.TraceID
	span  oteltrace.SpanID
}

// IDs makes a tracer provider of the SDK give exported spans the ids that
// [Spans] computed: pass it to the SDK's WithIDGenerator. It is for
// [ExportSpans] alone; for any other span it has no id.
type IDs struct{}

// NewIDs returns the ids of the span that is being exported.
func (IDs) NewIDs(ctx context.Context) (oteltrace.TraceID, oteltrace.SpanID) {
	id, _ := ctx.Value(idsKey{}).(ids)
	return id.trace, id.span
}

// NewSpanID returns the id of the span that is being exported.
func (IDs) NewSpanID(ctx context.Context, _ oteltrace.TraceID) oteltrace.SpanID {
	id, _ := ctx.Value(idsKey{}).(ids)
	return id.span
}

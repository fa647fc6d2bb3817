package providers

import "github.com/scenario-lang/scenario/wire"

// Events collects the events of a rendered stream as the parts of an answer. The
// bytes of all parts are in one piece of memory.
type Events struct {
	Parts   []wire.Part
	written []byte
}

// eventSize is how long an event of a few words usually is.
const eventSize = 192

// NewEvents is ready for about n events.
func NewEvents(n int) Events {
	return Events{Parts: make([]wire.Part, 0, n), written: make([]byte, 0, n*eventSize)}
}

// Add adds an event of that name, "" for none, with data as it is; see
// [AppendEvent].
func (e *Events) Add(kind wire.PartKind, name string, data []byte) {
	start := len(e.written)
	e.written = AppendEvent(e.written, name, data)
	e.cut(kind, start)
}

// AddJSON adds an event whose data are v as JSON, null where it has none.
func (e *Events) AddJSON(kind wire.PartKind, name string, v any) {
	start := len(e.written)
	e.written = append(appendName(e.written, name), eventData...)
	e.written = append(appendOrNull(e.written, v), "\n\n"...)
	e.cut(kind, start)
}

// AddLine adds a line of [NDJSON].
func (e *Events) AddLine(kind wire.PartKind, v any) {
	start := len(e.written)
	e.written = append(appendOrNull(e.written, v), '\n')
	e.cut(kind, start)
}

// cut makes a part of what was written since start. It can be appended to
// without a harm to the next.
func (e *Events) cut(kind wire.PartKind, start int) {
	end := len(e.written)
	e.Parts = append(e.Parts, wire.Part{Kind: kind, Data: e.written[start:end:end]})
}

func appendOrNull(dst []byte, v any) []byte {
	out, err := AppendJSON(dst, v)
	if err != nil {
		return append(dst, "null"...)
	}
	return out
}

package openai

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the parts of a recorded event stream which carry a delta of
// content and which is the end marker, so that a fault can count them. A part
// is one event; what cannot be read is an event like any other.
func (Adapter) Label(resp *wire.Response) {
	chat.LabelEvents(resp, label)
}

func label(data []byte) wire.PartKind {
	if string(data) == done {
		return wire.PartDone
	}
	var e completion
	if json.Unmarshal(data, &e) != nil {
		return wire.PartEvent
	}
	if c, ok := e.choice(); ok && c.Delta != nil && c.Delta.text() != "" {
		return wire.PartChunk
	}
	return wire.PartEvent
}

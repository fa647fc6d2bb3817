package gemini

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the parts of a recorded event stream which carry a delta of
// content and which ends the answer, so that a fault can count them. An event
// that does both is the end: a fault that lets it pass has cut nothing. A part
// is one event; what cannot be read is an event like any other.
func (Adapter) Label(resp *wire.Response) {
	chat.LabelEvents(resp, label)
}

func label(data []byte) wire.PartKind {
	var a answer
	switch err := json.Unmarshal(data, &a); {
	case err != nil:
		return wire.PartEvent
	case a.finish() != "":
		return wire.PartDone
	case a.says().text != "":
		return wire.PartChunk
	default:
		return wire.PartEvent
	}
}

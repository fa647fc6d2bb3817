package anthropic

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the parts of a recorded event stream which carry a delta of
// content and which is the end marker, so that a fault can count them. A part
// is one event; what cannot be read is an event like any other.
func (Adapter) Label(resp *wire.Response) {
	if isAmazon(resp) {
		chat.Label(resp, labelAmazon)
		return
	}
	chat.LabelEvents(resp, label)
}

func label(data []byte) wire.PartKind {
	var e struct {
		Type  string
		Delta delta
		Block block `json:"content_block"`
	}
	switch err := json.Unmarshal(data, &e); {
	case err != nil:
		return wire.PartEvent
	case e.Type == typeStop:
		return wire.PartDone
	case e.Type == typeBlockDelta && e.Delta.text != "", e.Type == typeBlockStart && e.Block.text != "":
		return wire.PartChunk
	default:
		return wire.PartEvent
	}
}

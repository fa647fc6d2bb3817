package anthropic

import (
	"bytes"
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the parts of a recorded event stream which carry a delta of
// content and which is the end marker, so that a fault can count them. A part
// is one event; what cannot be read is an event like any other.
func (Adapter) Label(resp *wire.Response) {
	if !resp.Stream {
		return
	}
	for i := range resp.Parts {
		resp.Parts[i].Kind = label(resp.Parts[i].Data)
	}
}

func label(part []byte) wire.PartKind {
	event, err := providers.NewEventReader(bytes.NewReader(part)).Next()
	if err != nil {
		return wire.PartEvent
	}
	var e struct {
		Type  string
		Delta delta
		Block block `json:"content_block"`
	}
	switch err := json.Unmarshal(event.Data, &e); {
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

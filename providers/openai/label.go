package openai

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
	if string(event.Data) == done {
		return wire.PartDone
	}
	var e completion
	if json.Unmarshal(event.Data, &e) != nil {
		return wire.PartEvent
	}
	if c, ok := e.choice(); ok && c.Delta != nil && c.Delta.text() != "" {
		return wire.PartChunk
	}
	return wire.PartEvent
}

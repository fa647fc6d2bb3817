package openai

import (
	"bytes"
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the parts of a recorded event stream what [Adapter.Label] does;
// the end marker is the event with the whole response.
func (Responses) Label(resp *wire.Response) {
	if !resp.Stream {
		return
	}
	for i := range resp.Parts {
		resp.Parts[i].Kind = responsesLabel(resp.Parts[i].Data)
	}
}

func responsesLabel(part []byte) wire.PartKind {
	event, err := providers.NewEventReader(bytes.NewReader(part)).Next()
	if err != nil {
		return wire.PartEvent
	}
	var e struct {
		Type  string          `json:"type"`
		Delta json.RawMessage `json:"delta"`
	}
	if json.Unmarshal(event.Data, &e) != nil {
		return wire.PartEvent
	}
	switch e.Type {
	case eventText, eventRefusal:
		if text := string(e.Delta); text != `""` && text != "" {
			return wire.PartChunk
		}
	case eventCompleted, eventIncomplete, eventFailed:
		return wire.PartDone
	}
	return wire.PartEvent
}

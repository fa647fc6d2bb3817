package openai

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the parts of a recorded event stream what [Adapter.Label] does;
// the end marker is the event with the whole response.
func (Responses) Label(resp *wire.Response) {
	chat.LabelEvents(resp, responsesLabel)
}

func responsesLabel(data []byte) wire.PartKind {
	var e struct {
		Type  string          `json:"type"`
		Delta json.RawMessage `json:"delta"`
	}
	if json.Unmarshal(data, &e) != nil {
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

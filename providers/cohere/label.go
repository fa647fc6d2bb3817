package cohere

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the events of a recorded stream which carry a delta of content and
// which is the last, so that a fault can count them.
func (Adapter) Label(resp *wire.Response) { chat.LabelEvents(resp, label) }

func label(data []byte) wire.PartKind {
	var e event
	var d delta
	switch {
	case json.Unmarshal(data, &e) != nil:
		return wire.PartEvent
	case e.Type == ending:
		return wire.PartDone
	case len(e.Delta) == 0 || json.Unmarshal(e.Delta, &d) != nil || d.Message == nil:
		return wire.PartEvent
	}
	for _, p := range d.Message.Content {
		if p.Text != nil && *p.Text != "" {
			return wire.PartChunk
		}
	}
	if d.Message.ToolPlan != "" {
		return wire.PartChunk
	}
	return wire.PartEvent
}

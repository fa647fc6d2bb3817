package ollama

import (
	"bytes"
	"encoding/json"

	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Label says of the lines of a recorded stream which carry a delta of content
// and which is the last, so that a fault can count them. What cannot be read is
// a line like any other, and so is one that is blank.
func (Adapter) Label(resp *wire.Response) {
	chat.Label(resp, label)
}

func label(part []byte) wire.PartKind {
	var a answer
	switch {
	case json.Unmarshal(bytes.TrimSpace(part), &a) != nil:
		return wire.PartEvent
	case a.Done:
		return wire.PartDone
	case a.Message != nil && a.Message.Content != "":
		return wire.PartChunk
	default:
		return wire.PartEvent
	}
}

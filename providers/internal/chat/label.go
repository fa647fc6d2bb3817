package chat

import (
	"bytes"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Label asks of every part of a stream what it is, so that a fault can count
// them.
func Label(resp *wire.Response, kind func(part []byte) wire.PartKind) {
	if !resp.Stream {
		return
	}
	for i := range resp.Parts {
		resp.Parts[i].Kind = kind(resp.Parts[i].Data)
	}
}

// LabelEvents is [Label] for a stream of events, of which each part is one. kind
// is asked about their data; what cannot be read is an event like any other.
func LabelEvents(resp *wire.Response, kind func(data []byte) wire.PartKind) {
	Label(resp, func(part []byte) wire.PartKind {
		event, err := providers.NewEventReader(bytes.NewReader(part)).Next()
		if err != nil {
			return wire.PartEvent
		}
		return kind(event.Data)
	})
}

package faults

import (
	"errors"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const streamErrorEventName = "stream_error_event"

var streamErrorEvent = &Kind{
	Name:    streamErrorEventName,
	Summary: "A stream that delivers part of an answer, then the provider's own error event, and then ends in good order.",
	For:     llmStreams,
	Groups:  []Group{GroupCut},
	Attrs: append(vendorErrorAttrs(), schema.Attr{
		Name: "after_chunks", Type: schema.Int, Min: 0, HasMin: true,
		Doc: "How many deltas of content come before it. Default: half of them, rounded up; of an answer without content half of its events.",
	}),
	Fails:  fails,
	Script: strikeStreamErrorEvent,
}

func strikeStreamErrorEvent(s Strike) (wire.WireScript, error) {
	whole, _ := s.disturbed(s.enough())
	if !whole.Stream {
		return wire.WireScript{}, errors.New("the answer is no stream: set stream = true on the step")
	}
	n := s.number("after_chunks", 0)
	if err := tooFar("after_chunks", n, whole.Count(wire.PartChunk), true, "chunks"); err != nil {
		return wire.WireScript{}, err
	}
	resp, err := s.cut(whole, wire.EndNone)
	if err != nil {
		return wire.WireScript{}, err
	}
	resp.Parts = append(resp.Parts[:len(resp.Parts):len(resp.Parts)], wire.Part{
		Kind: wire.PartEvent, Data: s.Vendor.StreamError(s.text("type"), s.text("message")),
	})
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(streamErrorEventName)), nil
}

package gemini

import (
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

func renderStream(out providers.Output) wire.Response {
	s := stream{out: out, Events: providers.NewEvents(len(out.Chunks) + len(out.ToolCalls) + 2)}
	if out.Reasoning != "" {
		s.add(wire.PartEvent, envelope(out, thoughtPart(out.Reasoning)))
	}
	s.content()
	for _, c := range out.ToolCalls {
		s.add(wire.PartEvent, envelope(out, callPart(c)))
	}
	last := envelope(out, textPart(""))
	last.Candidates[0].FinishReason = out.FinishReason
	last.Usage = counted(out.Usage)
	s.add(wire.PartDone, last)
	return chat.Streamed(providers.EventStream, out.Latency, s.Parts)
}

// A stream collects the parts of a streamed answer.
type stream struct {
	providers.Events
	out providers.Output
}

func (s *stream) add(kind wire.PartKind, event answer) {
	s.AddJSON(kind, "", event)
}

// content adds one event per delta.
func (s *stream) content() {
	chat.Deltas(&s.Events, s.out, func(text string) { s.add(wire.PartChunk, envelope(s.out, textPart(text))) })
}

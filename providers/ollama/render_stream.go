package ollama

import (
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

func renderStream(out providers.Output, last answer) wire.Response {
	s := stream{model: out.Model, Events: providers.NewEvents(len(out.Chunks) + len(out.ToolCalls) + 2)}
	if out.Reasoning != "" {
		s.say(wire.PartEvent, message{Thinking: out.Reasoning})
	}
	begun := false
	for _, text := range out.Chunks {
		if text == "" {
			continue
		}
		s.say(wire.PartChunk, message{Content: text})
		if begun {
			s.Parts[len(s.Parts)-1].Wait = out.ChunkDelay
		}
		begun = true
	}
	for _, call := range calls(out.ToolCalls, newIDs()) {
		s.say(wire.PartEvent, message{ToolCalls: []toolCall{call}})
	}
	last.Message = &message{Role: "assistant"}
	s.add(wire.PartDone, last)
	return wire.Response{
		Status: 200,
		Header: []wire.Field{{Name: "Content-Type", Value: providers.NDJSON}},
		Wait:   out.Latency,
		Parts:  s.Parts,
		Stream: true,
	}
}

// A stream collects the lines of a streamed answer.
type stream struct {
	providers.Events
	model string
}

func (s *stream) say(kind wire.PartKind, m message) {
	m.Role = "assistant"
	s.add(kind, answer{Model: s.model, CreatedAt: createdAt, Message: &m})
}

func (s *stream) add(kind wire.PartKind, a answer) {
	s.AddLine(kind, a)
}

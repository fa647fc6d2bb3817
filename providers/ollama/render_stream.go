package ollama

import (
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

func renderStream(out providers.Output, last answer) wire.Response {
	s := stream{model: out.Model}
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
			s.parts[len(s.parts)-1].Wait = out.ChunkDelay
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
		Parts:  s.parts,
		Stream: true,
	}
}

// A stream collects the lines of a streamed answer.
type stream struct {
	model string
	parts []wire.Part
}

func (s *stream) say(kind wire.PartKind, m message) {
	m.Role = "assistant"
	s.add(kind, answer{Model: s.model, CreatedAt: createdAt, Message: &m})
}

func (s *stream) add(kind wire.PartKind, a answer) {
	s.parts = append(s.parts, wire.Part{Kind: kind, Data: append(mustEncode(a), '\n')})
}

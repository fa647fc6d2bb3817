package ollama

import (
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

func renderStream(out providers.Output, last answer) wire.Response {
	s := stream{model: out.Model, Events: providers.NewEvents(len(out.Chunks) + len(out.ToolCalls) + 2)}
	if out.Reasoning != "" {
		s.say(wire.PartEvent, message{Thinking: out.Reasoning})
	}
	chat.Deltas(&s.Events, out, func(text string) { s.say(wire.PartChunk, message{Content: text}) })
	for _, call := range calls(out.ToolCalls, newIDs()) {
		s.say(wire.PartEvent, message{ToolCalls: []toolCall{call}})
	}
	last.Message = &message{Role: "assistant"}
	s.add(wire.PartDone, last)
	return chat.Streamed(providers.NDJSON, out.Latency, s.Parts)
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

package openai

import (
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

const done = "[DONE]"

func renderStream(out providers.Output) wire.Response {
	s := stream{out: out}
	s.event(wire.PartEvent, delta{Role: "assistant", Content: &content{}}, nil)
	if out.Reasoning != "" {
		s.event(wire.PartEvent, delta{ReasoningContent: out.Reasoning}, nil)
	}
	s.content()
	for i, c := range out.ToolCalls {
		s.toolCall(i, c)
	}
	s.event(wire.PartEvent, delta{}, &out.FinishReason)
	last := envelope(out, chunkObject)
	last.Usage = reported(out.Usage)
	s.add(wire.PartEvent, mustEncode(last))
	s.add(wire.PartDone, []byte(done))
	return wire.Response{
		Status: 200,
		Header: []wire.Field{{Name: "Content-Type", Value: providers.EventStream + "; charset=utf-8"}},
		Wait:   out.Latency,
		Parts:  s.parts,
		Stream: true,
	}
}

const chunkObject = "chat.completion.chunk"

// A stream collects the parts of a streamed answer.
type stream struct {
	out   providers.Output
	parts []wire.Part
}

func (s *stream) add(kind wire.PartKind, data []byte) {
	s.parts = append(s.parts, wire.Part{Kind: kind, Data: providers.AppendEvent(nil, "", data)})
}

func (s *stream) event(kind wire.PartKind, d delta, finish *string) {
	s.add(kind, mustEncode(envelope(s.out, chunkObject, choice{Delta: &d, FinishReason: finish})))
}

// content adds one event per delta. The delay stands before every one but the
// first; a delta without text is none.
func (s *stream) content() {
	begun := false
	for _, text := range s.out.Chunks {
		if text == "" {
			continue
		}
		s.event(wire.PartChunk, delta{Content: &content{said: text}}, nil)
		if begun {
			s.parts[len(s.parts)-1].Wait = s.out.ChunkDelay
		}
		begun = true
	}
}

// toolCall names the call in one event and gives its arguments in a second, so
// that whoever reads it has to put them together by their index.
func (s *stream) toolCall(i int, c providers.ToolCall) {
	s.event(wire.PartEvent, delta{ToolCalls: []toolCall{{
		Index: &i, ID: callID(c, i), Type: "function", Function: functionCall{Name: c.Name},
	}}}, nil)
	s.event(wire.PartEvent, delta{ToolCalls: []toolCall{{
		Index: &i, Function: functionCall{Arguments: c.Arguments},
	}}}, nil)
}

package openai

import (
	"bytes"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

const done = "[DONE]"

func renderStream(in providers.Input, out providers.Output) wire.Response {
	s := newStream(out)
	s.event(wire.PartEvent, delta{Role: "assistant", Content: &content{}}, nil)
	if out.Reasoning != "" {
		s.event(wire.PartEvent, delta{ReasoningContent: out.Reasoning}, nil)
	}
	s.content()
	for i, c := range out.ToolCalls {
		s.toolCall(i, c)
	}
	s.event(wire.PartEvent, delta{}, &out.FinishReason)
	if !in.Uncounted {
		last := envelope(out, chunkObject)
		last.Usage = reported(out.Usage)
		s.AddJSON(wire.PartEvent, "", last)
	}
	s.Add(wire.PartDone, "", []byte(done))
	return chat.Streamed(providers.EventStream+"; charset=utf-8", out.Latency, s.Parts)
}

const chunkObject = "chat.completion.chunk"

// A stream collects the parts of a streamed answer.
type stream struct {
	providers.Events
	out providers.Output
	// before and after are the JSON around the delta and the finish reason of
	// every event, data the JSON of the latest.
	before, after, data []byte
}

func newStream(out providers.Output) stream {
	s := stream{out: out, Events: providers.NewEvents(len(out.Chunks) + 5)}
	s.before, s.after, _ = bytes.Cut(chat.Encode(envelope(out, chunkObject, choice{Delta: &delta{}})), []byte(`{},"finish_reason":null`))
	return s
}

func (s *stream) event(kind wire.PartKind, d any, finish *string) {
	s.data = chat.Append(append(s.data[:0], s.before...), d)
	s.data = chat.Append(append(s.data, `,"finish_reason":`...), finish)
	s.data = append(s.data, s.after...)
	s.Add(kind, "", s.data)
}

// content adds one event per delta.
func (s *stream) content() {
	chat.Deltas(&s.Events, s.out, func(text string) { s.event(wire.PartChunk, textDelta{text}, nil) })
}

// toolCall names the call in one event and gives its arguments in two more, so
// that whoever reads it has to put them together by their index.
func (s *stream) toolCall(i int, c providers.ToolCall) {
	s.event(wire.PartEvent, delta{ToolCalls: []toolCall{{
		Index: &i, ID: callID(c, i), Type: "function", Function: functionCall{Name: c.Name},
	}}}, nil)
	for _, piece := range chat.Pieces(c.Arguments) {
		s.event(wire.PartEvent, delta{ToolCalls: []toolCall{{Index: &i, Function: functionCall{Arguments: piece}}}}, nil)
	}
}

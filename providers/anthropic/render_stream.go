package anthropic

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// The events that a stream is read by.
const (
	typeStart      = "message_start"
	typeBlockStart = "content_block_start"
	typeBlockDelta = "content_block_delta"
	typeBlockStop  = "content_block_stop"
	typeDelta      = "message_delta"
	typeStop       = "message_stop"
	typeError      = "error"
)

func renderStream(out providers.Output, amazon bool) wire.Response {
	s := stream{out: out, amazon: amazon, Events: providers.NewEvents(len(out.Chunks) + usualEvents)}
	s.start()
	if out.Reasoning != "" {
		s.block(thinkingBlock{Type: "thinking"}, func(index int) {
			s.delta(wire.PartEvent, index, thinkingDelta{Type: "thinking_delta", Thinking: out.Reasoning})
		})
	}
	if out.Content != "" {
		s.block(textBlock{Type: "text"}, s.content)
	}
	for i, c := range out.ToolCalls {
		s.toolCall(i, c)
	}
	s.add(wire.PartEvent, typeDelta, messageDelta{
		Type: typeDelta, Delta: stopDelta{StopReason: out.FinishReason},
		Usage: deltaUsage{OutputTokens: out.Usage.Completion, OutputDetails: thought(out.Usage)},
	})
	s.add(wire.PartDone, typeStop, messageStop{Type: typeStop})
	if amazon {
		return chat.Streamed(providers.AmazonStream, out.Latency, s.Parts)
	}
	return chat.Streamed(providers.EventStream+"; charset=utf-8", out.Latency, s.Parts)
}

// usualEvents is how many events a stream has beside those of its text.
const usualEvents = 5

// A stream collects the parts of a streamed answer.
type stream struct {
	providers.Events
	out providers.Output
	// amazon says that the events are messages of Amazon's encoding.
	amazon bool
	// blocks is how many content blocks have begun.
	blocks int
}

func (s *stream) add(kind wire.PartKind, name string, event any) {
	if s.amazon {
		s.addAmazon(kind, event)
		return
	}
	s.AddJSON(kind, name, event)
}

// start reports the input's tokens, and none of the output's yet.
func (s *stream) start() {
	m, none := envelope(s.out), 0
	m.Usage = counted(s.out.Usage)
	m.Usage.Output, m.Usage.OutputDetails = &none, nil
	s.add(wire.PartEvent, typeStart, messageStart{Type: typeStart, Message: m})
}

// block adds one content block; fill adds its deltas.
func (s *stream) block(empty any, fill func(index int)) {
	index := s.blocks
	s.blocks++
	s.add(wire.PartEvent, typeBlockStart, blockStart{Type: typeBlockStart, Index: index, Block: empty})
	fill(index)
	s.add(wire.PartEvent, typeBlockStop, blockStop{Type: typeBlockStop, Index: index})
}

func (s *stream) delta(kind wire.PartKind, index int, d any) {
	s.add(kind, typeBlockDelta, blockDelta{Type: typeBlockDelta, Index: index, Delta: d})
}

// content adds one event per delta.
func (s *stream) content(index int) {
	chat.Deltas(&s.Events, s.out, func(text string) { s.delta(wire.PartChunk, index, textDelta{Type: "text_delta", Text: text}) })
}

// toolCall sends the arguments in two pieces, so that whoever reads them has
// to put them together. They are text here, valid JSON or not.
func (s *stream) toolCall(i int, c providers.ToolCall) {
	block := toolUseBlock{Type: "tool_use", ID: callID(c, i+1), Name: c.Name, Input: json.RawMessage("{}")}
	s.block(block, func(index int) {
		for _, piece := range chat.Pieces(c.Arguments) {
			s.delta(wire.PartEvent, index, inputDelta{Type: "input_json_delta", Partial: piece})
		}
	})
}

package cohere

import (
	"cmp"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// id is the id of a rendered answer: fixed, so that equal replies are equal bytes.
const id = "00000000-0000-0000-0000-000000000000"

// reasons are the vendor's words for those that a reply may give in OpenAI's.
var reasons = map[string]string{"stop": "COMPLETE", "length": "MAX_TOKENS", "tool_calls": "TOOL_CALL"}

// Render lays a reply out as the service answers it: one JSON object, or a stream of
// events. A stream of content without chunks is cut after each word. Usage that the
// reply does not give is an estimate ([providers.EstimateUsage]).
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	out = completed(in, out)
	if in.Stream {
		return renderStream(out)
	}
	a := answer{ID: cmp.Or(out.ID, id), FinishReason: out.FinishReason, Message: &message{Role: "assistant", ToolCalls: wired(out.ToolCalls, newIDs())}, Usage: usageOf(out.Usage)}
	if out.Reasoning != "" {
		a.Message.Content = append(a.Message.Content, thinkingPart(out.Reasoning))
	}
	switch {
	case len(out.ToolCalls) > 0:
		a.Message.ToolPlan = out.Content
	default:
		a.Message.Content = append(a.Message.Content, textPart(out.Content))
	}
	return chat.Whole(200, "application/json", out.Latency, a)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	out = chat.Filled(in, out)
	if out.FinishReason == "" {
		out.FinishReason = "stop"
		if len(out.ToolCalls) > 0 {
			out.FinishReason = "tool_calls"
		}
	}
	if word := reasons[out.FinishReason]; word != "" {
		out.FinishReason = word
	}
	return out
}

func usageOf(u providers.Usage) *usage {
	n := &units{float64(u.Prompt), float64(u.Completion)}
	out := &usage{BilledUnits: n, Tokens: n}
	if u.Cached > 0 {
		cached := float64(u.Cached)
		out.Cached = &cached
	}
	return out
}

// An object is one of a stream, in the order of its members.
type object map[string]any

func renderStream(out providers.Output) wire.Response {
	s := stream{Events: providers.NewEvents(len(out.Chunks) + 4*len(out.ToolCalls) + 6)}
	s.add(wire.PartEvent, "message-start", object{"id": cmp.Or(out.ID, id), "delta": object{"message": object{"role": "assistant", "content": []any{}, "tool_plan": "", "tool_calls": []any{}, "citations": []any{}}}})
	if out.Reasoning != "" {
		s.content("thinking", func() { s.say(wire.PartEvent, "thinking", out.Reasoning) })
	}
	if len(out.ToolCalls) > 0 {
		chat.Deltas(&s.Events, out, func(text string) {
			s.add(wire.PartChunk, "tool-plan-delta", object{"delta": object{"message": object{"tool_plan": text}}})
		})
		s.tools(out.ToolCalls)
	} else {
		s.content("text", func() { chat.Deltas(&s.Events, out, func(text string) { s.say(wire.PartChunk, "text", text) }) })
	}
	s.add(wire.PartDone, ending, object{"id": cmp.Or(out.ID, id), "delta": object{"finish_reason": out.FinishReason, "usage": usageOf(out.Usage)}})
	return chat.Streamed(providers.EventStream, out.Latency, s.Parts)
}

// A stream collects the events of a streamed answer.
type stream struct {
	providers.Events
	index int // of the next piece of content
}

func (s *stream) add(kind wire.PartKind, typ string, o object) {
	o["type"] = typ
	s.AddJSON(kind, typ, o)
}

// content is a piece of content with its beginning and its end.
func (s *stream) content(typ string, deltas func()) {
	s.add(wire.PartEvent, "content-start", object{"index": s.index, "delta": object{"message": object{"content": object{"type": typ, typ: ""}}}})
	deltas()
	s.add(wire.PartEvent, "content-end", object{"index": s.index})
	s.index++
}

func (s *stream) say(kind wire.PartKind, typ, text string) {
	s.add(kind, "content-delta", object{"index": s.index, "delta": object{"message": object{"content": object{typ: text}}}})
}

func (s *stream) tools(list []providers.ToolCall) {
	for i, c := range wired(list, newIDs()) {
		arguments := c.Function.Arguments
		c.Function.Arguments = ""
		s.add(wire.PartEvent, "tool-call-start", object{"index": i, "delta": object{"message": object{"tool_calls": c}}})
		for _, piece := range chat.Pieces(arguments) {
			s.add(wire.PartEvent, "tool-call-delta", object{"index": i, "delta": object{"message": object{"tool_calls": object{"function": object{"arguments": piece}}}}})
		}
		s.add(wire.PartEvent, "tool-call-end", object{"index": i})
	}
}

package openai

import (
	"maps"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

func renderResponseStream(out providers.Output) wire.Response {
	s := responseStream{out: out, Events: providers.NewEvents(len(out.Chunks) + usualEvents)}
	begun := written(out, statusInProgress)
	s.event(wire.PartEvent, eventCreated, fields{"response": begun})
	s.event(wire.PartEvent, "response.in_progress", fields{"response": begun})
	end := finished(out)
	for i, item := range end.Output {
		s.item(i, item)
	}
	last := eventCompleted
	if end.Status == statusIncomplete {
		last = eventIncomplete
	}
	s.event(wire.PartDone, last, fields{"response": end})
	return wire.Response{
		Status: 200,
		Header: []wire.Field{{Name: "Content-Type", Value: providers.EventStream + "; charset=utf-8"}},
		Wait:   out.Latency,
		Parts:  s.Parts,
		Stream: true,
	}
}

// usualEvents is how many events a response has beside those of its text.
const usualEvents = 9

// fields are those of one event; they are written in the order of their names.
type fields map[string]any

// A responseStream collects the parts of a streamed response.
type responseStream struct {
	providers.Events
	out providers.Output
}

func (s *responseStream) event(kind wire.PartKind, typ string, f fields) {
	f["type"], f["sequence_number"] = typ, len(s.Parts)
	s.AddJSON(kind, typ, f)
}

// item adds the events of one item: that it is there, what it says piece by
// piece, and that it is whole.
func (s *responseStream) item(index int, item outputItem) {
	s.event(wire.PartEvent, eventItemAdded, fields{"output_index": index, "item": item.begun()})
	at := place{s, fields{"output_index": index, "item_id": item.ID}}
	switch item.Type {
	case itemReasoning:
		at.fields["summary_index"] = 0
		at.reasoning()
	case itemMessage:
		at.fields["content_index"] = 0
		at.message()
	case itemCall:
		for _, piece := range chat.Pieces(*item.Arguments) {
			at.add(wire.PartEvent, eventArguments, "delta", piece)
		}
		at.add(wire.PartEvent, eventArgumentsDone, "arguments", *item.Arguments)
	}
	s.event(wire.PartEvent, eventItemDone, fields{"output_index": index, "item": item})
}

// A place is the part of the output that events are about.
type place struct {
	stream *responseStream
	fields fields
}

func (p place) add(kind wire.PartKind, typ, name string, value any) {
	f := maps.Clone(p.fields)
	f[name] = value
	p.stream.event(kind, typ, f)
}

func (p place) reasoning() {
	text := p.stream.out.Reasoning
	p.add(wire.PartEvent, "response.reasoning_summary_part.added", "part", summaryPart(""))
	p.add(wire.PartEvent, eventSummary, "delta", text)
	p.add(wire.PartEvent, "response.reasoning_summary_text.done", "text", text)
	p.add(wire.PartEvent, "response.reasoning_summary_part.done", "part", summaryPart(text))
}

// message adds one event per delta of content. The delay stands before every
// one but the first; a delta without text is none.
func (p place) message() {
	s := p.stream
	p.add(wire.PartEvent, "response.content_part.added", "part", textPart(""))
	begun := false
	for _, text := range s.out.Chunks {
		if text == "" {
			continue
		}
		p.add(wire.PartChunk, eventText, "delta", text)
		if begun {
			s.Parts[len(s.Parts)-1].Wait = s.out.ChunkDelay
		}
		begun = true
	}
	p.add(wire.PartEvent, "response.output_text.done", "text", s.out.Content)
	p.add(wire.PartEvent, "response.content_part.done", "part", textPart(s.out.Content))
}

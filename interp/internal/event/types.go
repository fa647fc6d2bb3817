package event

import (
	"fmt"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// A row is one type of event.
type row struct {
	empty func() trace.Payload
	doc   string
}

// of makes the row of a payload.
func of[T any, P interface {
	*T
	trace.Payload
}](doc string) row {
	return row{func() trace.Payload { return P(new(T)) }, doc}
}

// rows are all types of event, in the order of the reference.
var rows = []row{
	of[RunStart]("A workflow begins, or the scenario where it has none. With a step it is the workflow that this step runs."),
	of[StepStart]("A step begins. A step that is skipped has none, only its end."),
	of[AttemptStart]("A target is dialled. The first event of a round through a gateway tells the route."),
	of[Fault]("A fault was injected into the attempt."),
	of[AttemptEnd]("The attempt ended."),
	of[Message]("A message passed beside the one that an attempt is about: of the handshake of a session, a report, a ping, a cancellation."),
	of[Rejection]("A target was refused without a dial. The first event of a round through a gateway tells the route."),
	of[RetryWait]("A retry was decided and its wait began."),
	of[Fallback]("An answer came from a gateway's later target, or a step's substitute began."),
	of[Breaker]("A breaker changed its state."),
	of[Timeout]("A deadline expired; one deadline gives one event."),
	of[Failure]("A failure was observed and classified."),
	of[LockWait]("A session began to wait for a lock."),
	of[Lock]("A lock was taken."),
	of[Unlock]("A lock was released."),
	of[Pool]("A connection of a pool was asked for, granted, released or refused."),
	of[SessionStart]("A session of an actor's handler has its locks and begins."),
	of[SessionEnd]("A session ended."),
	of[Route]("A call was routed to an actor, or refused."),
	of[Registry]("An entry of a registry, or an actor or one of its modules, changed its state."),
	of[StepEnd]("The step ended, or was skipped."),
	of[SutStart]("The program under test was started."),
	of[SutReady]("The program was ready."),
	of[SutHost]("The program called a host of no provider, and was refused."),
	of[SutEnd]("The program ended, or was stopped."),
	of[CaseStart]("A trial of a case of a bench begins."),
	of[CaseEnd]("A trial of a case ended."),
	of[Gate]("A gate found the run green for the wrong reason."),
	of[Defect]("The scenario could not be played as it is written."),
	of[RunEnd]("The run ended."),
}

// described are the rows, made when somebody asks.
var described = sync.OnceValue(func() []trace.TypeInfo {
	list := make([]trace.TypeInfo, len(rows))
	for i, r := range rows {
		p := r.empty()
		list[i] = trace.Describe(p, r.doc)
		if w, ok := p.(worded); ok {
			list[i].Attrs = spelled(list[i].Attrs, w.words())
		}
	}
	return list
})

// worded is a payload with attributes that are one of the words of a catalogue,
// which a tag cannot list.
type worded interface{ words() map[string][]string }

// spelled adds the words to the text of their attributes.
func spelled(attrs []trace.AttrInfo, words map[string][]string) []trace.AttrInfo {
	list := slices.Clone(attrs)
	for i, a := range list {
		if known := words[a.Name]; known != nil {
			list[i].Doc += ": " + schema.Or(known...)
		}
	}
	return list
}

// byType finds the rows.
var byType = sync.OnceValue(func() map[trace.Type]func() trace.Payload {
	m := make(map[trace.Type]func() trace.Payload, len(rows))
	for _, r := range rows {
		m[r.empty().EventType()] = r.empty
	}
	return m
})

// TypeNames are the types of events, in the order of the reference, without what
// [Types] says of them.
func TypeNames() []trace.Type {
	names := make([]trace.Type, len(rows))
	for i, r := range rows {
		names[i] = r.empty().EventType()
	}
	return names
}

// Types describes every type of event, in the order of the reference. The
// slice and what it holds are the caller's to read only.
func Types() []trace.TypeInfo { return described() }

// Describe returns the description of a type, or nil for an unknown one.
func Describe(t trace.Type) *trace.TypeInfo {
	for i, info := range described() {
		if info.Type == t {
			return &described()[i]
		}
	}
	return nil
}

// Empty is the payload of a type of event with nothing set, nil for an unknown
// type.
func Empty(t trace.Type) trace.Payload {
	if empty := byType()[t]; empty != nil {
		return empty()
	}
	return nil
}

// Read reads a line of a trace file that is an event.
func Read(line []byte) (trace.Event, error) { return trace.ReadEvent(line, Empty) }

// Check says what is wrong with an event: a type nobody declared, or attributes
// that its type does not have. Tests of whoever writes events use it.
func Check(e trace.Event) error {
	info := Describe(e.Type)
	if info == nil {
		return fmt.Errorf("event %d has the unknown type %q; add it to the list", e.Seq, e.Type)
	}
	return info.Check(e)
}

// Shown are events as a trace file shows them: what is hidden of them stays so,
// and the payloads are plain again.
func Shown(events []trace.Event) []trace.Event {
	shown := make([]trace.Event, len(events))
	for i := range events {
		e, err := Read(events[i].AppendJSON(nil))
		if err != nil {
			e = events[i] // never: it is a line of a trace
		}
		shown[i] = e
	}
	return shown
}

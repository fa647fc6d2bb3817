package telemetry

import (
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// Spans computes the spans of one scenario: `scenario N` › `workflow N` ›
// `step N` › one for each attempt, and `session ACTOR.HANDLER` for what actors
// do. They are in order of their start, every parent before its children.
// What the trace leaves open ends with the trace and is Unset.
func Spans(h trace.Header, events []trace.Event) []Span {
	b := &spanBuilder{open: make(map[place]int)}
	b.spans = make([]Span, 0, 1+countStarts(events))
	b.begin(place{}, &trace.Event{}, "scenario "+h.Scenario, h)
	for i := range events {
		b.take(&events[i])
	}
	for _, i := range b.open {
		b.spans[i].End = b.now
	}
	for i := range b.spans {
		b.spans[i].finish()
	}
	return b.spans
}

func countStarts(events []trace.Event) (n int) {
	for i := range events {
		switch events[i].Type {
		case trace.RunStart, trace.StepStart, trace.AttemptStart, trace.SessionStart:
			n++
		}
	}
	return n
}

// A level is a rank in the hierarchy of spans.
type level uint8

const (
	scenarioLevel level = iota
	runLevel
	stepLevel
	attemptLevel
	sessionLevel
)

// usual is how many attributes a span of a level has where nothing is unusual.
var usual = [...]int{scenarioLevel: 5, runLevel: 4, stepLevel: 4, attemptLevel: 18, sessionLevel: 5}

// A place identifies an open span. The zero place is the scenario's. A step runs
// once at a time, so that its iteration is no part of it.
type place struct {
	level             level
	call, actor, step string
	number            int
}

type spanBuilder struct {
	spans []Span
	open  map[place]int
	// working are the sessions of handlers, which may run a workflow.
	working map[work]int
	now     time.Duration
}

// work is a session of a handler, which the trace calls by its address.
type work struct {
	handler string
	session int64
}

func (b *spanBuilder) take(e *trace.Event) {
	b.now = max(b.now, e.At)
	switch e.Type {
	case trace.RunStart:
		b.startRun(e)
	case trace.RunEnd:
		b.end(runPlace(e), e, e.Text("status"))
	case trace.StepStart:
		b.startStep(e)
	case trace.StepEnd:
		b.end(stepPlace(e), e, e.Text("status"))
	case trace.AttemptStart:
		b.startAttempt(e)
	case trace.AttemptEnd:
		b.endAttempt(e)
	case trace.SessionStart:
		b.startSession(e)
	case trace.SessionEnd:
		b.end(sessionPlace(e), e, e.Text("status"))
	default:
		b.note(e)
	}
}

func runPlace(e *trace.Event) place {
	return place{level: runLevel, call: e.Call, actor: e.Actor, step: e.Step}
}

func stepPlace(e *trace.Event) place {
	return place{level: stepLevel, call: e.Call, actor: e.Actor, step: e.Step}
}

func attemptPlace(e *trace.Event) place {
	return place{level: attemptLevel, call: e.Call, actor: e.Actor, step: e.Step, number: e.Attempt}
}

func sessionPlace(e *trace.Event) place {
	return place{level: sessionLevel, call: e.Call, actor: e.Actor, step: e.Text("handler"), number: int(e.Int("session"))}
}

func (b *spanBuilder) startRun(e *trace.Event) {
	if name := e.Text("workflow"); name != "" {
		s := b.start(runPlace(e), e, "workflow "+name)
		s.add("scenario.workflow", name)
		s.add("scenario.run_id", e.Text("run_id"))
	}
}

func (b *spanBuilder) startStep(e *trace.Event) {
	name := "step " + e.Step
	if e.Step == "" {
		name = "call " + e.Call
	}
	s := b.start(stepPlace(e), e, name)
	s.add("scenario.step_id", e.Step)
	s.add("scenario.step_kind", e.Text("kind"))
	addCount(s, "scenario.iteration", e.Iteration)
}

func (b *spanBuilder) startSession(e *trace.Event) {
	if b.working == nil {
		b.working = map[work]int{}
	}
	b.working[work{"actor." + e.Actor + "." + e.Text("handler"), e.Int("session")}] = len(b.spans)
	s := b.start(sessionPlace(e), e, "session "+e.Actor+"."+e.Text("handler"))
	s.add("scenario.actor", e.Actor)
	s.add("scenario.handler", e.Text("handler"))
	s.add("scenario.call", e.Call)
}

func addCount(s *Span, key string, n int) {
	if n != 0 {
		s.add(key, n)
	}
}

// start opens a span below the innermost open one that its event belongs to.
func (b *spanBuilder) start(at place, e *trace.Event, name string) *Span {
	parent := b.parent(at, e)
	id := b.spans[0].TraceID
	b.open[at] = len(b.spans)
	b.spans = append(b.spans, Span{
		Name: name, TraceID: id, ID: spanID(id, e.Seq), Parent: b.spans[parent].ID,
		Start: e.At, End: e.At, Status: Unset, Attributes: make([]trace.Attr, 0, usual[at.level]),
	})
	return &b.spans[len(b.spans)-1]
}

func (b *spanBuilder) begin(at place, e *trace.Event, name string, h trace.Header) {
	id := traceID(h)
	b.open[at] = 0
	root := Span{Name: name, TraceID: id, ID: spanID(id, 0), Start: e.At, Status: Unset}
	root.add("scenario.file", h.File)
	root.add("scenario.name", h.Scenario)
	root.add("scenario.plan", h.Plan)
	root.add("scenario.run_id", h.RunID)
	root.add("scenario.seed", h.Seed)
	b.spans = append(b.spans, root)
}

// parent finds the open span below which a new one belongs: an attempt below
// its step, a step below the step whose name begins its own (`loop.inner`),
// then below its workflow.
func (b *spanBuilder) parent(at place, e *trace.Event) int {
	if at.level == attemptLevel {
		if i, ok := b.open[stepPlace(e)]; ok {
			return i
		}
	}
	if at.level == runLevel {
		if i, ok := b.working[work{e.Step, e.Int("session")}]; ok {
			return i
		}
		at.step += "." // a workflow that a step runs belongs below that step
	}
	for name := at.step; at.level != sessionLevel; {
		dot := strings.LastIndexByte(name, '.')
		if dot < 0 {
			break
		}
		name = name[:dot]
		if i, ok := b.open[place{level: runLevel, call: e.Call, actor: e.Actor, step: name}]; ok {
			return i
		}
		if i, ok := b.open[place{level: stepLevel, call: e.Call, actor: e.Actor, step: name}]; ok {
			return i
		}
	}
	return b.workflow(e)
}

// workflow is the open workflow of the event's call, or the scenario.
func (b *spanBuilder) workflow(e *trace.Event) int {
	for _, at := range [...]place{{level: runLevel, call: e.Call, actor: e.Actor}, {level: runLevel, call: e.Call}, {level: runLevel}} {
		if i, ok := b.open[at]; ok {
			return i
		}
	}
	return 0
}

// end closes a span and gives it the status that a result's word stands for.
func (b *spanBuilder) end(at place, e *trace.Event, result string) *Span {
	i, ok := b.open[at]
	if !ok {
		return nil
	}
	delete(b.open, at)
	s := &b.spans[i]
	s.End = e.At
	switch result {
	case "success":
		s.Status = OK
	case "failed", "failure", "timeout", "partial":
		s.Status, s.Message = Error, e.Text("message")
		s.add(attrErrorType, e.Text("kind"))
	}
	s.add("scenario.status", result)
	return s
}

// note puts an event on the innermost open span it belongs to.
func (b *spanBuilder) note(e *trace.Event) {
	i := b.innermost(e)
	s := &b.spans[i]
	s.Events = append(s.Events, SpanEvent{Name: string(e.Type), At: e.At, Attributes: noteAttrs(e)})
	switch {
	case e.Type == trace.Defect, e.Type == trace.Gate && i == 0 && e.Attr("allowed") != true:
		s.Status, s.Message = Error, e.Text("message")
	case e.Type == trace.Fault && s.Client:
		s.add("mock.fault_type", e.Text("fault_type"))
	case e.Type == trace.Failure && s.Client:
		s.add(attrErrorType, e.Text("kind"))
	}
}

func (b *spanBuilder) innermost(e *trace.Event) int {
	if e.Type == trace.Gate || e.Type == trace.Defect {
		return 0
	}
	if e.Attempt > 0 {
		if i, ok := b.open[attemptPlace(e)]; ok {
			return i
		}
	}
	if e.Step != "" {
		if i, ok := b.open[stepPlace(e)]; ok {
			return i
		}
	}
	return b.workflow(e)
}

// noteAttrs are the event's attributes and what it is about.
func noteAttrs(e *trace.Event) []trace.Attr {
	if e.Target == "" && e.Actor == "" {
		return e.Attrs()
	}
	attrs := e.Attrs()
	s := Span{Attributes: make([]trace.Attr, 0, len(attrs)+2)}
	s.add("actor", e.Actor)
	s.add("target", e.Target)
	s.Attributes = append(s.Attributes, attrs...)
	s.finish()
	return s.Attributes
}

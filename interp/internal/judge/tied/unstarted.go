package tied

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// A Beginning is of a step, Second, that never began: it was ready at the instant at which another
// one, First, began and failed, which stopped the run, and stands behind it in the file. Runs are
// those that may as well have come, in which it begins, dials its target, and is cancelled. What it
// asks is not known: in one it asks what First did, and in the other nothing.
type Beginning struct {
	First, Second string
	Runs          [2][]trace.Event
}

// Unstarted are the steps of a run that may as well have begun.
func Unstarted(o *observe.Observed) (list []Beginning) {
	w := o.Plan.Workflow
	if o.Driven() || w == nil || w.MaxConcurrent == 1 || o.Run.Status == "" || o.Run.Status == read.StatusSuccess {
		return nil
	}
	for _, s := range w.Steps {
		b := o.Steps[s.Name]
		if b == nil || b.Began || b.Status != read.StatusSkipped || s.When != nil || s.Substitute {
			continue
		}
		i := slices.IndexFunc(o.Order, func(a *observe.StepResult) bool { return read.StoppedBy(a.Name) == b.SkippedReason })
		if i < 0 || len(list) == most/2 {
			continue
		}
		if a := o.Order[i]; a.Outer == nil && a.Began && a.Ended == a.Started && readyAt(o, w, s) == a.Started {
			events := o.Log.Events()
			if alike := began(events, a, b, true); alike != nil {
				list = append(list, Beginning{a.Name, b.Name, [2][]trace.Event{alike, began(events, a, b, false)}})
			}
		}
	}
	return list
}

// readyAt is when all had ended that a step waits for, -1 where one had not succeeded.
func readyAt(o *observe.Observed, w *plan.Workflow, s *plan.Step) (at time.Duration) {
	for _, i := range s.After {
		if i < 0 || i >= len(w.Steps) {
			return -1
		}
		of := o.Steps[w.Steps[i].Name]
		if of == nil || !of.Began || of.Status != read.StatusSuccess {
			return -1
		}
		at = max(at, of.Ended)
	}
	return at
}

// began are the events with those of a step that begins before another one does, and is cancelled
// where it was skipped; nil where they have no place. alike says that it asks what the other did.
func began(events []trace.Event, first, step *observe.StepResult, alike bool) []trace.Event {
	from := slices.IndexFunc(events, func(e trace.Event) bool { return within(&e, first.Name) })
	end := slices.IndexFunc(events, func(e trace.Event) bool { return e.Step == step.Name && e.Type == trace.StepEnd })
	if from < 0 || end < from {
		return nil
	}
	at := func(t trace.Type, p trace.Payload) trace.Event {
		return trace.Event{At: events[from].At, Type: t, Step: step.Name, Payload: p}
	}
	s := step.Step
	start, ended := []trace.Event{at(trace.StepStart, &event.StepStart{Kind: string(s.Kind)})}, []trace.Event{}
	if g := s.Gateway; g != nil {
		t := g.Targets[0]
		start[0].Payload = &event.StepStart{Kind: string(s.Kind), Gateway: g.Name}
		asked := &event.Request{Provider: t.Provider.Name}
		if i := slices.IndexFunc(events, func(e trace.Event) bool { return e.Step == first.Name && e.Type == trace.AttemptStart }); alike && i >= 0 {
			asked = events[i].Payload.(*event.AttemptStart).Request
		}
		a := at(trace.AttemptStart, &event.AttemptStart{Request: asked, Decision: &event.Decision{Gateway: g.Name, Strategy: g.Strategy, Candidates: event.Names{t.Name}}})
		a.Attempt, a.Round, a.Target = 1, 1, t.Name
		start = append(start, a)
		a.Type, a.Payload = trace.AttemptEnd, &event.AttemptEnd{Outcome: "cancelled"}
		ended = append(ended, a)
	}
	ended = append(ended, at(trace.StepEnd, &event.StepEnd{Status: read.StatusCancelled}))
	return slices.Concat(events[:from], start, events[from:end], ended, events[end+1:])
}

package tracetest

import (
	"fmt"

	"github.com/scenario-lang/scenario/trace"
)

// ends are the events that end something, by those that begin it.
var ends = map[trace.Type]trace.Type{
	trace.RunEnd:     trace.RunStart,
	trace.StepEnd:    trace.StepStart,
	trace.AttemptEnd: trace.AttemptStart,
	trace.SessionEnd: trace.SessionStart,
	trace.Unlock:     trace.Lock,
	trace.CaseEnd:    trace.CaseStart,
}

// Unended returns the starts that have no end, and ends that have no start, in
// order. A complete run has none. A step that was skipped or aborted has
// an end alone.
func Unended(events []trace.Event) []trace.Event {
	begins := map[trace.Type]bool{}
	for _, start := range ends {
		begins[start] = true
	}
	open := map[string][]int{}
	lost := make([]bool, len(events))
	for i := range events {
		e := &events[i]
		start := ends[e.Type]
		switch id := identity(start, e); {
		case begins[e.Type]:
			id = identity(e.Type, e)
			open[id], lost[i] = append(open[id], i), true
		case start == "":
		case len(open[id]) > 0:
			last := len(open[id]) - 1
			lost[open[id][last]] = false
			open[id] = open[id][:last]
		default:
			lost[i] = e.Type != trace.StepEnd || e.Text("status") != "skipped" && e.Text("status") != "aborted"
		}
	}
	var out []trace.Event
	for i, l := range lost {
		if l {
			out = append(out, events[i])
		}
	}
	return out
}

// identity says which start an end belongs to. The end of a step names an
// attempt too, the one whose failure is the step's; it is no part of it.
func identity(start trace.Type, e *trace.Event) string {
	own := ""
	iteration := e.Iteration
	switch start {
	case trace.AttemptStart:
		own = fmt.Sprint(e.Attempt)
	case trace.Lock:
		own = e.Text("lock")
	case trace.CaseStart:
		own = e.Text("case")
		iteration = int(e.Int("trial"))
	}
	return fmt.Sprintf("%s %q %q %q %q %d", start, e.Step, e.Call, e.Actor, own, iteration)
}

package report

import (
	"bytes"
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// writeTimeline shows when steps and attempts of a run began, and how they
// ended, each line at its time on the virtual clock. An attempt is told before
// the change of its breaker, which the trace records just before the end of
// the attempt that caused it.
func writeTimeline(b *bytes.Buffer, events []trace.Event) {
	var change *trace.Event // waits for its attempt
	for i := range events {
		e := &events[i]
		if moment(e) == "" {
			continue
		}
		if change != nil && !causes(e, change) {
			writeMoment(b, change)
			change = nil
		}
		if e.Type == trace.Breaker && e.Text("from") != "open" {
			change = e
			continue
		}
		writeMoment(b, e)
		if change != nil {
			writeMoment(b, change)
			change = nil
		}
	}
	if change != nil {
		writeMoment(b, change)
	}
}

// causes reports whether an event, the next that is shown after a change of a
// breaker, is the end of the attempt that changed it.
func causes(e, change *trace.Event) bool {
	return e.Type == trace.AttemptEnd && e.Target == change.Target && e.At == change.At
}

func writeMoment(b *bytes.Buffer, e *trace.Event) {
	indented(b, fmt.Sprintf("%9s  %s", virtual(e.At), moment(e)))
}

// moment is what a line of the timeline says of an event, "" for those that
// only the trace shows.
func moment(e *trace.Event) string {
	switch e.Type {
	case trace.StepStart:
		return e.Step
	case trace.AttemptEnd:
		return fmt.Sprintf("  attempt %d at %s: %s", e.Attempt, e.Target, outcome(e))
	case trace.Rejection:
		return fmt.Sprintf("  %s refused: %s", e.Target, e.Text("reason"))
	case trace.RetryWait:
		delay, _ := e.Attr("delay_ns").(time.Duration)
		return "  waits " + virtual(delay)
	case trace.Fallback:
		return fmt.Sprintf("  %s in place of %s", e.Text("to"), e.Text("from"))
	case trace.Breaker:
		return fmt.Sprintf("breaker %s: %s -> %s", e.Target, e.Text("from"), e.Text("to"))
	case trace.Timeout:
		after, _ := e.Attr("after_ns").(time.Duration)
		return fmt.Sprintf("  %s timeout after %s", e.Text("layer"), virtual(after))
	case trace.StepEnd:
		return "  " + e.Step + " " + ended(e)
	case trace.RunEnd:
		return "run " + ended(e)
	}
	return ""
}

// outcome says how an attempt ended, and what was injected into it.
func outcome(e *trace.Event) string {
	s := e.Text("outcome")
	if kind := e.Text("kind"); kind != "" && kind != s {
		s += " " + kind
	}
	if code, ok := e.Attr("status_code").(int); ok {
		s += fmt.Sprintf(" %d", code)
	}
	if fault := e.Text("fault_type"); fault != "" {
		s += " (fault " + fault + ")"
	}
	return s
}

func ended(e *trace.Event) string {
	s := e.Text("status")
	if reason := e.Text("skipped_reason"); reason != "" {
		s += ": " + reason
	}
	return s
}

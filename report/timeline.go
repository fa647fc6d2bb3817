package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// timelineMax bounds the lines that are shown of one run. Of a longer one the
// beginning and the end are shown; the trace has all.
const timelineMax = 400

// timeline says when steps and attempts of a run began, and how they ended,
// each line at its time on the virtual clock. An attempt is told before the
// change of its breaker, which the trace records just before the end of the
// attempt that caused it.
func timeline(events []trace.Event) []string {
	var lines []string
	tell := func(e *trace.Event) {
		lines = append(lines, fmt.Sprintf("%9s  %s", virtual(e.At), safe(moment(e))))
	}
	var change *trace.Event // waits for its attempt
	told := map[string]bool{}
	for i := range events {
		e := &events[i]
		told[e.Step] = told[e.Step] || fails(e)
		if moment(e) == "" {
			continue
		}
		if change != nil && !causes(e, change) {
			tell(change)
			change = nil
		}
		if e.Type == trace.Breaker && e.Text("from") != "open" {
			change = e
			continue
		}
		tell(e)
		if e.Type == trace.StepEnd && e.Text("status") == "failed" && !told[e.Step] && e.Text("message") != "" {
			why, _, _ := strings.Cut(e.Text("message"), "\n")
			lines[len(lines)-1] += safe(": " + why)
		}
		if change != nil {
			tell(change)
			change = nil
		}
	}
	if change != nil {
		tell(change)
	}
	return bounded(lines)
}

// fails reports whether an event says why its step may fail, before its end does.
func fails(e *trace.Event) bool {
	switch e.Type {
	case trace.AttemptEnd, trace.Failure, trace.Rejection, trace.Timeout:
		return true
	}
	return false
}

// bounded leaves out the middle of what is too long.
func bounded(lines []string) []string {
	left := len(lines) - timelineMax
	if left <= 0 {
		return lines
	}
	const head = timelineMax * 3 / 4
	said := fmt.Sprintf("%9s  … %s; --trace-out has all", "", plural(left, "more line"))
	return slices.Concat(lines[:head], []string{said}, lines[head+left:])
}

func writeTimeline(b *bytes.Buffer, events []trace.Event) {
	for _, l := range timeline(events) {
		indented(b, l)
	}
}

// causes reports whether an event, the next that is shown after a change of a
// breaker, is the end of the attempt that changed it.
func causes(e, change *trace.Event) bool {
	return e.Type == trace.AttemptEnd && e.Target == change.Target && e.At == change.At
}

// moment is what a line of the timeline says of an event, "" for those that
// only the trace shows.
func moment(e *trace.Event) string {
	switch e.Type {
	case trace.StepStart:
		return subjectOf(e)
	case trace.AttemptEnd:
		return fmt.Sprintf("  attempt %d at %s: %s", e.Attempt, e.Target, outcome(e))
	case trace.Failure:
		if !afterwards(e) {
			return "" // its attempt or its session says it
		}
		return fmt.Sprintf("  failure %s: %s", e.Text("kind"), e.Text("message"))
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
		return "  " + subjectOf(e) + " " + ended(e)
	case trace.RunEnd:
		if e.Step != "" {
			return "" // its step says it
		}
		return "run " + ended(e)
	}
	return serviceMoment(e)
}

// afterwards reports whether a failure of a step was observed at no attempt: a
// contract that an answer breaks, a model that no target serves.
func afterwards(e *trace.Event) bool {
	return e.Type == trace.Failure && e.Step != "" && e.Target == ""
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

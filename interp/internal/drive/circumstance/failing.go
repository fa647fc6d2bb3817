package circumstance

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// The words of names by which a scenario is about an answer that ends too early, and about failures of every kind.
var (
	breaksOff   = []string{"halfway", "truncated", "incomplete"}
	inTheMiddle = []string{"half way", "breaks off", "broke off", "broken off", "cut off", "cut short", "in the middle of an answer", "in the middle of the answer"}
	whateverIs  = []string{"whatever fails", "whatever goes wrong", "no matter what", "however it fails", "any failure", "any error", "every failure", "every error", "all failures", "all errors", "kind of failure", "kind of error"}
)

// BrokenOff says of a scenario that is about an answer which breaks off whether one did: Made if the head of one
// arrived and not all of its body. Why is there where answers failed, and each of them before its head: clients raise
// another error then.
func BrokenOff(p *plan.Plan, obs *observe.Observed) []Trial {
	if !isAbout(p, breaksOff, inTheMiddle) {
		return nil
	}
	t := Trial{Of: "an answer that breaks off"}
	without := ""
	for step, end := range failures(obs) {
		switch {
		case end.StatusCode != 0 && !end.Complete:
			t.Made = true
		case end.StatusCode == 0:
			without = cmp.Or(without, step)
		}
	}
	if !t.Made && without != "" {
		t.Why = fmt.Sprintf("the scenario is about an answer that breaks off, and those of %s that failed broke off before they began: clients raise another error for a body that ends too early.\nhint: let some of it come: connection_reset { after_bytes = 20 } or content_length_mismatch {}", without)
	}
	if !t.Made && t.Why == "" {
		return nil
	}
	return []Trial{t}
}

// AnyFailure says of a scenario that is about whatever fails whether several kinds of failure came: Made if there were
// two. Why is there where all were of one kind.
func AnyFailure(p *plan.Plan, obs *observe.Observed) []Trial {
	if !isAbout(p, nil, whateverIs) {
		return nil
	}
	var kinds []string
	for _, end := range failures(obs) {
		if kind := kindOfFailure(end); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	t := Trial{Of: "whatever fails", Made: len(kinds) > 1}
	if !t.Made {
		other := "connection_reset {}, content_length_mismatch {}"
		if kinds[0] != byStatus {
			other = "http_error { status_code = 500 }"
		}
		t.Why = fmt.Sprintf("the scenario is about whatever fails, and what failed did so in one way, by %s: a program that handles that alone passes as well.\nhint: let it fail in another way, too: %s", kinds[0], other)
	}
	return []Trial{t}
}

// failures are the answers to the program that failed, with the endpoints that they are of.
func failures(obs *observe.Observed) iter.Seq2[string, *event.AttemptEnd] {
	return func(give func(string, *event.AttemptEnd) bool) {
		events := obs.Log.Events()
		for i := range events {
			if end, is := events[i].Payload.(*event.AttemptEnd); is && end.Served != nil && end.Outcome == "failure" && !give(events[i].Step, end) {
				return
			}
		}
	}
}

// The ways in which an answer fails, as clients tell them apart.
const (
	byStatus  = "a status"
	byNothing = "a connection without an answer"
	byEnd     = "a body that ends too early"
	byBody    = "what the body says"
)

// kindOfFailure is in which way an answer failed.
func kindOfFailure(end *event.AttemptEnd) string {
	switch {
	case end.StatusCode == 0:
		return byNothing
	case end.StatusCode >= 400:
		return byStatus
	case !end.Complete:
		return byEnd
	}
	return byBody
}

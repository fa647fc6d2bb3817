package harness

import (
	"fmt"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// interrupted is the result of a scenario whose program was under way when the suite was
// halted. What happened until then is reported, and nothing is judged: what is missing
// may have come later.
func (r *Runner) interrupted(res *interp.Result) *interp.Result {
	p := interp.Problem{Kind: "error", Name: "interrupted", Message: fmt.Sprintf("The run was interrupted after %s, and is not judged.", res.Virtual.Round(time.Millisecond))}
	if !r.halt.Interrupted() {
		p = r.late(res.Plan, "ended").Problems[0]
	}
	p.Message += untilThen(res)
	cut := *res
	cut.Verdict, cut.Checks, cut.Problems, cut.Relaxed, cut.Invariants = interp.Error, 0, []interp.Problem{p}, nil, nil
	return &cut
}

// untilThen says what a program had asked, by its endpoints, and what the workflow that
// drives one had asked it, by its steps.
func untilThen(res *interp.Result) string {
	var served string
	if s := res.Plan.Sut(); s != nil && s.Serves != nil {
		served = s.Serves.Name
	}
	var asked, driven tally
	for i := range res.Events {
		e := &res.Events[i]
		if e.Type == trace.AttemptStart {
			of := &asked
			if served != "" && e.Text("provider") == served {
				of = &driven
			}
			of.at(e.Step).attempts++
		}
		if e.Type == trace.AttemptEnd {
			at := driven.find(e.Step)
			if at == nil {
				at = asked.at(e.Step)
			}
			at.ended++
			at.outcomes[e.Text("outcome")]++
			if n, ok := e.Attr("call_number").(int); ok {
				at.calls[n] = true
			}
		}
	}
	text := "\nUntil then the program had asked for nothing."
	if asked != nil {
		text = "\nUntil then the program had asked:" + asked.lines()
	}
	if driven != nil {
		text += "\nIt had been asked:" + driven.lines()
	}
	return text
}

// A tally counts attempts by who makes them, in the order in which each began.
type tally []*tallied

// A tallied is an endpoint of a program, or a step that asks it.
type tallied struct {
	name            string
	calls           map[int]bool // of an endpoint
	attempts, ended int
	outcomes        map[string]int
}

// find is what was counted of a name, nil for nothing.
func (t tally) find(name string) *tallied {
	for _, e := range t {
		if e.name == name {
			return e
		}
	}
	return nil
}

// at is what is counted of a name.
func (t *tally) at(name string) *tallied {
	e := t.find(name)
	if e == nil {
		e = &tallied{name: name, calls: map[int]bool{}, outcomes: map[string]int{}}
		*t = append(*t, e)
	}
	return e
}

// lines are what was counted, each in a line of its own.
func (t tally) lines() string {
	var b strings.Builder
	for _, e := range t {
		fmt.Fprintf(&b, "\n  %s: %s", e.name, counted(e.attempts, "attempt"))
		if len(e.calls) > 0 {
			b.WriteString(" in " + counted(len(e.calls), "call"))
		}
		sep := ": "
		e.outcomes["under way"] = e.attempts - e.ended
		for _, outcome := range []string{"success", "failure", "cancelled", "under way"} {
			if n := e.outcomes[outcome]; n > 0 {
				fmt.Fprintf(&b, "%s%d %s", sep, n, outcome)
				sep = ", "
			}
		}
	}
	return b.String()
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

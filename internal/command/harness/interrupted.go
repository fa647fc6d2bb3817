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
	p.Message += asked(res.Events)
	cut := *res
	cut.Verdict, cut.Checks, cut.Problems, cut.Relaxed, cut.Invariants = interp.Error, 0, []interp.Problem{p}, nil, nil
	return &cut
}

// asked says what a program had asked, by its endpoints.
func asked(events []trace.Event) string {
	type endpoint struct {
		name            string
		calls           map[[2]any]bool
		attempts, ended int
		outcomes        map[string]int
	}
	var list []*endpoint
	of := func(name string) *endpoint {
		for _, e := range list {
			if e.name == name {
				return e
			}
		}
		list = append(list, &endpoint{name: name, calls: map[[2]any]bool{}, outcomes: map[string]int{}})
		return list[len(list)-1]
	}
	for i := range events {
		switch e := &events[i]; e.Type {
		case trace.AttemptStart:
			of(e.Step).attempts++
		case trace.AttemptEnd:
			at := of(e.Step)
			at.ended++
			at.outcomes[e.Text("outcome")]++
			at.calls[[2]any{e.Step, e.Attr("call_number")}] = true
		}
	}
	if list == nil {
		return "\nUntil then the program had asked for nothing."
	}
	var b strings.Builder
	b.WriteString("\nUntil then the program had asked:")
	for _, e := range list {
		fmt.Fprintf(&b, "\n  %s: %s in %s", e.name, counted(e.attempts, "attempt"), counted(len(e.calls), "call"))
		sep := ": "
		for _, outcome := range []string{"success", "failure", "cancelled"} {
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

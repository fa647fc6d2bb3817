package mistaken

import (
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/trace"
)

// pause is what passes between an answer and the next request of a program that does not wait.
const pause = 20 * time.Millisecond

// hurried is the run of a program that asks one after the other and never waits, if answers took no
// time. A least time between its requests that does not hold there is that of the answers, and not one
// that the program keeps. None where the program waited for anything but answers.
func (r *run) hurried(e *endpoint) []otherwise.Run {
	took, known := e.all()
	if !r.reads("at_ms", "started_at_ms") || !known || took == 0 || len(e.attempts) < 2 {
		return nil
	}
	scale := 1.0
	if s := r.o.Plan.Sut; s != nil && s.TimeScale > 0 {
		scale = s.TimeScale
	}
	for i, a := range e.attempts[1:] {
		before := e.attempts[i]
		if a.start < before.end || r.events[a.start].At-r.events[before.end].At > time.Duration(scale*float64(pause)) {
			return nil
		}
	}
	return []otherwise.Run{{
		Why: fmt.Sprintf("it holds because the answers of %s take so long: the program itself waits no longer than %s between an answer and its next request, so it shows nothing of a limit that the program keeps.\nhint: let the answers take less time than the limit, or none, so that the program has to wait", r.path(e), time.Duration(scale*float64(pause))),
		Told: func() (events, apart [][]trace.Event) {
			return [][]trace.Event{r.later(func(at *endpoint, a *attempt) time.Duration {
				if at != e {
					return 0
				}
				took, _ := at.takes(a)
				return -took
			})}, nil
		},
		About: func(c hclsyntax.Expression) bool {
			return reads(c, "at_ms", "started_at_ms") && !reads(c, "elapsed_ms", "ended_ms") && readsOf(c, e.name)
		},
		Part: true,
		Hint: true,
	}}
}

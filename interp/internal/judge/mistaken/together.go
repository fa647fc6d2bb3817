package mistaken

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/trace"
)

// OfInstants begins to say that a limit on what is under way at once shows nothing.
const OfInstants = "it holds because no answer takes any time: "

// together is the run of a program that asks for everything at once. A limit on how many requests are
// under way that does not hold there, and holds if one comes after the other, was not put to the test
// where the script answers each at once: they hardly meet, however many the program makes.
func (r *run) together(e *endpoint) []otherwise.Run {
	if took, known := e.all(); !r.reads("in_flight_max") || !known || took > 0 || len(e.attempts) < 2 {
		return nil
	}
	return []otherwise.Run{{
		Why: fmt.Sprintf("%[1]sthe script answers each of the %[2]d requests of %[3]s at once, so they hardly meet, and how many the program makes at one time shows nothing here.\nhint: give the replies a latency, such as latency = \"200ms\"", OfInstants, len(e.attempts), r.path(e)),
		Told: func() (events, apart [][]trace.Event) {
			return [][]trace.Event{r.arranged(e, true)}, [][]trace.Event{r.arranged(e, false)}
		},
		About: func(c hclsyntax.Expression) bool { return reads(c, "in_flight_max") && readsOf(c, e.name) },
		Part:  true,
	}}
}

// arranged are the events of a run in which all requests of an endpoint begin before the first is
// answered, or one begins after the other was answered.
func (r *run) arranged(e *endpoint, atOnce bool) (list []trace.Event) {
	first := e.attempts[0].start
	var own, rest []trace.Event
	for i, now := range r.events {
		if now.Step != e.name || now.Attempt == 0 {
			if i < first {
				list = append(list, now)
			} else {
				rest = append(rest, now)
			}
			continue
		}
		now.At = r.events[first].At
		own = append(own, now)
	}
	slices.SortStableFunc(own, func(a, b trace.Event) int {
		if _, begins := a.Payload.(*event.AttemptStart); atOnce {
			_, other := b.Payload.(*event.AttemptStart)
			switch {
			case begins && !other:
				return -1
			case other && !begins:
				return 1
			}
			return 0
		}
		return cmp.Compare(a.Attempt, b.Attempt)
	})
	return slices.Concat(list, own, rest)
}

package mistaken

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/trace"
)

// ofOrder begins to say that an order shows nothing.
const ofOrder = "it holds of a program that does not wait for the answer, too: "

// unwaited are the runs of a program that asks another endpoint while one has not answered.
func (r *run) unwaited(x *endpoint) (list []otherwise.Run) {
	if !r.reads("started_at_ms") {
		return nil
	}
	for _, y := range r.endpoints {
		if y != x && r.words[x.name] && r.words[y.name] {
			list = append(list, r.meanwhile(x, y)...)
		}
	}
	return list
}

// meanwhile is the run of a program that asks one endpoint while another one has not answered. An order
// of the two that holds there, and does not if the second is asked first, says which request was sent
// first, and not that one was answered before the other was sent. None where the script lets the first
// answer take a while and the program waited for it.
func (r *run) meanwhile(x, y *endpoint) []otherwise.Run {
	a, b := x.attempts[0], y.attempts[0]
	took, known := x.takes(a)
	if !known || a.start > b.start || took > 0 && a.end < b.start {
		return nil
	}
	why := fmt.Sprintf("the script answers %s at once, so whether the program waited for that before it asked %s shows nothing here.\nhint: give the reply a latency, such as latency = \"300ms\", and compare with its end: %[2]s.attempts[0].started_at_ms >= %[1]s.attempts[0].ended_at_ms", r.path(x), r.path(y))
	if took > 0 {
		why = fmt.Sprintf("%[2]s was asked before %[1]s had answered.\nhint: compare with the end of the answer: %[2]s.attempts[0].started_at_ms >= %[1]s.attempts[0].ended_at_ms", r.path(x), r.path(y))
	}
	return []otherwise.Run{{
		Why: ofOrder + why,
		Told: func() (events, apart [][]trace.Event) {
			return [][]trace.Event{r.moved(y, a.start, 0)}, [][]trace.Event{r.moved(y, a.start+1, time.Millisecond)}
		},
		About: func(c hclsyntax.Expression) bool {
			return reads(c, "started_at_ms") && readsOf(c, x.name, y.name) && !readsOf(c, x.name) && !readsOf(c, y.name)
		},
		Part: true,
		Hint: true,
	}}
}

// moved are the events of a run in which all that comes to an endpoint comes before another event, so
// long after the one before that.
func (r *run) moved(e *endpoint, before int, after time.Duration) (list []trace.Event) {
	at := r.events[max(0, before-1)].At + after
	var own []trace.Event
	put := 0
	for i, now := range r.events {
		if i == before {
			put = len(list)
		}
		switch {
		case now.Step == e.name && now.Type != trace.StepEnd:
			now.At = at
			own = append(own, now)
			continue
		case i >= before:
			now.At += after + time.Millisecond
		}
		list = append(list, now)
	}
	return slices.Insert(list, put, own...)
}

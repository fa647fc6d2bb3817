// Package regrouped tells other runs of a program from the trace of one: those with the same
// requests, but counted to other calls. A request that repeats one which failed, but for a time
// stamp or a new key, counts as a call of its own; one that a client of the program had a second
// time made counts as a retry of the program. What holds in one of the two groupings and not in
// the other rests on the grouping alone.
//
//	why := otherwise.Of(observed, regrouped.Runs).Condition(condition, needs)
package regrouped

import (
	"cmp"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/trace"
)

// Counted and ofClient begin to say why a check rests on what counts as one call: one that holds of
// calls of one attempt, and one that a client of the program made hold.
const (
	Counted  = "it holds because each try counts as a call of its own: "
	ofClient = "it holds because the scenario's own client asked again: "
)

// Runs are the other runs of what was observed, none where no program made its calls. The events
// of what was observed are not changed.
func Runs(o *observe.Observed) (list []otherwise.Run) {
	events := o.Log.Events()
	if !o.Driven() || len(events) == 0 || events[0].Type != trace.RunStart {
		return nil
	}
	for _, e := range endpointsOf(events) {
		e.path = "step." + e.name
		if s := o.Steps[e.name]; s != nil && s.Step.Endpoint != nil && s.Step.Endpoint.Declared {
			e.path = "endpoint." + e.name
		}
		list = append(list, e.repeated(events)...)
		list = append(list, e.askedTwice(events)...)
	}
	return list
}

// An attempt is a request of a program, with the events that tell of it.
type attempt struct {
	n, start, end int // end is -1 while it is under way
	call          int
	asked         *event.AttemptStart
	ended         *event.AttemptEnd
	// window counts how often a client had asked the program when this began, and repeats says that
	// the client had asked the same before.
	window  int
	repeats bool
}

func (a *attempt) failed() bool { return a.ended != nil && a.ended.Outcome != "success" }

// An endpoint is what a program asked in one place.
type endpoint struct {
	name     string
	path     string // as conditions read it
	attempts []*attempt
	numbered map[int]*attempt
	last     int // the last event of its attempts
	calls    []*call
}

// A call are the attempts that count as one, in their order.
type call struct {
	n        int
	attempts []*attempt
}

// endpointsOf are those that a program asked, in the order of their first request.
func endpointsOf(events []trace.Event) (list []*endpoint) {
	c := client{}
	for i := range events {
		e := &events[i]
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Asker == nil {
				c.begins(e)
				continue
			}
			at := endpointAt(&list, e.Step)
			a := &attempt{n: e.Attempt, start: i, end: -1, asked: p, window: c.window, repeats: c.repeats}
			at.attempts, at.numbered[a.n] = append(at.attempts, a), a
			at.last = i
		case *event.AttemptEnd:
			if p.Served == nil {
				c.ends()
				continue
			}
			at := endpointAt(&list, e.Step)
			if a := at.numbered[e.Attempt]; a != nil {
				a.end, a.ended, a.call = i, p, p.CallNumber
				at.last = i
			}
		}
	}
	for _, e := range list {
		e.group()
	}
	return list
}

func endpointAt(list *[]*endpoint, name string) *endpoint {
	i := slices.IndexFunc(*list, func(e *endpoint) bool { return e.name == name })
	if i < 0 {
		i = len(*list)
		*list = append(*list, &endpoint{name: name, numbered: map[int]*attempt{}})
	}
	return (*list)[i]
}

// group collects the calls, which the ends of the attempts name.
func (e *endpoint) group() {
	calls := map[int]*call{}
	for _, a := range e.attempts {
		if a.ended == nil {
			continue
		}
		if calls[a.call] == nil {
			calls[a.call] = &call{n: a.call}
			e.calls = append(e.calls, calls[a.call])
		}
		calls[a.call].attempts = append(calls[a.call].attempts, a)
	}
	slices.SortStableFunc(e.calls, func(a, b *call) int { return cmp.Compare(a.n, b.n) })
}

// counted is the end of an attempt as that of another call, in which it has a place from 1.
func counted(e trace.Event, call, place int) trace.Event {
	end := *e.Payload.(*event.AttemptEnd)
	served := *end.Served
	served.CallNumber = call
	end.Served = &served
	e.Payload, e.Round = &end, place
	return e
}

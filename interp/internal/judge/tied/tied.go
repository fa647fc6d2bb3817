// Package tied tells other runs of a scenario from a trace: those in which steps that begin at
// one instant, and of which neither waits for the other, came in the other order. A run has
// them in the order of the file.
package tied

import (
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/trace"
)

// What is told of one run is bounded: the pairs of steps that are looked at, the runs, and the
// events of all of them, unless one run has more.
const tried, most, told = 64, 8, 20_000

// A Run is one in which the step First, which took no time, came behind Second.
type Run struct {
	First, Second string
	Events        []trace.Event
}

// Runs are those that may as well have come, a few where there are many. The events of what
// was observed are not changed.
func Runs(o *observe.Observed) (list []Run) {
	if o.Driven() || o.Plan.Workflow == nil {
		return nil
	}
	events, pairs := o.Log.Events(), 0
	runs := min(most, 1+told/max(1, len(events)))
	for i, a := range o.Order {
		if !a.Began || a.Ended != a.Started {
			continue
		}
		for _, b := range o.Order[i+1:] {
			if len(list) == runs || pairs == tried || b.Started != a.Started {
				break
			}
			if pairs++; !o.Tied(a.Name, b.Name) {
				continue
			}
			if turned := behind(o, events, a.Name, b.Name); turned != nil {
				list = append(list, Run{a.Name, b.Name, turned})
			}
		}
	}
	return list
}

// behind are the events with those of a step behind those that another one has at its
// instant, nil where they are mixed, or where something comes between that may rest on the
// first.
func behind(o *observe.Observed, events []trace.Event, first, second string) []trace.Event {
	from, to, last := -1, -1, -1
	for i := range events {
		switch e := &events[i]; {
		case within(e, first):
			if to >= 0 {
				return nil
			}
			if from < 0 {
				from = i
			}
			last = i
		case from < 0:
		case e.At != events[from].At:
			return moved(events, from, last, to)
		case within(e, second):
			to = i
		case to < 0 && last >= 0 && (e.Step == "" || !o.Tied(first, e.Step)):
			return nil
		}
	}
	return moved(events, from, last, to)
}

// moved are the events with those from one on, up to last, behind the one at to.
func moved(events []trace.Event, from, last, to int) []trace.Event {
	if from < 0 || to < last {
		return nil
	}
	list := make([]trace.Event, 0, len(events))
	list = append(list, events[:from]...)
	list = append(list, events[last+1:to+1]...)
	list = append(list, events[from:last+1]...)
	return append(list, events[to+1:]...)
}

// within reports whether an event is one of a step, or of what it runs.
func within(e *trace.Event, step string) bool {
	inner, ok := strings.CutPrefix(e.Step, step)
	return ok && (inner == "" || inner[0] == '.')
}

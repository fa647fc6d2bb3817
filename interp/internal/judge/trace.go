package judge

import (
	"errors"
	"fmt"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// errUnfinished is the error of a trace without the end of its run.
var errUnfinished = errors.New("the trace has no end: the run was cut short, so there is nothing to judge")

// Judge gives the verdict of a run by its plan and its trace alone, which may be
// read from a file: the verdict, problems and checks that the run itself gave.
// A trace that is none of the plan is an error. Every condition is evaluated, also where a
// run knows by a rule in Go what it comes to.
func Judge(p *plan.Plan, events []trace.Event) (*plan.Result, error) {
	return judgeTrace(p, events, watch)
}

// judgeTrace is Judge by one of the ways to check invariants.
func judgeTrace(p *plan.Plan, events []trace.Event, watch func(*observe.Observed, string) *Watcher) (result *plan.Result, err error) {
	w, log := followed(p, events, watch)
	w.others = ofPrograms()
	o := w.obs
	defer func() {
		// The fold believes what a run of the plan cannot get wrong. What a trace from a
		// file most likely lacks is looked at first; the runtime's words for the rest say
		// nothing to its reader.
		if recover() != nil {
			result, err = nil, misfit(log.Events(), "it does not say what such an event says")
		}
	}()
	for i := range events {
		e := &events[i]
		if known := event.Empty(e.Type); known == nil || e.Payload != nil && e.Payload.EventType() != e.Type {
			return nil, fmt.Errorf("event %d (%s) says what no event of this version says", e.Seq, e.Type)
		} else if e.Payload == nil {
			e.Payload = known
		}
		if why := o.Misfit(e); why != "" {
			return nil, misfit(events[:i+1], why)
		}
		log.Append(*e)
	}
	if o.Run.Status == "" {
		return nil, errUnfinished
	}
	result = &plan.Result{WasRun: true, Events: log.Events()}
	if o.Err() == nil {
		w.Judge(result)
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	if p.BenchRun != nil {
		result.Bench = o.Report(nil)
	}
	return result, nil
}

// misfit is the error of a trace whose last event is none of a run of the scenario.
func misfit(events []trace.Event, why string) error {
	if len(events) == 0 {
		return errUnfinished
	}
	e := &events[len(events)-1]
	return fmt.Errorf("event %s, cannot follow those before it in a run of this scenario: %s", eventText(e), why)
}

// followed is what watches a run of which the events are to come, and their log.
func followed(p *plan.Plan, events []trace.Event, watch func(*observe.Observed, string) *Watcher) (*Watcher, *trace.Log) {
	log := trace.NewLog(len(events) + 1)
	o := observe.NewObserved(p)
	start, ok := firstOf(events).(*event.RunStart)
	o.BoundAsIn(ok && plan.Way(start.Way).Driven())
	o.Follow(log)
	return watch(o, ""), log
}

// firstOf is what the first event says, nil where there is none.
func firstOf(events []trace.Event) trace.Payload {
	if len(events) == 0 {
		return nil
	}
	return events[0].Payload
}

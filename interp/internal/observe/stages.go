package observe

import (
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// stageEntry is one stage of a run as it was entered.
type stageEntry struct {
	stage failure.Stage
	at    time.Duration
	step  string
}

// StageFields are the attributes of run.stages[n].
var StageFields = []read.Field[stageEntry]{
	{Name: "stage", Shape: read.OneOf(read.FailureStage), Doc: `"initialize", "plan", "route", "execute", "aggregate", and "complete" or "failed" at the end.`, Value: func(s *stageEntry) cty.Value { return read.Text(string(s.stage)) }},
	{Name: "at_ms", Shape: read.NumberShape, Doc: "When it was entered.", Value: func(s *stageEntry) cty.Value { return read.Millis(s.at) }},
	{Name: "step", Shape: read.Nullable(read.OneOf(read.Step)), Doc: "The step that was routed or executed.", Value: func(s *stageEntry) cty.Value { return read.TextOrNull(s.step) }},
}

// stages lists the stages of a run in the order in which it entered them. It is
// initialised and planned by the event that begins it, since all that can be
// planned is in the plan; every round of a call is routed and every dial of it
// executed, and so is a step that dials nothing; with its end it aggregates, and
// then is complete, or has failed.
func (r *RunResult) stages() []stageEntry {
	var list []stageEntry
	routed := map[string]int{} // rounds by step
	for _, e := range r.events() {
		add := func(stage failure.Stage, step string) { list = append(list, stageEntry{stage, e.At, step}) }
		if e.Step == r.step {
			switch p := e.Payload.(type) {
			case *event.RunStart:
				add(failure.Initialize, "")
				add(failure.Plan, "")
			case *event.RunEnd:
				add(failure.Aggregate, "")
				add(lastStage(p.Status), "")
			}
		}
		if e.Step == r.step || !strings.HasPrefix(e.Step, prefixOf(r.step)) {
			continue
		}
		switch e.Type {
		case trace.StepStart:
			routed[e.Step] = 0
			if r.of.Steps[e.Step].Step.Gateway == nil {
				add(failure.Route, e.Step)
				add(failure.Execute, e.Step)
			}
		case trace.Rejection, trace.AttemptStart:
			if place := e.Turn<<32 | e.Round; routed[e.Step] != place {
				routed[e.Step] = place
				add(failure.Route, e.Step)
			}
			if e.Type == trace.AttemptStart {
				add(failure.Execute, e.Step)
			}
		}
	}
	return list
}

// prefixOf is what the addresses of the steps inside a step begin with.
func prefixOf(step string) string {
	if step == "" {
		return ""
	}
	return step + "."
}

func lastStage(status string) failure.Stage {
	if status == read.StatusSuccess || status == read.StatusPartial {
		return failure.Complete
	}
	return failure.Failed
}

// events are those from the beginning of the run to its end. A step inside a
// loop runs its workflow once for each iteration.
func (r *RunResult) events() []trace.Event {
	all := r.of.Log.Events()
	from := len(all)
	for i := range all {
		e := &all[i]
		if e.Step != r.step || e.Iteration != r.iteration {
			continue
		}
		switch e.Type {
		case trace.RunStart:
			from = i
		case trace.RunEnd:
			if r.Status != "" && e.At == r.ended {
				return all[min(from, i) : i+1]
			}
		}
	}
	return all[min(from, len(all)):]
}

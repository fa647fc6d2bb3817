package judge

import (
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// WatchEach is Watch, but that it evaluates after every event, and all of every
// condition.
func WatchEach(o *observe.Observed) *Watcher {
	w := watch(o, "")
	for _, i := range w.all {
		whole := *i.Invariant
		whole.Plain = nil
		i.Invariant, i.steps = &whole, nil
	}
	return w
}

// Counts says how often each invariant was evaluated.
func (w *Watcher) Counts() []plan.InvariantCount { return w.counts() }

// Late tells of invariants that an event left open.
func (w *Watcher) Late() []plan.Problem {
	open, broken := w.late(false)
	return append(open, broken...)
}

// JudgeKnown is [Judge] with the rules in Go that a run has.
func JudgeKnown(p *plan.Plan, events []trace.Event) (*plan.Result, error) {
	return judgeTrace(p, events, Watch)
}

// WatchAll is [Watch] without those.
func WatchAll(o *observe.Observed) *Watcher { return watch(o, "") }

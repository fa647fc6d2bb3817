// Package served tells other runs of a server from the trace of one in which the scenario asked it:
// those in which the scenario's own client did not make up for what the server did.
//
//	why := otherwise.Of(observed, served.Runs).Condition(condition, needs)
package served

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/trace"
)

// Runs are the other runs of what was observed, none where no server was asked. The events of what
// was observed are not changed.
func Runs(o *observe.Observed) []otherwise.Run {
	events := o.Log.Events()
	if o.Plan.Sut.Serving() == nil || !o.Driven() || len(events) == 0 || events[0].Type != trace.RunStart {
		return nil
	}
	a := asked(o, events)
	return slices.Concat(a.again(), a.silent(), a.left(), a.after())
}

package engine

import (
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// A Stage is a run that the workflow and the blocks of a scenario are a part of:
// they drive a program, and what that asks in turn is answered by the rest of the
// run. The trace is that of all of it, and begins and ends elsewhere.
type Stage struct {
	// Clock is a scheduler of [sched.NewShared]. Whoever calls Play holds its
	// stage, and everybody else who appends to the log holds it meanwhile.
	Clock *sched.Scheduler
	Log   *trace.Log
	Obs   *observe.Observed
	// Way is that of the run.
	Way plan.Way
	// Address is where a provider is.
	Address func(p *plan.Provider) string
	// Begun is given what cancels the run, which may be called from any goroutine
	// and when the run has ended, too.
	Begun func(cancel func(cause error))
	// Ended is given what the run of the workflow came to. It stays out of the
	// trace, which goes on.
	Ended func(*event.RunEnd)
}

// NewPart prepares the part of a run that drives a program over the network.
func NewPart(p *plan.Plan, live *exchange.Live, s Stage) *run {
	return newRun(p, &execution{live: live, stage: &s, Clock: s.Clock, Log: s.Log, Obs: s.Obs})
}

// end writes the end of a run into the trace, or tells whoever will.
func (r *run) end(e trace.Event, end *event.RunEnd) {
	if r.owner == nil && r.stage != nil {
		r.stage.Ended(end)
		return
	}
	e.Payload = end
	r.emit(e)
}

// baseURL is where a provider is asked.
func (st *execution) baseURL(p *plan.Provider) string {
	if st.stage != nil {
		return st.stage.Address(p)
	}
	return p.Address()
}

// way is how the calls of the run are made.
func (st *execution) way() plan.Way {
	if st.stage != nil {
		return st.stage.Way
	}
	return plan.Interpreted
}

// follow does something after every event of the run. On a stage others emit
// events too, outside of the tasks: what follows those is done between tasks.
func (st *execution) follow(f func()) {
	st.Log.Observe(func(trace.Event) {
		if st.stage != nil && !st.emitting {
			st.Clock.Post(f)
			return
		}
		f()
	})
}

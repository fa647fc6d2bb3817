package drive

import (
	"fmt"
	"math"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// goesOn notes that a real service is asked, where it is.
func (x *Exchange) goesOn(a exchange.Answer) {
	x.take, x.relay = a.Take, exchange.RelayOf(a.Script)
	if x.relay != nil { // for as long as that takes
		x.waits, x.last, x.waited, x.quiet, x.over = true, math.MaxInt, math.MaxInt, false, notYet
	}
	if x.take == nil {
		return
	}
	for _, t := range x.lane.taken {
		if !t.isOver() && t.asks() != x.asks() && !t.answered() {
			x.mixed()
			return
		}
	}
}

// answered reports whether what the service has said so far is a whole answer: a program
// that has it may ask again before the service ends its stream.
func (x *Exchange) answered() bool {
	if x.relay == nil {
		return false
	}
	script := x.script
	_, _, _, f := x.met(false) // what has not come yet is silence
	x.script = script
	return f == nil || f.Kind != failure.Timeout
}

// mixed tells of an exchange that is recorded while another one of its lane, which
// asks for something else, is under way: a replay answers them in the order in which
// they came this time.
func (x *Exchange) mixed() {
	e := x.endpoint
	said := fmt.Sprintf("requests of endpoint %q overlapped in %s while they were recorded, and a replay answers them in the order in which they came.\nhint: tell the requests apart, for example lane = request.body", e.Name, laneName(x.lane))
	if e.Step.Endpoint.ByArrival {
		x.run.warn(said)
		return
	}
	x.run.gate(plan.GateAmbiguous, said, e.Step.Rng)
}

// Relay is the real service that answers, whose response is passed on, nil where
// Script answers. Served, or End, says when that is over.
func (x *Exchange) Relay() *exchange.Relay { return x.relay }

// recorded ends the recording of an exchange of which the program left, or did not;
// complete says that what it has is an answer. It reports whether the program left
// before it had all. What the end of the run cut off is not kept, as it says nothing
// about the service.
func (x *Exchange) recorded(left, complete bool) bool {
	if x.take == nil {
		return left
	}
	if x.relay != nil && left && complete {
		left = false // as after the end marker of a stream
	}
	if left && (x.run.over || x.run.stopping) {
		return left
	}
	if err := x.take.Seal(!left); err != nil {
		x.run.defect("the call cannot be recorded: "+err.Error(), x.endpoint.Step.Rng)
	}
	return left
}

// Stopping says that what ends from now on is ended from outside: the program is.
func (r *Run) Stopping() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
}

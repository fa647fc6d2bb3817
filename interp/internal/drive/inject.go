package drive

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// givenUp stands in the place of a gate in what a run answers that was given up.
const givenUp = "given_up"

// Injected says what became of what was injected.
func (r *Run) Injected() plan.Injected {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sources.Injected()
}

// Abandoned is closed when an injection has made the run useless: what is asked from
// then on is turned away.
func (r *Run) Abandoned() <-chan struct{} { return r.abandoned }

// abandon gives the run up. The program goes on until it has seen that.
func (r *Run) abandon(error) {
	if !r.gaveUp() {
		close(r.abandoned)
	}
}

func (r *Run) gaveUp() bool {
	select {
	case <-r.abandoned:
		return true
	default:
		return false
	}
}

// Broke notes a gate that whoever plays the run saw break.
func (r *Run) Broke(gate, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.gate(gate, message, r.place())
	}
}

// useUp takes the answer that an injected fault has disturbed.
func (x *Exchange) useUp() {
	if x.use != nil {
		x.use()
		x.use = nil
	}
}

// useUp takes the answers of the lane that were disturbed and came all the same. The
// end of an exchange does it, too, but a client that has all of an answer may ask on
// before that is seen.
func (l *lane) useUp() {
	for _, x := range l.disturbed {
		if x.ended || !x.spent() {
			continue
		}
		if _, _, _, f := x.met(false); outcomeOf(f, x.script.Meta.Fault, false) == "success" {
			x.useUp()
		}
	}
	l.disturbed = slices.DeleteFunc(l.disturbed, func(x *Exchange) bool { return x.ended || x.use == nil })
}

package exchange

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Injections count what a scenario injects, faults, events and holds, and what of
// it had an effect. Whoever makes the calls of a run, they are judged alike.
type Injections struct {
	all, fired, reported int
	// first is the place of the first of them.
	first hcl.Range
}

// Add counts one more, and reports whether that has to be reported: it did not
// fire, and nothing says that it need not.
func (n *Injections) Add(rng hcl.Range, fired, optional bool) bool {
	if n.all++; n.all == 1 {
		n.first = rng
	}
	switch {
	case fired:
		n.fired++
	case !optional:
		n.reported++
		return true
	}
	return false
}

// Use counts an entry, where that is a fault, and returns the gate that it breaks
// because it answered less often than it says, "" for none. An optional fault that
// came and made a difference less often, or to some lanes alone, has fired.
func (n *Injections) Use(u Use) (gate string) {
	if u.Entry.Fault == nil {
		if !u.Entry.Optional && u.Used < u.Want {
			return plan.GateUnusedReply
		}
		return ""
	}
	fired := u.Fired() >= u.Want || u.Entry.Optional && u.Calls > u.Pending+u.Vain
	if n.Add(u.Entry.Rng, fired, u.Entry.Optional) {
		return plan.GateUnfiredFault
	}
	return ""
}

// Idle says that nothing of what the scenario injects had an effect, though none
// of it is reported by itself: all of it is optional. The text is "" otherwise.
func (n *Injections) Idle() (text string, at hcl.Range) {
	if n.all == 0 || n.fired > 0 || n.reported > 0 {
		return "", hcl.Range{}
	}
	return fmt.Sprintf("nothing of what the scenario injects had an effect (0 of %d): all of it is optional, so the run shows what happens without it.\nhint: let one of them fire, or remove them", n.all), n.first
}

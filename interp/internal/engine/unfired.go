package engine

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// unfired breaks a gate for each entry that answered less often than it says,
// and for each fault, event and hold whose effect nobody met. Where none of them
// had one, the scenario shows nothing of what it is about, also where each of
// them is optional.
func (r *run) unfired() {
	var n exchange.Injections
	for _, u := range r.client.Uses() {
		if gate := n.Use(u); gate != "" {
			r.gate(gate, u.Text(), u.Entry.Rng)
		}
	}
	for _, o := range r.client.UnmetOutages(&n) {
		r.gate(plan.GateUnfiredFault, o.Text, o.Rng)
	}
	for _, d := range r.plan.Actions {
		if d.Event == nil && d.Hold == nil {
			continue
		}
		if n.Add(d.Rng, r.Obs.Met(d) || slices.Contains(r.scheduled.cancelled, d.Address()), d.Optional) {
			r.gate(plan.GateUnfiredFault, r.unmetText(d), d.Rng)
		}
	}
	r.consumers.unfired(r)
	if text, at := n.Idle(); text != "" {
		r.gate(plan.GateUnfiredFault, text, at)
	}
}

// consumers are those of steps that have read a stream, in the order of their
// first ends, with whether they ever stopped before that.
type consumers []struct {
	step    *plan.Step
	stopped bool
}

// ended notes that a step has read a stream to its end, or has stopped before.
func (c *consumers) ended(step *plan.Step, stopped bool) {
	for i := range *c {
		if k := &(*c)[i]; k.step == step {
			k.stopped = k.stopped || stopped
			return
		}
	}
	*c = append(*c, struct {
		step    *plan.Step
		stopped bool
	}{step, stopped})
}

// unfired breaks a gate for each that never stopped: each stream was over before.
func (c consumers) unfired(r *run) {
	for _, k := range c {
		if k.stopped || k.step.Consumer.Optional {
			continue
		}
		r.gate(plan.GateUnfiredFault, fmt.Sprintf("the consumer of step %q never stopped: each stream was over before.\nhint: let the answer have more chunks, or come more slowly (chunks, chunk_delay), let the consumer stop earlier, or set optional = true", k.step.Name), k.step.Consumer.Rng)
	}
}

// unmetText says of an event or a hold why nobody met it.
func (r *run) unmetText(d *plan.Action) string {
	if d.Hold != nil {
		return fmt.Sprintf("the hold %q of %s met nobody: no call waited for it or was turned away.\nhint: let a call need it meanwhile, hold more units, or set optional = true", d.Name, d.Hold.Address())
	}
	for _, w := range r.scheduled.waits {
		if w == d {
			return fmt.Sprintf("the event %q never happened: its condition never held.\nhint: the run never got that far: look at what the condition reads, remove the event, or set optional = true", d.Name)
		}
	}
	if why := r.scheduled.missed[d]; why != "" {
		return fmt.Sprintf("the event %q cancelled nothing: %s.\nhint: let it happen while that is under way, remove the event, or set optional = true", d.Name, why)
	}
	return fmt.Sprintf("the event %q (%s) met nobody: %s.\nhint: %s, read in a condition what it changed, or set optional = true", d.Name, d.Event.Text(), unmet[d.Event.What].why, unmet[d.Event.What].hint)
}

// unmet says of the kinds of events what none of them did, and what would show
// it.
var unmet = map[string]struct{ why, hint string }{
	"start":       {"nobody called the actor before or after it", "call the actor"},
	"kill":        {"no call was refused or cut because of it", "call the actor after it, or let a call be under way"},
	"restart":     {"no call was refused, cut or answered because of it", "call the actor after it was gone, or let a call be under way"},
	"unreachable": {"no call was refused because of it", "call the actor after it"},
	"reachable":   {"no call was answered that would have been refused", "make the actor unreachable before it, and call it after it"},
	"drain":       {"no call was refused or cut because of it", "call the actor after it, or let a call last longer than its timeout"},
	"activate":    {"no call was answered that would have been refused", "call the actor after it was stale or quarantined"},
	"quarantine":  {"no call was refused because of it", "call the actor after it"},
	"cancel":      {"nothing was cancelled by it", "let it happen while that is under way"},
	"partition":   {"no call across it was refused", "let an actor of one side call one of the other"},
	"heal":        {"no call across the partition was answered that would have been refused", "let actors of two sides call each other after it"},
}

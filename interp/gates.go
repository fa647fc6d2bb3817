package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// The gates: checks that a green is green for the right reason (semantics.md
// §15).
const (
	gateUnmatched         = "unmatched_call"
	gateOverConsumed      = "over_consumed"
	gateUnusedReply       = "unused_reply"
	gateUnfiredFault      = "unfired_fault"
	gateUnusedInteraction = "unused_interaction"
	gateAmbiguous         = "ambiguous"
	gateDrifted           = "drifted"
	gateUnexpected        = "unexpected_failure"
	gateNoAssertion       = "no_assertion"
	gateDeadlock          = "deadlock"
	// gateBroken is an addition to semantics.md §15: a mistake in the file must
	// not satisfy a scenario that expects its run to fail.
	gateBroken = "broken_expression"
)

// Gates lists the names of all gates.
func Gates() []string {
	return []string{
		gateUnmatched, gateOverConsumed, gateUnusedReply, gateUnfiredFault, gateUnusedInteraction,
		gateAmbiguous, gateDrifted, gateUnexpected, gateNoAssertion, gateDeadlock, gateBroken,
	}
}

// gate notes a broken gate, once for each message.
func (st *stage) gate(name, message string, rng hcl.Range) {
	for _, p := range st.gates {
		if p.Name == name && p.Message == message {
			return
		}
	}
	st.gates = append(st.gates, Problem{Kind: "gate", Name: name, Message: message, Range: rng})
	st.emit(trace.Event{Type: trace.Gate, Attrs: attrs("gate", name, "message", message, "file", st.plan.place, "line", ifSet(rng.Start.Line), "allowed", ifSet(st.plan.allow[name]))})
}

// closingGates looks at what was left over when all steps had ended.
func (r *run) closingGates() {
	if p := r.plan; (p.bench == nil || !p.bench.scoring) && len(p.asserts)+len(p.expects)+len(p.snapshots)+len(p.invariants) == 0 {
		place := hcl.Pos{Line: p.Line, Column: 1}
		r.gate(gateNoAssertion, "the scenario checks nothing: it has no expect, assert, snapshot or invariant block.\nhint: say what must hold, or allow = [\"no_assertion\"]",
			hcl.Range{Filename: p.File, Start: place, End: place})
	}
	for _, u := range r.entriesUnused() {
		name := gateUnusedReply
		if u.entry.fault != nil {
			name = gateUnfiredFault
		}
		r.gate(name, fmt.Sprintf("entry %d (%s) of the script for %q answered %d of %d calls.\nhint: %s",
			u.entry.n, u.entry.what(), u.script.address, u.used, u.want, unusedHint(u)), u.entry.rng)
	}
	for _, d := range r.drive.waits {
		r.gate(gateUnfiredFault, fmt.Sprintf("the event %q never happened: its condition never held.\nhint: the run never came so far: look at what the condition reads, or remove the event", d.name), d.rng)
	}
	r.unusedResponses()
	if r.player != nil {
		for _, it := range r.player.Unused() {
			if r.live.first(it.Step) {
				continue // it was recorded anew
			}
			r.gate(gateUnusedInteraction, fmt.Sprintf("interaction %d (%s %s) of %s was never asked for.\nhint: remove it, or allow = [%q] in the scenario",
				it.Index, it.Method, it.ShownURL(), r.plan.cassette.path, gateUnusedInteraction), r.plan.cassette.rng)
		}
	}
}

func unusedHint(u unusedEntry) string {
	if u.used > 0 {
		return fmt.Sprintf("set times = %d if that is right, or optional = true", u.used)
	}
	return "the run never came so far: remove the entry, or set optional = true"
}

// deadlocked names a wait that nothing can end, then cancels the run so that
// everything that started still ends. It does so once.
func (st *stage) deadlocked(waits []sched.Wait) bool {
	if st.stuck {
		return false
	}
	st.stuck = true
	rng := st.plan.workflow.rng
	var lines []string
	for _, a := range st.underWay() {
		s := a.call.s
		rng = s.step.rng
		line := fmt.Sprintf("step %q waits without end in attempt %d on target %q", s.name, a.n, a.target.name)
		if a.entry != nil {
			rng = a.entry.rng
			line += fmt.Sprintf(": entry %d (%s) of its script at line %d is silent", a.entry.n, a.entry.what(), rng.Start.Line)
		}
		lines = append(lines, line)
	}
	hint := "set attempt_timeout or timeout on the step, or after on the fault"
	if len(lines) == 0 {
		lines, hint = st.waiting(waits), hint+"; for an actor timeout on the call, handler or tool, or acquire_timeout on the lock or pool"
	}
	st.gate(gateDeadlock, strings.Join(lines, "\n")+"\nhint: "+hint, rng)
	st.cancel(errDeadlock)
	return true
}

// waiting says what tasks wait for that no attempt is the reason of. Those that
// only wait for others are left out where there are others.
func (st *stage) waiting(waits []sched.Wait) []string {
	var lines, rest []string
	for _, w := range waits {
		switch {
		case w.Holder == "" && (w.Task == "main" || strings.HasPrefix(w.Why, "the end of step.") || strings.HasPrefix(w.Why, "the end of call.")):
			rest = append(rest, w.String())
		case w.Why == sched.ContextEnd:
			lines = append(lines, fmt.Sprintf("%s waits without end for an answer", w.Task))
		default:
			lines = append(lines, fmt.Sprintf("%s waits for %s", w.Task, w.Why))
			if w.Holder != "" {
				lines[len(lines)-1] += ", held by " + w.Holder
			}
		}
	}
	if len(lines) == 0 {
		return rest
	}
	return lines
}

// underWay lists the attempts that have begun and not ended, in the order in
// which their steps are declared.
func (st *stage) underWay() []*attempt {
	var list []*attempt
	for _, r := range st.open {
		for _, s := range r.steps {
			if s.current != nil {
				list = append(list, s.current)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *attempt) int { return a.call.s.order - b.call.s.order })
	return list
}

package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// gate notes a broken gate, once for each message.
func (st *execution) gate(name, message string, rng hcl.Range) {
	for _, p := range st.Obs.Gates {
		if p.Name == name && p.Message == message {
			return
		}
	}
	st.emit(trace.Event{Payload: &event.Gate{
		Gate: name, Message: message, File: st.plan.Place, Line: rng.Start.Line, Range: st.plan.Told(rng), Allowed: st.plan.Allow[name],
	}})
}

// closingGates looks at what was left over when all steps had ended.
func (r *run) closingGates() {
	if p := r.plan; (p.BenchRun == nil || !p.BenchRun.Scoring) && !p.ChecksItself(r.way()) {
		place := hcl.Pos{Line: p.Line, Column: 1}
		why := "it has no expect, assert, snapshot or invariant block of its own."
		if p.Checks() {
			why = "what its checks read is not observed here."
		}
		r.gate(plan.GateNoAssertion, "the scenario checks nothing: "+why+"\nhint: say what must hold, or allow = [\"no_assertion\"]",
			hcl.Range{Filename: p.File, Start: place, End: place})
	}
	r.unfired()
	if r.stage == nil {
		r.closeRecording()
	}
}

// closeRecording looks at what of a recording answered nothing.
func (r *run) closeRecording() {
	for _, u := range r.client.UnusedResponses() {
		r.gate(plan.GateUnusedInteraction, fmt.Sprintf("answer %d (%s) for %q in line %d of %s was never asked for.\nhint: remove it, or allow = [%q] in the scenario",
			u.Entry.N, u.Entry.What(), u.Script.Address, u.Entry.Rng.Start.Line, r.plan.Responses.Path, plan.GateUnusedInteraction), r.plan.Recording.Rng)
	}
	for _, it := range r.client.UnusedInteractions() {
		r.gate(plan.GateUnusedInteraction, r.client.UnusedText(it), r.plan.Recording.Rng)
	}
}

// deadlocked names a wait that nothing can end, then cancels the run so that
// everything that started still ends. It does so once.
func (st *execution) deadlocked(waits []sched.Wait) bool {
	if st.stuck {
		return false
	}
	st.stuck = true
	rng := st.plan.Workflow.Rng
	var lines []string
	for _, a := range st.underWay() {
		s := a.call.s
		rng = s.Step.Rng
		line := fmt.Sprintf("step %q waits without end in attempt %d on target %q", s.Name, a.N, a.Target.Name)
		if e := a.Answer.Entry; e != nil {
			rng = e.Rng
			line += ": " + silent(e)
		}
		lines = append(lines, line)
	}
	hint := "set attempt_timeout or timeout on the step, or after on the fault"
	if len(lines) == 0 {
		lines, hint = st.waiting(waits), hint+"; for an actor timeout on the call, handler or tool, or acquire_timeout on the lock or pool"
	}
	st.gate(plan.GateDeadlock, strings.Join(lines, "\n")+"\nhint: "+hint, rng)
	st.cancel(errDeadlock)
	return true
}

// silent says what of a script an attempt waits for.
func silent(e *plan.Entry) string {
	if e.N == 0 {
		return "the " + e.What() + " is silent"
	}
	return fmt.Sprintf("entry %d (%s) of its script at line %d is silent", e.N, e.What(), e.Rng.Start.Line)
}

// waiting says what tasks wait for that no attempt is the reason of. Those that
// only wait for others are left out where there are others.
func (st *execution) waiting(waits []sched.Wait) []string {
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
func (st *execution) underWay() []*attempt {
	var list []*attempt
	for _, r := range st.open {
		for _, s := range r.steps {
			if s.current != nil {
				list = append(list, s.current)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *attempt) int { return a.call.s.Order - b.call.s.Order })
	return list
}

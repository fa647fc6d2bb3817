package unmet

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

const ofTime = "no answer of the run takes any time, so a program that asks one after the other, or waits for an answer however long that takes, is as fast and keeps the limit as well.\nhint: give the replies a latency, so that the limit is below what all of them take one after the other; where it is on a deadline, let an answer never come: fault \"timeout\" {}"

// timeLimit says of a part of a condition that limits how long something takes that no answer of the program's
// services takes any time. "" where one does, or where an answer asks for a wait: the limit may be on that. So it
// may where a check says of the same how long it takes at least.
func (l *look) timeLimit(parts []hclsyntax.Expression, i int, ctx *hcl.EvalContext) string {
	answers := false
	for _, n := range l.o.Plan.Endpoints {
		s := l.o.Steps[n.Name]
		if s == nil {
			continue
		}
		script := l.o.Plan.ScriptFor(s.Name, "")
		for _, a := range s.Asked() {
			if !isInstant(script, a) {
				return ""
			}
			answers = true
		}
	}
	if !answers || l.isBand(parts, i, ctx, 0) {
		return ""
	}
	if l.least == nil {
		l.least = l.leastTimes()
	}
	if slices.ContainsFunc(l.limitedIn(parts[i]), func(s string) bool { return l.least[s] }) {
		return ""
	}
	return ofTime
}

// leastTimes are the times, as they are written, of which a check of the scenario does not hold if they are 0.
func (l *look) leastTimes() map[string]bool {
	all := map[string]bool{}
	for _, a := range l.o.Plan.Asserts {
		for _, part := range dsl.Conjuncts(premise.Plainly(a.Condition)) {
			limited := l.limitedIn(part)
			if len(limited) == 0 || !reads(part, took) {
				continue
			}
			least := trial{instead: func(bound, float64) float64 { return 0 }}
			if holds, known := least.holds(l, part, l.ctx); known && !holds {
				for _, s := range limited {
					all[s] = true
				}
			}
		}
	}
	return all
}

// isInstant reports whether a script gave an answer to its end that takes no time, and asks for no wait.
func isInstant(script *plan.Script, a observe.Asked) bool {
	end := a.End
	if script == nil || end == nil || end.By != "script" || end.Served == nil || end.EndedBy != "server" || end.Entry < 1 || end.Entry > len(script.Entries) {
		return false
	}
	if end.Failed != nil && end.Failed.RetryAfter != nil {
		return false
	}
	e := script.Entries[end.Entry-1]
	switch {
	case e.HasAfter, e.Replay != nil, e.Fault != nil && e.Fault.Slow:
		return false
	case e.Reply != nil:
		return e.Reply.Latency == 0 && e.Reply.ChunkDelay == 0
	}
	return true
}

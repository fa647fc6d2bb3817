package observe

import (
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Idle reports whether an operand is of something that was there and that
// nothing came to: an endpoint that was never asked, a target or breaker that no
// call reached, the sessions of an actor without one, a pool or lock that nobody
// took or waited for, a loop without an iteration, a run in which no step did anything,
// or the output of a program that wrote nothing.
// What it says then is what it said before the run. A step that never ran is
// told apart by its attributes, which are null.
func (o *Observed) Idle(t hcl.Traversal) bool {
	name, named := read.AttrName(t, 1)
	if !named {
		return false
	}
	switch t.RootName() {
	case "endpoint":
		s := o.Steps[name]
		return s != nil && s.asked == nil
	case "step", "fanout", "classify":
		return o.idleStep(t)
	case "target", "breaker":
		r := o.Targets[name]
		return r != nil && len(r.attempts)+len(r.rejections)+r.rejected == 0
	case "actor":
		a := o.actors[name]
		return a != nil && a.idle(nameAt(t, 2), nameAt(t, 3))
	case "lock":
		return o.locks[name].idle()
	case "sut":
		return name == "stdout" && len(t) == 2 && o.Sut.Elapsed != nil && o.Sut.Stdout == ""
	case "run":
		return (name == "status" || name == "error") && o.didNothing()
	}
	return false
}

// idle is Idle for one of the parts of an actor.
func (a *actorResult) idle(part, name string) bool {
	switch part {
	case "sessions":
		return len(a.sessions) == 0
	case "pools":
		p := a.pools[name]
		return p != nil && p.inUseMax == 0 && len(p.waits) == 0
	case "locks":
		return a.locks[name].idle()
	}
	return false
}

func (l *lockResult) idle() bool { return l != nil && !l.taken && len(l.waits) == 0 }

// nameAt is the name at a place of a reference, "" for none.
func nameAt(t hcl.Traversal, i int) string {
	name, _ := read.AttrName(t, i)
	return name
}

// idleStep is Idle for what stands beneath a step: a program that asks for it, or
// the success of a loop.
func (o *Observed) idleStep(t hcl.Traversal) bool {
	s := o.StepAt(t)
	switch {
	case s == nil:
		return false
	case s.Step.Endpoint != nil && o.Driven():
		return s.asked == nil
	case s.Step.Kind != plan.KindLoop || s.Status != read.StatusSuccess:
		return false
	}
	if attr := nameAt(t, len(t)-1); attr != "status" && attr != "error" && attr != "iterations" {
		return false
	}
	for _, pass := range s.passes {
		if pass.Began {
			return false
		}
	}
	return true
}

// didNothing reports whether the run is of a workflow whose steps do something,
// and none of them did: all were skipped, or stand in loops without an iteration.
func (o *Observed) didNothing() bool {
	if o.Driven() || len(o.Calls) > 0 || o.Run.Status != read.StatusSuccess {
		return false
	}
	for _, s := range o.Order {
		if s.Began && does(s.Step.Kind) {
			return false
		}
	}
	for _, s := range o.Steps {
		if does(s.Step.Kind) {
			return true
		}
	}
	return false
}

// does reports whether a step of a kind does something by itself that a run can
// show: it calls somebody.
func does(k plan.Kind) bool {
	switch k {
	case plan.KindValue, plan.KindWait, plan.KindLoop, plan.KindWorkflow:
		return false
	}
	return true
}

// Timeless reports whether an operand is a time of a step, call or attempt that
// ended at the instant at which it began. On a real clock none does.
func (o *Observed) Timeless(t hcl.Traversal) bool {
	attr := nameAt(t, len(t)-1)
	if o.Driven() || !isTime(attr) {
		return false
	}
	if t.RootName() == "call" {
		list := o.Calls[nameAt(t, 1)]
		return len(list) == 1 && list[0].empty()
	}
	return o.timelessStep(t)
}

// Instant reports whether an operand is how long a step took that asked a service and took
// no time.
func (o *Observed) Instant(t hcl.Traversal) bool {
	return nameAt(t, len(t)-1) == "elapsed_ms" && t.RootName() == "step" && o.Timeless(t)
}

// Crowded reports whether an operand tells how many were under way at once, or
// waited, of what began at one instant and ended there: it tells nothing then, as
// nothing took any time. On a real clock something does.
func (o *Observed) Crowded(t hcl.Traversal) bool {
	if o.Driven() {
		return false
	}
	name, attr := nameAt(t, 1), nameAt(t, len(t)-1)
	switch t.RootName() {
	case "target":
		r := o.Targets[name]
		return r != nil && (attr == "in_flight_max" || attr == "rejections" && r.bounded) && r.crowd().timeless()
	case "actor":
		if a := o.actors[name]; a != nil && isQueue(attr) {
			return crowdOf(a.sessions).timeless()
		}
	case "lock":
		var all []*sessionResult
		for _, a := range o.actors {
			all = append(all, a.sessions...)
		}
		return isQueue(attr) && crowdOf(all).timeless()
	}
	return false
}

func (o *Observed) timelessStep(t hcl.Traversal) bool {
	s := o.StepAt(t)
	if s == nil {
		return false
	}
	for i := 2; i < len(t)-2; i++ {
		if nameAt(t, i) != "attempts" {
			continue
		}
		index, ok := t[i+1].(hcl.TraverseIndex)
		if !ok {
			return false
		}
		n, _ := index.Key.AsBigFloat().Int64()
		return n >= 0 && int(n) < len(s.attempts) && s.attempts[n].empty()
	}
	return s.empty()
}

// isTime reports whether an attribute is an instant.
func isTime(attr string) bool {
	switch attr {
	case "started_ms", "ended_ms", "at_ms", "started_at_ms", "ended_at_ms", "elapsed_ms":
		return true
	}
	return false
}

// isQueue reports whether an attribute tells how many were there at once.
func isQueue(attr string) bool {
	return attr == "in_use_max" || attr == "max_queue" || attr == "waits"
}

func (s *StepResult) empty() bool    { return s.Status != "" && s.Began && s.Ended == s.Started }
func (a *attemptResult) empty() bool { return !a.open && a.ended == a.at }

// A crowd is what was under way in some intervals.
type crowd []struct{ from, to time.Duration }

func (c *crowd) add(from, to time.Duration) {
	*c = append(*c, struct{ from, to time.Duration }{from, to})
}

// timeless reports whether all intervals are empty, and two of them are at one
// instant.
func (c crowd) timeless() bool {
	met, seen := false, map[time.Duration]bool{}
	for _, i := range c {
		if i.from != i.to {
			return false
		}
		met = met || seen[i.from]
		seen[i.from] = true
	}
	return met
}

func (r *targetResult) crowd() (c crowd) {
	for _, a := range r.attempts {
		if a.open {
			return nil
		}
		c.add(a.step.Started+a.at, a.step.Started+a.ended)
	}
	return c
}

func crowdOf(sessions []*sessionResult) (c crowd) {
	for _, s := range sessions {
		if !s.over {
			return nil
		}
		c.add(s.start, s.ended)
	}
	return c
}

// Uncontended reports whether an operand tells how a lock or pool was shared that one at a
// time wanted: how many used it or waited for it. That the rule of another lock made
// somebody wait, or that a call was refused, is contention, too.
func (o *Observed) Uncontended(t hcl.Traversal) bool {
	switch attr := nameAt(t, len(t)-1); {
	case !isQueue(attr) && attr != "timeouts" || o.Driven():
		return false
	case t.RootName() == "lock":
		if o.Contended() {
			return false
		}
		l := o.locks[nameAt(t, 1)]
		return l != nil && l.heldMax == 1
	case t.RootName() != "actor" || o.actors[nameAt(t, 1)] == nil || o.contendedAt(nameAt(t, 1)):
		return false
	}
	a, name := o.actors[nameAt(t, 1)], nameAt(t, 3)
	if l := a.locks[name]; l != nil && nameAt(t, 2) == "locks" {
		return l.heldMax == 1
	}
	p := a.pools[name]
	return p != nil && nameAt(t, 2) == "pools" && p.inUseMax == 1
}

// Contended reports whether anybody waited for a lock or a pool, or a session or call did
// not succeed, as one that is refused.
func (o *Observed) Contended() bool { return o.contendedAt("") }

// contendedAt is Contended for what one actor has and what is called of it, of which a
// failure at another actor says nothing; "" for all of them.
func (o *Observed) contendedAt(actor string) bool {
	for _, l := range o.locks {
		if len(l.waits) > 0 {
			return true
		}
	}
	for name, a := range o.actors {
		if (actor == "" || name == actor) && a.contended() {
			return true
		}
	}
	for name, list := range o.Calls {
		for _, s := range list {
			if s.Status != read.StatusSuccess && (actor == "" || o.calledActor(name) == actor) {
				return true
			}
		}
	}
	return false
}

// calledActor is the actor that a call block of the scenario calls, "" for any other block.
func (o *Observed) calledActor(name string) string {
	for _, d := range o.Plan.Actions {
		if d.Name == name && d.Call != nil {
			return d.Call.Target.Actor
		}
	}
	return ""
}

// contended reports whether anybody waited for a lock or a pool of an actor, or a session
// of it did not succeed.
func (a *actorResult) contended() bool {
	for _, l := range a.locks {
		if len(l.waits) > 0 {
			return true
		}
	}
	for _, p := range a.pools {
		if len(p.waits) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(a.sessions, func(s *sessionResult) bool { return s.status != read.StatusSuccess })
}

// Unwaited reports whether no session could wait for another: nobody did, and each of an
// actor began when those before it had ended, if only at that instant.
func (o *Observed) Unwaited() bool { return o.UnwaitedAt("") }

// UnwaitedAt is Unwaited for the sessions of one actor, or of all for "".
func (o *Observed) UnwaitedAt(actor string) bool {
	if o.Driven() || o.contendedAt(actor) {
		return false
	}
	for name, a := range o.actors {
		if actor != "" && name != actor {
			continue
		}
		for i, s := range a.sessions {
			for _, before := range a.sessions[:i] {
				if !before.over || s.start < before.ended {
					return false
				}
			}
		}
	}
	return true
}

// Apart reports whether the sessions of a list, which do not overlap, came one after the
// other because the scenario calls for them so: blocks of it made them, and none waited.
func (o *Observed) Apart(sessions []cty.Value) bool {
	if o.Driven() {
		return false
	}
	for _, s := range sessions {
		if !s.Type().IsObjectType() || !s.Type().HasAttribute("waited_ms") || !s.Type().HasAttribute("call") {
			return false
		}
		call := s.GetAttr("call")
		if call.IsNull() || !call.IsKnown() || len(o.Calls[call.AsString()]) == 0 || o.contendedAt(o.calledActor(call.AsString())) {
			return false
		}
	}
	return len(sessions) > 0 || !o.Contended()
}

// Unbroken reports whether an operand tells what a breaker did of which each call
// succeeded: it has nothing to count then. A call that its reader ended is not one: that
// the breaker does not count it can be shown.
func (o *Observed) Unbroken(t hcl.Traversal) bool {
	name, attr := nameAt(t, 1), nameAt(t, 2)
	if t.RootName() == "target" && attr == "breaker" {
		attr = nameAt(t, 3)
	} else if t.RootName() != "breaker" {
		return false
	}
	r := o.Targets[name]
	if r == nil || o.Driven() || len(r.attempts) == 0 || r.rejected > 0 || len(r.transitions) > 0 {
		return false
	}
	for _, a := range r.attempts {
		if a.open || a.outcome != read.StatusSuccess {
			return false
		}
	}
	return attr == "rejected" || attr == "transitions" || attr == "failures" || attr == "state"
}

// Tied reports whether two steps of a workflow began at one instant and neither waits for
// the other, so that they stand in the order of the file whatever is under test.
func (o *Observed) Tied(one, other string) bool {
	a, b := o.Steps[one], o.Steps[other]
	if o.Driven() || a == nil || b == nil || a == b || !a.Began || !b.Began || a.Started != b.Started || o.Plan.Workflow == nil {
		return false
	}
	above := map[*plan.Node]*plan.Node{nil: a.Node}
	for n := a.Node; n != nil; n = n.Outer {
		above[n.Outer] = n
	}
	for n := b.Node; n != nil; n = n.Outer {
		if m := above[n.Outer]; m != nil && (n.Outer != nil || m.Outer == nil) {
			return m != n && o.independent(m, n)
		}
	}
	return false
}

// independent reports whether neither of two steps of one graph waits for the other.
func (o *Observed) independent(a, b *plan.Node) bool {
	all := o.Plan.Workflow.Nodes()
	if a.Outer != nil {
		all = a.Outer.Inner
	}
	for n := a.Outer; n != nil; n = n.Outer {
		if n.Step.Kind == plan.KindLoop {
			return false // what comes after the other may be of the next iteration
		}
	}
	var graph []*plan.Step
	for _, n := range all {
		graph = append(graph, n.Step)
	}
	i, j := slices.Index(graph, a.Step), slices.Index(graph, b.Step)
	return i >= 0 && j >= 0 && !waitsFor(graph, i, j, nil) && !waitsFor(graph, j, i, nil)
}

// waitsFor reports whether a step of a graph waits for another one, by whatever way.
func waitsFor(graph []*plan.Step, step, other int, seen []int) bool {
	for i, s := range graph {
		if i != step && s.Fallback == step && (i == other || !slices.Contains(seen, i) && waitsFor(graph, i, other, append(seen, step))) {
			return true
		}
	}
	for _, i := range graph[step].After {
		if i == other || i >= 0 && i < len(graph) && !slices.Contains(seen, i) && waitsFor(graph, i, other, append(seen, step)) {
			return true
		}
	}
	return false
}

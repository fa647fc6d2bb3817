package observe

import (
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
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

// Contended reports whether anybody waited for a lock or a pool, or something that the file
// says ended a session or refused a call, see [Observed.limited].
func (o *Observed) Contended() bool { return o.contendedAt("") }

// contendedAt is Contended for what one actor has and what is called of it, of which a
// failure at another actor says nothing; "" for all of them.
func (o *Observed) contendedAt(name string) bool {
	for lock, l := range o.locks {
		if len(l.waits) > 0 && (name == "" || o.actors[name].takes(lock)) {
			return true
		}
	}
	for at, a := range o.actors {
		if (name == "" || name == at) && (a.waited() || slices.ContainsFunc(a.sessions, func(s *sessionResult) bool { return o.cutShort(at, s) })) {
			return true
		}
	}
	for call, list := range o.Calls {
		target := o.calledHandler(call)
		if (name == "" || target.Actor == name) && slices.ContainsFunc(list, func(s *StepResult) bool { return o.limited(target, s.Status, s.Err) }) {
			return true
		}
	}
	return false
}

// limited reports whether a call or session of a handler did not succeed in a way that
// depends on what the file says: a lock or a queue had no place for it, a registry refused
// it, a timeout ended it, or the policies of a workflow gave up. What the scenario does to it,
// by a kill, a partition or a fault that fails it, keeps it apart from nothing, and neither
// does it make it meet another. What is no handler is one of a service, which has policies.
func (o *Observed) limited(target actor.Target, status string, err *failure.Failure) bool {
	switch {
	case status == read.StatusSuccess:
		return false
	case err == nil || target.Actor == "":
		return true
	}
	switch err.Kind {
	case failure.TargetUnavailable, failure.Cancelled:
		return false
	case failure.ToolError, failure.DBError, failure.Connection, failure.HTTPStatus, failure.MalformedResponse, failure.Exception:
		return o.Plan.Handlers[target] != nil
	}
	return true
}

// cutShort is limited for a session. One that was cancelled ended as the call did that it is
// of, if the scenario made that itself.
func (o *Observed) cutShort(name string, s *sessionResult) bool {
	if s.status == read.StatusCancelled {
		return !slices.Contains(o.Calls[s.call], s.by) || o.limited(o.calledHandler(s.call), s.by.Status, s.by.Err)
	}
	return o.limited(actor.Target{Actor: name, Name: s.handler}, s.status, s.err)
}

// calledHandler is what a call block of the scenario calls of an actor, zero for any other
// block.
func (o *Observed) calledHandler(name string) actor.Target {
	for _, d := range o.Plan.Actions {
		if d.Name == name && d.Call != nil {
			return d.Call.Target
		}
	}
	return actor.Target{}
}

// waited reports whether anybody waited for a lock or a pool of an actor.
func (a *actorResult) waited() bool {
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
	return false
}

// takes reports whether a handler of an actor takes a shared lock.
func (a *actorResult) takes(lock string) bool {
	return slices.ContainsFunc(a.spec.Handlers, func(h *actor.HandlerSpec) bool {
		return slices.Contains(h.Locks, actor.LockRef{Name: lock})
	})
}

// Unwaited reports whether no session could wait for another: nobody did, and each of an
// actor began when those before it had ended, if only at that instant.
func (o *Observed) Unwaited() bool { return o.UnwaitedAt("") }

// UnwaitedAt is Unwaited for the sessions of one actor, or of all for "".
func (o *Observed) UnwaitedAt(name string) bool {
	if o.Driven() || o.contendedAt(name) {
		return false
	}
	for at, a := range o.actors {
		if name != "" && at != name {
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

// Scheduled reports whether nothing but the scenario says when some of its calls, which do
// not overlap, began and how long they took: nobody waited where they came to, and nothing
// that the file says ended or refused what came there.
func (o *Observed) Scheduled(calls []string) bool {
	if o.Driven() {
		return false
	}
	for _, call := range calls {
		target := o.calledHandler(call)
		if target.Actor == "" || slices.ContainsFunc(o.Calls[call], func(s *StepResult) bool { return o.limited(target, s.Status, s.Err) }) {
			return !o.Contended()
		}
		for at, a := range o.actors {
			came := func(s *sessionResult) bool { return s.call == call }
			if (at == target.Actor || slices.ContainsFunc(a.sessions, came)) && o.contendedAt(at) {
				return false
			}
		}
	}
	return true
}

// Apart reports whether the sessions of a list, which do not overlap, came one after the
// other because the scenario calls for them so: blocks of it made them, and none came before
// another had ended, or waited or was refused at that time. What made one last longer does not
// matter where it still met no other.
func (o *Observed) Apart(list []cty.Value) bool {
	if o.Driven() {
		return false
	}
	var all []madeSession
	for _, v := range list {
		s := o.madeSession(v)
		if s.sessionResult == nil {
			return false
		}
		all = append(all, s)
	}
	for i, s := range all {
		if o.contested(s, all) {
			return false
		}
		for _, t := range all[:i] {
			if s.meets(t.queued, t.ended) || o.endedFor(s, t) || o.endedFor(t, s) {
				return false
			}
		}
	}
	return len(all) > 0 || !o.Contended()
}

// madeSession is a session that has ended, of a call block of the scenario, with the actor that
// it is of.
type madeSession struct {
	*sessionResult
	actor string
}

// madeSession finds the session that a value is the result of; there is none in the result
// where it is of no such session.
func (o *Observed) madeSession(v cty.Value) (found madeSession) {
	for name, a := range o.actors {
		for _, s := range a.sessions {
			if s.over && slices.Contains(o.Calls[s.call], s.by) && s.isResult(v) {
				return madeSession{s, name}
			}
		}
	}
	return found
}

// isResult reports whether a value is what results say of a session, by what tells it apart
// from the others of its actor.
func (s *sessionResult) isResult(v cty.Value) bool {
	for _, f := range SessionFields {
		if f.Value != nil && (!v.Type().IsObjectType() || !v.Type().HasAttribute(f.Name) || !v.GetAttr(f.Name).RawEquals(f.Value(s))) {
			return false
		}
	}
	return true
}

// meets reports whether it was called for, or under way, at some time of an interval.
func (s madeSession) meets(from, to time.Duration) bool {
	return from < s.ended && s.queued < max(to, from+1)
}

// contested reports whether another call came while the session was there, or was called for,
// and is not in a list of sessions: it waited for a lock that the session held, or what the
// file says refused it.
func (o *Observed) contested(s madeSession, list []madeSession) bool {
	for _, l := range o.locksOf(s) {
		for _, w := range l.result.waits {
			if s.meets(w.since, w.since+w.waited) && !slices.ContainsFunc(list, func(m madeSession) bool { return o.by(w.who) == m.by }) {
				return true
			}
		}
	}
	called := o.calledHandler(s.call).Actor
	for name, calls := range o.Calls {
		target := o.calledHandler(name)
		if target.Actor == called && slices.ContainsFunc(calls, func(c *StepResult) bool {
			return c != s.by && o.limited(target, c.Status, c.Err) && (c.Status == "" || s.meets(c.Started, c.Ended))
		}) {
			return true
		}
	}
	return false
}

// endedFor reports whether a session was cut short before another came, and no lock keeps the
// two apart: that it ended in time is what did.
func (o *Observed) endedFor(s, next madeSession) bool {
	return s.ended <= next.queued && o.cutShort(s.actor, s.sessionResult) && !o.serial(s, next)
}

// serial reports whether a lock for one holder lets no two sessions in at one time.
func (o *Observed) serial(s, other madeSession) bool {
	theirs := o.locksOf(other)
	return slices.ContainsFunc(o.locksOf(s), func(l heldLock) bool { return l.spec.Capacity == 1 && slices.Contains(theirs, l) })
}

// heldLock is a lock that a session held, with what happened at it.
type heldLock struct {
	spec   *actor.LockSpec
	result *lockResult
}

func (o *Observed) locksOf(s madeSession) (locks []heldLock) {
	a := o.actors[s.actor]
	for _, h := range a.spec.Handlers {
		for _, ref := range h.Locks {
			specs, results := o.Plan.Population.Locks, o.locks
			if ref.Own {
				specs, results = a.spec.Locks, a.locks
			}
			if i := slices.IndexFunc(specs, func(l *actor.LockSpec) bool { return l.Name == ref.Name }); h.Name == s.handler && i >= 0 {
				locks = append(locks, heldLock{specs[i], results[ref.Name]})
			}
		}
	}
	return locks
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

// A GuardedTarget is what came to a target that has a breaker.
type GuardedTarget struct{ Calls, Failed int }

// Guarded is a target of a run of a workflow, as its breaker saw it; ok is false where it has none.
func (o *Observed) Guarded(target string) (g GuardedTarget, ok bool) {
	r := o.Targets[target]
	if r == nil || !r.guarded || o.Driven() {
		return g, false
	}
	g.Calls = len(r.attempts)
	for _, a := range r.attempts {
		if a.open || a.outcome != read.StatusSuccess {
			g.Failed++
		}
	}
	return g, true
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

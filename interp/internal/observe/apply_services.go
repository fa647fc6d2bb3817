package observe

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// subject is the result that an event of a step, or of a call block, is about.
func (o *Observed) subject(e *trace.Event) *StepResult { return o.by(waiterOf(e)) }

// by is the result of the step or call that waited.
func (o *Observed) by(who waiter) *StepResult {
	if who.step == "" && who.call != "" {
		if list := o.Calls[who.call]; who.iteration <= len(list) && len(list) > 0 {
			return list[max(who.iteration, 1)-1]
		}
	}
	return o.Steps[who.step]
}

// service folds an event about an actor, a lock or a registry.
func (o *Observed) service(e *trace.Event) {
	switch p := e.Payload.(type) {
	case *event.LockWait:
		if l := o.lock(e, p.Lock); l != nil {
			l.maxQueue = max(l.maxQueue, p.Queue)
			l.waits = append(l.waits, &waitResult{who: waiterOf(e), call: CallerOf(e), since: e.At})
		}
	case *event.Lock:
		if l := o.lock(e, p.Lock); l != nil {
			endWait(l.waits, waiterOf(e), e.At)
			l.taken, l.holders = true, append(l.holders, CallerOf(e))
			l.heldMax = max(l.heldMax, len(l.holders))
		}
	case *event.Unlock:
		if l := o.lock(e, p.Lock); l != nil {
			if i := slices.Index(l.holders, CallerOf(e)); i >= 0 {
				l.holders = slices.Delete(l.holders, i, i+1)
			}
		}
	case *event.Pool:
		if a := o.actors[e.Actor]; a != nil {
			a.pools[p.Pool].apply(e, p)
		}
	case *event.SessionStart:
		o.sessionStart(e, p)
	case *event.SessionEnd:
		o.sessionEnd(e, p)
	case *event.Route:
		o.effects.show(p.Met)
		o.dispatched(e, p)
		o.routed(e)
	case *event.Registry:
		o.changed(e, p)
	}
}

func (o *Observed) lock(e *trace.Event, name string) *lockResult {
	if e.Actor == "" {
		return o.locks[name]
	}
	if a := o.actors[e.Actor]; a != nil {
		return a.locks[name]
	}
	return nil
}

// CallerOf is who caused an event, as results name it.
func CallerOf(e *trace.Event) string {
	if e.Call != "" {
		return e.Call
	}
	return e.Step
}

func waiterOf(e *trace.Event) waiter {
	return waiter{e.Step, e.Call, e.Actor, e.Iteration}
}

// endWait ends the wait of a caller, if it waits.
func endWait(list []*waitResult, who waiter, at time.Duration) {
	for _, w := range slices.Backward(list) {
		if !w.over && w.who == who {
			w.over, w.waited = true, at-w.since
			return
		}
	}
}

func (p *poolResult) apply(e *trace.Event, told *event.Pool) {
	p.inUse = told.InUse
	p.inUseMax = max(p.inUseMax, p.inUse)
	switch told.Action {
	case "wait":
		p.came++
		p.maxQueue = max(p.maxQueue, told.Waiting)
		p.waits = append(p.waits, &waitResult{who: waiterOf(e), call: CallerOf(e), since: e.At})
	case "acquire":
		p.came++
		endWait(p.waits, waiterOf(e), e.At)
	case "timeout":
		p.timeouts++
		endWait(p.waits, waiterOf(e), e.At)
	}
}

func (o *Observed) sessionStart(e *trace.Event, p *event.SessionStart) {
	a := o.actors[e.Actor]
	a.sessions = append(a.sessions, &sessionResult{
		n: p.Session, call: CallerOf(e), by: o.subject(e), handler: p.Handler,
		queued: e.At - p.Waited, start: e.At,
	})
}

// callerOf is the result of who called the session that a run is the work of, nil for any
// other run.
func (o *Observed) callerOf(s *StepResult, session int) *StepResult {
	if session == 0 {
		return nil
	}
	return o.works[s.Name].sessions[session-1].by
}

func (o *Observed) sessionEnd(e *trace.Event, p *event.SessionEnd) {
	a := o.actors[e.Actor]
	s := a.sessions[p.Session-1]
	s.over, s.ended, s.status, s.err = true, e.At, p.Status, p.Failure(e, p.StatusCode, event.Place{})
}

// dispatched notes a call of an actor as an attempt of the step, the sub or the
// block that made it. What a handler passed on is none: the caller made one call.
func (o *Observed) dispatched(e *trace.Event, p *event.Route) {
	s := o.subject(e)
	if s == nil || p.Forwarded || p.Handler == "" || s.Step.Kind != plan.KindCall && s.Step.Kind != plan.KindSub {
		return
	}
	outcome := telemetry.RouteOutcome(p.Outcome)
	a := &attemptResult{
		step: s, n: len(s.attempts) + 1, at: e.At - p.Elapsed - s.Started, ended: e.At - s.Started, routed: true,
		target: e.Actor, outcome: outcome, err: p.Failure(e, p.StatusCode, event.Place{}),
		request: &event.Request{}, response: &event.AttemptEnd{Complete: outcome == read.StatusSuccess},
	}
	a.round = a.n
	if e.Step != "" {
		a.iteration = e.Iteration
	}
	s.attempts = append(s.attempts, a)
}

// routed ends the waits of a call that is over without what it waited for.
func (o *Observed) routed(e *trace.Event) {
	a := o.actors[e.Actor]
	if a == nil {
		return
	}
	who := waiterOf(e)
	for _, l := range a.locks {
		endWait(l.waits, who, e.At)
	}
	for _, p := range a.pools {
		endWait(p.waits, who, e.At)
	}
	who.actor = ""
	for _, l := range o.locks {
		endWait(l.waits, who, e.At)
	}
}

// changed folds a change of state: of an entry of a registry, of a module, of
// an actor.
func (o *Observed) changed(e *trace.Event, p *event.Registry) {
	o.effects.changed(e, p)
	from, to := p.From, p.To
	a := o.actors[e.Actor]
	switch name, module := p.Registry, p.Module; {
	case name != "":
		r := o.registries[name]
		r.states[e.Actor] = to
		if from != "" {
			r.log = append(r.log, registryChange{e.At, e.Actor, from, to, p.Reason})
		}
	case module != "":
		*a.modules[module] = moduleResult{to, p.Phase, p.Message}
		a.order = append(a.order, module)
	default:
		a.status = to
		if to == "starting" {
			a.order = nil
			for _, m := range a.modules {
				*m = moduleResult{}
			}
		}
	}
}

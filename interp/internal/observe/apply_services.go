package observe

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// subject is the result that an event of a step, or of a call block, is about.
func (o *Observed) subject(e *trace.Event) *StepResult {
	if e.Step == "" && e.Call != "" {
		if list := o.Calls[e.Call]; e.Iteration <= len(list) && len(list) > 0 {
			return list[max(e.Iteration, 1)-1]
		}
	}
	return o.Steps[e.Step]
}

// service folds an event about an actor, a lock or a registry.
func (o *Observed) service(e *trace.Event) {
	switch e.Type {
	case trace.LockWait, trace.Lock, trace.Unlock:
		if l := o.lock(e); l != nil {
			l.apply(e)
		}
	case trace.Pool:
		if a := o.actors[e.Actor]; a != nil {
			a.pools[plan.Get[string](e, "pool")].apply(e)
		}
	case trace.SessionStart:
		o.sessionStart(e)
	case trace.SessionEnd:
		o.sessionEnd(e)
	case trace.Route:
		o.routed(e)
	case trace.Registry:
		o.changed(e)
	}
}

func (o *Observed) lock(e *trace.Event) *lockResult {
	name := plan.Get[string](e, "lock")
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

func (l *lockResult) apply(e *trace.Event) {
	switch e.Type {
	case trace.LockWait:
		l.maxQueue = max(l.maxQueue, plan.Get[int](e, "queue"))
		l.waits = append(l.waits, &waitResult{who: waiterOf(e), call: CallerOf(e), since: e.At})
	case trace.Lock:
		endWait(l.waits, waiterOf(e), e.At)
		l.holders = append(l.holders, CallerOf(e))
	case trace.Unlock:
		if i := slices.Index(l.holders, CallerOf(e)); i >= 0 {
			l.holders = slices.Delete(l.holders, i, i+1)
		}
	}
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

func (p *poolResult) apply(e *trace.Event) {
	p.inUse = plan.Get[int](e, "in_use")
	p.inUseMax = max(p.inUseMax, p.inUse)
	switch plan.Get[string](e, "action") {
	case "wait":
		p.maxQueue = max(p.maxQueue, plan.Get[int](e, "waiting"))
		p.waits = append(p.waits, &waitResult{who: waiterOf(e), call: CallerOf(e), since: e.At})
	case "acquire":
		endWait(p.waits, waiterOf(e), e.At)
	case "timeout":
		p.timeouts++
		endWait(p.waits, waiterOf(e), e.At)
	}
}

func (o *Observed) sessionStart(e *trace.Event) {
	a := o.actors[e.Actor]
	a.sessions = append(a.sessions, &sessionResult{
		n: plan.Get[int](e, "session"), call: CallerOf(e), handler: plan.Get[string](e, "handler"),
		queued: e.At - plan.Get[time.Duration](e, "waited_ns"), start: e.At,
	})
}

func (o *Observed) sessionEnd(e *trace.Event) {
	a := o.actors[e.Actor]
	s := a.sessions[plan.Get[int](e, "session")-1]
	s.over, s.ended, s.status, s.err = true, e.At, plan.Get[string](e, "status"), plan.FailureOf(e)
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
func (o *Observed) changed(e *trace.Event) {
	from, to := plan.Get[string](e, "from"), plan.Get[string](e, "to")
	a := o.actors[e.Actor]
	switch name, module := plan.Get[string](e, "registry"), plan.Get[string](e, "module"); {
	case name != "":
		r := o.registries[name]
		r.states[e.Actor] = to
		if from != "" {
			r.log = append(r.log, registryChange{e.At, e.Actor, from, to, plan.Get[string](e, "reason")})
		}
	case module != "":
		*a.modules[module] = moduleResult{to, plan.Get[string](e, "phase"), plan.Get[string](e, "message")}
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

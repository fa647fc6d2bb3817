package interp

import (
	"fmt"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/trace"
)

// drivers explains what the scenario did by itself, block by block. Those that
// are steps are explained as steps.
func (e *explainer) drivers(events []trace.Event) {
	for _, d := range e.plan.drivers {
		switch {
		case d.node != nil:
		case d.call != nil:
			e.call(d, events)
		case d.hold != nil:
			e.linef("  hold %q: %d of %s, %s for %s  line %d", d.name, d.hold.n, d.hold.address(), e.when(d), d.hold.during, dsl.Place(d.rng).Start.Line)
		default:
			e.linef("  event %q: %s, %s  line %d", d.name, d.event.text(), e.when(d), dsl.Place(d.rng).Start.Line)
		}
	}
	if e.plan.population == nil {
		return
	}
	for _, a := range e.plan.population.Actors {
		e.linef("  actor %q", a.Name)
		for i := range events {
			if ev := &events[i]; ev.Actor == a.Name {
				e.service(ev)
			}
		}
	}
}

// when says at which instants a block acts, or what it waits for.
func (e *explainer) when(d *driver) string {
	switch {
	case d.after != nil:
		return "after " + d.after.typ + "." + d.after.name
	case d.when != nil:
		return "when " + dsl.Excerpt(d.when.condition)
	}
	list := make([]string, len(d.at))
	for i, at := range d.at {
		list[i] = at.String()
	}
	return "at " + strings.Join(list, ", ")
}

func (h *driveHold) address() string {
	address := "lock." + h.lock
	if h.pool != "" {
		address = "pool." + h.pool
	}
	if h.actor != "" {
		address = "actor." + h.actor + "." + address
	}
	return address
}

// text is what an event does to whom.
func (e *driveEvent) text() string {
	switch e.what {
	case "cancel":
		return strings.TrimSuffix("cancel "+e.cancel.typ+"."+e.cancel.name, ".")
	case "partition":
		sides := make([]string, len(e.groups))
		for i, g := range e.groups {
			sides[i] = strings.Join(g, ", ")
		}
		return "partition " + strings.Join(sides, " | ")
	case "heal":
		return "heal"
	case "drain":
		return fmt.Sprintf("drain actor.%s within %s", e.actor, e.timeout)
	}
	return e.what + " actor." + e.actor
}

// call explains the calls of a block: the script that they met, and what each
// came to.
func (e *explainer) call(d *driver, events []trace.Event) {
	e.linef("  call %q of %s, %s  line %d", d.name, d.call.target.Address(), e.when(d), dsl.Place(d.rng).Start.Line)
	if d.call.timeout > 0 {
		e.linef("    the caller waits for %s", d.call.timeout)
	}
	for _, address := range []string{d.name, d.call.target.Address()} {
		if sc := e.plan.scriptOf(address); sc != nil {
			e.script(sc)
			break
		}
	}
	for i := range events {
		ev := &events[i]
		if ev.Call != d.name {
			continue
		}
		switch ev.Type {
		case trace.Fault:
			e.linef("    %s  met entry %d of the script (fault %s)", ev.At, get[int](ev, "entry"), get[string](ev, "fault_type"))
		case trace.Timeout:
			e.event(ev)
		case trace.StepEnd:
			e.stepEnd(ev)
		}
	}
}

func (e *explainer) script(sc *script) {
	entries := make([]string, len(sc.entries))
	for i, en := range sc.entries {
		entries[i] = en.what()
		if en.times > 1 {
			entries[i] += fmt.Sprintf(" ×%d", en.times)
		}
	}
	e.linef("    script of %q, line %d: %s", sc.address, dsl.Place(sc.rng).Start.Line, strings.Join(entries, ", "))
}

// service explains an event of an actor.
func (e *explainer) service(ev *trace.Event) {
	switch ev.Type {
	case trace.Registry:
		e.changed(ev)
	case trace.SessionStart:
		text := fmt.Sprintf("session %d of %s for %s", get[int](ev, "session"), get[string](ev, "handler"), callerOf(ev))
		if waited := get[time.Duration](ev, "waited_ns"); waited > 0 {
			text += fmt.Sprintf(", after %s in a queue", waited)
		}
		e.linef("    %s  %s", ev.At, text)
	case trace.SessionEnd:
		e.linef("    %s  session %d %s", ev.At, get[int](ev, "session"), get[string](ev, "status"))
	case trace.LockWait:
		e.linef("    %s  %s waits for lock %q, held by %s", ev.At, callerOf(ev), get[string](ev, "lock"), get[string](ev, "holder"))
	case trace.Timeout:
		e.event(ev)
	case trace.Failure:
		if f := failureOf(ev); f != nil && f.Kind != failure.Cancelled {
			e.linef("    %s  %s", ev.At, e.failure(f))
		}
	case trace.Route:
		if outcome := get[string](ev, "outcome"); outcome != statusSuccess {
			e.linef("    %s  the call of %s by %s: %s", ev.At, get[string](ev, "handler"), callerOf(ev), outcome)
		}
	}
}

// changed explains a change of an actor, of a module, or of an entry of a
// registry.
func (e *explainer) changed(ev *trace.Event) {
	what := ""
	switch module, registry := get[string](ev, "module"), get[string](ev, "registry"); {
	case module != "":
		what = fmt.Sprintf("module %q ", module)
	case registry != "":
		what = fmt.Sprintf("in registry %q ", registry)
	}
	why := get[string](ev, "reason")
	if message := get[string](ev, "message"); message != "" {
		why = strings.TrimPrefix(why+": "+message, ": ")
	}
	if why != "" {
		why = " (" + hanging(why, "        ") + ")"
	}
	e.linef("    %s  %s%s%s", ev.At, what, get[string](ev, "to"), why)
}

package explain

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// actions explains what the scenario did by itself, block by block. Those that
// are steps are explained as steps.
func (e *explainer) actions() {
	for _, d := range e.plan.Actions {
		switch {
		case d.Node != nil:
		case d.Call != nil:
			e.call(d)
		case d.Hold != nil:
			e.linef("  hold %q: %d of %s, %s for %s  line %d", d.Name, d.Hold.N, d.Hold.Address(), e.when(d), d.Hold.During, dsl.Place(d.Rng).Start.Line)
		default:
			e.linef("  event %q: %s, %s  line %d", d.Name, d.Event.Text(), e.when(d), dsl.Place(d.Rng).Start.Line)
		}
	}
	if e.plan.Population == nil {
		return
	}
	for _, a := range e.plan.Population.Actors {
		e.linef("  actor %q", a.Name)
		for _, ev := range e.actors[a.Name] {
			e.service(ev)
		}
	}
}

// when says at which instants a block acts, or what it waits for.
func (e *explainer) when(d *plan.Action) string {
	switch {
	case d.After != nil:
		return "after " + d.After.Typ + "." + d.After.Name
	case d.When != nil:
		return "when " + dsl.Excerpt(d.When.Condition)
	}
	list := make([]string, len(d.At))
	for i, at := range d.At {
		list[i] = at.String()
	}
	return "at " + strings.Join(list, ", ")
}

// call explains the calls of a block: the script that they met, and what each
// came to.
func (e *explainer) call(d *plan.Action) {
	e.linef("  call %q of %s, %s  line %d", d.Name, d.Call.Target.Address(), e.when(d), dsl.Place(d.Rng).Start.Line)
	if d.Call.Timeout > 0 {
		e.linef("    the caller waits for %s", d.Call.Timeout)
	}
	for _, address := range []string{d.Name, d.Call.Target.Address()} {
		if sc := e.plan.ScriptOf(address); sc != nil {
			e.script(sc)
			break
		}
	}
	for _, ev := range e.calls[d.Name] {
		switch p := ev.Payload.(type) {
		case *event.Fault:
			met := fmt.Sprintf("entry %d of the script", p.Entry)
			if p.Entry == 0 {
				met = "an outage"
			}
			e.linef("    %s  met %s (fault %s)", ev.At, met, p.FaultType)
		case *event.Timeout:
			e.event(ev)
		case *event.StepEnd:
			e.stepEnd(ev, p)
		}
	}
}

func (e *explainer) script(sc *plan.Script) {
	entries := make([]string, len(sc.Entries))
	for i, en := range sc.Entries {
		entries[i] = en.What()
		if en.Times > 1 {
			entries[i] += fmt.Sprintf(" ×%d", en.Times)
		}
	}
	e.linef("    script of %q, line %d: %s", sc.Address, dsl.Place(sc.Rng).Start.Line, strings.Join(entries, ", "))
}

// service explains an event of an actor.
func (e *explainer) service(ev *trace.Event) {
	switch p := ev.Payload.(type) {
	case *event.Registry:
		e.changed(ev, p)
	case *event.SessionStart:
		text := fmt.Sprintf("session %d of %s for %s", p.Session, p.Handler, observe.CallerOf(ev))
		if p.Waited > 0 {
			text += fmt.Sprintf(", after %s in a queue", p.Waited)
		}
		e.linef("    %s  %s", ev.At, text)
	case *event.SessionEnd:
		e.linef("    %s  session %d %s", ev.At, p.Session, p.Status)
	case *event.LockWait:
		e.linef("    %s  %s waits for lock %q, held by %s", ev.At, observe.CallerOf(ev), p.Lock, p.Holder)
	case *event.Timeout:
		e.event(ev)
	case *event.Failure:
		if f := p.Failure(ev, p.StatusCode, event.Place{}); f != nil && f.Kind != failure.Cancelled {
			e.linef("    %s  %s", ev.At, e.failure(f))
		}
	case *event.Route:
		if p.Outcome != read.StatusSuccess {
			e.linef("    %s  the call of %s by %s: %s", ev.At, p.Handler, observe.CallerOf(ev), p.Outcome)
		}
	}
}

// changed explains a change of an actor, of a module, or of an entry of a
// registry.
func (e *explainer) changed(ev *trace.Event, p *event.Registry) {
	what := ""
	switch {
	case p.Module != "":
		what = fmt.Sprintf("module %q ", p.Module)
	case p.Registry != "":
		what = fmt.Sprintf("in registry %q ", p.Registry)
	}
	why := p.Reason
	if p.Message != "" {
		why = strings.TrimPrefix(why+": "+p.Message, ": ")
	}
	if why != "" {
		why = " (" + hanging(why, "        ") + ")"
	}
	e.linef("    %s  %s%s%s", ev.At, what, p.To, why)
}

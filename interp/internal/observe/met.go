package observe

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// effects is what the trace says of the effects that the events and holds of
// the scenario had.
type effects struct {
	// met are those because of which something went as it did.
	met map[string]bool
	// states are the changes of state that an event brought about, and last is
	// what changed a state last.
	states []stateChange
	last   map[stateChange]string
}

// stateChange is a change of the state of an actor, of one of its modules, or of
// its entry in a registry.
type stateChange struct{ cause, actor, module, registry string }

func (x *effects) show(met []string) {
	for _, by := range met {
		if x.met == nil {
			x.met = map[string]bool{}
		}
		x.met[by] = true
	}
}

func (x *effects) changed(e *trace.Event, p *event.Registry) {
	c := stateChange{p.Cause, e.Actor, p.Module, p.Registry}
	if c.cause != "" {
		x.states = append(x.states, c)
	}
	if x.last == nil {
		x.last = map[stateChange]string{}
	}
	x.last[c.place()] = c.cause
}

// place is whose state it is.
func (c stateChange) place() stateChange {
	c.cause = ""
	return c
}

// Met reports whether the run shows an effect of an event or a hold of the
// scenario: on a call, a step, a classification or the run, or in a state that a
// condition reads.
func (o *Observed) Met(d *plan.Action) bool {
	by := d.Address()
	return o.effects.met[by] || slices.ContainsFunc(o.effects.states, func(c stateChange) bool {
		return c.cause == by && o.isRead(c)
	})
}

// isRead reports whether a condition reads a change of state. One that is
// evaluated at the end sees only the last of an actor's states.
func (o *Observed) isRead(c stateChange) bool {
	for _, n := range o.meanwhile() {
		if c.within(n, true) {
			return true
		}
	}
	return c.within(o.Plan.Needs, o.effects.last[c.place()] == c.cause) || o.queriesStates()
}

// within reports whether what is read holds the change; last says that nothing
// changed the same state after it.
func (c stateChange) within(n *read.Needs, last bool) bool {
	if c.registry != "" {
		r := n.Of("registry").Of(c.registry)
		return r.Of("log") != nil || last && r.Of("states").Of(c.actor) != nil
	}
	a := n.Of("actor").Of(c.actor)
	if c.module != "" {
		return last && (a.Of("modules").Of(c.module) != nil || a.Of("order") != nil)
	}
	return last && a.Of("status") != nil
}

// meanwhile is what conditions read that are evaluated while the run goes on.
func (o *Observed) meanwhile() []*read.Needs {
	var list []*read.Needs
	for _, i := range o.Plan.Invariants {
		list = append(list, i.Needs)
	}
	for _, d := range o.Plan.Actions {
		if d.When != nil {
			list = append(list, d.When.Needs)
		}
	}
	return list
}

// queriesStates reports whether a condition asks for the events that tell of
// changed states.
func (o *Observed) queriesStates() bool {
	return slices.ContainsFunc(o.Plan.Conditions(), func(x hclsyntax.Expression) bool {
		found := false
		_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
			call, ok := n.(*hclsyntax.FunctionCallExpr)
			if !ok || call.Name != "events" {
				return nil
			}
			found = found || len(call.Args) == 0
			for _, arg := range call.Args {
				obj, written := arg.(*hclsyntax.ObjectConsExpr)
				if !written {
					found = true
					continue
				}
				t, known := writtenType(obj)
				found = found || !known || t == string(trace.Registry)
			}
			return nil
		})
		return found
	})
}

// writtenType is the type of event that a filter writes out, if it does.
func writtenType(filter *hclsyntax.ObjectConsExpr) (t string, known bool) {
	for _, item := range filter.Items {
		if hcl.ExprAsKeyword(item.KeyExpr) != "type" {
			continue
		}
		if v, literal := dsl.Literal(item.ValueExpr); literal && !v.IsNull() && v.Type() == cty.String {
			return v.AsString(), true
		}
	}
	return "", false
}

package lastsession

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/services"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// many stands for any number of calls but none and one.
const many = 2

// A Count counts how often the handlers of a scenario may be called, up to many.
type Count struct {
	Plan     *plan.Plan
	Services *services.Services
	Handlers map[actor.Target]*plan.HandlerWork
	// Repeats reports whether a step may run more than once, or what is inside it.
	Repeats func(*plan.Step) bool

	times map[actor.Target]int
}

// Often reports whether a handler may have more than one session: the scenario's blocks, the
// steps of its workflow, and the handlers that these come to call it several times, or do so
// where they may run several times.
func (c Count) Often(t actor.Target) bool {
	c.times = map[actor.Target]int{}
	for _, d := range c.Plan.Actions {
		if d.Call != nil {
			c.add(d.Call.Target, max(len(d.At), 1), nil)
		}
	}
	c.steps(c.Plan.Nodes(), 1, nil)
	return c.times[t] >= many
}

// add counts some calls of a handler and those that it makes. From are the actors on the
// way, which refuse a call that comes back.
func (c Count) add(t actor.Target, times int, from []string) {
	a := c.Services.Actors[t.Actor]
	if a == nil || c.times[t] >= many || slices.Contains(from, t.Actor) && !a.Deep {
		return
	}
	c.times[t] = min(c.times[t]+times, many)
	from = append(from[:len(from):len(from)], t.Actor)
	if f := c.Services.ForwardOf(t); f != nil {
		c.add(*f, times, from)
	}
	if w := c.Handlers[t]; w != nil {
		c.steps(w.Node.Inner, times, from)
	}
}

// steps counts the calls of some steps, each of which runs so many times.
func (c Count) steps(list []*plan.Node, times int, from []string) {
	plan.EachNode(list, func(n *plan.Node) {
		if n.Step.Target.Actor == "" {
			return
		}
		often := times
		if slices.ContainsFunc(append(n.Around(), n), func(o *plan.Node) bool { return c.Repeats(o.Step) }) {
			often = many
		}
		c.add(n.Step.Target, often, from)
	})
}

package engine

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// order lists the targets in the order in which this call tries them.
func (c *call) order() []*plan.Target {
	g := c.s.Step.Gateway
	var list []*plan.Target
	for _, t := range g.Targets {
		model := c.model(t)
		if len(t.Models) == 0 || read.Contains(t.Models, model) {
			list = append(list, t)
		}
	}
	main := 0
	for main < len(list) && !list[main].Fallback {
		main++
	}
	if main < 2 {
		return list
	}
	first := 0
	switch g.Strategy {
	case plan.InTurn:
		first = c.r.rotation[g.Name] % main
		c.r.rotation[g.Name]++
	case plan.LeastBusy:
		return append(c.idlest(list[:main]), list[main:]...)
	}
	turned := append(append([]*plan.Target{}, list[first:main]...), list[:first]...)
	return append(turned, list[main:]...)
}

// idlest orders targets by how many attempts are under way at each, those with
// as many as they were declared.
func (c *call) idlest(list []*plan.Target) []*plan.Target {
	return slices.SortedStableFunc(slices.Values(list), func(a, b *plan.Target) int {
		return c.r.Obs.Targets[a.Name].InFlight - c.r.Obs.Targets[b.Name].InFlight
	})
}

// decide notes the route of a round, for the first event that comes of it. A
// step with a provider of its own has no choice.
func (c *call) decide(order []*plan.Target) {
	g := c.s.Step.Gateway
	if g.Name == "" {
		return
	}
	names := make([]string, len(order))
	for i, t := range order {
		names[i] = t.Name
	}
	c.routing = &event.Decision{Gateway: g.Name, Strategy: g.Strategy, Candidates: names}
}

// decision is the route of the round, where no event has told it yet.
func (c *call) decision() *event.Decision {
	d := c.routing
	c.routing = nil
	return d
}

// route is what a refusal tells of its gateway, and of the route if it is
// the first to.
func (c *call) route() *event.Decision {
	if d := c.decision(); d != nil {
		return d
	}
	return &event.Decision{Gateway: c.s.Step.Gateway.Name}
}

package interp

import (
	"slices"

	"github.com/scenario-lang/scenario/trace"
)

// The strategies of a gateway: which target a call tries first.
const (
	byPriority   = "priority"
	inTurn       = "round_robin"
	leastBusy    = "least_busy"
	noCandidates = "no_target"
)

// order lists the targets in the order in which this call tries them.
func (c *call) order() []*target {
	g := c.s.step.gateway
	var list []*target
	for _, t := range g.targets {
		model := c.model(t)
		if len(t.models) == 0 || contains(t.models, model) {
			list = append(list, t)
		}
	}
	main := 0
	for main < len(list) && !list[main].fallback {
		main++
	}
	if main < 2 {
		return list
	}
	first := 0
	switch g.strategy {
	case inTurn:
		first = c.r.rotation[g.name] % main
		c.r.rotation[g.name]++
	case leastBusy:
		return append(c.idlest(list[:main]), list[main:]...)
	}
	turned := append(append([]*target{}, list[first:main]...), list[:first]...)
	return append(turned, list[main:]...)
}

// idlest orders targets by how many attempts are under way at each, those with
// as many as they were declared.
func (c *call) idlest(list []*target) []*target {
	return slices.SortedStableFunc(slices.Values(list), func(a, b *target) int {
		return c.r.obs.targets[a.name].inFlight - c.r.obs.targets[b.name].inFlight
	})
}

// decide notes the route of a round, for the first event that comes of it. A
// step with a provider of its own has no choice.
func (c *call) decide(order []*target) {
	g := c.s.step.gateway
	if g.name == "" {
		return
	}
	names := make([]string, len(order))
	for i, t := range order {
		names[i] = t.name
	}
	c.routing = append(attrs("gateway", g.name, "strategy", g.strategy), trace.Attr{Key: "candidates", Value: names})
}

// decision is the route of the round, where no event has told it yet.
func (c *call) decision() []trace.Attr {
	list := c.routing
	c.routing = nil
	return list
}

// route is what a refusal tells of its gateway, and of the route if it is
// the first to.
func (c *call) route() []trace.Attr {
	if list := c.decision(); list != nil {
		return list
	}
	return attrs("gateway", c.s.step.gateway.name)
}

package services

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/actor"
)

// checkForwards warns of calls that come back to where they were: each of them
// will be refused.
func (s *Services) checkForwards() {
	for _, name := range s.Order {
		for _, h := range s.Actors[name].Handlers {
			path := []string{name}
			at := actor.Target{Actor: name, Name: h.Name}
			for next := h.ForwardTo; next != nil && !s.OwnTool(at, *next); {
				back := slices.Contains(path, next.Actor)
				path = append(path, next.Actor)
				if back {
					if next.Actor == name && slices.Min(path) == name && !s.Actors[name].Deep {
						s.Warnf(s.Actors[name].Parts[h.Name], "Cycle among actors", "What is forwarded from here comes back: the cycle is %s. Such a call is refused with routing_cycle.", strings.Join(path, " -> "))
					}
					break
				}
				at, next = *next, s.ForwardOf(*next)
			}
		}
	}
}

// ForwardOf is what a handler forwards to, nil where it forwards nothing and where
// nobody has such a handler.
func (s *Services) ForwardOf(t actor.Target) *actor.Target {
	a := s.Actors[t.Actor]
	if a == nil {
		return nil
	}
	for _, h := range a.Handlers {
		if h.Name == t.Name {
			return h.ForwardTo
		}
	}
	return nil
}

// checkLockOrder warns of handlers that take the same two locks in different
// orders: two sessions of them can wait for each other.
func (s *Services) checkLockOrder() {
	type pair struct{ first, second string }
	type taker struct{ what string }
	seen := map[pair]taker{}
	for _, name := range s.Order {
		a := s.Actors[name]
		for _, h := range a.Handlers {
			what := "actor." + name + "." + h.Name
			var order []string
			for _, l := range h.Locks {
				address := "lock." + l.Name
				if l.Own {
					address = "actor." + name + "." + address
				}
				order = append(order, address)
			}
			for i, first := range order {
				for _, second := range order[i+1:] {
					if other, crossed := seen[pair{first: second, second: first}]; crossed {
						s.Warnf(a.Parts[h.Name], "Locks in two orders", "%s takes %s before %s, and %s takes them the other way round: two sessions can wait for each other without end. Take them in one order.", what, first, second, other.what)
					}
					if _, known := seen[pair{first: first, second: second}]; !known {
						seen[pair{first: first, second: second}] = taker{what: what}
					}
				}
			}
		}
	}
}

// OwnTool reports whether a session calls a tool of its own actor.
func (s *Services) OwnTool(from, to actor.Target) bool {
	a := s.Actors[to.Actor]
	return from.Actor == to.Actor && a != nil && slices.ContainsFunc(a.Tools, func(t *actor.ToolSpec) bool { return t.Name == to.Name })
}

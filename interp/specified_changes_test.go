package interp

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/providers"
)

// A change makes another world of a scenario's.
type change struct {
	name string
	of   func(*Plan) *Plan
}

// changes are other worlds for the scenarios of services. What a sentence
// promises cannot hold in all of them.
var changes = []change{
	{undisturbed, withoutDisturbance},
	{absent, func(p *Plan) *Plan {
		q := withActors(p, func(*actor.ActorSpec) {})
		for _, a := range q.population.Actors {
			q.population.Late = append(q.population.Late, a.Name)
		}
		return q
	}},
	{"handlers take no locks", func(p *Plan) *Plan {
		return withActors(p, func(a *actor.ActorSpec) {
			for _, h := range a.Handlers {
				h.Locks = nil
			}
		})
	}},
	{"nothing takes time", func(p *Plan) *Plan {
		return withActors(p, func(a *actor.ActorSpec) {
			a.Startup.Takes = 0
			for _, h := range a.Handlers {
				h.Takes = 0
			}
		})
	}},
	{"calls may come back, or may not", func(p *Plan) *Plan {
		return withActors(p, func(a *actor.ActorSpec) { a.Deep, a.MaxHops = !a.Deep, 3 })
	}},
	{"models call no tools", func(p *Plan) *Plan {
		return withEntries(p, func(e *entry) {
			if e.reply != nil {
				silent := *e.reply
				silent.ToolCalls, e.reply = nil, &silent
			}
		})
	}},
}

const (
	undisturbed = "nothing is injected and nothing happens"
	absent      = "no actor starts"
)

// Shows that no sentence is held by an assertion that would hold anyway: in some
// other world one that the page names for it fails. And a scenario is about more
// than that something runs: where all actors are there, what the page names for
// it fails without its faults, events and holds, and where it has none, in one
// of the other worlds.
func TestEverySentenceOfTheServicesCanFail(t *testing.T) {
	page := servicesTable(t)
	failing := map[string]map[string][]string{} // by scenario and change
	disturbed, named := map[string]bool{}, map[string][]string{}
	for _, sentence := range slices.Sorted(maps.Keys(page)) {
		s := page[sentence]
		key := s.file + " " + s.scenario
		named[key] = append(named[key], s.holds...)
		if failing[key] == nil {
			failing[key] = map[string][]string{}
			for _, p := range plansNamed(t, s) {
				disturbed[key] = disturbed[key] || disturbs(p)
				for _, c := range changes {
					failing[key][c.name] = append(failing[key][c.name], heldIn(c.of(p))...)
				}
			}
		}
		if !slices.ContainsFunc(changes, func(c change) bool { return overlap(failing[key][c.name], s.holds) }) {
			t.Errorf("%q: %q of %q holds whatever becomes of the world", sentence, s.holds, s.scenario)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(failing)) {
		without := failing[key][undisturbed]
		for _, c := range changes {
			if !disturbed[key] && c.name != absent {
				without = append(without, failing[key][c.name]...)
			}
		}
		if !overlap(without, named[key]) {
			t.Errorf("%s: what the page names holds without what the scenario is about", key)
		}
	}
}

// heldIn lists the assertions and expectations that fail when a plan is run.
func heldIn(p *Plan) []string {
	var names []string
	for _, problem := range Run(p, RunOptions{}).Problems {
		if problem.Kind == "assert" || problem.Kind == "expect" {
			names = append(names, problem.Name)
		}
	}
	return names
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func disturbs(p *Plan) bool {
	for _, s := range p.scripts {
		if slices.ContainsFunc(s.entries, func(e *entry) bool { return e.fault != nil }) {
			return true
		}
	}
	return slices.ContainsFunc(p.drivers, func(d *driver) bool { return d.event != nil || d.hold != nil })
}

// withoutDisturbance is a plan in which every fault is a plain answer, and no
// event happens.
func withoutDisturbance(p *Plan) *Plan {
	q := withEntries(p, func(e *entry) {
		if e.fault == nil {
			return
		}
		e.fault, e.hasAfter, e.after = nil, false, 0
		if e.reply == nil && e.replay == nil {
			e.reply = &providers.Output{}
		}
	})
	q.drivers = nil
	for _, d := range p.drivers {
		if d.event == nil && d.hold == nil {
			q.drivers = append(q.drivers, d)
		}
	}
	return q
}

// withEntries is a plan with other entries in its scripts.
func withEntries(p *Plan, change func(*entry)) *Plan {
	q := *p
	q.scripts = nil
	for _, s := range p.scripts {
		other := *s
		other.entries = nil
		for _, e := range s.entries {
			changed := *e
			change(&changed)
			other.entries = append(other.entries, &changed)
		}
		q.scripts = append(q.scripts, &other)
	}
	return &q
}

// withActors is a plan with other actors.
func withActors(p *Plan, change func(*actor.ActorSpec)) *Plan {
	q, population := *p, actor.Spec{}
	q.population = &population
	if p.population == nil {
		return &q
	}
	population = *p.population
	population.Actors = nil
	for _, a := range p.population.Actors {
		other := *a
		other.Handlers = nil
		for _, h := range a.Handlers {
			handler := *h
			other.Handlers = append(other.Handlers, &handler)
		}
		change(&other)
		population.Actors = append(population.Actors, &other)
	}
	return &q
}

// plansNamed are the instances of a scenario.
func plansNamed(t *testing.T, s shown) []*Plan {
	t.Helper()
	return slices.DeleteFunc(compileFile(t, s.file), func(p *Plan) bool {
		return p.Name != s.scenario && !strings.HasPrefix(p.Name, s.scenario+"[")
	})
}

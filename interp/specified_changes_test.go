package interp

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// A change makes another world of a scenario's.
type change struct {
	name string
	of   func(*plan.Plan) *plan.Plan
}

// changes are other worlds for the scenarios of services. What a sentence
// promises cannot hold in all of them.
var changes = []change{
	{undisturbed, withoutDisturbance},
	{absent, func(p *plan.Plan) *plan.Plan {
		q := withActors(p, func(*actor.ActorSpec) {})
		q.Population.Late = map[string]string{}
		for _, a := range q.Population.Actors {
			q.Population.Late[a.Name] = "event.never"
		}
		return q
	}},
	{"handlers take no locks", func(p *plan.Plan) *plan.Plan {
		return withActors(p, func(a *actor.ActorSpec) {
			for _, h := range a.Handlers {
				h.Locks = nil
			}
		})
	}},
	{"nothing takes time", func(p *plan.Plan) *plan.Plan {
		return withActors(p, func(a *actor.ActorSpec) {
			a.Startup.Takes = 0
			for _, h := range a.Handlers {
				h.Takes = 0
			}
		})
	}},
	{"calls may come back, or may not", func(p *plan.Plan) *plan.Plan {
		return withActors(p, func(a *actor.ActorSpec) { a.Deep, a.MaxHops = !a.Deep, 3 })
	}},
	{"models call no tools", func(p *plan.Plan) *plan.Plan {
		return withEntries(p, func(e *plan.Entry) {
			if e.Reply != nil {
				silent := *e.Reply
				silent.ToolCalls, e.Reply = nil, &silent
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
				disturbed[key] = disturbed[key] || disturbs(plan.Inside(p))
				for _, c := range changes {
					failing[key][c.name] = append(failing[key][c.name], heldIn(plan.Publish(c.of(plan.Inside(p))))...)
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

func disturbs(p *plan.Plan) bool {
	for _, s := range p.Scripts {
		if slices.ContainsFunc(s.Entries, func(e *plan.Entry) bool { return e.Fault != nil }) {
			return true
		}
	}
	return slices.ContainsFunc(p.Actions, func(d *plan.Action) bool { return d.Event != nil || d.Hold != nil })
}

// withoutDisturbance is a plan in which every fault is a plain answer, and no
// event happens.
func withoutDisturbance(p *plan.Plan) *plan.Plan {
	q := withEntries(p, func(e *plan.Entry) {
		if e.Fault == nil {
			return
		}
		e.Fault, e.HasAfter, e.After = nil, false, 0
		if e.Reply == nil && e.Replay == nil {
			e.Reply = &providers.Output{}
		}
	})
	q.Actions = nil
	for _, d := range p.Actions {
		if d.Event == nil && d.Hold == nil {
			q.Actions = append(q.Actions, d)
		}
	}
	return q
}

// withEntries is a plan with other entries in its scripts.
func withEntries(p *plan.Plan, change func(*plan.Entry)) *plan.Plan {
	q := *p
	q.Scripts = nil
	for _, s := range p.Scripts {
		other := *s
		other.Entries = nil
		for _, e := range s.Entries {
			changed := *e
			change(&changed)
			other.Entries = append(other.Entries, &changed)
		}
		q.Scripts = append(q.Scripts, &other)
	}
	return &q
}

// withActors is a plan with other actors.
func withActors(p *plan.Plan, change func(*actor.ActorSpec)) *plan.Plan {
	q, population := *p, actor.Spec{}
	q.Population = &population
	if p.Population == nil {
		return &q
	}
	population = *p.Population
	population.Actors = nil
	for _, a := range p.Population.Actors {
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

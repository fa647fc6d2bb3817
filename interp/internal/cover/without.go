package cover

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// Without is the plan in a world in which a strike does not come: of a fault that
// disturbs an answer that answer is left, another entry is passed over. The run may go
// on further than the scenario answers: there the last answer does so again, or
// one that says nothing. It is nil for a strike that the scenario does not write.
func Without(p *plan.Plan, s *Strike) *plan.Handle {
	if !s.Scripted() {
		return nil
	}
	other := *p
	other.Scripts = nil
	other.Outages = slices.DeleteFunc(slices.Clone(p.Outages), func(o *plan.Outage) bool { return s.entries[o.Entry] })
	for _, sc := range p.Scripts {
		other.Scripts = append(other.Scripts, spared(sc, s.entries))
	}
	if p.Recording == nil && p.Responses == nil {
		for _, n := range p.Dialling() {
			if p.ScriptFor(n.Name, "") == nil {
				other.Scripts = append(other.Scripts, &plan.Script{Address: n.Name, Entries: silent(n.Step.Rng), Rng: n.Step.Rng})
			}
		}
	}
	other.FindScripts()
	return plan.Publish(&other)
}

// spared is a script without some of its entries, and without an end.
func spared(sc *plan.Script, without map[*plan.Entry]bool) *plan.Script {
	left := *sc
	left.Entries = nil
	for _, e := range sc.Entries {
		own := *e
		if without[e] {
			if e.Fault == nil || e.Reply == nil && e.Replay == nil {
				continue
			}
			own.Fault, own.Args, own.HasAfter = nil, nil, false
		}
		own.N = len(left.Entries) + 1
		left.Entries = append(left.Entries, &own)
	}
	if len(left.Entries) == 0 {
		left.Entries = silent(sc.Rng)
	}
	if left.Exhausted == "fail" {
		left.Exhausted = "repeat_last"
	}
	return &left
}

// silent answers any number of calls, and says nothing.
func silent(rng hcl.Range) []*plan.Entry {
	return []*plan.Entry{{N: 1, Times: plan.Unlimited, Reply: &providers.Output{}, Rng: rng}}
}

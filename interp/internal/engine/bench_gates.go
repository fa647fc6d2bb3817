package engine

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// caseGates gathers the gates that the runs of a workflow broke, one run for
// each trial. What one case leaves over another may use, so that something was
// left over counts where it was in every run.
type caseGates struct {
	runs   int
	broken []plan.Problem
	over   []plan.Problem
	times  map[overKey]int
	// defects are why a case could not be played as it is written.
	defects []plan.Problem
}

type overKey struct {
	name, what string
	at         hcl.Pos
}

func newCaseGates() *caseGates { return &caseGates{times: map[overKey]int{}} }

// leftOver are the gates about what nobody asked for.
var leftOver = []string{plan.GateUnusedReply, plan.GateUnfiredFault, plan.GateUnusedInteraction}

func (g *caseGates) add(r *run) {
	g.runs++
	g.defects = append(g.defects, r.Obs.Defects...)
	for _, p := range r.Obs.Gates {
		if !slices.Contains(leftOver, p.Name) {
			g.broken = append(g.broken, p)
			continue
		}
		key := overKey{name: p.Name, at: p.Range.Start}
		if p.Name == plan.GateUnusedInteraction {
			key.what = p.Message // all of a cassette stand in one place
		}
		if g.times[key]++; g.times[key] == 1 {
			g.over = append(g.over, p)
		}
	}
}

// reportGates makes the gates of the cases those of the scenario. Whole says that all of
// them ran: of some nobody knows what the others would have used.
func (r *run) reportGates(g *caseGates, whole bool) {
	for _, p := range g.broken {
		if p.Name != plan.GateNoAssertion {
			r.gate(p.Name, p.Message, p.Range)
		}
	}
	for _, p := range g.over {
		key := overKey{name: p.Name, at: p.Range.Start}
		if p.Name == plan.GateUnusedInteraction {
			key.what = p.Message
		}
		if whole && g.times[key] == g.runs {
			r.gate(p.Name, p.Message, p.Range)
		}
	}
	for _, d := range g.defects {
		r.defect(d.Message, d.Range)
	}
}

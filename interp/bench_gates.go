package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/bench"
)

// caseGates gathers the gates that the runs of a workflow broke, one run for
// each trial. What one case leaves over another may use, so that something was
// left over counts where it was in every run.
type caseGates struct {
	runs   int
	broken []Problem
	over   []Problem
	times  map[overKey]int
	// defects are why a case could not be played as it is written.
	defects []Problem
}

type overKey struct {
	name, what string
	at         hcl.Pos
}

func newCaseGates() *caseGates { return &caseGates{times: map[overKey]int{}} }

// leftOver are the gates about what nobody asked for.
var leftOver = []string{gateUnusedReply, gateUnfiredFault, gateUnusedInteraction}

func (g *caseGates) add(r *run) {
	g.runs++
	g.defects = append(g.defects, r.defects...)
	for _, p := range r.gates {
		if !slices.Contains(leftOver, p.Name) {
			g.broken = append(g.broken, p)
			continue
		}
		key := overKey{name: p.Name, at: p.Range.Start}
		if p.Name == gateUnusedInteraction {
			key.what = p.Message // all of a cassette stand in one place
		}
		if g.times[key]++; g.times[key] == 1 {
			g.over = append(g.over, p)
		}
	}
}

// reportGates makes the gates of the cases those of the scenario.
func (r *run) reportGates(g *caseGates) {
	for _, p := range g.broken {
		if p.Name != gateNoAssertion {
			r.gate(p.Name, p.Message, p.Range)
		}
	}
	for _, p := range g.over {
		key := overKey{name: p.Name, at: p.Range.Start}
		if p.Name == gateUnusedInteraction {
			key.what = p.Message
		}
		if g.times[key] == g.runs {
			r.gate(p.Name, p.Message, p.Range)
		}
	}
	r.defects = append(r.defects, g.defects...)
}

// unreached are the gates of a bench that its report does not pass, and that
// there is no whole report.
func unreached(p *Plan, o *observed) []Problem {
	report := o.report(nil)
	decl := p.bench.decl
	if !report.Complete {
		return []Problem{{
			Kind: "run", Name: "incomplete", Range: decl.block.DefRange,
			Message: fmt.Sprintf("the bench is incomplete (%s): %d of %d cases ran.\nhint: scenario bench --resume runs the rest%s", report.PartialReason, report.Ran(), len(report.Cases), moreMoney(report.PartialReason)),
		}}
	}
	var problems []Problem
	blocks := decl.block.All("gate")
	for i, g := range report.Gates {
		if !g.Passed {
			problems = append(problems, Problem{Kind: "gate", Name: g.Name, Range: blocks[i].DefRange, Message: "the gate is not passed: " + strings.Join(g.Reasons, "; ") + "."})
		}
	}
	return problems
}

func moreMoney(reason string) string {
	if reason == bench.PartialCostCap {
		return ", once cost_cap_usd allows it"
	}
	return ""
}

package interp

import (
	"runtime"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// Shows that the stub of a plan tells all that a report or a selection asks of
// the plan, and nothing of what runs it.
func TestStubNamesItsScenario(t *testing.T) {
	p := recorded(t, "one/a.scenario.hcl", "")
	p.Description, p.Tags, p.Skip, p.Seed = "d", []string{"t"}, "why", 5
	said := func(p *Plan) []any {
		return []any{p.File, p.Line, p.Name, p.Description, p.Tags, p.Skip, p.Seed, p.Snapshots}
	}
	for _, ids := range []bool{false, true} {
		s := p.Stub(ids)
		if diff := cmp.Diff(said(p), said(s)); diff != "" {
			t.Error(diff)
		}
		if in := plan.Inside(s); in.Workflow != nil || in.Scripts != nil || in.Asserts != nil || in.Static != nil {
			t.Error("a stub keeps what runs the scenario")
		}
	}
}

// Shows that a stub does not keep what it stands for: the tree of a file can be let
// go while reports still have its scenarios.
func TestStubLetsItsFileGo(t *testing.T) {
	for _, ids := range []bool{false, true} {
		p := recorded(t, "one/a.scenario.hcl", `"hello"`)
		held, s := weak.Make(plan.Inside(p)), p.Stub(ids)
		runtime.GC()
		if held.Value() != nil {
			t.Errorf("with ids %t, the stub of %q keeps its plan", ids, s.Name)
		}
		runtime.KeepAlive(s)
	}
}

// Shows that the header of a trace is the same before and after its plan is
// forgotten, whether or not anyone asked before, and that ids which nobody
// wanted are empty and not wrong.
func TestStubKeepsTheHeader(t *testing.T) {
	p := recorded(t, "one/a.scenario.hcl", `"hello"`)
	want := Run(p, RunOptions{}).Header()
	if want.Plan == "" || want.RunID == "" || want.File != "one/a.scenario.hcl" {
		t.Fatalf("the header is %+v", want)
	}
	asked, unasked := Run(p, RunOptions{}), Run(recorded(t, "one/a.scenario.hcl", `"hello"`), RunOptions{})
	asked.Header()
	for _, r := range []*Result{asked, unasked} {
		r.Plan = r.Plan.Stub(true)
		if got := r.Header(); got != want {
			t.Errorf("the header of a forgotten plan is\n%+v\nwant\n%+v", got, want)
		}
		if got := r.Plan.Stub(true).Hash(); got != want.Plan {
			t.Errorf("the stub of a stub has the hash %q", got)
		}
	}
	unasked.Plan = p.Stub(false)
	if got := unasked.Header(); got != (trace.Header{File: want.File, Scenario: want.Scenario, Seed: want.Seed}) {
		t.Errorf("without ids: %+v", got)
	}
}

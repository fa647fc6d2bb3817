package explore

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/faults"
)

// orderOf is a world in which any failure of pay breaks an invariant, whatever else fails.
const orderOf = head + `
workflow "w" {
  on_failure = "continue"
  step "http" "look" {
    provider = provider.billing
    path     = "/look"
  }
  step "http" "pay" {
    provider   = provider.billing
    path       = "/pay"
    depends_on = [step.look]
    required   = false
  }
  step "http" "tell" {
    provider   = provider.mail
    path       = "/tell"
    depends_on = [step.look]
  }
}
invariant "it is paid" { condition = step.pay.status == null || step.pay.status == "success" }
scenario "s" {
  run = workflow.w
  on "*" {
    reply {}
  }
  expect "run" { status = "success" }
}
`

// Shows that a find of several faults loses each that it does not need, in whatever place
// that stands: what a search meets first may be a pair whose half would do.
func TestNeedlessFaultsAreDropped(t *testing.T) {
	reset := func(address string) Strike {
		return Strike{Address: address, N: 1, Fault: faults.Lookup("connection_reset")}
	}
	o := Options{Runs: UsualRuns}
	s := newSearch(Interpreted(plansOf(t, orderOf)[0], nil), &o)
	if !s.begin() {
		t.Fatal(s.report.Base.Problems)
	}
	key := findKey{oracle: "invariant", name: "it is paid"}
	for _, set := range []Set{
		{reset("tell"), reset("pay")},
		{reset("pay"), reset("tell")},
	} {
		out := s.play(set)
		if !out.shows(key) {
			t.Fatalf("%s does not show it: %v", set, out.broken)
		}
		if got := s.shrink(key, out, false).set; len(got) != 1 || got[0].Address != "pay" || got[0].N != 1 {
			t.Errorf("%s became %s, want one fault of pay", set, got)
		}
	}
}

// Shows that a fault of one lane, which no script of an address can say, is refused and
// not written as one of all lanes.
func TestFaultsOfOneLaneAreNotWritten(t *testing.T) {
	w := Interpreted(plansOf(t, orderOf)[0], nil)
	points, _ := w.bare()
	x := Strike{Address: points[0].Address, Lane: "a", N: 1, Fault: faults.Lookup("connection_reset")}
	_, err := Emit(w, &Find{Oracle: "invariant", Name: "it is paid", Set: Set{x}}, []byte(orderOf), "../a.scenario.hcl")
	if err == nil || !strings.Contains(err.Error(), "one lane") {
		t.Errorf("%v", err)
	}
}

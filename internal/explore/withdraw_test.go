package explore

import (
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that what runs evaluated, and premises that they met, are taken back with the runs
// when the program turns out not to be what it was.
func TestWithdrawnRunsShowNothing(t *testing.T) {
	early, late := interp.InvariantCount{Name: "early"}, interp.InvariantCount{Name: "late"}
	s := &search{report: &Report{}, idle: []interp.InvariantCount{early, late}, unmet: []interp.InvariantCount{early, late}}
	met := func(c interp.InvariantCount) []interp.InvariantCount {
		c.Evaluated = 1
		return []interp.InvariantCount{c}
	}
	s.evaluated(met(early))
	s.hold()
	s.evaluated(met(late))
	if len(s.idle) != 0 || len(s.unmet) != 0 {
		t.Fatalf("%+v, %+v", s.idle, s.unmet)
	}
	s.withdraw()
	if len(s.idle) != 1 || s.idle[0].Name != "late" || len(s.unmet) != 1 || s.unmet[0].Name != "late" {
		t.Errorf("%+v, %+v", s.idle, s.unmet)
	}
}

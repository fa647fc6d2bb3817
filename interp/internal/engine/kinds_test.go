package engine

import (
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Every kind of step says what it does: none is run as another.
func TestEveryKindIsPerformed(t *testing.T) {
	for _, k := range plan.StepKinds() {
		if kinds[k] == nil {
			t.Errorf("kind %q has no row in engine/kinds.go", k)
		}
	}
	if len(kinds) != len(plan.StepKinds()) {
		t.Errorf("engine/kinds.go has %d rows for %d kinds", len(kinds), len(plan.StepKinds()))
	}
}

package language

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/schema"
)

// Every kind of step says whether it calls a service itself: in dials, or in
// serviceless with the attributes that it refuses, never in both.
func TestEveryKindSaysWhatItCalls(t *testing.T) {
	kinds := StepBlock().Kinds
	for _, k := range kinds {
		_, none := serviceless[k.Kind]
		switch {
		case dials(k.Kind) && none:
			t.Errorf("step kind %q is in dials and in serviceless", k.Kind)
		case !dials(k.Kind) && !none:
			t.Errorf("step kind %q says nowhere what it calls: if it calls a service itself, add it to dials; else to serviceless, with the attributes about such calls that it refuses", k.Kind)
		}
	}
	for kind := range serviceless {
		if !slices.ContainsFunc(kinds, func(k *schema.Block) bool { return k.Kind == kind }) {
			t.Errorf("serviceless has %q, which is no kind of step", kind)
		}
	}
}

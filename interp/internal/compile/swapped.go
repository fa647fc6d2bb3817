package compile

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// swapped refuses a fault that names the answer of an address whose answers cannot come
// at these steps.
func (sc *scenarioCompiler) swapped(r dsl.Reader, k *faults.Kind, steps []*plan.Step) {
	if !k.Recalls || !r.Has("of") {
		return
	}
	as := &dsl.Block{Type: "of", Labels: []string{r.String("of")}, LabelRanges: []hcl.Range{r.Range("of")}, DefRange: r.Block.DefRange}
	others := sc.families(&plan.Script{Address: as.Name()}, as)
	for _, st := range steps {
		for _, other := range others {
			switch {
			case other == st && len(steps) == 1 && !st.Unwritten():
				r.Errorf("of", "Answer that cannot come here", "%q is the step that the fault strikes. Its own answer before is what fault \"stale_response\" gives.", other.Name)
			case other.Family != st.Family:
				r.Errorf("of", "Answer that cannot come here", "Step %q is %s, and step %q, which is %s, cannot have its answer.", other.Name, other.Describe(), st.Name, st.Describe())
				return
			}
		}
	}
}

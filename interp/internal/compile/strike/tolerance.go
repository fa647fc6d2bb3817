package strike

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Tolerance is what a workflow or scenario says that a run survives, nil where it says
// nothing. Kinds of failures are those of a taxonomy.
func Tolerance(read func(*dsl.Block) dsl.Reader, of *dsl.Block, t *plan.Taxonomy) *plan.Tolerance {
	b := of.First("tolerates")
	if b == nil {
		return nil
	}
	r := read(b)
	out := &plan.Tolerance{Faults: r.Int("faults"), Kinds: r.Strings("kinds"), Rng: b.DefRange}
	for _, kind := range out.Kinds {
		if kind == plan.OutageKind {
			continue
		}
		if err := t.Known.ValidSpec(kind); err != nil {
			r.Errorf("kinds", "Wrong kind of fault", "What a run tolerates is said in the words of retry_on, and \"outage\": %s.", err)
		}
	}
	if r.Has("kinds") && len(out.Kinds) == 0 {
		r.Errorf("kinds", "Wrong kind of fault", "The list is empty, so nothing would be tolerated: name kinds, or leave it out for all.")
	}
	return out
}

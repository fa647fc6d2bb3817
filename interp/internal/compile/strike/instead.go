package strike

import (
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/faults"
)

// Instead ends a message about a fault that means nothing at a place with those that mean
// much the same there, "" for none.
func Instead(k *faults.Kind, fits func(*faults.Kind) bool) string {
	var names []string
	for _, other := range k.Alike() {
		if fits(other) {
			names = append(names, other.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " The closest fault here is " + wording.Series(names, "or") + "."
}

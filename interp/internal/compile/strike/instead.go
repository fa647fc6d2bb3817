package strike

import (
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/schema"
)

// Instead ends a message about a fault that means nothing at a place with those that mean
// much the same there, "" for none: the one that does with these arguments, or all of them.
func Instead(k *faults.Kind, args schema.Values, fits func(*faults.Kind) bool) string {
	if closest := k.Closest(args); closest != nil && fits(closest) {
		return " The closest fault here is " + closest.Name + "."
	}
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

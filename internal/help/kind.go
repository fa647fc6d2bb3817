package help

import (
	"maps"
	"slices"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// ownAttrs parts the attributes of a kind of step from the names of those that
// steps have in common.
func ownAttrs(block *schema.Block) (own []schema.Attr, common []string) {
	shared := map[string]bool{"lane": true}
	for _, a := range language.StepAttrs() {
		shared[a.Name] = true
	}
	for _, a := range block.Listed() {
		if shared[a.Name] {
			common = append(common, a.Name)
		} else {
			own = append(own, a)
		}
	}
	return own, common
}

func sortedNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

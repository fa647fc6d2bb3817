package uncompared

import (
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
)

// Orphans are the positions of interactions of scenarios that the file no longer
// has, where the recording has none of the one that is named: it, or one of them,
// was renamed.
func Orphans(c *cassette.Cassette, name string, f *dsl.File) (list []int) {
	names := map[string]bool{}
	for _, b := range f.Body.All("scenario") {
		names[b.Name()] = true
	}
	for i, it := range c.Interactions {
		if it.Scenario == "" || it.Scenario == name {
			return nil
		}
		if !names[it.Scenario] {
			list = append(list, i)
		}
	}
	return list
}

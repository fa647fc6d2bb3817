package premise

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Elsewhere reports whether another part of a condition reads what part i reads.
func Elsewhere(parts []hclsyntax.Expression, i int) bool {
	paths := Paths(parts[i])
	return slices.ContainsFunc(slices.Delete(slices.Clone(parts), i, i+1), func(e hclsyntax.Expression) bool {
		return slices.ContainsFunc(Paths(e), func(path string) bool { return slices.Contains(paths, path) })
	})
}

// Paths are what an expression reads of a run, as it is written.
func Paths(e hclsyntax.Expression) (list []string) {
	for t := range dsl.Variables(e) {
		if read.IsObserved(t.RootName()) {
			list = append(list, dsl.TraversalText(t))
		}
	}
	return list
}

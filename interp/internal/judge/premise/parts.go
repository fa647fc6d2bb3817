package premise

import (
	"slices"
	"strings"

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

// OnlyCounted reports whether all other parts of a condition read nothing but the length of a list of
// which part i reads an element.
func OnlyCounted(parts []hclsyntax.Expression, i int) bool {
	paths := Paths(parts[i])
	return !slices.ContainsFunc(slices.Delete(slices.Clone(parts), i, i+1), func(e hclsyntax.Expression) bool {
		x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
		return !is || !(countsElements(x.LHS, paths) && len(Paths(x.RHS)) == 0 || countsElements(x.RHS, paths) && len(Paths(x.LHS)) == 0)
	})
}

// countsElements reports whether an expression is the length of a list of which all of some paths read
// elements.
func countsElements(e hclsyntax.Expression, paths []string) bool {
	f, call := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	if !call || f.Name != "length" || len(f.Args) != 1 {
		return false
	}
	list, is := dsl.Bare(f.Args[0]).(*hclsyntax.ScopeTraversalExpr)
	return is && !slices.ContainsFunc(paths, func(path string) bool { return !strings.HasPrefix(path, dsl.TraversalText(list.Traversal)+"[") })
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

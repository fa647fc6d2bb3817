package premise

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Guards are comparisons that say that a list is too short for what is then said
// of it, by the functions that stand for them, each with the path to its list, or
// to the number of retries that are in it.
type Guards map[string]hcl.Traversal

// Guard reports whether one side of a disjunction says so of a list of which the
// other reads elements. Two sides that speak of different things may both be meant.
func (g Guards) Guard(side, other hclsyntax.Expression, paths map[string]hcl.Traversal) bool {
	f, call := dsl.Bare(side).(*hclsyntax.FunctionCallExpr)
	if !call || g[f.Name] == nil {
		return false
	}
	list := dsl.TraversalText(g[f.Name])
	lists := []string{list}
	if of, counts := strings.CutSuffix(list, ".retries"); counts {
		lists = []string{of + ".delays_ms", of + ".attempts"}
	}
	for t := range dsl.Variables(other) {
		path := paths[t.RootName()]
		if path == nil {
			continue
		}
		for _, list := range lists {
			if rest, ok := strings.CutPrefix(dsl.TraversalText(path), list); ok && (rest == "" || rest[0] == '[') {
				return true
			}
		}
	}
	return false
}

// Counts reports whether a path is to a number of retries, which says how long the lists of the
// waits before them and of the attempts are.
func Counts(path hcl.Traversal) bool {
	name, _ := read.AttrName(path, len(path)-1)
	return name == "retries"
}

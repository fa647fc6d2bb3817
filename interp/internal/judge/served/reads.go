package served

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// readsOnly are conditions that read nothing of a run but what some steps came to, and what all came
// to where that is said as well: the run, the list of steps, what was called, and queries.
// It is not inlined, as each of its callers would hold a copy.
//
//go:noinline
func (c *conversation) readsOnly(all bool, of ...*step) func(e hclsyntax.Expression) bool {
	return func(e hclsyntax.Expression) bool {
		for t := range dsl.Variables(e) {
			switch root := t.RootName(); root {
			case "run", "steps", "target":
				if !all {
					return false
				}
			case "step", "call":
				name, _ := read.AttrName(t, 1)
				if s := c.o.StepAt(t); s != nil {
					name = s.Name
				}
				if !slices.ContainsFunc(of, func(s *step) bool { return s.name == name }) {
					return false
				}
			default:
				if read.IsObserved(root) && root != "input" {
					return false
				}
			}
		}
		asks := false
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			f, call := e.(*hclsyntax.FunctionCallExpr)
			asks = asks || call && read.IsQuery(f.Name)
		})
		return all || !asks
	}
}

package lint

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// canned warns of an equality in can, which is true where the two can be compared, equal or
// not. An order in can says at least that both are numbers. A call that is all of a check is
// an error.
func (c *checker) canned(f *hclsyntax.FunctionCallExpr, check bool) {
	if len(f.Args) != 1 {
		return
	}
	x, is := dsl.Bare(f.Args[0]).(*hclsyntax.BinaryOpExpr)
	if !is || (!dsl.IsComparison(x.Op) || orders(x.Op)) && x.Op != hclsyntax.OpLogicalAnd && x.Op != hclsyntax.OpLogicalOr {
		return
	}
	c.warnf(f.Range(), "Condition in can", "can tells whether this can be evaluated, not whether it holds: it is true for any comparison of values that exist. Write try(%s, false).", dsl.AppendSource(nil, x))
	if check {
		c.diags[len(c.diags)-1].Severity = hcl.DiagError
	}
}

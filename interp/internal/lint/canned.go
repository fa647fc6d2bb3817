package lint

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// canned warns of an equality in can, which is true where the two can be compared, equal or
// not. An order in can says at least that both are numbers. A check that is nothing else is an
// error.
func (c *checker) canned(whole hclsyntax.Expression, check bool) {
	dsl.EachExpr(whole, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		if !call || f.Name != "can" || len(f.Args) != 1 {
			return
		}
		x, is := dsl.Bare(f.Args[0]).(*hclsyntax.BinaryOpExpr)
		if is && (dsl.IsComparison(x.Op) && !orders(x.Op) || x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr) {
			c.warnf(f.Range(), "Condition in can", "can says whether this can be evaluated, and not whether it holds: a comparison of what is there is true and false alike. Write try(%s, false).", dsl.AppendSource(nil, x))
			if check && dsl.Bare(whole) == e {
				c.diags[len(c.diags)-1].Severity = hcl.DiagError
			}
		}
	})
}

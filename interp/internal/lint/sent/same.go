package sent

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// same warns of a loop that goes over a list, as its while counts to the length of that, and of which
// each iteration takes the same element: one by a number that is written out, and none by loop.index.
func (c *checker) same(loop *dsl.Block) {
	while := loop.Expr("while")
	if while == nil || !readsLoop(while) {
		return
	}
	list := ""
	dsl.EachExpr(while, func(e hclsyntax.Expression) {
		if f, is := e.(*hclsyntax.FunctionCallExpr); is && f.Name == "length" && len(f.Args) == 1 {
			if x, is := dsl.Bare(f.Args[0]).(*hclsyntax.ScopeTraversalExpr); is {
				list = dsl.TraversalText(x.Traversal)
			}
		}
	})
	var at *hcl.Range
	counts := list == ""
	for _, s := range loop.All("step") {
		s.EachWritten(func(in *dsl.Block, _ string, e hclsyntax.Expression) {
			counts = counts || readsLoop(e)
			for t := range dsl.Variables(e) {
				for i, part := range t {
					if _, index := part.(hcl.TraverseIndex); index && at == nil && i > 0 && dsl.TraversalText(t[:i]) == list {
						at = &in.DefRange
					}
				}
			}
		})
	}
	if at != nil && !counts {
		c.warnf(*at, "Same element in each iteration", "The loop %q goes over %s, and what it sends has the same element of that in each iteration, which a script answers all the same. Take %[2]s[loop.index], and check what is sent.", loop.Name(), list)
	}
}

// readsLoop reports whether an expression reads which iteration it is.
func readsLoop(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if t.RootName() == "loop" {
			return true
		}
	}
	return false
}

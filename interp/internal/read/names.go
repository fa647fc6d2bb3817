package read

import (
	"iter"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// Names are the attributes that an expression reads by a path, each as often as it does, with
// those that stand before another one. A name that an expression computes is none.
func Names(e hclsyntax.Expression) iter.Seq[string] {
	return func(yield func(string) bool) {
		on := true
		in := func(path hcl.Traversal) {
			for i := range path {
				if name, named := AttrName(path, i); named && on {
					on = yield(name)
				}
			}
		}
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			switch x := e.(type) {
			case *hclsyntax.ScopeTraversalExpr:
				in(x.Traversal)
			case *hclsyntax.RelativeTraversalExpr:
				in(x.Traversal)
			}
		})
	}
}

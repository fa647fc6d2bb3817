package interp

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// computedSteps refuses an expression of a step that reads steps by names which
// it computes. What a step reads is what it waits for, so it must be known before
// anything runs. It reports whether there was one.
func (wc *workflowCompiler) computedSteps(e hclsyntax.Expression) bool {
	var found *hclsyntax.ScopeTraversalExpr
	hidden := false
	dsl.EachExpr(e, func(part hclsyntax.Expression) {
		switch x := part.(type) {
		case *hclsyntax.ForExpr:
			hidden = hidden || x.KeyVar == "step" || x.ValVar == "step"
		case *hclsyntax.ScopeTraversalExpr:
			if len(x.Traversal) == 1 && x.Traversal.RootName() == "step" {
				found = x
			}
		}
	})
	if found == nil || hidden {
		return false
	}
	wc.errorf(found.Range(), "Step that is not known before the run", "Which step this reads is computed, and what a step reads is what it waits for: it must be known before anything runs. Name each step, as in { a = step.a.output, b = step.b.output }[which].")
	return true
}

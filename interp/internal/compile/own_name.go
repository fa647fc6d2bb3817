package compile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// readsItself complains about an expression of a step that reads the result of
// that step, or of a loop around it, and reports whether it does: such a result
// is there when the step has ended, and the step would wait for it.
func (wc *workflowCompiler) readsItself(s *plan.Step, e hclsyntax.Expression, env *dsl.Env) bool {
	if !wc.names(s, e) {
		return false
	}
	for t := range dsl.Variables(e) {
		name, ok := read.AttrName(t, 1)
		if t.RootName() != "step" || !ok {
			continue
		}
		rng := t.SourceRange()
		if loop := wc.loopAround(s, e == s.While, name); loop != nil {
			wc.Errorf(rng, "Loop read from the inside", "step.%s is the result of the whole loop, which is there when the loop has ended. %s", name, fromInside(loop, t))
			return true
		}
		if name == s.Name && wc.w.Index[name] == s.Index {
			hint := ""
			if env.Roots["self"] != nil {
				hint = " Here its result is self: write " + pathFrom("self", t, 2) + "."
			}
			wc.Errorf(rng, "Cycle among steps", "Step %q reads its own result, so it would wait for itself: the cycle is %s -> %s.%s", name, name, name, hint)
			return true
		}
	}
	return false
}

// names reports whether an expression has the name of the step, or of a loop
// around it, behind the root step. Hardly one does, and only for one that does
// it is asked what step is there.
func (wc *workflowCompiler) names(s *plan.Step, e hclsyntax.Expression) bool {
	found := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if x, ok := e.(*hclsyntax.ScopeTraversalExpr); ok && x.Traversal.RootName() == "step" {
			name, _ := read.AttrName(x.Traversal, 1)
			found = found || name == s.Name || wc.loopAround(s, false, name) != nil
		}
	})
	return found
}

// loopAround is the loop of that name in whose body an expression of s stands,
// nil where there is none.
func (wc *workflowCompiler) loopAround(s *plan.Step, isWhile bool, name string) *plan.Step {
	if isWhile && s.Name == name {
		return s
	}
	for o := wc; o.loop != nil; o = o.outer {
		if o.loop.Name == name {
			return o.loop
		}
	}
	return nil
}

// fromInside says how a step of the loop is read there.
func fromInside(loop *plan.Step, t hcl.Traversal) string {
	if inner, ok := read.AttrName(t, 2); ok {
		if _, declared := loop.Inner.Index[inner]; declared {
			return fmt.Sprintf("Inside of it its steps are read by their own names: write %s.", pathFrom("step", t, 2))
		}
		if inner == "iterations" {
			return "Inside of it loop.index counts the iterations from 0."
		}
	}
	example := ""
	if len(loop.Inner.Steps) > 0 {
		example = ", such as step." + loop.Inner.Steps[0].Name
	}
	return "Inside of it its steps are read by their own names" + example + "."
}

// pathFrom writes a reference that goes on from root with the names of t from
// the n-th on.
func pathFrom(root string, t hcl.Traversal, n int) string {
	var b strings.Builder
	b.WriteString(root)
	for i := n; i < len(t); i++ {
		name, ok := read.AttrName(t, i)
		if !ok {
			break
		}
		b.WriteString("." + name)
	}
	return b.String()
}

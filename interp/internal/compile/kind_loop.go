package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// loopKind repeats the steps inside it.
type loopKind struct{ basicKind }

// contain implements stepKind: it declares the steps inside the loop.
func (loopKind) contain(wc *workflowCompiler, s *plan.Step) bool {
	w := &plan.Workflow{
		Name: wc.w.Name, Body: true, MaxConcurrent: wc.w.MaxConcurrent, OnFailure: wc.w.OnFailure, Rng: s.Rng,
		Inputs: wc.w.Inputs, InputsLost: wc.w.InputsLost, OutputNeeds: &read.Needs{}, Taxonomy: wc.w.Taxonomy,
	}
	s.Inner = w
	wc.bodies[s] = &workflowCompiler{compiler: wc.compiler, w: w, block: s.Block, gateway: wc.gateway, unresolved: wc.unresolved, outer: wc, loop: s}
	wc.bodies[s].declare()
	return true
}

// takes implements stepKind: the condition is no argument of the steps inside.
func (loopKind) takes(attr string) bool { return attr == "while" }

func (loopKind) arguments(wc *workflowCompiler, s *plan.Step, r dsl.Reader) {
	s.While, s.Iterations = s.Block.Expr("while"), r.Int("max_iterations")
	if s.While == nil && !r.Has("max_iterations") {
		wc.Errorf(s.Rng, "Loop without an end", "Give the loop %q a condition with while, a bound with max_iterations, or both.", s.Name)
	}
}

func (loopKind) override(c *compiler, b *dsl.Block, inside []stepOverride) *dsl.Block {
	return c.override(b, inside)
}

// repeat compiles the steps inside a loop.
func (wc *workflowCompiler) repeat() {
	for _, s := range wc.w.Steps {
		for o := wc.outer; o != nil; o = o.outer {
			if i, taken := o.w.Index[s.Name]; taken {
				wc.Errorf(s.Rng, "Duplicate name", "The step %q is a duplicate: it was declared before at line %d, and the steps inside a loop read those around it by name.", s.Name, o.w.Steps[i].Rng.Start.Line)
			}
		}
	}
	wc.steps()
}

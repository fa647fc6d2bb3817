package engine

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// loopKind repeats the steps inside it.
type loopKind struct{ basicKind }

// perform runs the steps inside a loop again and again, while its condition holds
// and no iteration fails.
func (loopKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	slots := r.slots
	if s.Step.Tool {
		// The model that calls it holds a place and waits for it.
		slots = r.Clock.NewSemaphore(r.workflow.MaxConcurrent)
	}
	for i := 1; ; i++ {
		body := &run{execution: r.execution, workflow: s.Step.Inner, taxonomy: r.taxonomy, inputs: r.inputs, parent: r, owner: s, iteration: i, slots: slots}
		body.set(s.Inner)
		more, f := r.more(s, body)
		if f != nil || !more {
			return f
		}
		s.result.Iterations = i
		body.work(ctx, func() bool { return false })
		if err := ctx.Err(); err != nil {
			return cancelled(err)
		}
		if _, f := body.outcome(0); f != nil {
			return f
		}
		s.result.value = body.outputs()
	}
}

// places implements stepKind: a loop leaves them to the steps inside it.
func (loopKind) places() bool { return false }

// more reports whether a loop goes on with an iteration.
func (r *run) more(s *stepState, body *run) (bool, *failure.Failure) {
	if bound := s.Step.Iterations; bound > 0 && body.iteration > bound {
		return false, nil
	}
	if s.Step.While == nil {
		return true, nil
	}
	v, diags := dsl.Evaluate(s.Step.While, body.condition(s))
	switch {
	case diags.HasErrors():
		return false, r.broken(s, "while", plan.DiagText(diags))
	case v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
		return false, r.broken(s, "while", "is neither true nor false")
	case v.True() && s.Step.Iterations == 0 && body.iteration > plan.IterationsMax:
		return false, r.refused(s, "while", fmt.Sprintf("is still true after %d iterations; a loop that needs more says so with max_iterations", plan.IterationsMax))
	}
	return v.True(), nil
}

// condition is what the condition of a loop reads: what the steps inside read,
// and what they did in the iteration before.
func (r *run) condition(loop *stepState) *hcl.EvalContext {
	ctx := r.parent.stepContext(loop, nil)
	for name, v := range r.reading(loop.Step.Needs).Variables {
		ctx.Variables[name] = v
	}
	return ctx
}

// outputs are those of the steps of a run, by name.
func (r *run) outputs() cty.Value {
	values := make(map[string]cty.Value, len(r.steps))
	for _, s := range r.steps {
		values[s.Step.Name] = r.outputOf(r.Obs.Steps[s.Name])
	}
	return cty.ObjectVal(values)
}

package engine

import (
	"context"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// workflowKind runs a workflow.
type workflowKind struct{ basicKind }

// perform runs a workflow as the work of a step, and again as the step's retry
// policy says. The failure of the last run is the step's.
func (workflowKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	idempotent := s.Step.Idempotent == nil || *s.Step.Idempotent
	inputs := r.handed(s.Name, true, args.Raw("inputs"))
	s.result.value, f = r.persist(ctx, s, idempotent, func() (cty.Value, *failure.Failure) {
		return r.within(ctx, s, "inputs", inputs)
	})
	return f
}

// within runs the workflow inside a step with what the attribute of that name
// gives it, and returns its output.
func (r *run) within(ctx context.Context, s *stepState, attr string, given cty.Value) (cty.Value, *failure.Failure) {
	inputs, f := r.nestedInputs(s, attr, given)
	if f != nil {
		return read.Null, f
	}
	inner := &run{
		execution: r.execution, workflow: s.Step.Inner, inputs: inputs, parent: r, owner: s, iteration: r.iteration,
		slots: r.Clock.NewSemaphore(s.Step.Inner.MaxConcurrent),
	}
	inner.taxonomy = inner.classifier()
	inner.set(s.Inner)
	return inner.execute(ctx)
}

// nestedInputs gives every input of the inner workflow its value.
func (r *run) nestedInputs(s *stepState, attr string, v cty.Value) (cty.Value, *failure.Failure) {
	declared := s.Step.Inner.Inputs
	given := map[string]cty.Value{}
	if v != cty.NilVal && !v.IsNull() {
		if !v.Type().IsObjectType() && !v.Type().IsMapType() {
			return read.Null, r.broken(s, attr, fmt.Sprintf("must be an object, not %s", render.Value(v, 60)))
		}
		given = v.AsValueMap()
	}
	for _, name := range read.SortedNames(given) {
		if _, known := declared[name]; !known {
			return read.Null, r.broken(s, attr, fmt.Sprintf("has %q, which workflow %q does not know", name, s.Step.Inner.Name))
		}
	}
	values := make(map[string]cty.Value, len(declared))
	for _, name := range read.SortedNames(declared) {
		values[name] = declared[name]
		if v, ok := given[name]; ok && !v.IsNull() {
			values[name] = read.Normalise(v)
		}
		if values[name].IsNull() {
			return read.Null, r.broken(s, attr, fmt.Sprintf("has no value for %q, which workflow %q needs", name, s.Step.Inner.Name))
		}
	}
	return cty.ObjectVal(values), nil
}

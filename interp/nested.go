package interp

import (
	"context"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
)

// nested runs a workflow as the work of a step. Its failure is the step's.
func (r *run) nested(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	s.result.value, f = r.within(ctx, s, "inputs", args.raw("inputs"))
	return f
}

// within runs the workflow inside a step with what the attribute of that name
// gives it, and returns its output.
func (r *run) within(ctx context.Context, s *stepState, attr string, given cty.Value) (cty.Value, *failure.Failure) {
	inputs, f := r.nestedInputs(s, attr, given)
	if f != nil {
		return null, f
	}
	inner := &run{
		stage: r.stage, workflow: s.step.inner, inputs: inputs, parent: r, owner: s, iteration: r.iteration,
		slots: r.clock.NewSemaphore(s.step.inner.maxConcurrent),
	}
	inner.taxonomy = inner.classifier()
	inner.set(s.inner)
	return inner.execute(ctx)
}

// nestedInputs gives every input of the inner workflow its value.
func (r *run) nestedInputs(s *stepState, attr string, v cty.Value) (cty.Value, *failure.Failure) {
	declared := s.step.inner.inputs
	given := map[string]cty.Value{}
	if v != cty.NilVal && !v.IsNull() {
		if !v.Type().IsObjectType() && !v.Type().IsMapType() {
			return null, r.broken(s, attr, fmt.Sprintf("must be an object, not %s", dsl.Render(v, 60)))
		}
		given = v.AsValueMap()
	}
	for _, name := range sortedNames(given) {
		if _, known := declared[name]; !known {
			return null, r.broken(s, attr, fmt.Sprintf("has %q, which workflow %q does not know", name, s.step.inner.name))
		}
	}
	values := make(map[string]cty.Value, len(declared))
	for _, name := range sortedNames(declared) {
		values[name] = declared[name]
		if v, ok := given[name]; ok && !v.IsNull() {
			values[name] = normalise(v)
		}
		if values[name].IsNull() {
			return null, r.broken(s, attr, fmt.Sprintf("has no value for %q, which workflow %q needs", name, s.step.inner.name))
		}
	}
	return cty.ObjectVal(values), nil
}

package engine

import (
	"context"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// valueKind computes.
type valueKind struct{ basicKind }

func (valueKind) perform(_ context.Context, r *run, s *stepState) *failure.Failure {
	v, f := r.evaluate(s, s.Step.Args["value"].Expr, "value", nil)
	if f == nil {
		s.result.value = read.Normalise(v)
	}
	return f
}

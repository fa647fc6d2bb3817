package engine

import (
	"context"

	"github.com/scenario-lang/scenario/failure"
)

// waitKind lets time pass.
type waitKind struct{ basicKind }

func (waitKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	if err := r.Clock.Sleep(ctx, args.Duration("for")); err != nil {
		return cancelled(err)
	}
	return nil
}

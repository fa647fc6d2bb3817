package engine

import (
	"context"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// kinds say what each kind of step does.
var kinds = map[plan.Kind]stepKind{
	plan.KindLLM:      llmKind{},
	plan.KindHTTP:     httpKind{},
	plan.KindMCP:      mcpKind{},
	plan.KindSQL:      sqlKind{},
	plan.KindValue:    valueKind{},
	plan.KindWait:     waitKind{},
	plan.KindLoop:     loopKind{},
	plan.KindWorkflow: workflowKind{},
	plan.KindFanout:   fanoutKind{},
	plan.KindClassify: classifyKind{},
	plan.KindSub:      subKind{},
	plan.KindCall:     callKind{},
}

// A stepKind is what steps of one kind do.
type stepKind interface {
	// perform does it. What the step gathers is written to its result, also
	// before a failure.
	perform(ctx context.Context, r *run, s *stepState) *failure.Failure
	// answer takes over what a service answered, also before a failure.
	answer(o *stepOutcome, out providers.Output)
	// places reports whether a step takes a place among those of max_concurrent;
	// one that does not leaves them to the steps inside it.
	places() bool
	// keeps reports whether the kind holds every answer to the step's contract
	// by itself, so that a broken one can be another round. Of all others the
	// result is held to it.
	keeps() bool
}

// basicKind is a kind that calls no service and runs like any other. Kinds embed
// it and say what is their own.
type basicKind struct{}

func (basicKind) answer(*stepOutcome, providers.Output) {}
func (basicKind) places() bool                          { return true }
func (basicKind) keeps() bool                           { return false }

// serviceKind is a kind that calls a service in rounds.
type serviceKind struct{ basicKind }

func (serviceKind) keeps() bool { return true }

package scenario

import (
	"context"
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// A Scenario is one compiled scenario. It is immutable and safe for concurrent
// use.
type Scenario struct {
	plan *interp.Plan
	log  *progress
}

// Name is the name that the file gives it.
func (s *Scenario) Name() string { return s.plan.Name }

// Description is what the file says of it.
func (s *Scenario) Description() string { return s.plan.Description }

// Tags are those that the file gives it.
func (s *Scenario) Tags() []string { return slices.Clone(s.plan.Tags) }

// Position is the file and the line of its declaration.
func (s *Scenario) Position() (file string, line int) { return s.plan.File, s.plan.Line }

// Hash names all that can influence a run of it: equal hashes, equal runs.
func (s *Scenario) Hash() string { return s.plan.Hash() }

// Run plays the scenario from its start on a virtual clock of its own. It starts
// no goroutine and may be called any number of times, concurrently too.
//
// Where ctx ends first the run is cancelled: its verdict is [Errored], and
// [Result.Err] is the cause of ctx.
func (s *Scenario) Run(ctx context.Context) *Result {
	r := &Result{scenario: s}
	if ctx.Err() == nil {
		r.result, r.seen = interp.RunObserved(s.plan, interp.RunOptions{Done: ctx.Done()})
	}
	if r.result == nil || r.result.Interrupted {
		r.err = context.Cause(ctx)
		problem := interp.Problem{Kind: "error", Name: "run", Message: "the run was broken off: " + r.err.Error()}
		problem.Range.Filename, problem.Range.Start.Line = s.Position()
		broken := interp.Result{Plan: s.plan}
		if r.result != nil {
			broken = *r.result
		}
		broken.Verdict, broken.Problems = interp.Error, []interp.Problem{problem}
		r.result = &broken
	}
	file, line := s.Position()
	s.log.printf("%s  %q  %s:%d\n", r.Verdict(), s.Name(), file, line)
	return r
}

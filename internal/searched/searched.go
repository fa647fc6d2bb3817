// Package searched is a run that a search makes of a scenario, as the packages scenario
// and scenariotest hand it to each other: who uses these cannot make one.
package searched

import "github.com/scenario-lang/scenario/interp"

// A Run is one run of a search.
type Run struct {
	// Inject is asked what strikes each attempt, nil for nothing, and Events bounds the
	// trace, 0 for no bound of the search.
	Inject func(interp.Point) *interp.Injection
	Events int
	// Failed says, before the run is finished, that the program gave up.
	Failed bool

	// Plan is that of the scenario, and Outside the run: both are known when it has begun.
	Plan    *interp.Plan
	Outside *interp.Outside
	// Result is what became of it, nil before it is finished.
	Result *interp.Result
}

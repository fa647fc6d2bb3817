package observe

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// renew notes that the result of a step may have changed. Changes are counted over
// all steps, so that of two results the one that changed later has the greater number,
// and none has a number of before.
func (o *Observed) renew(s *StepResult) {
	o.changes++
	s.Version = o.changes
}

// Changes is how many changes there were.
func (o *Observed) Changes() int { return o.changes }

// stepRoots are the roots under which a result is that of one step, and constants
// those that no event changes.
var (
	stepRoots = []string{"step", "fanout", "classify"}
	constants = []string{"input", "local", "var"}
)

// StepsOf are the steps on whose results a condition depends, and on nothing else of
// a run under way; nil where it depends on more.
func StepsOf(c *plan.Invariant) []string {
	n := c.Needs
	if n == nil || n.Whole() || len(n.Calls) > 0 {
		return nil
	}
	var names []string
	for _, root := range n.Kids {
		switch {
		case slices.Contains(constants, root.Name):
		case !slices.Contains(stepRoots, root.Name) || root.Part.Whole():
			return nil
		default:
			for _, step := range root.Part.Kids {
				names = append(names, step.Name)
			}
		}
	}
	return names
}

// Unchanged reports whether the results of steps are what they were after so many
// changes. Once the run has ended null may mean something else, so nothing is.
func (o *Observed) Unchanged(steps []string, since int) bool {
	if o.Run.Status != "" || o.Driven() {
		return false
	}
	for _, name := range steps {
		if s := o.Steps[name]; s != nil && s.Version > since {
			return false
		}
	}
	return true
}

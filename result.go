package scenario

import (
	"fmt"
	"io"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A Verdict is the outcome of one scenario.
type Verdict = interp.Verdict

// The verdicts.
const (
	Passed  = interp.Pass  // everything held
	Failed  = interp.Fail  // something did not hold
	Errored = interp.Error // it could not be run to its end
	Skipped = interp.Skip  // the file says that it is not run
)

// A Result is what became of one run. It is safe for concurrent use.
type Result struct {
	scenario *Scenario
	result   *interp.Result
	seen     *interp.Observation
	err      error
}

// Verdict is the outcome.
func (r *Result) Verdict() Verdict { return r.result.Verdict }

// Err is the cause of the context that ended the run early, and nil otherwise.
func (r *Result) Err() error { return r.err }

// Elapsed is how long the run took on its own clock.
func (r *Result) Elapsed() time.Duration { return r.result.Virtual }

// Problems are the reasons why the scenario did not pass, none for one that
// passed or was skipped.
func (r *Result) Problems() []Problem {
	list := make([]Problem, len(r.result.Problems))
	for i, p := range r.result.Problems {
		list[i] = problemOf(&p)
	}
	return list
}

// NotObserved are the checks that were not made, because a run of this way does
// not show what they read: each with what that is.
func (r *Result) NotObserved() []string {
	var list []string
	for _, c := range r.result.Unseen {
		list = append(list, fmt.Sprintf("%s %q: %s", c.Kind, c.Name, c.What))
	}
	return list
}

// Value evaluates an expression of the language over the run, as a condition
// would: "step.answer.delays_ms", "metric(\"scenario_step_total\")". Its result
// is nil, a bool, a float64, a string, a []any or a map[string]any. An error is
// an [*Error].
func (r *Result) Value(expr string) (any, error) {
	v, diags := r.seen.Value(expr)
	if diags.HasErrors() {
		return nil, &Error{Diagnostics: diags, sources: map[string][]byte{"expression": []byte(expr)}}
	}
	return plain(v), nil
}

// Step is what the run did in a step of the scenario's workflow, nil where it
// has no such step or did not run.
func (r *Result) Step(name string) *Step {
	if !hclsyntax.ValidIdentifier(name) {
		return nil
	}
	v, diags := r.seen.Value("step." + name)
	if diags.HasErrors() {
		return nil
	}
	return stepOf(name, v)
}

// Steps are the steps in the order in which they started; those that were
// skipped are among them.
func (r *Result) Steps() []*Step {
	v, diags := r.seen.Value("steps")
	if diags.HasErrors() {
		return nil
	}
	var list []*Step
	for it := v.ElementIterator(); it.Next(); {
		_, s := it.Element()
		list = append(list, stepOf(text(s, "name"), s))
	}
	return list
}

// WriteTrace writes the run as canonical JSON lines, a header and then the
// events: the bytes of `scenario test --trace-out`. Of a scenario that did not
// run there are none.
func (r *Result) WriteTrace(w io.Writer) error {
	if !r.result.Ran() {
		return nil
	}
	return trace.WriteTo(w, r.result.Header(), r.result.Events)
}

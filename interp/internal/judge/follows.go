package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// follows marks the problems that come of another one: where the run failed and
// nobody expected it to, entries that were not reached, and expectations and
// assertions about steps that failed or never began, say no more than that it did.
// The cause then stands first.
func (r *finished) follows(result *plan.Result) {
	if r.Obs.Run.Status == read.StatusSuccess {
		return
	}
	cause := slices.IndexFunc(result.Problems, r.isCause)
	if cause < 0 {
		return
	}
	first := result.Problems[cause]
	result.Problems = slices.Insert(slices.Delete(result.Problems, cause, cause+1), 0, first)
	for i := range result.Problems[1:] {
		p := &result.Problems[i+1]
		p.Follows = r.comesOfFailing(p)
	}
}

// isCause reports whether a problem says why the run failed.
func (r *finished) isCause(p plan.Problem) bool {
	switch p.Kind {
	case "run":
		return p.Name == plan.GateUnexpected
	case "gate":
		return makesFail(p.Name)
	}
	return p.Kind == "expect" && p.Name == "run" && strings.HasPrefix(p.Diff, "status: ")
}

// comesOfFailing reports whether a problem is about what a run that failed did not
// come to.
func (r *finished) comesOfFailing(p *plan.Problem) bool {
	switch p.Kind {
	case "gate":
		return strings.Contains(p.Message, "hint: the run never came so far")
	case "expect":
		return p.Name == "run" || r.failedStep(p.Name)
	case "assert":
		for _, a := range r.Plan.Asserts {
			if a.Condition.Range() == p.Range {
				return slices.ContainsFunc(a.Condition.Variables(), r.readsFailure)
			}
		}
	}
	return false
}

// readsFailure reports whether a reference is to a step that did not succeed, or to
// the run.
func (r *finished) readsFailure(t hcl.Traversal) bool {
	switch {
	case t.RootName() == "run":
		return true
	case t.RootName() != "step" || len(t) < 2:
		return false
	}
	step, ok := t[1].(hcl.TraverseAttr)
	return ok && r.failedStep(step.Name)
}

// failedStep reports whether a step failed, or never began.
func (r *finished) failedStep(name string) bool {
	s := r.Obs.Steps[name]
	return s != nil && s.Status != read.StatusSuccess
}

package judge

import (
	"slices"
	"sort"
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
		r.outcomeFirst(result)
		r.unplayed(result)
		return
	}
	cause := slices.IndexFunc(result.Problems, r.isCause)
	if cause < 0 {
		return
	}
	first := toFront(result.Problems, cause)
	lost := first.Kind == "gate"
	for i := range result.Problems[1:] {
		p := &result.Problems[i+1]
		p.Follows = r.comesOfFailing(p) || lost && r.ofProgram(p)
	}
}

// outcomeFirst puts what a program did wrong before what is left of its scripts: one that
// gives up too early breaks both, and to take the rest of the script away hides it.
func (r *finished) outcomeFirst(result *plan.Result) {
	if !r.Obs.Driven() {
		return
	}
	// Few, and sorted by what is linked anyway, as a copy of slices.SortStableFunc would be for them alone.
	sort.SliceStable(result.Problems, func(i, j int) bool { return order(result.Problems[i]) < order(result.Problems[j]) })
}

// order is 1 for an entry that the run never came to, and 0 for everything else.
func order(p plan.Problem) int {
	if neverReached(&p) {
		return 1
	}
	return 0
}

// neverReached reports whether a problem is an entry or an event that a run did not come to.
func neverReached(p *plan.Problem) bool {
	return p.Kind == "gate" && (strings.Contains(p.Message, neverCame) || strings.Contains(p.Message, neverAsked))
}

// neverCame begins the hint of an event that a run did not come to, and neverAsked is said
// of an entry that answered nothing.
const (
	neverCame  = "hint: the run never got that far"
	neverAsked = " answered 0 of "
)

// unplayed marks interactions that nobody asked for where a call of the run has found
// no answer: another one was asked in their place, and the caller went on all the same.
func (r *finished) unplayed(result *plan.Result) {
	asksOtherwise := func(p plan.Problem) bool { return p.Kind == "gate" && plan.FailsCalls(p.Name) }
	cause := slices.IndexFunc(result.Problems, asksOtherwise)
	if cause < 0 {
		return
	}
	toFront(result.Problems, cause)
	for i := range result.Problems[1:] {
		p := &result.Problems[i+1]
		p.Follows = r.neverPlayed(p)
	}
}

// toFront moves a problem to the front of a list and returns it.
func toFront(list []plan.Problem, i int) plan.Problem {
	p := list[i]
	copy(list[1:i+1], list[:i])
	list[0] = p
	return p
}

// neverPlayed reports whether a problem is an interaction of this scenario that answered
// nothing. One of a scenario that is no more has another cause.
func (r *finished) neverPlayed(p *plan.Problem) bool {
	return p.Kind == "gate" && p.Name == plan.GateUnusedInteraction && !strings.Contains(p.Message, "of the scenario ")
}

// ofProgram reports whether a problem is about what a program did once a call of it was
// refused.
func (r *finished) ofProgram(p *plan.Problem) bool {
	if p.Kind != "assert" || !r.Obs.Driven() {
		return false
	}
	return slices.ContainsFunc(r.Plan.Asserts, func(a *plan.Assertion) bool {
		return a.Condition.Range() == p.Range && slices.ContainsFunc(a.Condition.Variables(), func(t hcl.Traversal) bool { return t.RootName() == "sut" })
	})
}

// isCause reports whether a problem says why the run failed.
func (r *finished) isCause(p plan.Problem) bool {
	switch p.Kind {
	case "run":
		return p.Name == plan.GateUnexpected
	case "gate":
		return plan.FailsCalls(p.Name)
	}
	return p.Kind == "expect" && p.Name == "run" && strings.HasPrefix(p.Diff, "status: ")
}

// comesOfFailing reports whether a problem is about what a run that failed did not
// come to.
func (r *finished) comesOfFailing(p *plan.Problem) bool {
	switch p.Kind {
	case "gate":
		return neverReached(p) || r.neverPlayed(p)
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

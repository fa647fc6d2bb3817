package drive

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// mistaken are the statuses with which a server answers a request that is none of those it knows.
var mistaken = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed}

// Misdirected says of a step that asked the server of a scenario that it failed with one of the
// statuses of a request that the server does not know, where no check reads which failure it was: a
// wrong path, method or body fails in the same way. "" where no step did.
func (r *Run) Misdirected() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	serving := r.plan.Sut.Serving()
	if serving == nil || len(r.plan.Needs.Calls) > 0 || r.plan.Needs.Of("steps") != nil || saysWhich(r.plan.Needs.Of("run")) {
		return ""
	}
	for _, s := range r.Obs.Order {
		if s.Status != read.StatusFailed || !slices.Contains(mistaken, s.StatusCode) || !asks(s, serving) || !r.expectsFailure(s) {
			continue
		}
		return fmt.Sprintf("step %q failed with %d (%s), which no check reads: a request with a wrong path, method or body fails in the same way.\nhint: say which failure it has to be, such as expect %[1]q { status_code = 403 }; or 404, if that is what the server has to answer", s.Name, s.StatusCode, http.StatusText(s.StatusCode))
	}
	return ""
}

// asks reports whether a step asks a provider.
func asks(s *observe.StepResult, p *plan.Provider) bool {
	return s.Step.Gateway != nil && slices.ContainsFunc(s.Step.Gateway.Targets, func(t *plan.Target) bool { return t.Provider == p })
}

// expectsFailure reports whether the scenario checks that a step, or the run, failed, and nothing of
// it says which failure that was.
func (r *Run) expectsFailure(s *observe.StepResult) bool {
	of := r.plan.Needs.Of("step")
	for name := range strings.SplitSeq(s.Name, ".") {
		of = of.Of(name)
	}
	if saysWhich(of) {
		return false
	}
	checked := of != nil || r.Obs.Run.Status == read.StatusFailed
	for _, x := range r.plan.Expects {
		if x.Address != s.Name && x.Address != "run" {
			continue
		}
		for _, a := range x.Attrs {
			if slices.Contains(which, a.Name) || a.Name == "error" {
				return false
			}
		}
		checked = checked || x.Address == s.Name
	}
	return checked
}

// which are the attributes of a result that say which failure it was, beside the parts of its error.
var which = []string{"status_code", "attempts", "body", "json", "content", "output", "headers"}

// saysWhich reports whether conditions read which failure a result has; that it has one does not say
// that.
func saysWhich(n *read.Needs) bool {
	if n == nil {
		return false
	}
	failed := n.Of("error")
	return n.All || failed != nil && !failed.All || slices.ContainsFunc(which, func(name string) bool { return n.Of(name) != nil })
}

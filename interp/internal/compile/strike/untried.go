package strike

import (
	"net/http"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Untried are the names of scenarios whose runs tolerate faults and meet none: of each
// tolerates block that none of its scenarios which run by themselves puts to the test, the
// first one.
func Untried(plans []*plan.Plan) (names []string) {
	type promise struct {
		name string
		kept bool // to the test
	}
	var order []hcl.Range
	of := map[hcl.Range]*promise{}
	for _, p := range plans {
		t := tolerance(p)
		if t == nil || p.Skip != "" || p.Barred[plan.Interpreted] != "" {
			continue
		}
		if of[t.Rng] == nil {
			of[t.Rng], order = &promise{name: p.Name}, append(order, t.Rng)
		}
		of[t.Rng].kept = of[t.Rng].kept || disturbed(p)
	}
	for _, at := range order {
		if !of[at].kept {
			names = append(names, of[at].name)
		}
	}
	return names
}

// tolerance is what the runs of a plan survive, nil where it does not say.
func tolerance(p *plan.Plan) *plan.Tolerance {
	if p.Tolerates == nil && p.Workflow != nil {
		return p.Workflow.Tolerates
	}
	return p.Tolerates
}

// disturbed reports whether something fails in a run by what its scenario says, or may: a
// recording can hold failures.
func disturbed(p *plan.Plan) bool {
	disturbs := func(e *plan.Entry) bool {
		return e.Fault != nil || e.Replay != nil || e.Reply != nil && e.Reply.StatusCode >= http.StatusBadRequest
	}
	return len(p.Outages) > 0 || p.Recording != nil || p.Responses != nil ||
		slices.ContainsFunc(p.Scripts, func(s *plan.Script) bool { return slices.ContainsFunc(s.Entries, disturbs) }) ||
		slices.ContainsFunc(p.Actions, func(a *plan.Action) bool { return a.Event != nil || a.Hold != nil })
}

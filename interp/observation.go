package interp

import (
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/observe/lacking"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An Observation is what expressions can read of a run that has ended. It is safe
// for concurrent use.
type Observation struct {
	mu  sync.Mutex
	obs *observe.Observed
}

// RunObserved is [Run], with what expressions can read of the run. That is nil,
// and has no values, where nothing ran.
func RunObserved(p *Plan, opts RunOptions) (*Result, *Observation) {
	in := plan.Inside(p).Tracking()
	result, obs := observed(p, in, opts, hosted{})
	shownApart(result, in)
	if obs == nil {
		return result, nil
	}
	return result, &Observation{obs: obs}
}

// shownApart hides what a result must not show, and leaves the events alone that
// an observation still reads.
func shownApart(r *Result, p *plan.Plan) {
	r.Events = slices.Clone(r.Events)
	p.Secrets.Result(r)
}

// Value evaluates an expression over the run, as a condition of its scenario
// would. What conditions must not show is hidden in the result.
func (o *Observation) Value(expr string) (cty.Value, hcl.Diagnostics) {
	e, diags := dsl.Expression("expression", expr)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	if o == nil {
		rng := e.Range()
		return cty.NilVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Nothing observed", Detail: "The scenario did not run, so that there is nothing to read of it.", Subject: &rng}}
	}
	dsl.Strict(e)
	needs := &read.Needs{}
	needs.Add(e)
	o.mu.Lock()
	defer o.mu.Unlock()
	v, diags := dsl.Evaluate(e, o.obs.ObservedContext(needs, lacking.In(e)))
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	return o.obs.Plan.Secrets.Value(v), nil
}

// Workflow is the name of the workflow that ran, "" for none.
func (o *Observation) Workflow() string {
	if o == nil || o.obs.Plan.Workflow == nil {
		return ""
	}
	return o.obs.Plan.Workflow.Name
}

// Hidden is a text without what the run must not show: the secrets of its file, and those that it received.
func (o *Observation) Hidden(text string) string {
	if o == nil {
		return text
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.obs.Plan.Secrets.Text(text)
}

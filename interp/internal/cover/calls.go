package cover

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Call is something of a workflow that calls a service: one address of its
// scripts.
type Call struct {
	Address string
	// Range is where it is declared.
	Range hcl.Range
	// Kinds are the faults that mean something there.
	Kinds []*faults.Kind
	// Guarded says that a retry, a breaker or a fallback stands behind it.
	Guarded bool
}

// Calls are those of the workflow of a plan, in order of declaration.
func Calls(p *plan.Plan) []Call {
	var list []Call
	for _, n := range p.Dialling() {
		s := n.Step
		if s.Gateway == nil || n.Order >= plan.OrderOutside {
			continue
		}
		list = append(list, Call{
			Address: n.Name, Range: dsl.Place(s.Rng), Kinds: Kinds(s.Meets),
			Guarded: s.Retry.MaxRetries > 0 || s.Fallback >= 0 || len(s.Gateway.Targets) > 1 || slices.ContainsFunc(s.Gateway.Targets, breaks),
		})
	}
	return list
}

// Kinds are those that mean something where meets says so.
func Kinds(meets func(*faults.Kind) bool) []*faults.Kind {
	return slices.DeleteFunc(slices.Clone(faults.Kinds()), func(k *faults.Kind) bool { return !meets(k) })
}

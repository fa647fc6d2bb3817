package vacuous

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Unrelated warns of a bench whose gates ask for a score alone that reads no case, while the
// condition that says which answers pass compares them with one: wrong answers score as much.
func Unrelated(k *plan.BenchRubric, s *bench.Spec) hcl.Diagnostics {
	if k.Score == nil || !readsCase(k.Passed) || readsCase(k.Score) || s.Bound.Method == bench.MethodWilson || len(s.Gates) == 0 ||
		slices.ContainsFunc(s.Gates, func(g bench.Gate) bool { return g.LowerBound == 0 || g.MinPassed > 0 || g.PassAll > 0 }) ||
		slices.ContainsFunc(k.Modes, func(m *plan.ModeRule) bool { return readsCase(m.When) && Blocks(s, m.Code) }) {
		return nil
	}
	rng := k.Score.Range()
	return hcl.Diagnostics{{
		Severity: hcl.DiagWarning, Summary: "Score that reads no case", Subject: &rng,
		Detail: fmt.Sprintf("The gate %q asks for a lower bound of the score alone, and the score reads nothing of the case, so answers that do not pass score as much as those that do. Give the gate min_passed, or let passed decide in the score, too.", s.Gates[0].Name),
	}}
}

// readsCase reports whether an expression, which may be nil, reads the case.
func readsCase(e hclsyntax.Expression) bool {
	if e != nil {
		for t := range dsl.Variables(e) {
			if t.RootName() == "case" {
				return true
			}
		}
	}
	return false
}

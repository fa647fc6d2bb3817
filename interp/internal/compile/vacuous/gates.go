package vacuous

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Blocks reports whether no gate is passed with a failure mode.
func Blocks(s *bench.Spec, code string) bool {
	m := s.Taxonomy.Lookup(code)
	return m != nil && m.Severity == failure.SeverityBlock
}

// Gates refuses the gates of a bench that hold whatever the system answers. Sees
// has what of its rubric of conditions depends on the answer: "passed", "score",
// and "block" for a failure mode that blocks. What a program scores is not known.
func Gates(k *plan.BenchRubric, s *bench.Spec, sees map[string]bool) hcl.Diagnostics {
	if k.Program {
		return nil
	}
	score := sees["score"] || k.Score == nil && sees["passed"]
	if s.Bound.Method == bench.MethodWilson {
		score = sees["passed"]
	}
	var diags hcl.Diagnostics
	for i, g := range s.Gates {
		if sees["block"] || (g.MinPassed > 0 || g.PassAll > 0) && sees["passed"] || g.LowerBound > 0 && score {
			continue
		}
		if k.Passed == nil && k.Score == nil && (g.LowerBound > 0 || g.MinPassed > 0 || g.PassAll > 0) {
			return append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Gate that always holds", Subject: k.Block.DefRange.Ptr(),
				Detail: fmt.Sprintf("The rubric has neither passed nor score, so every answer passes and the gate %q always holds. Give the rubric a condition on the answer, such as passed = output.answer == case.input.expected.", g.Name),
			})
		}
		why := "asks for nothing, neither lower_bound nor min_passed nor pass_all, and no failure mode of the rubric has severity \"block\""
		switch {
		case g.LowerBound > 0:
			why = "asks for a lower bound of scores that are the same for every answer"
		case g.MinPassed > 0 || g.PassAll > 0:
			why = "asks for passed cases, and whether a case passes is the same for every answer"
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Gate that always holds", Subject: k.Block.Parent.All("gate")[i].DefRange.Ptr(),
			Detail: fmt.Sprintf("The gate %q %s. Give it min_passed or lower_bound, and the rubric a condition on the answer, such as passed = output.answer == case.input.expected.", g.Name, why),
		})
	}
	return diags
}

// Floored warns of gates that no score can miss: the least that the rubric gives is enough.
// An answer that cannot be scored misses them still.
func Floored(k *plan.BenchRubric, s *bench.Spec) (diags hcl.Diagnostics) {
	if k.Program || k.Score == nil || s.Bound.Method == bench.MethodWilson {
		return nil
	}
	least := constant.Least(k.Score)
	for i, g := range s.Gates {
		if g.LowerBound > 0 && g.LowerBound <= least && g.MinPassed == 0 && g.PassAll == 0 {
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagWarning, Summary: "Gate below every score", Subject: k.Block.Parent.All("gate")[i].DefRange.Ptr(),
				Detail: fmt.Sprintf("The gate %q asks for a lower bound of %g, and no score is less than %g, however wrong an answer is: only an answer that cannot be scored misses it. Ask for more, add min_passed, or let a wrong answer score 0.", g.Name, g.LowerBound, least),
			})
		}
	}
	return diags
}

// Unmeetable finds gates that no answers can pass: they ask for more than all cases
// passing comes to.
func Unmeetable(d *plan.BenchDecl) (diags hcl.Diagnostics) {
	n, bound := len(d.Cases), d.Spec.Bound
	if n == 0 {
		return nil // scenarios simulate its cases
	}
	for i, g := range d.Spec.Gates {
		why := ""
		best := bench.Wilson(n, n, bound.Level).Low
		switch {
		case g.MinPassed > n:
			why = fmt.Sprintf("asks for %d passed cases, and the bench has %d", g.MinPassed, n)
		case bound.Method == bench.MethodWilson && g.LowerBound > best:
			why = fmt.Sprintf("asks for a lower bound of %g, and with %d cases Wilson's is at most %.3f, where all of them pass", g.LowerBound, n, best)
		default:
			continue
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Gate that nothing can pass", Subject: d.Block.All("gate")[i].DefRange.Ptr(),
			Detail: fmt.Sprintf("The gate %q %s. Ask for less, or give the bench more cases.", g.Name, why),
		})
	}
	return diags
}

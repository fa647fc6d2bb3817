package engine

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// breach is the failure of a result that breaks the step's contract, as far as
// the step has gathered it; nil for one that keeps it.
func (r *run) breach(s *stepState) *failure.Failure {
	if len(s.Step.Validates) == 0 {
		return nil
	}
	self := map[string]cty.Value{"self": r.self(s)}
	for _, v := range s.Step.Validates {
		// A condition that cannot be evaluated, because the answer lacks what
		// it reads, does not hold.
		res, diags := dsl.Evaluate(v.Condition, r.stepContext(s, self))
		if !diags.HasErrors() && plan.IsTrue(res) {
			continue
		}
		message := fmt.Sprintf("the answer breaks the contract %q of step %q", v.Name, s.Name)
		if diags.HasErrors() {
			message += ": " + strings.TrimSuffix(plan.FirstError(diags), ".")
		}
		broken := r.classified(&failure.Failure{
			Kind: failure.Contract, Mode: v.Mode, Message: message, Step: s.Name, Attempt: s.n,
			Operation: s.operation, Retries: s.retried,
		})
		broken.Retryable = v.Retry || v.Mode != nil && v.Mode.Retryable
		return broken
	}
	return nil
}

package observe

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// RefusedAnswer is the step that classified by its fallback although the answer
// names that fallback, nil where an operand is not of the entries of such a one. A
// check of the entries is met by the fallback then, and not by the answer, which was
// refused.
func (o *Observed) RefusedAnswer(t hcl.Traversal) *StepResult {
	s := o.StepAt(t)
	if s == nil || !s.refused() {
		return nil
	}
	switch nameAt(t, 2+strings.Count(s.Name, ".")) {
	case "entries", "output":
		return s
	}
	return nil
}

// refused reports whether a classification refused an answer that names the
// fallback.
func (s *StepResult) refused() bool {
	if s.Step.Kind != plan.KindClassify || s.Outcome == OutcomeOK || s.Outcome == OutcomeFailed || s.Outcome == "" || s.Step.Classifier == nil {
		return false
	}
	return strings.Contains(s.Content, strconv.Quote(s.Step.Classifier.Fallback))
}

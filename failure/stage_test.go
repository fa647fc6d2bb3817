package failure

import "testing"

// CU3: what was dialled was being executed, a refusal without a dial is one of
// the route, a mistake in what was to be done one of the plan; who knows better
// says so.
func TestStageOf(t *testing.T) {
	for want, list := range map[Stage][]Failure{
		Execute:   {{Kind: Timeout}, {Kind: RateLimit, Attempt: 1}, {Kind: Validation, Attempt: 2}, {Kind: Cancelled}},
		Route:     {{Kind: CircuitOpen}, {Kind: RateLimit}, {Kind: Overloaded}, {Kind: TargetUnavailable}, {Kind: BudgetExceeded}, {Kind: Quarantined}},
		Plan:      {{Kind: Validation}},
		Aggregate: {{Kind: Validation, Stage: Aggregate}, {Kind: Timeout, Attempt: 1, Stage: Aggregate}},
	} {
		for _, f := range list {
			if got := StageOf(&f); got != want {
				t.Errorf("%+v: %s, want %s", f, got, want)
			}
		}
	}
}

package judge

import (
	"fmt"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
)

// because is why something is as it is: a failure, and where its step has retries of
// which none was made, what kept it from that.
func (r *finished) because(what, here string, f *failure.Failure) string {
	text := plan.Because(what, here, f)
	if f == nil {
		return text
	}
	if why := r.unretried(f); why != "" {
		text += " " + why
	}
	return text
}

// unretried is why the retries of a step that failed were not made, "" where they were
// or it has none.
func (r *finished) unretried(f *failure.Failure) string {
	s := r.Obs.Steps[f.Step]
	if s == nil || s.Step.Retry.MaxRetries == 0 {
		return ""
	}
	switch s.Stopped() {
	case policy.StopRetryAfter:
		return fmt.Sprintf("It was not retried: the service asks for a wait of %s, longer than the max_retry_after of retry.%s, which is %s; retry_after_cap would shorten the wait.", f.RetryAfter, s.Step.Retry.Name, s.Step.Retry.MaxRetryAfter)
	case policy.StopNotRetryable:
		return fmt.Sprintf("It was not retried: retry.%s does not repeat such a failure.", s.Step.Retry.Name)
	case policy.StopNotIdempotent:
		return "It was not retried: the call may have had an effect, and says neither idempotent = true nor an Idempotency-Key."
	}
	return ""
}

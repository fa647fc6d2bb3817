// Package unretried says of a failure why it was not tried again, where the file has retries,
// and why the failure of a step that need not succeed is one of the run.
//
//	text := unretried.Because(obs, "the run ended as \"failed\"", "", f)
package unretried

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
)

// Because is why something is as it is: a failure, where its step has retries of which
// none was made, what kept it from that, and why the failure of a step that is not required
// is one of the run.
func Because(o *observe.Observed, what, here string, f *failure.Failure) string {
	text := plan.Because(what, here, f)
	if f == nil {
		return text
	}
	if why := whyNot(o, f); why != "" {
		text += " " + why
	}
	if who := waiting(o, f.Step); who != "" && (here == "" || here == "run") {
		text += fmt.Sprintf(" Step %q is required = false, but %q, which waits for it, is required and never ran.", f.Step, who)
	}
	return text
}

// waiting is the first required step that never ran because this one, which is not
// required itself, failed; "" where there is none.
func waiting(o *observe.Observed, step string) string {
	if s := o.Steps[step]; s == nil || s.Step.Required {
		return ""
	}
	first := -1
	name := ""
	for _, s := range o.Steps {
		if s.Step.Required && s.SkippedReason == read.UpstreamFailed(step) && (first < 0 || s.Step.Index < first) {
			first, name = s.Step.Index, s.Step.Name
		}
	}
	return name
}

// whyNot is why the retries of a step that failed were not made, or those of the
// nearest step or sub around it that has any; "" where they were, or none has.
func whyNot(o *observe.Observed, f *failure.Failure) string {
	name := f.Step
	s := o.Steps[name]
	for s == nil || s.Step.Retry.MaxRetries == 0 {
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			return ""
		}
		name = name[:at]
		s = o.Steps[name]
	}
	if s.Err == nil {
		return "" // it was not this failure that it ended with
	}
	switch s.Stopped() {
	case policy.StopRetryAfter:
		return fmt.Sprintf("It was not retried: the service asks for a wait of %s, longer than the max_retry_after of retry.%s, which is %s; retry_after_cap would shorten the wait.", f.RetryAfter, s.Step.Retry.Name, s.Step.Retry.MaxRetryAfter)
	case policy.StopNotRetryable:
		return fmt.Sprintf("It was not retried: retry.%s does not repeat such a failure%s.", s.Step.Retry.Name, s.DecidingClass())
	case policy.StopNotIdempotent:
		return "It was not retried: the call may have had an effect, and says neither idempotent = true nor an Idempotency-Key."
	}
	return ""
}

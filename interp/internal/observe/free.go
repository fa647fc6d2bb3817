package observe

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Free says why an operand is 0 whatever is under test, "" where it is not: its cost
// where no answer of the run has a price, its time where none takes any, its retries
// where no attempt failed. On a real clock everything takes time.
func (o *Observed) Free(t hcl.Traversal) string {
	if !slices.Contains([]string{"run", "step", "fanout", "classify", "endpoint"}, t.RootName()) {
		return ""
	}
	switch nameAt(t, len(t)-1) {
	case "cost_usd":
		if o.Run.CostUSD.IsZero() && !o.priced() {
			return "no answer has a price, so no limit is ever met, and it shows nothing here.\nhint: give the replies a cost_usd"
		}
	case "elapsed_ms", "ended_ms", "ttft_ms":
		if !o.Driven() && o.Run.Status != "" && o.Run.ended == o.Run.started {
			return "nothing in the run takes any time, so no limit is ever met, and it shows nothing here.\nhint: give the replies a latency, such as latency = \"1s\""
		}
	case "retries", "delays_ms":
		if !o.Driven() && !o.failed() {
			return "no attempt failed, so nothing is tried again, and it shows nothing here.\nhint: let one fail with a fault, or say that none is: … == 0"
		}
	}
	return ""
}

// Uncounted says why a metric, which is 0, is so whatever is under test, "" where it
// is not: nothing came that it could count.
func (o *Observed) Uncounted(metric string) string {
	if o.Driven() {
		return ""
	}
	switch metric {
	case "scenario_retries_total", "scenario_fallbacks_total", "scenario_breaker_rejections_total":
		if metric == "scenario_breaker_rejections_total" && !o.guarded() {
			break
		}
		if o.failed() {
			return ""
		}
		return "no attempt failed, and nothing is retried, replaced or refused before one does, so it shows nothing here.\nhint: let one fail with a fault, or say that there is none: … == 0"
	case "scenario_classifier_parse_failures_total", "scenario_classifier_fallbacks_total":
		for _, s := range o.Order {
			if s.Step.Kind == plan.KindClassify && s.Began {
				return ""
			}
		}
	case "scenario_breaker_state":
		return ""
	}
	return "the run has nothing that it counts, so it shows nothing here.\nhint: let there be some, or say that there is none: … == 0"
}

// Single reports whether an operand is how many attempts were under way at once at
// a target that a workflow reached once: one alone is never two. How often a program
// asks is its own choice.
func (o *Observed) Single(t hcl.Traversal) bool {
	if o.Driven() || t.RootName() != "target" || nameAt(t, len(t)-1) != "in_flight_max" {
		return false
	}
	r := o.Targets[nameAt(t, 1)]
	return r != nil && len(r.attempts) == 1 && len(r.rejections)+r.rejected == 0
}

// Once reports whether an operand is the attempts of a step of a workflow that was
// asked once and succeeded: nothing is tried again then, whatever its policies say.
// How often a program asks is its own choice.
func (o *Observed) Once(t hcl.Traversal) bool {
	if o.Driven() || nameAt(t, len(t)-1) != "attempts" {
		return false
	}
	s := o.StepAt(t)
	return s != nil && len(s.attempts) == 1 && len(s.rejections) == 0 && s.Status == read.StatusSuccess && s.LastFailure() == nil
}

// priced reports whether an answer said what it cost.
func (o *Observed) priced() bool {
	for _, s := range o.Order {
		if !s.costUSD.IsZero() {
			return true
		}
	}
	return false
}

// guarded reports whether a target has a breaker.
func (o *Observed) guarded() bool {
	for _, r := range o.Targets {
		if r.guarded {
			return true
		}
	}
	return false
}

// failed reports whether an attempt of the run did, or was never dialled.
func (o *Observed) failed() bool {
	for _, s := range o.Order {
		if len(s.rejections) > 0 || s.LastFailure() != nil {
			return true
		}
	}
	return false
}

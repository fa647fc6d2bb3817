package observe

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

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
	case "retries":
		if !o.Driven() && !o.failed() {
			return "no attempt failed, so nothing is tried again, and it shows nothing here.\nhint: let one fail with a fault, or say that none is: … == 0"
		}
	}
	return ""
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

// failed reports whether an attempt of the run did, or was never dialled.
func (o *Observed) failed() bool {
	for _, s := range o.Order {
		if len(s.rejections) > 0 || s.LastFailure() != nil {
			return true
		}
	}
	return false
}

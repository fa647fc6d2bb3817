package observe

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// A Measure is a sort of number that is 0 wherever a run has it, whatever is under
// test.
type Measure struct {
	// Why says why that is so, and what to do.
	Why string
	// Names are the attributes that have such a number, Lists those that have a list
	// of them, which is empty, and Sums those of the series of metrics of a duration.
	Names, Lists, Sums []string
	// Least is a small one that is not 0, and Most one that breaks any limit.
	Least, Most float64
	// Counts says that metrics that count may be such numbers; see [Observed.Uncounted].
	Counts bool
	// AtOnce says that this holds of what came at once alone, see [Observed.AtOnce]: of
	// the durations of attempts that took no time and, where All, those of steps, and of
	// the attempts of a step, of which there is one.
	AtOnce, All bool
}

// times are the attributes of results and queries that are times.
var times = []string{"elapsed_ms", "started_ms", "ended_ms", "at_ms", "started_at_ms", "ended_at_ms", "start_ms", "end_ms", "ttft_ms", "gap_ms", "waited_ms", "queued_ms"}

// durations are those of them that say how long something took.
var durations = []string{"elapsed_ms", "ttft_ms"}

// AtOnce reports whether an operand is the duration of a step that succeeded in no time,
// or of an attempt that ended in none, or the attempts of a step that succeeded with its
// first: neither depends on a deadline or a policy.
func (o *Observed) AtOnce(t hcl.Traversal) bool {
	if o.Driven() {
		return false
	}
	attr := nameAt(t, len(t)-1)
	if attr == "attempts" {
		return o.Once(t)
	}
	s := o.StepAt(t)
	if s == nil || !slices.Contains(durations, attr) || len(s.rejections) > 0 {
		return false
	}
	if i, n := slices.IndexFunc(t, func(p hcl.Traverser) bool { a, is := p.(hcl.TraverseAttr); return is && a.Name == "attempts" }), len(s.attempts); i >= 0 && i+1 < len(t) {
		index, is := t[i+1].(hcl.TraverseIndex)
		if !is {
			return false
		}
		at, _ := index.Key.AsBigFloat().Int64()
		return at >= 0 && int(at) < n && s.attempts[at].empty() && s.attempts[at].outcome != read.StatusCancelled
	}
	return s.empty() && s.Status == read.StatusSuccess
}

// Unmoved are the measures that are 0 whatever is under test: costs where no answer of
// the run has a price, times where none takes any, retries where no attempt failed. On
// a real clock everything takes time.
func (o *Observed) Unmoved() (list []Measure) {
	if o.Run.CostUSD.IsZero() && !o.priced() {
		list = append(list, Measure{
			Why:   "no answer has a price, so no limit is ever met, and it shows nothing here.\nhint: give the replies a cost_usd",
			Names: []string{"cost_usd"}, Least: 1e-9, Most: 1e12,
		})
	}
	if o.Driven() {
		return list
	}
	if o.Run.Status != "" && o.Run.ended == o.Run.started {
		list = append(list, Measure{
			Why:   "nothing in the run takes any time, so no limit is ever met, and it shows nothing here.\nhint: give the replies a latency, such as latency = \"1s\"",
			Names: times, Sums: []string{"sum"}, Least: 1e-3, Most: 1e15,
		})
	} else {
		list = append(list, Measure{
			Why:   "the answer comes at once, so no limit is ever met, and it shows nothing here.\nhint: give the replies a latency, such as latency = \"1s\"",
			Names: durations, Least: 1e-3, Most: 1e15, AtOnce: true, All: !o.failed(),
		})
	}
	if !o.failed() {
		list = append(list, Measure{
			Why:   "it succeeded at once, so nothing is tried again, and the limit shows nothing here.\nhint: let one fail with a fault, or say with == how many there are",
			Lists: []string{"attempts"}, Least: 1, Most: 1e4, AtOnce: true, All: true,
		})
		list = append(list, Measure{
			Why:   "no attempt failed, so nothing is tried again, and it shows nothing here.\nhint: let one fail with a fault, or say that none is: … == 0",
			Names: []string{"retries", "fallbacks"}, Lists: []string{"delays_ms"}, Least: 1, Most: 1e6,
		})
	}
	return append(list, Measure{Why: "what it counts could not happen, so it shows nothing here.\nhint: let it happen, or say that it does not: … == 0", Least: 1, Most: 1e6, Counts: true})
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

// Unfollowed says why there are no events of a type that follow a failure, where a filter
// asks for those and there was none; "" for others.
func (o *Observed) Unfollowed(filter []cty.Value) string {
	if o.Driven() || len(filter) == 0 || !filter[0].Type().IsObjectType() || !filter[0].Type().HasAttribute("type") || o.failed() {
		return ""
	}
	for _, t := range []trace.Type{trace.RetryWait, trace.Fallback, trace.Breaker} {
		if filter[0].GetAttr("type").RawEquals(cty.StringVal(string(t))) {
			return "no attempt failed, and there is no such event before one does, so it shows nothing here.\nhint: let one fail with a fault, or say that there is none: … == []"
		}
	}
	return ""
}

// Single reports whether an operand is how many attempts were under way at once at
// a target that a workflow reached once, or an endpoint that a program asked once: one
// alone is never two.
func (o *Observed) Single(t hcl.Traversal) bool {
	if nameAt(t, len(t)-1) != "in_flight_max" {
		return false
	}
	switch name := nameAt(t, 1); t.RootName() {
	case "target":
		r := o.Targets[name]
		return !o.Driven() && r != nil && len(r.attempts) == 1 && len(r.rejections)+r.rejected == 0 && !o.spread(name)
	case "endpoint":
		s := o.Steps[name]
		return s != nil && s.asked != nil && len(s.attempts) == 1
	}
	return false
}

// spread reports whether a call was under way at another target of the gateway of one, while one was
// there: that it came to the other shows how the gateway chooses.
func (o *Observed) spread(target string) bool {
	at := func(name string, meets func(*attemptResult) bool) bool {
		r := o.Targets[name]
		return r != nil && slices.ContainsFunc(r.attempts, meets)
	}
	for _, s := range o.Steps {
		g := s.Step.Gateway
		if g == nil || !slices.ContainsFunc(g.Targets, func(t *plan.Target) bool { return t.Name == target }) {
			continue
		}
		for _, t := range g.Targets {
			if t.Name != target && at(t.Name, func(a *attemptResult) bool { return at(target, a.meets) }) {
				return true
			}
		}
	}
	return false
}

// meets reports whether two attempts of different steps were under way at one time.
func (a *attemptResult) meets(b *attemptResult) bool {
	return a.step != b.step && a.step.Started+a.at < b.step.Started+b.ended && b.step.Started+b.at < a.step.Started+a.ended
}

// Came is how many came in the run to what an operand is of that says how many there were at once:
// attempts at an endpoint or at a target of a workflow, where those that took no time count as one,
// of the endpoint with the most for endpoints, and sessions that took a connection of a pool or
// waited for one. 0 for other operands.
func (o *Observed) Came(t hcl.Traversal) (n int) {
	switch name := nameAt(t, 1); t.RootName() {
	case "target":
		if r := o.Targets[name]; r != nil && !o.Driven() {
			return meeting(r.attempts) + len(r.rejections) + r.rejected
		}
	case "endpoint":
		if s := o.Steps[name]; s != nil && s.asked != nil {
			return len(s.attempts)
		}
	case "step":
		if s := o.StepAt(t); s != nil && s.asked != nil {
			return len(s.attempts)
		}
	case "endpoints":
		for _, s := range o.Steps {
			if s.asked != nil {
				n = max(n, len(s.attempts))
			}
		}
	case "actor":
		if a := o.actors[name]; a != nil && nameAt(t, 2) == "pools" && a.pools[nameAt(t, 3)] != nil {
			return a.pools[nameAt(t, 3)].came
		}
	}
	return n
}

// meeting is how many of some attempts may be under way at one time: those that took time, and
// one of the others.
func meeting(list []*attemptResult) (n int) {
	instant := 0
	for _, a := range list {
		if a.open || a.ended > a.at {
			n++
		} else {
			instant = 1
		}
	}
	return n + instant
}

// Once reports whether an operand is the attempts of a step of a workflow, or at a
// target, and there was one that succeeded: nothing is tried again then, whatever the
// policies say.
// How often a program asks is its own choice.
func (o *Observed) Once(t hcl.Traversal) bool {
	if o.Driven() || nameAt(t, len(t)-1) != "attempts" {
		return false
	}
	if t.RootName() == "target" {
		r := o.Targets[nameAt(t, 1)]
		return r != nil && len(r.attempts) == 1 && len(r.rejections)+r.rejected == 0 && !o.failed()
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

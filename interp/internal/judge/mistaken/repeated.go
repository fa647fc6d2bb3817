package mistaken

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// OfSuccesses begins to say that a limit on successes shows nothing.
const OfSuccesses = "it holds of a program that sends the request again, too: "

// repeated are the runs of a program that sends a request again and again which failed: the script
// says how many of its answers are successes, and what the service did with the others is in none of
// them. A limit on successes that such a program keeps, but would not if each attempt counted, limits
// nothing; none where nothing failed, or the script has more answers than were asked for.
func (r *run) repeated(e *endpoint) []otherwise.Run {
	p := r.o.Plan
	if !r.reads("outcome", "error", "status_code") {
		return nil
	}
	lost := slices.IndexFunc(e.attempts, func(a *attempt) bool { return a.ended == nil || !a.succeeded() })
	good := slices.IndexFunc(e.attempts, func(a *attempt) bool { return a.ended != nil && a.succeeded() })
	if lost < 0 || good < 0 || r.open || e.script == nil || e.script.Exhausted != "fail" || p.Recording != nil || p.Allow[plan.GateOverConsumed] {
		return nil
	}
	answers := 0
	for _, entry := range e.script.Entries {
		answers += entry.Times
		if entry.Times == plan.Unlimited || entry.Selects() {
			return nil
		}
	}
	if answers != len(e.attempts) {
		return nil
	}
	failed, succeeded := e.attempts[lost], e.attempts[good]
	return []otherwise.Run{{
		Why: fmt.Sprintf("%sattempt %d of %s failed, and what the service did with it is in no success, of which the script has no more than the limit allows; so it shows nothing here.\nhint: count the attempts and not the successes, such as length([for a in %s.attempts : a if a.request.method == %q]) <= 1, or check what makes a repetition harmless, such as one idempotency_key in all of them",
			OfSuccesses, lost+1, e.name, r.path(e), cmp.Or(failed.asked.Request.Method, "POST")),
		Told: func() (events, apart [][]trace.Event) {
			return [][]trace.Event{r.as(e, failed, succeeded, nil)}, [][]trace.Event{r.as(e, failed, nil, nil), r.as(e, failed, failed, nil), r.as(e, failed, nil, func(a *attempt) bool { return !a.succeeded() })}
		},
		About: func(c hclsyntax.Expression) bool { return reads(c, "outcome", "error", "status_code") },
		Part:  true,
	}}
}

// as are the events of a run in which a program asks from one of its attempts on what that asked, and
// each of all attempts comes to what another one came to, or to what it did for nil. Some of them may
// be left out.
func (r *run) as(e *endpoint, again, comesTo *attempt, without func(*attempt) bool) (list []trace.Event) {
	for i := range r.events {
		now := r.events[i]
		if now.Step != e.name || now.Attempt == 0 {
			list = append(list, now)
			continue
		}
		a := e.numbered(now.Attempt)
		if a == nil || without != nil && without(a) {
			continue
		}
		switch p := now.Payload.(type) {
		case *event.AttemptStart:
			if i > again.start {
				asked := *p
				asked.Request = again.asked.Request
				now.Payload = &asked
			}
		case *event.AttemptEnd:
			if comesTo != nil {
				ended := *comesTo.ended
				served := *ended.Served
				served.CallNumber = p.CallNumber
				ended.Served = &served
				now.Payload = &ended
			}
		}
		list = append(list, now)
	}
	return list
}

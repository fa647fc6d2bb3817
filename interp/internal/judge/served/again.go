package served

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// ofAgain begins to say why a check shows nothing that a client met by asking again.
const ofAgain = "it holds because the workflow asked the server again: "

// again are the other runs of steps that succeeded only because they asked again, after an attempt
// in which an endpoint answered the server with a fault: one in which the step asked once, and one
// in which that attempt was the one that succeeded. A check that holds in the second and not in the
// first does not see what the server makes of the fault.
func (c *conversation) again() (list []otherwise.Run) {
	var found []*step
	var theirs []*attempt
	for _, s := range c.steps {
		if s.recovered() && !c.troubled(s.attempts[len(s.attempts)-1]) && c.cut(s) != nil {
			found, theirs = append(found, s), append(theirs, s.attempts...)
		}
	}
	// Else the run says how the server copes with what it met in other steps.
	alone := !slices.ContainsFunc(c.requests, func(r *request) bool { return r.trouble && !slices.Contains(theirs, r.cause()) })
	for _, s := range found {
		a := c.cut(s)
		list = append(list, otherwise.Run{
			Why: fmt.Sprintf("%[1]sattempt %[2]d of %[3]s, in which %[4]s answered with a fault, failed, and a later one that met no fault succeeded. It would hold as well if the fault had killed the server, so it shows nothing of how the server copes with it.\nhint: say what the failed attempt has to come to, such as %[5]s.attempts[%[6]d].%[7]s, or let the step ask once, without a retry",
				ofAgain, a.n, s.name, c.fault(a).endpoint, c.path(s), slices.Index(s.attempts, a), a.said()),
			Events:    [][]trace.Event{c.once(s, a, alone)},
			Apart:     [][]trace.Event{c.coped(s, a)},
			Addresses: []string{s.name, "run"},
			About:     c.readsOnly(alone, s),
			Fails:     true,
		})
	}
	return list
}

// recovered reports whether an execution succeeded after an attempt that failed.
func (s *step) recovered() bool {
	n := len(s.attempts)
	return s.ended != nil && s.ended.Status == read.StatusSuccess && n > 1 && s.attempts[n-1].ended != nil && !s.attempts[n-1].failed()
}

// troubled reports whether an endpoint answered a request with a fault that the server may have
// made in an attempt.
func (c *conversation) troubled(a *attempt) bool {
	return slices.ContainsFunc(c.requests, func(r *request) bool { return r.trouble && slices.Contains(r.during, a) })
}

// fault is the first request with a fault that the server made in an attempt, nil for none.
func (c *conversation) fault(a *attempt) *request {
	i := slices.IndexFunc(c.requests, func(r *request) bool { return r.trouble && r.cause() == a })
	if i < 0 {
		return nil
	}
	return c.requests[i]
}

// cut is the first attempt that failed with the server, and in which an endpoint answered with a
// fault; nil for none.
func (c *conversation) cut(s *step) *attempt {
	for _, a := range s.attempts {
		if a.failed() && a.ended.FaultType == "" && c.fault(a) != nil {
			return a
		}
	}
	return nil
}

// once are the events of a run in which an execution ended with an attempt that failed, and the run
// with it, if all says so.
func (c *conversation) once(s *step, a *attempt, all bool) (list []trace.Event) {
	waits := 0
	for i := range c.events {
		e := c.events[i]
		switch p := e.Payload.(type) {
		case *event.StepEnd:
			if i == s.end {
				e.Payload = &event.StepEnd{
					Failed: a.ended.Failed, Place: event.Place{FailedAttempt: a.n, FailedTarget: c.events[a.end].Target},
					StatusCode: a.ended.StatusCode, Status: read.StatusFailed, Retries: max(0, p.Retries-waits),
				}
			}
		case *event.RunEnd:
			if all && e.Step == "" {
				e.Payload = &event.RunEnd{
					Failed: a.ended.Failed, StatusCode: a.ended.StatusCode, Status: read.StatusFailed, CostUSD: p.CostUSD, RunID: p.RunID,
					FailedStep: s.name, FailedAttempt: a.n, FailedTarget: c.events[a.end].Target,
				}
			}
		default:
			if s.isOf(i, &e) && i > a.end {
				if e.Type == trace.RetryWait {
					waits++
				}
				continue
			}
		}
		list = append(list, e)
	}
	return list
}

// coped are the events of a run in which an attempt that failed was the last one, and came to what
// that came to.
func (c *conversation) coped(s *step, a *attempt) (list []trace.Event) {
	last, waits := s.attempts[len(s.attempts)-1], 0
	for i := range c.events {
		e := c.events[i]
		switch {
		case i == last.end:
			e.Attempt, e.Round = a.n, c.events[a.end].Round
		case i == s.end:
			end := *s.ended
			end.Retries = max(0, end.Retries-waits)
			e.Payload = &end
		case s.isOf(i, &e) && i > a.start:
			if e.Type == trace.RetryWait {
				waits++
			}
			continue
		}
		list = append(list, e)
	}
	return list
}

// said is a condition on an attempt that failed, as one would write it.
func (a *attempt) said() string {
	if a.ended.StatusCode > 0 {
		return fmt.Sprintf("status_code == %d", a.ended.StatusCode)
	}
	return "status_code == 503"
}

// path is how a condition reads a step or a call.
func (c *conversation) path(s *step) string {
	if len(c.o.Calls[s.name]) > 0 {
		return "call." + s.name
	}
	return "step." + s.name
}

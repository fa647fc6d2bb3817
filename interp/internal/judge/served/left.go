package served

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// left are the other runs of one that ended as the client left the server: those in which the server
// asked an endpoint once more after that. A check that does not hold in any of them limits what
// nobody waited for.
func (c *conversation) left() (list []otherwise.Run) {
	s, at := c.leaves()
	if s == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.o.Steps)) {
		e := c.o.Steps[name]
		if e.Step.Endpoint == nil || !e.Step.Endpoint.Declared {
			continue
		}
		r := otherwise.Run{
			Why: fmt.Sprintf("it holds of what came before the client left: the run ended as the attempt of %s was cut, and whether the server asks %s after that was not seen, so that it asked no more shows nothing here.\nhint: give sut a settle, such as settle = \"2s\": the run then goes on until the server has asked nothing for so long",
				s.name, name),
			Addresses: []string{name},
		}
		for _, more := range c.oneMore(e) {
			r.Events = [][]trace.Event{c.with(more, at, soon), c.with(fresh(more), at, late)}
			list = append(list, r)
		}
	}
	return list
}

// leaves is the execution whose last attempt its client ended before the server answered, and with
// which the run ended at once, and the event after which that was so; nil for none.
func (c *conversation) leaves() (of *step, at int) {
	sut := c.o.Plan.Sut
	if end := c.o.Sut.End(); c.o.Way != plan.Exec || sut.Settle > 0 || sut.Until != nil || end != nil && !end.Stopped {
		return nil, 0
	}
	var last *attempt
	for _, s := range c.steps {
		for _, a := range s.attempts {
			if a.ended == nil {
				return nil, 0
			}
			if last == nil || a.end > last.end {
				of, last = s, a
			}
		}
	}
	if last == nil || last.ended.Failed == nil || last.ended.Kind != string(failure.Cancelled) && last.ended.Kind != string(failure.Timeout) {
		return nil, 0
	}
	for _, s := range c.steps {
		if r := c.o.Steps[s.name]; r != nil && r.Step.Kind == plan.KindWait && s.end > last.end {
			return nil, 0 // the workflow itself waits for what comes
		}
	}
	return of, max(of.end, last.end)
}

// A further request is one that the server did not make, with the events that would tell of it, and
// those that stand before.
type further struct {
	before []trace.Event
	start  trace.Event
	end    trace.Event
}

// oneMore are a new call of an endpoint, and one more attempt of its last one where that failed.
func (c *conversation) oneMore(of *observe.StepResult) (list []further) {
	var f further
	most, calls, rounds := 0, 0, map[int]int{}
	for i := range c.events {
		e := &c.events[i]
		if e.Step != of.Name {
			continue
		}
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Asker != nil {
				f.start, most = *e, max(most, e.Attempt)
			}
		case *event.AttemptEnd:
			if p.Served != nil {
				f.end, calls = *e, max(calls, p.CallNumber)
				rounds[p.CallNumber]++
			}
		}
	}
	if f.end.Payload == nil {
		return firstOf(of)
	}
	f.start.Attempt, f.end.Attempt = most+1, most+1
	end := f.end.Payload.(*event.AttemptEnd)
	if end.Outcome != "success" {
		list = append(list, f.in(end.CallNumber, rounds[end.CallNumber]+1))
	}
	return append(list, f.in(calls+1, 1))
}

// in is a request as an attempt of a call.
func (f further) in(call, round int) further {
	end := *f.end.Payload.(*event.AttemptEnd)
	served := *end.Served
	served.CallNumber, served.Late = call, 0
	end.Served = &served
	f.end.Payload, f.end.Round = &end, round
	return f
}

// firstOf is the first request of an endpoint, none where that has no target.
func firstOf(of *observe.StepResult) []further {
	if of.Step.Gateway == nil || len(of.Step.Gateway.Targets) == 0 {
		return nil
	}
	t := of.Step.Gateway.Targets[0]
	at := trace.Event{Step: of.Name, Target: t.Name, Attempt: 1}
	begins, start, end := at, at, at
	begins.Type, begins.Attempt, begins.Payload = trace.StepStart, 0, &event.StepStart{Kind: string(of.Step.Kind)}
	start.Type, start.Payload = trace.AttemptStart, &event.AttemptStart{Request: &event.Request{Provider: t.Provider.Name}, Asker: &event.Asker{}}
	end.Type, end.Payload = trace.AttemptEnd, &event.AttemptEnd{Served: &event.Served{CallNumber: 1, EndedBy: "server"}, StatusCode: 200, Outcome: "success", By: "script", Complete: true}
	end.Round = 1
	return []further{{[]trace.Event{begins}, start, end}}
}

// fresh is a request with a new Idempotency-Key and in a trace of its own, where it has them.
func fresh(f further) further {
	const other = "another"
	asked := *f.start.Payload.(*event.AttemptStart)
	asker, request := *asked.Asker, event.Request{}
	if asked.Request != nil {
		request = *asked.Request
	}
	if asker.IdempotencyKey != "" {
		asker.IdempotencyKey = other
	}
	if asker.TraceID != "" {
		asker.TraceID = other
	}
	request.Headers = maps.Clone(request.Headers)
	for name := range request.Headers {
		if name == "idempotency-key" || name == "traceparent" {
			request.Headers[name] = other
		}
	}
	asked.Asker, asked.Request = &asker, &request
	f.start.Payload = &asked
	return f
}

// What comes soon keeps every limit on a wait from above, what comes late every one from below.
const soon, late = time.Millisecond, 24 * time.Hour

// with are the events of the run with a further request after one of them, and after what its
// endpoint had been asked, which comes so much later.
func (c *conversation) with(f further, at int, later time.Duration) []trace.Event {
	for i := range c.events {
		if e := &c.events[i]; i > at && e.Step == f.start.Step && e.Type == trace.AttemptEnd {
			at = i
		}
	}
	list := slices.Clone(c.events[:at+1])
	now := c.events[at].At + later
	for _, e := range append(slices.Clone(f.before), f.start, f.end) {
		e.At = now
		list = append(list, e)
	}
	for _, e := range c.events[at+1:] {
		e.At += later
		list = append(list, e)
	}
	return list
}

package served

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// Calls of a scenario are a crowd, which is to come at one time, if they ask the same, and so many come so
// close together.
const (
	crowd    = 3
	closeBy  = time.Second
	pair     = 2
	together = 100 * time.Millisecond
)

// atOnce is within what time an answer is there before anybody else can ask.
const atOnce = 20 * time.Millisecond

// Counts reports whether a condition may count what an endpoint was asked.
func Counts(e hclsyntax.Expression) bool {
	return slices.ContainsFunc(slices.Collect(dsl.Variables(e)), func(t hcl.Traversal) bool { return t.RootName() == "endpoint" })
}

// Crowds are the other runs of one in which calls of the scenario that come close together asked a server the
// same, and it asked an endpoint once, with an answer that was there before another of them came: those in
// which it asked once more. A check that does not hold there says of the later ones that they need nothing
// fetched, and nothing of those that come while it is being fetched.
func Crowds(o *observe.Observed) (list []otherwise.Run) {
	events := o.Log.Events()
	serving := o.Plan.Sut.Serving()
	if serving == nil || o.Way != plan.Exec || len(events) == 0 || events[0].Type != trace.RunStart {
		return nil
	}
	c := asked(o, events)
	times := map[string]int{}
	for _, r := range c.requests {
		times[r.endpoint]++
	}
	once := slices.DeleteFunc(slices.Clone(c.requests), func(r *request) bool { return times[r.endpoint] != 1 })
	for _, calls := range c.crowds(serving.Name) {
		for _, r := range once {
			e := o.Steps[r.endpoint]
			if e == nil || !c.fetchedFor(r, calls) {
				continue
			}
			start, end := c.span(r)
			if end == 0 || c.meet(calls, start, end) {
				continue
			}
			for _, more := range c.oneMore(e) {
				list = append(list, otherwise.Run{
					Why: fmt.Sprintf("it shows that later calls are served from what the first of them had fetched, and nothing of calls that come while that is being fetched: %s had answered before another of the %d calls of the scenario could ask for the same.\nhint: let them come at one time, and give the reply of %[1]s a latency, such as \"300ms\"; or, if one after the other is meant, let each begin after the one before: after = call.NAME",
						r.endpoint, len(calls)),
					Told: func() (events, apart [][]trace.Event) {
						return [][]trace.Event{c.with(more, end, soon)}, nil
					},
				})
			}
		}
	}
	return list
}

// crowds are the calls that come close together and ask a server the same, by what they ask.
func (c *conversation) crowds(server string) (list [][]*step) {
	type asking struct{ method, url, body string }
	byRequest := map[asking][]*step{}
	var order []asking
	for _, s := range c.steps {
		if len(s.attempts) == 0 {
			continue
		}
		begins, is := c.events[s.attempts[0].start].Payload.(*event.AttemptStart)
		if !is || begins.Request == nil || begins.Provider != server || !c.timed(s.name) {
			continue
		}
		q := asking{begins.Method, begins.URL, begins.Body}
		if byRequest[q] == nil {
			order = append(order, q)
		}
		byRequest[q] = append(byRequest[q], s)
	}
	for _, q := range order {
		if calls := byRequest[q]; c.close(calls) {
			list = append(list, calls)
		}
	}
	return list
}

// timed reports whether a call of the scenario is made at an instant that the file says.
func (c *conversation) timed(name string) bool {
	d := c.o.Plan.ActionOf(name)
	return d != nil && d.After == nil && d.When == nil
}

// close reports whether calls are to come at one time.
func (c *conversation) close(calls []*step) bool {
	var at []time.Duration
	seen := map[string]bool{}
	for _, s := range calls {
		if d := c.o.Plan.ActionOf(s.name); !seen[s.name] {
			seen[s.name] = true
			at = append(at, d.At...)
		}
	}
	slices.Sort(at)
	most := time.Duration(0)
	for i := 1; i < len(at); i++ {
		most = max(most, at[i]-at[i-1])
	}
	return len(at) >= crowd && most < closeBy || len(at) >= pair && most <= together
}

// fetchedFor reports whether the server made a request while nothing but some calls were under way.
func (c *conversation) fetchedFor(r *request, calls []*step) bool {
	return len(r.during) > 0 && !slices.ContainsFunc(r.during, func(a *attempt) bool {
		return !slices.ContainsFunc(calls, func(s *step) bool { return slices.Contains(s.attempts, a) })
	})
}

// span are the events with which a request began and ended; the second is 0 where it did not.
func (c *conversation) span(r *request) (start, end int) {
	for i := range c.events {
		e := &c.events[i]
		if e.Step != r.endpoint || e.Attempt != r.n {
			continue
		}
		switch e.Type {
		case trace.AttemptStart:
			start = i
		case trace.AttemptEnd:
			end = i
		}
	}
	return start, end
}

// meet reports whether another call was under way while an answer took its time.
func (c *conversation) meet(calls []*step, start, end int) bool {
	if c.events[end].At-c.events[start].At < atOnce {
		return false
	}
	under := 0
	for _, s := range calls {
		if a := s.attempts[0]; a.start < end && (a.end == 0 || a.end > start) {
			under++
		}
	}
	return under > 1
}

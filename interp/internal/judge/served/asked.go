package served

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/trace"
)

// A conversation is who asked whom in a run: the scenario its server, and that the endpoints.
type conversation struct {
	o        *observe.Observed
	events   []trace.Event
	steps    []*step // of the scenario, in the order in which they began
	requests []*request
}

// A step is one execution of a step of the scenario, or of a call of it, with the events that
// tell of it.
type step struct {
	name       string
	iteration  int
	start, end int // end is 0 while it is under way
	ended      *event.StepEnd
	attempts   []*attempt
}

// An attempt is one in which a step asked the server.
type attempt struct {
	n, start, end int // end is 0 while it is under way
	ended         *event.AttemptEnd
}

func (a *attempt) failed() bool { return a.ended != nil && a.ended.Outcome != "success" }

// A request is one of the server.
type request struct {
	endpoint string
	n        int
	// during are the attempts under way as it began, and trouble says that its answer was a fault,
	// no success, or did not come.
	during  []*attempt
	trouble bool
}

// cause is the attempt in which the server made a request, nil where that may be none or another.
func (r *request) cause() *attempt {
	if len(r.during) != 1 {
		return nil
	}
	return r.during[0]
}

// asked reads who asked whom from the events of a run.
func asked(o *observe.Observed, events []trace.Event) *conversation {
	c := &conversation{o: o, events: events}
	var open []*attempt
	for i := range events {
		e := &events[i]
		switch p := e.Payload.(type) {
		case *event.StepStart:
			c.steps = append(c.steps, &step{name: e.Step, iteration: e.Iteration, start: i})
		case *event.AttemptStart:
			if p.Asker != nil {
				c.requests = append(c.requests, &request{endpoint: e.Step, n: e.Attempt, during: slices.Clone(open), trouble: true})
				continue
			}
			if s := c.under(e); s != nil {
				a := &attempt{n: e.Attempt, start: i}
				s.attempts, open = append(s.attempts, a), append(open, a)
			}
		case *event.AttemptEnd:
			if p.Served != nil {
				c.answered(e, p)
				continue
			}
			open = slices.DeleteFunc(open, func(a *attempt) bool {
				s := c.under(e)
				is := a.n == e.Attempt && s != nil && slices.Contains(s.attempts, a)
				if is {
					a.end, a.ended = i, p
				}
				return is
			})
		case *event.StepEnd:
			if s := c.under(e); s != nil {
				s.end, s.ended = i, p
			}
		}
	}
	return c
}

// under is the execution that an event is of and that has not ended, nil for none.
func (c *conversation) under(e *trace.Event) *step {
	for _, s := range slices.Backward(c.steps) {
		if s.name == e.Step && s.iteration == e.Iteration && s.end == 0 {
			return s
		}
	}
	return nil
}

func (c *conversation) answered(e *trace.Event, p *event.AttemptEnd) {
	for _, r := range slices.Backward(c.requests) {
		if r.endpoint == e.Step && r.n == e.Attempt {
			r.trouble = p.FaultType != "" || p.Outcome != "success"
			return
		}
	}
}

// isOf reports whether an event tells of an execution after it began.
func (s *step) isOf(i int, e *trace.Event) bool {
	return e.Step == s.name && e.Iteration == s.iteration && i > s.start && (s.end == 0 || i <= s.end)
}

package observe

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// An askedResult is what a program under test asked an endpoint for, beside the
// attempts themselves.
type askedResult struct {
	calls []*callResult // by their number
	lanes []*laneResult // in the order in which they were opened
	named map[string]*laneResult
	// failed counts the lanes whose last call did.
	failed int
	// inFlight counts the attempts under way, and connections those that
	// requests came over.
	inFlight, inFlightMax int
	connections           once
}

// A callResult is what a program means by one call: an attempt, and those that
// ask the same again.
type callResult struct {
	n        int
	lane     string
	attempts []*attemptResult
}

// A laneResult is one lane of an endpoint.
type laneResult struct {
	name     string
	attempts []*attemptResult
	calls    []*callResult
	// ended says that one of its calls has, and failed that the last one did.
	ended, failed bool
}

// Driven reports whether a program made the calls of the run.
func (o *Observed) Driven() bool { return o.Way.Driven() }

// asks is what the program asked a step for, made with its first request.
func (s *StepResult) asks() *askedResult {
	if s.asked == nil {
		s.asked = &askedResult{}
	}
	return s.asked
}

// askedFor is what the program asked the step for so far.
func (s *StepResult) askedFor() *askedResult {
	if s.asked == nil {
		return &askedResult{}
	}
	return s.asked
}

// lane is the lane of a name.
func (r *askedResult) lane(name string) *laneResult {
	l := r.named[name]
	if l == nil {
		l = &laneResult{name: name}
		if r.named == nil {
			r.named = map[string]*laneResult{}
		}
		r.named[name] = l
		r.lanes = append(r.lanes, l)
	}
	return l
}

// asked folds the request of a program.
func (o *Observed) asked(s *StepResult, a *attemptResult, p *event.AttemptStart) {
	if p.Asker == nil {
		return
	}
	a.asker = p.Asker
	r := s.asks()
	l := r.lane(p.Lane)
	l.attempts = append(l.attempts, a)
	r.inFlight++
	r.inFlightMax = max(r.inFlightMax, r.inFlight)
	if p.Connection > 0 {
		r.connections.see(p.Connection)
	}
}

// served folds the end of an answer to a program: only then it is known which
// call the attempt belongs to.
func (o *Observed) served(s *StepResult, a *attemptResult, e *trace.Event, p *event.AttemptEnd) {
	if p.Served == nil || a.asker == nil {
		return
	}
	a.served, a.round = p.Served, e.Round
	r := s.asks()
	r.inFlight--
	i, known := slices.BinarySearchFunc(r.calls, p.CallNumber, func(c *callResult, n int) int { return c.n - n })
	if !known {
		c := &callResult{n: p.CallNumber, lane: a.asker.Lane}
		r.calls = slices.Insert(r.calls, i, c)
		l := r.lane(c.lane)
		l.calls = append(l.calls, c)
	}
	c := r.calls[i]
	if c.add(a) {
		s.retries++
	}
	r.judge(r.lane(c.lane))
	s.Ended = e.At
	if a.outcome == "success" {
		s.StatusCode = p.StatusCode
	}
	s.Status, s.Err = r.status(), c.attempts[len(c.attempts)-1].err
	if s.Status == read.StatusSuccess {
		s.Err = nil
	}
}

// add puts an attempt into its call, whose attempts are in the order in which they began:
// one that its client left may be seen to end after the next. It reports whether it is a
// retry, or has made one of what was the first.
func (c *callResult) add(a *attemptResult) (retry bool) {
	at := len(c.attempts)
	for at > 0 && c.attempts[at-1].n > a.n {
		at--
		c.attempts[at].round++
	}
	retry = len(c.attempts) > 0
	if at > 0 {
		a.prior = c.attempts[at-1]
	}
	if at < len(c.attempts) {
		a.prior, c.attempts[at].prior = c.attempts[at].prior, a
	}
	c.attempts = slices.Insert(c.attempts, at, a)
	return retry
}

// untold reports whether an attribute of a step is of an answer to a program that
// is told later: the attempts tell the rest.
func (s *StepResult) untold(attr string) bool {
	played := s.asked == nil && s.Step.Endpoint == nil && s.of.Plan.Sut.Serving() != nil
	if s.told || played || !s.of.Driven() || attr == "status_code" {
		return false
	}
	is := func(f read.Field[StepResult]) bool { return f.Name == attr }
	return !slices.ContainsFunc(StepFields, is) && !slices.ContainsFunc(askedFields, is)
}

// uncalled reports whether a step describes a call of a program that the program has not
// made, so far.
func (s *StepResult) uncalled() bool {
	return !s.Began && s.of.Driven() && s.Step.Gateway != nil && s.of.Plan.Sut.Serving() == nil
}

// countsCalls reports whether an attribute lists or counts calls: then it is empty or 0
// where a program made none, as it is of an endpoint, and every other is null.
func countsCalls(attr string) bool {
	switch attr {
	case "attempts", "calls", "lanes", "retries", "delays_ms", "in_flight_max", "connections":
		return true
	}
	return false
}

// answered reports whether an attempt has succeeded.
func (s *StepResult) answered() bool {
	return slices.ContainsFunc(s.attempts, func(a *attemptResult) bool { return a.outcome == "success" })
}

// judge notes what the last call of a lane came to.
func (r *askedResult) judge(l *laneResult) {
	failed := l.calls[len(l.calls)-1].status() == read.StatusFailed
	switch {
	case failed && !l.failed:
		r.failed++
	case l.failed && !failed:
		r.failed--
	}
	l.ended, l.failed = true, failed
}

// status is that of all lanes: failed where the last call of one is.
func (r *askedResult) status() string { return statusOf(r.failed > 0) }

func statusOf(failed bool) string {
	if failed {
		return read.StatusFailed
	}
	return read.StatusSuccess
}

// status is that of the call's last attempt.
func (c *callResult) status() string {
	return statusOf(c.attempts[len(c.attempts)-1].outcome != "success")
}

// status is that of the lane's last call, "" before one has ended.
func (l *laneResult) status() string {
	if !l.ended {
		return ""
	}
	return statusOf(l.failed)
}

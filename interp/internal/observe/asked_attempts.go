package observe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An Asked is an attempt of a step as it asked and as it ended.
type Asked struct {
	N       int
	Request *event.Request
	End     *event.AttemptEnd
	Took    time.Duration
}

// Asked are the attempts of a step that have ended, in their order.
func (s *StepResult) Asked() []Asked {
	var list []Asked
	for _, a := range s.attempts {
		if a.request != nil && !a.open {
			list = append(list, Asked{a.n, a.request, a.response, a.ended - a.at})
		}
	}
	return list
}

// SomeEncoded reports whether a program asked with a body that nobody could read.
func (o *Observed) SomeEncoded() bool { return o.someEncoded }

// AllSucceeded reports whether a program asked and every attempt ended in success.
func (s *StepResult) AllSucceeded() bool {
	return s.asked != nil && len(s.attempts) > 0 && !slices.ContainsFunc(s.attempts, func(a *attemptResult) bool { return a.open || a.outcome != read.StatusSuccess })
}

// AllFailed reports whether a program asked twice or more in one call, and every attempt
// ended in failure, with nothing that told the attempts apart: no idempotency key and no count.
func (s *StepResult) AllFailed() bool {
	return s.asked != nil && len(s.attempts) > 1 && len(s.asked.calls) == 1 && !slices.ContainsFunc(s.attempts, func(a *attemptResult) bool {
		return a.open || a.outcome != "failure" || a.asker == nil || a.asker.IdempotencyKey != "" || a.asker.RetryCount != nil
	})
}

// SucceededLast reports whether the last attempt of a program succeeded, and none before it.
func (s *StepResult) SucceededLast() bool {
	n := len(s.attempts)
	return s.asked != nil && slices.IndexFunc(s.attempts, func(a *attemptResult) bool { return a.outcome == read.StatusSuccess }) == n-1 && n > 0
}

// Stopped is why no further round followed a failed one, "" where none failed.
func (s *StepResult) Stopped() string { return s.stop }

// LastAnswer is the answer on which a program went on last: its entry of the script, or its
// interaction of the recording, from 1, and which of the two it is, as an attempt says; 0 where
// it is of neither.
func (s *StepResult) LastAnswer() (entry int, by string) {
	if s.asked == nil || len(s.attempts) == 0 {
		return 0, ""
	}
	a := s.attempts[len(s.attempts)-1]
	if a.open || a.response == nil || a.response.By != "script" && a.response.By != "cassette" || a.outcome != "success" {
		return 0, ""
	}
	return a.response.Entry, a.response.By
}

// DecidingClass says which class decided whether a sub is called again, "" where that was not
// one of its fanout.
func (s *StepResult) DecidingClass() string {
	if s.Step.Sub == nil || s.Step.AsksWorkflow() || s.Err.Mode == nil {
		return ""
	}
	return fmt.Sprintf(", which is %q in taxonomy %q of the fanout", s.Err.Mode.Code, s.Step.Taxonomy.Known.Name())
}

// Tries is how many attempts a step made, in all that a run has come to.
func (s *StepResult) Tries() int { return len(s.attempts) }

// OneCall is how many attempts a program made of an endpoint where all of them are one call that
// has succeeded, 0 where there were more calls, or none that did.
func (s *StepResult) OneCall() int {
	if s.asked == nil || len(s.asked.calls) != 1 {
		return 0
	}
	list := s.asked.calls[0].attempts
	if len(list) != len(s.attempts) || list[len(list)-1].outcome != read.StatusSuccess {
		return 0
	}
	return len(list)
}

// Rejections is how many targets refused the step before it asked one.
func (s *StepResult) Rejections() int { return len(s.rejections) }

// Dials are when a workflow dialled a target, in their order, and the most that were under way at
// one time; ok is false where one was refused or did not succeed.
func (o *Observed) Dials(target string) (at []time.Duration, most int, ok bool) {
	r := o.Targets[target]
	if r == nil || o.Driven() || len(r.rejections)+r.rejected > 0 {
		return nil, 0, false
	}
	for _, a := range r.attempts {
		if a.open || a.outcome != read.StatusSuccess {
			return nil, 0, false
		}
		at = append(at, a.step.Started+a.at)
	}
	return at, r.inFlightMax, true
}

// A RequestPart is a part of the requests to one address.
type RequestPart struct {
	// Of is the step or the endpoint that was asked, and Request which of its requests that were, such as
	// "GET /cart"; "" for all of them.
	Of, Request string
	// Name is the part, such as "header cookie"; "" for the whole request.
	Name string
	// Sent are the values that stood there.
	Sent []string
}

// String says what it is: "shop GET /cart: header cookie".
func (p RequestPart) String() string {
	said := strings.TrimSuffix(p.Of+" "+p.Request, " ")
	if p.Name != "" {
		said += ": " + p.Name
	}
	return said
}

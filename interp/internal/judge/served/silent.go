package served

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// ofSilent begins to say why a check shows nothing that a server met by not answering.
const ofSilent = "it holds because the server sent no answer: "

// silent are the other runs of steps that failed because the server closed the connection, or let
// nobody connect: those in which it answered them with a failure, and with a success. A check that
// holds in the first and not in the second does not see whether the server says that it failed, or
// died.
func (c *conversation) silent() []otherwise.Run {
	var found []*step
	var names []string
	for _, s := range c.steps {
		if s.unanswered() {
			found, names = append(found, s), append(names, s.name)
		}
	}
	if len(found) == 0 {
		return nil
	}
	first := found[0]
	return []otherwise.Run{{
		Why: fmt.Sprintf("%s%s failed without a status, as it does if the handler of the request crashes: %s. So it shows nothing of what the server makes of a failure.\nhint: say what the server has to answer, such as %s.status_code == 502, or that it must close the connection, such as %[4]s.error.kind == %[5]q",
			ofSilent, first.name, strings.TrimSuffix(first.ended.Message, "."), c.path(first), failure.Connection),
		Events:    [][]trace.Event{c.answeredWith(found, nil)},
		Apart:     [][]trace.Event{c.answeredWith(found, refusal())},
		Addresses: append(names, "run"),
		About:     c.readsOnly(true, found...),
		Fails:     true,
	}}
}

// unanswered reports whether an execution failed as its server sent no status.
func (s *step) unanswered() bool {
	if s.ended == nil || s.ended.Failed == nil || len(s.attempts) == 0 {
		return false
	}
	last := s.attempts[len(s.attempts)-1].ended
	return last != nil && s.ended.Kind == string(failure.Connection) && last.StatusCode == 0
}

// refused is a failure that the server says itself.
const refused = 502

func refusal() *event.Failed {
	f := failure.Cuga().Classify(failure.Failure{Kind: failure.StatusKind(refused), StatusCode: refused, Message: "HTTP 502 Bad Gateway"})
	return event.FailedOf(&f)
}

// answeredWith are the events of a run in which the server answered the last attempts of some
// executions: with a failure, or with a success for nil.
func (c *conversation) answeredWith(found []*step, f *event.Failed) (list []trace.Event) {
	said := func(own *event.Failed) (*event.Failed, int) {
		if f == nil {
			return nil, 200
		}
		now := *f
		if own != nil {
			now.Stage, now.Doing, now.AfterRetries = own.Stage, own.Doing, own.AfterRetries
		}
		return &now, refused
	}
	for i := range c.events {
		e := c.events[i]
		s := c.lastOf(found, i)
		switch p := e.Payload.(type) {
		case *event.Failure:
			if s == nil || i < s.attempts[len(s.attempts)-1].start {
				break
			}
			if f == nil {
				continue
			}
			now := *p
			now.Failed, now.StatusCode = said(p.Failed)
			e.Payload = &now
		case *event.AttemptEnd:
			if s == nil || i != s.attempts[len(s.attempts)-1].end {
				break
			}
			now := *p
			if now.Failed, now.StatusCode = said(p.Failed); f == nil {
				now.Outcome = read.StatusSuccess
			}
			now.Complete = true
			e.Payload = &now
		case *event.StepEnd:
			if s == nil || i != s.end {
				break
			}
			now := *p
			if now.Failed, now.StatusCode = said(p.Failed); f == nil {
				now.Status, now.Place, now.Stop = read.StatusSuccess, event.Place{}, ""
				now.JSON, now.Output = event.Value{Value: cty.EmptyObjectVal}, event.Value{Value: cty.EmptyObjectVal}
			}
			e.Payload = &now
		case *event.RunEnd:
			if e.Step != "" || !endedBy(found, p) {
				break
			}
			now := *p
			if now.Failed, now.StatusCode = said(p.Failed); f == nil {
				now = event.RunEnd{Status: read.StatusSuccess, CostUSD: p.CostUSD, RunID: p.RunID, Output: p.Output}
			}
			e.Payload = &now
		}
		list = append(list, e)
	}
	return list
}

// lastOf is the execution that an event tells of, nil for none of those.
func (c *conversation) lastOf(found []*step, i int) *step {
	at := slices.IndexFunc(found, func(s *step) bool { return s.isOf(i, &c.events[i]) })
	if at < 0 {
		return nil
	}
	return found[at]
}

// endedBy reports whether a run failed because of some executions, and of no other step.
func endedBy(found []*step, p *event.RunEnd) bool {
	if p.Failed == nil || p.PartialResult == nil {
		return false
	}
	return !slices.ContainsFunc(append(slices.Clone(p.PartialResult.Failed), p.FailedStep), func(name string) bool {
		return !slices.ContainsFunc(found, func(s *step) bool { return s.name == name })
	})
}

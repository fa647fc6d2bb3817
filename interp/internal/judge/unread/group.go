package unread

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A group are the requests of a step, or to an endpoint, that are of one kind, such as those to one path.
type group struct {
	of, request string
	step        *observe.StepResult
	at          []int // their places among the events
	asked       []*event.Request
	recorded    bool // a recording answered them
}

// groupsMost bounds them: nothing is said of the requests of a run that asks in more ways.
const groupsMost = 32

// groups are those of a run in the order of their first requests. What the steps of a scenario ask the
// program under test is what that is given, and none of them.
func (l *look) groups() (list []*group) {
	if !l.o.Driven() {
		l.again = retries(l.events)
	}
	serving, recorded := l.o.Plan.Sut.Serving(), l.recorded()
	for i, e := range l.events {
		p, is := e.Payload.(*event.AttemptStart)
		if !is || p.Request == nil || serving != nil && p.Provider == serving.Name && p.Asker == nil {
			continue
		}
		s := l.o.Steps[e.Step]
		if s == nil {
			continue
		}
		request := called(s.Step.Kind, p.Request)
		at := slices.IndexFunc(list, func(g *group) bool { return g.of == e.Step && g.request == request && g.recorded == recorded[i] })
		if at < 0 {
			if len(list) == groupsMost {
				return nil
			}
			at, list = len(list), append(list, &group{of: e.Step, request: request, step: s, recorded: recorded[i]})
		}
		g := list[at]
		g.at, g.asked = append(g.at, i), append(g.asked, p.Request)
	}
	return list
}

// differ reports whether one of the requests is not the first again.
func (g *group) differ() bool {
	first := g.asked[0]
	return slices.ContainsFunc(g.asked[1:], func(q *event.Request) bool {
		return q.URL != first.URL || q.Method != first.Method || q.Body != first.Body
	})
}

// called is what requests of one kind have alike: the method and the path, with * for what has a digit, of
// HTTP; the tool; the first word of a statement and its table.
func called(kind plan.Kind, q *event.Request) string {
	switch kind {
	case plan.KindHTTP:
		segments := path(q.URL)
		for i, s := range segments {
			if strings.ContainsAny(s, "0123456789") {
				segments[i] = "*"
			}
		}
		return q.Method + " /" + strings.Join(segments, "/")
	case plan.KindMCP:
		return q.Tool
	case plan.KindSQL:
		return read.Verb(q.Statement)
	}
	return ""
}

// sent are the values that stand in a part of the requests.
func (g *group) sent(p *part) (list []string) {
	add := func(value string) {
		if value != "" && !slices.Contains(list, value) {
			list = append(list, value)
		}
	}
	var of func(p *part)
	of = func(p *part) {
		for _, q := range g.asked {
			if p.sent != nil {
				p.sent(q, add)
			}
		}
		for _, inner := range p.inner {
			of(inner)
		}
	}
	of(p)
	return list
}

package unread

import (
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// recorded are the attempts, by their places among the events, whose requests were compared with a recording that
// answered them. A retry that sends the same again is compared for the first attempt, too.
func (l *look) recorded() map[int]bool {
	if l.o.Plan.Recording == nil {
		return nil
	}
	type attempt struct {
		step string
		n    int
	}
	open, list := map[attempt]int{}, map[int]bool{}
	for i, e := range l.events {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			open[attempt{e.Step, e.Attempt}] = i
		case *event.AttemptEnd:
			if at, is := open[attempt{e.Step, e.Attempt}]; is && compares(l.o.Plan, e.Step, e.Target, p) {
				list[at], list[l.first(at)] = true, true
			}
		}
	}
	for at, first := range l.again {
		list[at] = list[at] || list[first]
	}
	return list
}

// compares reports whether what answered a request had it compared with a recorded one: the next interaction does,
// for an entry of a script as well, and one that an entry names by its number does not. What goes to a service is
// recorded.
func compares(p *plan.Plan, step, target string, end *event.AttemptEnd) bool {
	s := p.ScriptFor(step, target)
	switch {
	case end.By == "cassette", end.By == "live":
		return true
	case s == nil:
		return end.By == "" // it differs from what was recorded, or is one request too many
	case end.By == "", end.Entry < 1, end.Entry > len(s.Entries):
		return false
	}
	e := s.Entries[end.Entry-1]
	return e.Replay != nil && e.Replay.Interaction == 0
}

// comparedMost is how many requests of a group are looked at, of those that have a part.
const comparedMost = 4

// compare marks the parts of a group that its recording compares: with something else there, the request would have
// another answer, or none. A file of responses that names the step asks for nothing.
func (g *group) compare(o *observe.Observed, all *part) {
	t := o.Plan.Recording
	if r := o.Plan.Responses; r != nil {
		all.each(func(p *part) { p.told = p.told || p.change != nil && r.ByKey[g.of] == nil })
		return
	}
	m := t.Comparison()
	key := func(q *event.Request) string {
		r := match.Request{Method: q.Method, URL: q.URL, Header: http.Header{}, Body: []byte(q.Body)}
		if q.Statement != "" {
			r.Method = read.Verb(q.Statement)
		}
		for name, value := range q.Headers {
			r.Header.Set(name, value)
		}
		if !t.Rules.Empty() {
			r = match.Request(o.Plan.Secrets.Alike(redact.Request(r)))
		}
		return m.Key(r)
	}
	all.each(func(p *part) {
		if p.told || p.change == nil {
			return
		}
		left := comparedMost
		p.told = slices.ContainsFunc(g.asked, func(q *event.Request) bool {
			if left == 0 {
				return false
			}
			now := *q
			now.Headers = event.Headers{}
			for name, value := range q.Headers {
				now.Headers[name] = value
			}
			if p.change(&now, change{}); now.Equal(q) {
				return false
			}
			left--
			return key(&now) != key(q)
		})
	})
}

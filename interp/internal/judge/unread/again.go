package unread

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

const ofAgain = "it holds whatever is sent: a retry of a step sends the request of its first attempt again, so the two never differ, and it shows nothing of what is in them.\nhint: compare it with what it has to be, such as step.NAME.attempts[1].request.json.id == \"o-7\""

// Compares reports whether a condition may compare the requests of two attempts: on the two sides of a comparison, or
// as the elements of which it takes the distinct ones.
func Compares(e hclsyntax.Expression) (compares bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.BinaryOpExpr:
			compares = compares || dsl.IsComparison(x.Op) && readsRequest(x.LHS) && readsRequest(x.RHS)
		case *hclsyntax.FunctionCallExpr:
			compares = compares || slices.Contains([]string{"distinct", "toset", "setunion", "setintersection"}, x.Name) && readsRequest(x)
		}
	})
	return compares
}

func readsRequest(e hclsyntax.Expression) bool {
	for name := range read.Names(e) {
		if name == "request" {
			return true
		}
	}
	return false
}

// Retries are the other runs of one in which steps sent the same again: those in which a retry sent something
// else than its first attempt. A check that does not hold in them, and does of any other request that is
// sent again as it was, compares what cannot differ. Header fields stay as they are: that a key is sent at all
// is what a comparison of two of them shows.
func Retries(o *observe.Observed) (list []otherwise.Run) {
	l := &look{o: o, events: o.Log.Events(), left: most}
	if o.Driven() || o.Plan.BenchRun != nil || len(l.events) == 0 || l.events[0].Type != trace.RunStart {
		return nil
	}
	groups := l.groups()
	for _, g := range groups {
		again := slices.ContainsFunc(g.at, func(at int) bool { _, is := l.again[at]; return is })
		if l.left -= runsOfRetries * len(l.events); !again || l.left < 0 {
			continue
		}
		all := g.parts(o)
		all.inner = slices.DeleteFunc(all.inner, func(p *part) bool { return p.name == "headers" })
		with := func(change func(at int) change) []trace.Event {
			events := slices.Clone(l.events)
			for _, at := range g.at {
				l.put(events, at, all, change(at))
			}
			return events
		}
		list = append(list, otherwise.Run{
			Why: ofAgain,
			Told: func() (events, apart [][]trace.Event) {
				return [][]trace.Event{with(func(at int) change { return change{how: each, n: at} })}, [][]trace.Event{
					with(func(int) change { return change{how: alike} }),
					with(func(at int) change { return change{how: each, n: l.first(at)} }),
				}
			},
			About: Compares,
			Part:  true,
			Hint:  true,
		})
	}
	return list
}

// runsOfRetries is how many runs are made for the requests of one kind.
const runsOfRetries = 3

// retries finds the attempts that a step makes to send the same again, with the place of the first one among
// the events for each.
func retries(events []trace.Event) map[int]int {
	type asked struct {
		at     int
		waited bool
	}
	last, again := map[string]asked{}, map[int]int{}
	for i, e := range events {
		was, before := last[e.Step]
		switch p := e.Payload.(type) {
		case *event.RetryWait:
			was.waited = before
			last[e.Step] = was
		case *event.AttemptStart:
			if before && was.waited && p.Request != nil && events[was.at].Target == e.Target && same(p.Request, events[was.at].Payload.(*event.AttemptStart).Request) {
				again[i] = was.at
			} else {
				was.at = i
			}
			last[e.Step] = asked{at: was.at}
		case *event.StepStart, *event.StepEnd:
			delete(last, e.Step)
		}
	}
	return again
}

// same reports whether two requests ask the same. Those of MCP have a number each, and header fields that come
// with the session, which the first attempt may open.
func same(a, b *event.Request) bool {
	if a.Tool == "" || b.Tool == "" {
		return a.Equal(b)
	}
	x, y := *a, *b
	x.Headers, y.Headers = nil, nil
	x.Body, y.Body = numberless(a.Body), numberless(b.Body)
	return x.Equal(&y)
}

// numberless is what a message of JSON-RPC says after its id, and any other text as it is.
func numberless(body string) string {
	const id = `"id":"`
	before, rest, is := strings.Cut(body, id)
	if _, after, ends := strings.Cut(rest, `"`); is && ends && before == `{"jsonrpc":"2.0",` {
		return after
	}
	return body
}

// first is the place of the attempt that one sends again, its own for one that sends something new.
func (l *look) first(at int) int {
	if first, again := l.again[at]; again {
		return first
	}
	return at
}

// Package unread finds the parts of requests that no check of a run tells from others: with another value
// in their place, or none, every check comes out as it did. A script answers any request, so what nothing
// tells may be wrong.
//
//	parts, _ := unread.Parts(observed)
//	for _, p := range parts {
//		fmt.Println(p) // shop GET /cart: header cookie
//	}
package unread

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/valuediff"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// most bounds how many events are gone over for a run, in all: nothing is said of one that needs more.
const most = 1 << 18

// Parts are those of a run that has ended, by the order in which they were asked, nil where something
// could not be told. What a recording compares, and what a match asks for, is told. Within finds what stands
// in those of which checks read something, and no check tells from something else: pieces of a text, values
// of one form, members that are not there. It takes as long again, and is for one caller at a time.
func Parts(o *observe.Observed) (parts []observe.RequestPart, within func() []observe.RequestPart) {
	nothing := func() []observe.RequestPart { return nil }
	events := o.Log.Events()
	if len(events) == 0 || events[0].Type != trace.RunStart {
		return nil, nothing
	}
	l := &look{o: o, events: events, left: most}
	groups := l.groups()
	if len(groups) == 0 || !l.addChecks() {
		return nil, nothing
	}
	requests := make([]*part, len(groups))
	for i, g := range groups {
		requests[i] = g.parts(o)
		parts = l.unread(parts, g, requests[i])
		if l.left < 0 {
			return nil, nothing
		}
	}
	parts = whole(parts, groups)
	for i, g := range groups {
		if later := l.later(nil, g, requests[i]); l.left >= 0 {
			parts = append(parts, later...)
		}
	}
	return parts, func() (list []observe.RequestPart) {
		if len(l.checks) == 0 {
			return nil
		}
		l.left = mostWithin
		for i, g := range groups {
			list = l.within(list, g, requests[i])
		}
		return l.providers(list, groups, requests)
	}
}

// whole leaves of parts that are all requests to an address only that they are.
func whole(parts []observe.RequestPart, groups []*group) []observe.RequestPart {
	asked, untold := map[string]int{}, map[string]int{}
	for _, g := range groups {
		asked[g.of]++
	}
	for _, p := range parts {
		if p.Name == "" {
			untold[p.Of]++
		}
	}
	var list []observe.RequestPart
	for _, p := range parts {
		if p.Name == "" && untold[p.Of] == asked[p.Of] {
			i := slices.IndexFunc(list, func(e observe.RequestPart) bool { return e.Of == p.Of })
			if i >= 0 {
				list[i].Sent = append(list[i].Sent, p.Sent...)
				continue
			}
			p.Request = ""
		}
		list = append(list, p)
	}
	return list
}

// look is at one run.
type look struct {
	o      *observe.Observed
	events []trace.Event
	checks []check
	left   int
	// again are the attempts of steps that send the same again. What a program sends again is its own.
	again map[int]int
}

// A check is what a scenario asks of a run, or a part of it that is joined with &&: whether it is met.
type check func(o *observe.Observed) bool

// addChecks adds the checks that read requests and are met; it reports false where one takes so much that
// it is not asked again.
func (l *look) addChecks() bool {
	p := l.o.Plan
	add := func(e hclsyntax.Expression, of func(n *read.Needs) check) bool {
		n := &read.Needs{}
		n.Add(e)
		if !reads(n) && !readsRequest(e) {
			return true
		}
		c, before := of(n), l.o.Work()
		met := c(l.o)
		if l.o.TookMuch(before) {
			return false
		}
		if met {
			l.checks = append(l.checks, c)
		}
		return true
	}
	var conditions []hclsyntax.Expression
	for _, a := range p.Asserts {
		conditions = append(conditions, dsl.Conjuncts(premise.Plainly(a.Condition))...)
	}
	for _, i := range p.Invariants {
		conditions = append(conditions, dsl.Conjuncts(premise.Plainly(i.Condition))...)
	}
	for _, e := range conditions {
		if !add(e, func(n *read.Needs) check {
			return func(o *observe.Observed) bool {
				v, diags := dsl.Evaluate(e, o.ObservedContext(n, nil))
				return !diags.HasErrors() && plan.IsTrue(v)
			}
		}) {
			return false
		}
	}
	for _, s := range p.SnapshotChecks {
		if !add(s.Value, func(n *read.Needs) check {
			was, _ := dsl.Evaluate(s.Value, l.o.ObservedContext(n, nil))
			return func(o *observe.Observed) bool {
				v, diags := dsl.Evaluate(s.Value, o.ObservedContext(n, nil))
				return !diags.HasErrors() && v != cty.NilVal && v.RawEquals(was)
			}
		}) {
			return false
		}
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			if a.Name == "attempts" || a.Name == "calls" {
				l.checks = append(l.checks, expected(x.Address, a))
			}
		}
	}
	return true
}

// reads reports whether conditions read what was asked: requests, the keys in them, or events of any kind.
func reads(n *read.Needs) bool {
	return n.ReadsRequests() || hasName(n, "idempotency_key") || slices.ContainsFunc(n.Calls, func(f string) bool { return f == "events" || f == "span" || f == "spans" })
}

func hasName(n *read.Needs, name string) bool {
	if n == nil {
		return false
	}
	for i := range n.Kids {
		if k := &n.Kids[i]; k.Name == name || hasName(k.Part, name) {
			return true
		}
	}
	return hasName(n.Elem, name)
}

func expected(address string, a *dsl.Attr) check {
	return func(o *observe.Observed) bool {
		got := otherwise.Result(o, address)
		want, diags := dsl.Evaluate(a.Expr, o.ObservedContext(o.Plan.Needs, nil))
		return diags.HasErrors() || got == cty.NilVal || !got.Type().HasAttribute(a.Name) || len(valuediff.Partial(got.GetAttr(a.Name), read.Normalise(want))) == 0
	}
}

// unread adds what no check tells of a part of the requests of a group.
func (l *look) unread(list []observe.RequestPart, g *group, p *part) []observe.RequestPart {
	if p.told || l.left < 0 {
		return list
	}
	if !p.isTold() {
		switch by, is := l.noticedBy(g, p, span{}); {
		case !is:
			p.unread = true
			return append(list, observe.RequestPart{Of: g.of, Request: g.request, Name: p.shown(), Sent: g.sent(p)})
		case by == none && len(p.inner) == 0 && p.name != "":
			p.slight = true
			if l.o.Driven() {
				break
			}
			return append(list, observe.RequestPart{Of: g.of, Request: g.request, Name: p.shown() + " (but that there is one)"})
		}
	}
	for _, inner := range p.inner {
		list = l.unread(list, g, inner)
	}
	return list
}

// later adds what checks read of the first of several requests alone, or of the first element of a list in them: of
// the others no check tells it from something else. Requests that are the same again are no others.
func (l *look) later(list []observe.RequestPart, g *group, p *part) []observe.RequestPart {
	if p.told || p.unread || l.left < 0 || len(l.checks) == 0 {
		return list
	}
	if !p.isTold() && g.differ() && !l.notices(g, p, span{requests: true}) {
		name := "all but the first request"
		if of := p.shown(); of != "" {
			name = of + " of " + name
		}
		return append(list, observe.RequestPart{Of: g.of, Request: g.request, Name: name})
	}
	if len(p.inner) == 0 && strings.Contains(p.name, "[]") && !l.notices(g, p, span{elements: true}) {
		return append(list, observe.RequestPart{Of: g.of, Request: g.request, Name: p.shown() + " of all but the first element"})
	}
	for _, inner := range p.inner {
		list = l.later(list, g, inner)
	}
	return list
}

// A span is what of a group is changed: all of it, or all but its first request, or all but the first elements of
// lists.
type span struct{ requests, elements bool }

// notices reports whether some check comes out otherwise with other values in the place of a part; see
// [look.noticedBy].
func (l *look) notices(g *group, p *part, of span) bool {
	_, is := l.noticedBy(g, p, of)
	return is
}

// noticedBy is with which other values in the place of a part some check comes out otherwise first: the
// same in each request, another one in each, or none; false where it never does. It does at once where there is nothing
// in a span to change.
func (l *look) noticedBy(g *group, p *part, of span) (by how, is bool) {
	if len(l.checks) == 0 {
		return 0, false
	}
	for _, how := range []how{alike, each, none} {
		if l.left -= len(l.events) + len(g.at); l.left < 0 {
			return alike, true
		}
		events := slices.Clone(l.events)
		changed := false
		for _, at := range g.at {
			if of.requests && l.first(at) == g.at[0] {
				continue
			}
			changed = l.put(events, at, p, change{how: how, n: l.first(at), later: of.elements}) || changed
		}
		if !changed {
			return alike, true // there is none but the first
		}
		o := otherwise.Refold(l.o, events)
		if o == nil || slices.ContainsFunc(l.checks, func(c check) bool { return !c(o) }) {
			return how, true
		}
	}
	return 0, false
}

// put puts other values in the place of a part of the request at a place, and reports whether that changed any.
func (l *look) put(events []trace.Event, at int, p *part, c change) bool {
	was := events[at].Payload.(*event.AttemptStart)
	q := *was.Request
	q.Headers = maps.Clone(q.Headers)
	p.put(&q, c)
	now := &event.AttemptStart{Request: &q, Decision: was.Decision, Asker: was.Asker}
	if was.Asker != nil {
		asker := *was.Asker
		asker.IdempotencyKey, now.Asker = q.Headers["idempotency-key"], &asker
	}
	events[at].Payload = now
	return !c.later || q.Body != was.Request.Body
}

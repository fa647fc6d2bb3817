// Package unwatched finds what a scenario is named after not to be told, where no check would see that it is: a value that
// the program was given, and that it sends nowhere, is put into what the program asks and puts out, and every check
// comes out as it did. The program has no code that sends it, so that nothing of the program tells of this.
//
//	for _, p := range unwatched.Values(observed) {
//		fmt.Println(p) // what hooks.tell asks: no check would see email ("ann@lee.example") as a member or in an object
//	}
package unwatched

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/valuediff"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// What bounds a look: values and places of a run, lines that are told, signs that are shown of a value, and events that
// are gone over in all, with 64 bytes of a body for one.
const (
	valuesMost = 8
	placesMost = 8
	told       = 4
	shownMost  = 40
	most       = 1 << 17
)

// A check is one of a scenario: whether it is met.
type check func(o *observe.Observed) bool

// look is at one run.
type look struct {
	o      *observe.Observed
	events []trace.Event
	checks []check
	left   int
}

// Values are those of a run that has ended and passed.
func Values(o *observe.Observed) (list []observe.RequestPart) {
	title, not := titleOf(o.Plan.Name)
	if o.Driven() || o.Plan.BenchRun != nil || len(not) == 0 {
		return nil
	}
	l := &look{o: o, events: o.Log.Events(), left: most}
	values := l.given(not)
	if len(values) == 0 {
		return nil
	}
	l.addChecks()
	if len(l.checks) == 0 {
		return nil // which has been said
	}
	said := map[string]bool{}
	for _, v := range values {
		for _, p := range l.places(title, v) {
			id := p.name + "\x00" + v.path
			if said[id] {
				continue
			}
			unseen := l.unseen(p, v)
			if l.left < 0 {
				return list
			}
			if len(unseen) == 0 {
				continue
			}
			said[id] = true
			list = append(list, observe.RequestPart{Of: p.name, Name: fmt.Sprintf("no check would see %s %s", l.shown(v), either(unseen))})
			if len(list) == told {
				return list
			}
		}
	}
	return list
}

// either joins ways.
func either(ways []string) string {
	n := len(ways) - 1
	if n == 0 {
		return ways[0]
	}
	return strings.Join(ways[:n], ", ") + " or " + ways[n]
}

// shown is a value as it is told of, without what it is where that is hidden: as a text, or under one of its keys.
func (l *look) shown(v value) string {
	key := l.o.Plan.Secrets.Text(v.key)
	if l.hides(v.text) || slices.ContainsFunc(v.keys, func(k string) bool {
		member, _ := json.Marshal(map[string]string{k: v.text}) // never fails for strings
		return l.hides(string(member))
	}) {
		return key
	}
	text := []rune(v.text)
	if len(text) > shownMost {
		text = append(text[:shownMost:shownMost], '…')
	}
	return key + " (" + strconv.Quote(string(text)) + ")"
}

// hides reports whether something of a text is hidden, by what it is or by a name in it.
func (l *look) hides(text string) bool {
	return l.o.Plan.Secrets.CameTo(text) != text || plan.ByName.Text(text) != text
}

// unseen are the ways in which a value could stand in a place so that no check comes out otherwise. What is left out of
// many a check alone, such as a query beside a body, is told where there is another way.
func (l *look) unseen(p place, v value) (ways []string) {
	other := false
	for _, w := range p.ways(v) {
		if l.left -= len(l.events) + p.size(); l.left < 0 {
			return nil
		}
		events := slices.Clone(l.events)
		if !w.put(events) {
			continue
		}
		o := otherwise.Refold(l.o, events)
		if o == nil || slices.ContainsFunc(l.checks, func(c check) bool { return !c(o) }) {
			continue
		}
		ways, other = append(ways, w.name), other || !w.aside
	}
	if !other {
		return nil
	}
	return ways
}

// addChecks adds the checks that are met.
func (l *look) addChecks() {
	p := l.o.Plan
	again := otherwise.Refold(l.o, l.events)
	if again == nil {
		return
	}
	add := func(c check) {
		if c(again) {
			l.checks = append(l.checks, c)
		}
	}
	holds := func(a *plan.Assertion) check {
		n := &read.Needs{}
		n.Add(a.Condition)
		return func(o *observe.Observed) bool {
			v, diags := dsl.Evaluate(a.Condition, o.ObservedContext(n, a.Lacking))
			return !diags.HasErrors() && plan.IsTrue(v)
		}
	}
	for _, a := range p.Asserts {
		add(holds(a))
	}
	for _, i := range p.Invariants {
		add(holds(&i.Assertion))
	}
	for _, s := range p.SnapshotChecks {
		n := &read.Needs{}
		n.Add(s.Value)
		was, _ := dsl.Evaluate(s.Value, again.ObservedContext(n, nil))
		add(func(o *observe.Observed) bool {
			v, diags := dsl.Evaluate(s.Value, o.ObservedContext(n, nil))
			return !diags.HasErrors() && v != cty.NilVal && v.RawEquals(was)
		})
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			add(func(o *observe.Observed) bool {
				got := otherwise.Result(o, x.Address)
				want, diags := dsl.Evaluate(a.Expr, o.ObservedContext(o.Plan.Needs, nil))
				return !diags.HasErrors() && got != cty.NilVal && got.Type().HasAttribute(a.Name) && len(valuediff.Partial(got.GetAttr(a.Name), read.Normalise(want))) == 0
			})
		}
	}
}

// sent are the texts that the program sends or puts out, in small letters.
func (l *look) sent() (list []string) {
	for _, e := range l.events {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if q := p.Request; q != nil {
				list = append(list, strings.ToLower(q.URL), strings.ToLower(plainly(q.URL)), strings.ToLower(q.Body), strings.ToLower(q.Statement))
				for _, name := range read.SortedNames(q.Headers) {
					list = append(list, strings.ToLower(q.Headers[name]))
				}
			}
		case *event.RunEnd:
			leaves(p.Output.OrNull(), nil, func(_ []string, text string) { list = append(list, strings.ToLower(text)) })
		}
	}
	return list
}

// answers are the texts that the program is given and that it sends, as they are.
func (l *look) answers() (list []string) {
	add := func(v cty.Value) { leaves(v, nil, func(_ []string, text string) { list = append(list, text) }) }
	for _, e := range l.events {
		switch p := e.Payload.(type) {
		case *event.RunStart:
			add(p.Inputs.OrNull())
		case *event.AttemptStart:
			if q := p.Request; q != nil {
				list = append(list, q.URL, q.Body, q.Statement)
			}
		case *event.AttemptEnd:
			list = append(list, p.Content)
		case *event.StepEnd:
			for _, v := range []cty.Value{p.JSON.OrNull(), p.Rows.OrNull(), p.Structured.OrNull()} {
				add(v)
			}
		}
	}
	return list
}

package regrouped

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// A client is what a scenario itself asks a program that serves.
type client struct {
	window, underWay int
	repeats          bool
}

// begins notes an attempt of the scenario: the first of a window, unless another is under way.
func (c *client) begins(e *trace.Event) {
	if c.underWay == 0 {
		c.window++
		c.repeats = e.Attempt > 1
	}
	c.underWay++
}

func (c *client) ends() { c.underWay = max(0, c.underWay-1) }

// askedTwice are the runs in which what a program asked after its client had asked again is a call
// of its own, and in which it is not asked at all; none where no call goes on over that.
func (e *endpoint) askedTwice(events []trace.Event) []otherwise.Run {
	next, again, numbers := 0, false, map[*attempt][2]int{}
	for _, c := range e.calls {
		next = max(next, c.n)
	}
	for _, c := range e.calls {
		number, place := c.n, 0
		for i, a := range c.attempts {
			if place++; i > 0 && a.window != c.attempts[i-1].window {
				next++
				number, place, again = next, 1, again || a.repeats
			}
			numbers[a] = [2]int{number, place}
		}
	}
	if next == 0 || next == e.calls[len(e.calls)-1].n {
		return nil
	}
	regrouped := append([]trace.Event(nil), events...)
	for a, to := range numbers {
		regrouped[a.end] = counted(events[a.end], to[0], to[1])
	}
	why := fmt.Sprintf("%sits attempt had ended and another had begun before the program asked %s again, so that the second request is no retry of the program, and it shows nothing here.\nhint: let the client ask once, without a retry: then what the program asks twice is a retry of its own", ofClient, e.name)
	list := []otherwise.Run{{Addresses: []string{e.name}, Why: why, Events: [][]trace.Event{regrouped}}}
	if again {
		list = append(list, otherwise.Run{About: e.isCounted, Why: why, Events: [][]trace.Event{e.without(events)}})
	}
	return list
}

// without are the events without the attempts that a program made after its client had asked again.
func (e *endpoint) without(events []trace.Event) (list []trace.Event) {
	late := map[int]bool{}
	for _, a := range e.attempts {
		if a.window != e.attempts[0].window {
			late[a.n] = true
		}
	}
	for i := range events {
		at := &events[i]
		if at.Step == e.name && late[at.Attempt] {
			continue
		}
		list = append(list, events[i])
	}
	return list
}

// isCounted reports whether a condition counts requests or calls of the endpoint.
func (e *endpoint) isCounted(condition hclsyntax.Expression) (found bool) {
	dsl.EachExpr(condition, func(x hclsyntax.Expression) {
		f, call := x.(*hclsyntax.FunctionCallExpr)
		if !call || f.Name != "length" || len(f.Args) != 1 {
			return
		}
		for t := range dsl.Variables(f.Args[0]) {
			name, _ := read.AttrName(t, 1)
			last, _ := read.AttrName(t, len(t)-1)
			found = found || name == e.name && (last == "attempts" || last == "calls")
		}
	})
	return found
}

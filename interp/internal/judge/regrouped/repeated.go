package regrouped

import (
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/trace"
)

// What is looked at and told is bounded: the pairs of calls, the calls that repeat one another, and
// about how often each of them is repeated in the other run.
const (
	mostPairs = 2_000
	mostCalls = 30
	often     = 100
)

// pause is between the attempts of the other run, longer than any limit.
const pause = 24 * time.Hour

// repeated is the run in which calls that repeat one which failed belong to it, each of them with
// many attempts, and the one in which as many attempts are calls of their own; none where no call
// repeats one.
func (e *endpoint) repeated(events []trace.Event) []otherwise.Run {
	chain, what := e.chain()
	if len(chain) == 0 {
		return nil
	}
	why := fmt.Sprintf("%[1]scall %[2]d of %[4]s came after call %[3]d had failed, to the same path, and differs from it in %[5]s; so what is said of each call sees one attempt, however often the program tries, and shows nothing here.\nhint: check all attempts: how many there are, such as length(%[6]s.attempts) <= 3, and what they have alike, such as length(distinct([for a in %[6]s.attempts : a.idempotency_key])) == 1", Counted, chain[1].n, chain[0].n, e.name, what, e.path)
	return []otherwise.Run{{Addresses: []string{e.name}, Why: why, Events: [][]trace.Event{e.copied(events, chain, true)}, Apart: [][]trace.Event{e.copied(events, chain, false)}}}
}

// chain are the first calls that repeat one another after a failure, and in what the second is
// different; none where a call has a second attempt, unless a call repeats another one in the same
// words but for those that count its attempts.
func (e *endpoint) chain() (list []*call, what string) {
	again := slices.ContainsFunc(e.calls, func(c *call) bool { return len(c.attempts) > 1 })
	pairs := 0
	for i, before := range e.calls {
		last := before.attempts[len(before.attempts)-1]
		if !last.failed() {
			continue
		}
		for _, after := range e.calls[i+1:] {
			if pairs++; pairs > mostPairs || len(list) >= mostCalls {
				return list, what
			}
			first := after.attempts[0]
			if first.start < last.end || first.asked.Lane != last.asked.Lane {
				continue
			}
			d, alike := differ(last, first)
			if !alike || again && !d.counts {
				continue
			}
			if len(list) == 0 {
				list, what = append(list, before), d.what
			}
			if !slices.Contains(list, after) && slices.Contains(list, before) {
				list = append(list, after)
			}
			break
		}
	}
	return list, what
}

// copied are the events of a run in which the attempts of some calls are made many times more, with
// a pause behind each: as attempts of each of them, or each as a call of its own. A call begins and
// ends as it did.
func (e *endpoint) copied(events []trace.Event, chain []*call, joined bool) []trace.Event {
	n, next := 0, 0
	for _, a := range e.attempts {
		n = max(n, a.n)
	}
	for _, c := range e.calls {
		next = max(next, c.n)
	}
	list, at := append([]trace.Event(nil), events[:e.last+1]...), events[e.last].At
	for _, c := range chain {
		number, place := c.n, len(c.attempts)
		for _, a := range copiesFor(c, chain) {
			n++
			if place++; !joined {
				next++
				number, place = next, 1
			}
			for _, of := range []trace.Event{events[a.start], counted(events[a.end], number, place)} {
				of.At, of.Attempt = at, n
				list = append(list, of)
			}
			at += pause
		}
	}
	for _, after := range events[e.last+1:] {
		after.At += at - events[e.last].At
		list = append(list, after)
	}
	return list
}

// copiesFor are the attempts that a call has besides its own, the last of which is its last one.
func copiesFor(c *call, chain []*call) (list []*attempt) {
	var all []*attempt
	for _, of := range chain {
		all = append(all, of.attempts...)
	}
	return append(slices.Repeat(all, 1+often/len(all)), c.attempts[len(c.attempts)-1])
}

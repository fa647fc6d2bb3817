package circumstance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An item is one of several requests of a program.
type item struct {
	step, kind, across string
	*event.Request
	ended, failed bool
	answer        string
}

// FailedLast are the kinds of requests of a program that ended well of which some were answered and one failed.
// Made says that others came after the one that failed. Why is there where it was the last request of all: a
// program that stops at the first failure passes as well as one that goes on.
func FailedLast(p *plan.Plan, obs *observe.Observed) (list []Trial) {
	if code := obs.Sut.ExitCode; code == nil || *code != 0 || p.Sut.Serving() != nil {
		return nil
	}
	all, apart := items(obs)
	failed := map[string]bool{} // kinds
	for _, q := range all {
		for _, kind := range []string{q.kind, q.across} {
			if kind != "" && failed[kind] {
				list = append(list, Trial{Of: kind, Made: true})
				failed[kind] = false // once is enough
			} else if _, told := failed[kind]; kind != "" && q.failed && !told {
				failed[kind] = true
			}
		}
	}
	if len(all) < 2 || !apart {
		return list
	}
	last := all[len(all)-1]
	if !last.ended || !last.failed {
		return list
	}
	for _, kind := range []string{last.kind, last.across} {
		var group []*item
		for _, q := range all[:len(all)-1] {
			if kind != "" && (q.kind == kind || q.across == kind) {
				group = append(group, q)
			}
		}
		if len(group) == 0 || slices.ContainsFunc(group, func(q *item) bool { return q.failed || !q.ended || q.step == last.step && q.Equal(last.Request) }) || follows(group, last) {
			continue
		}
		of := "to endpoint " + last.step
		if kind == last.across {
			of = "to several endpoints"
		}
		return append(list, Trial{Of: kind, Why: fmt.Sprintf("of the requests of one kind %s only the last failed, the one to %s, and nothing was asked after it: a program that stops at the first failure passes as well as one that goes on.\nhint: let an earlier one fail, and check what comes after it", of, last.step)})
	}
	return list
}

// items are the requests of a program, and apart says that the last came after all others had ended.
func items(obs *observe.Observed) (all []*item, apart bool) {
	open := map[string]*item{}
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		at := fmt.Sprintf("%s %d", e.Step, e.Attempt)
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Request == nil || x.Asker == nil {
				continue
			}
			q := &item{step: e.Step, Request: x.Request}
			if s := obs.Steps[e.Step]; s != nil {
				q.kind, q.across = kindsOf(s.Step.Kind, x.Request, e.Step, e.Turn)
			}
			apart = len(open) == 0
			all, open[at] = append(all, q), q
		case *event.AttemptEnd:
			if q := open[at]; q != nil {
				q.ended, q.answer = true, x.Content
				q.failed = x.FaultType != "" || x.Outcome == "failure"
				delete(open, at)
			}
		}
	}
	return all, apart
}

// kindsOf are of what kind a request is within its endpoint, and across several of them; "" for none of which
// others would be as well without this one, such as a later turn of a conversation.
func kindsOf(kind plan.Kind, q *event.Request, step string, turn int) (within, across string) {
	u, err := url.Parse(q.URL)
	if err != nil {
		return "", ""
	}
	head := step + ": " + q.Method + " "
	switch kind {
	case plan.KindLLM:
		if turn == 1 {
			return head + u.Path, ""
		}
		return "", ""
	case plan.KindHTTP:
		segments := strings.Split(strings.Trim(u.Path, "/"), "/")
		return fmt.Sprintf("%s%d %s", head, len(segments), segments[0]), q.Method + " " + u.Path
	}
	if text := q.Tool + q.Statement; text != "" {
		return head + text, ""
	}
	return "", ""
}

// paging are words of names of what says which page of a list is asked for.
var paging = []string{"page", "offset", "cursor", "after", "start", "skip", "next", "since", "marker", "continue", "token"}

// follows reports whether a request has something that an earlier one of its kind was answered, or asks for a
// page of a list: it would not have come without that answer.
func follows(group []*item, last *item) bool {
	own := valuesOf(last.Request)
	left := apartMax
	for _, q := range group {
		for value := range valuesOf(q.Request) {
			delete(own, value)
		}
	}
	for value, name := range own {
		if slices.ContainsFunc(read.WordsIn(name), func(w string) bool { return slices.Contains(paging, w) }) {
			return true
		}
		for _, q := range group {
			if left -= len(q.answer); left < 0 {
				return true // nobody knows
			}
			if len(value) >= 3 && strings.Contains(q.answer, value) {
				return true
			}
		}
	}
	return false
}

// valuesOf are the values of a request, with their names.
func valuesOf(q *event.Request) map[string]string {
	values := map[string]string{}
	if u, err := url.Parse(q.URL); err == nil {
		for i, s := range strings.Split(strings.Trim(u.Path, "/"), "/") {
			values[s] = fmt.Sprint(i)
		}
		query := u.Query()
		for _, name := range read.SortedNames(query) {
			values[strings.Join(query[name], ",")] = name
		}
	}
	eachPlain(q.Body, func(_, name, _, value string) {
		if len(values) < doubledValues {
			values[value] = name
		}
	})
	return values
}

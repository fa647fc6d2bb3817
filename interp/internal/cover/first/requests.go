package first

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// A request is what a program asked for, once or again and again.
type request struct {
	step, path, key string
	// kinds are those that it is of: of its endpoint, and across several.
	kinds []string
	*event.Request
	// tries is how often it came, and fails how often that failed; failed says whether it did so in the end, and
	// hung that nothing had come of an answer.
	tries, fails int
	failed, hung bool
	// again says that it is an earlier one, sent anew under another number.
	again bool
	// talks says that it asks a model.
	talks  bool
	place  string
	answer string
}

// asked are the requests of a program in the order in which they came, each once.
func asked(p *plan.Plan, events []trace.Event) (list []*request) {
	if p.Sut == nil {
		return nil
	}
	serving := p.Sut.Serving()
	kinds, of, open, calls := map[string]string{}, map[string]*request{}, map[string]*request{}, map[string]*request{}
	for i := range events {
		e := &events[i]
		at := fmt.Sprintf("%s %d", e.Step, e.Attempt)
		switch x := e.Payload.(type) {
		case *event.StepStart:
			kinds[e.Step] = x.Kind
		case *event.AttemptStart:
			if x.Request == nil || serving != nil && x.Provider == serving.Name {
				continue
			}
			key := strings.Join([]string{e.Step, x.Method, x.URL, x.Tool, x.Statement, x.Body}, "\x00")
			q := of[key]
			if q == nil {
				q = &request{step: e.Step, key: key, Request: x.Request, place: fmt.Sprintf("%s:%d", p.File, p.Line)}
				q.talks = plan.Kind(kinds[e.Step]) == plan.KindLLM
				q.kinds, q.path = kindsOf(kinds[e.Step], e, x.Request)
				of[key], list = q, append(list, q)
			}
			q.tries++
			open[at] = q
		case *event.Fault:
			if q := open[at]; q != nil {
				q.place = fmt.Sprintf("%s:%d", x.File, x.Line)
			}
		case *event.AttemptEnd:
			if q := open[at]; q != nil {
				if x.Served != nil {
					call := fmt.Sprintf("%s %d", e.Step, x.CallNumber)
					if earlier := calls[call]; earlier == nil {
						calls[call] = q
					} else if earlier != q && q.tries == 1 {
						earlier.tries, q.again, q = earlier.tries+1, true, earlier
					}
				}
				q.failed = x.Outcome != "success"
				q.hung = q.failed && x.StatusCode == 0 && x.Served != nil && x.EndedBy == "client"
				q.answer = x.Content
				if q.failed {
					q.fails++
				}
				delete(open, at)
			}
		}
	}
	return slices.DeleteFunc(list, func(q *request) bool { return q.again })
}

// kindsOf are the kinds that a request is of, with what it asks for.
func kindsOf(kind string, e *trace.Event, q *event.Request) (kinds []string, path string) {
	switch plan.Kind(kind) {
	case plan.KindHTTP:
		u, err := url.Parse(q.URL)
		if err != nil {
			return nil, ""
		}
		segments := strings.Split(strings.Trim(u.Path, "/"), "/")
		if len(segments) == 1 {
			return []string{fmt.Sprintf("%s /%s of %s", q.Method, segments[0], e.Step), q.Method + " " + u.Path}, u.Path
		}
		return []string{fmt.Sprintf("%s /%s%s of %s", q.Method, segments[0], strings.Repeat("/…", len(segments)-1), e.Step), q.Method + " " + u.Path}, u.Path
	case plan.KindLLM:
		return nil, "" // a conversation is one thing
	}
	if text := cmp.Or(q.Tool, q.Statement); text != "" {
		return []string{fmt.Sprintf("%s of %s", text, e.Step)}, text
	}
	return nil, ""
}

// requests are the rows of what a program asks for.
func (w *walk) requests(list []*request) {
	groups, order := map[string][]*request{}, []string(nil)
	add := func(key string, q *request) {
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], q)
	}
	place, talks := map[*request]int{}, -1
	for i, q := range list {
		if place[q] = i; q.talks {
			talks = i
		}
		for _, kind := range q.kinds {
			add("the requests "+kind, q)
		}
		if q.path != "" {
			add("the requests of "+q.step, q)
			add("the answers to "+q.Method+" "+q.path+" "+words(q.Body), q)
		}
	}
	for _, key := range order {
		group := groups[key]
		switch {
		case strings.HasPrefix(key, "the answers "):
			w.refused(key, group, list)
		case strings.HasPrefix(key, "the requests of "):
			w.spent(key, group)
			w.failed(key, group, true)
		case place[group[len(group)-1]] < talks:
			// A model says what comes next.
		default:
			w.failed(key, group, false)
			w.undone(key, group, list[place[group[0]]:])
		}
	}
}

// failed is the row of a group of which the first failed, and none came after it, or a later one did. Where only a
// hang counts, the group is of all kinds that one endpoint has: a limit on the time is of all.
func (w *walk) failed(key string, group []*request, hangs bool) {
	of := key
	if hangs {
		of = "the time of " + strings.TrimPrefix(key, "the requests of ")
	}
	r := w.row(of)
	r.Alike = len(group)
	for i, q := range group {
		if !q.failed || hangs && !q.hung {
			continue
		}
		later := i > 0 && !group[0].failed
		if !later && len(group) > 1 {
			continue // it goes on
		}
		if r.Part = r.Part || later; !r.Near {
			r.Near, r.Value = true, q.place
			r.Why = fmt.Sprintf("only the first of %s ever fails: nothing shows what becomes of what was done before it", key)
			r.Hint = "let the second one fail"
			if hangs {
				r.Why = fmt.Sprintf("only the first of %s is ever waited for in vain: a limit on the time of each would do the same as one of all", key)
				r.Hint = "let the first take a while, with a latency, and a later one the rest of the time"
			}
		}
	}
}

// undone is the row of a group of which one failed behind others, where the program then asked once more one that
// had succeeded, as it does to give something back: what becomes of several shows if two had.
func (w *walk) undone(key string, group, list []*request) {
	if len(w.rows) == rowsMost {
		return
	}
	r := w.row(key + ", given back")
	r.Alike = len(group) - 1 // those that can stand before another one
	for i, q := range group {
		if !q.failed || i == 0 {
			continue
		}
		before := map[string]bool{}
		for _, b := range group[:i] {
			before[b.step+" "+b.URL] = true
		}
		after, back := false, false
		for _, x := range list {
			after = after || x == q
			back = back || after && x != q && before[x.step+" "+x.URL]
		}
		if back {
			r.Near, r.Part, r.Alike, r.Value = true, i > 1, i, q.place
			r.Why = fmt.Sprintf("only one of %s had succeeded when another one fails: nothing shows what becomes of several, nor in which order", key)
			r.Hint = "let the third one fail"
		}
		return
	}
}

// spent is the row of an endpoint of which a request was tried again until the program gave up, behind others.
func (w *walk) spent(key string, group []*request) {
	struck := 0
	for _, q := range group {
		if q.fails > 0 {
			struck++
		}
	}
	if struck == 0 || len(group) < 2 {
		return
	}
	r := w.row("the retries of " + key)
	r.Alike = struck
	if last := group[len(group)-1]; last.failed && last.tries > 1 {
		r.Near, r.Part, r.Value = true, struck > 1, last.place
		r.Why = fmt.Sprintf("where the program gives up, only one of %s was tried again: as many tries for each of them would do the same", key)
		r.Hint = "let one before it fail once, too"
	}
}

// refused is the row of what several endpoints are asked alike and answer alike, where in another run only the first
// of them is asked, as its answer says no.
func (w *walk) refused(key string, group, all []*request) {
	steps, alike := map[string]bool{}, true
	for _, q := range group {
		if q.failed {
			return
		}
		steps[q.step] = true
		alike = alike && words(q.answer) == words(group[0].answer)
	}
	last := group[len(group)-1]
	switch {
	case len(steps) > 1 && alike:
		w.row(key).Alike = len(steps)
	case len(steps) > 1:
		r := w.row(key)
		r.Near, r.Part = true, words(last.answer) != words(group[0].answer)
	case all[0] == last:
		r := w.row(key)
		r.Near, r.Alike, r.Value = true, 1, last.place
		r.Why = fmt.Sprintf("only the first that is asked for %s %s ever gives an answer at which the program turns back: nothing shows what becomes of those that were asked before it", last.Method, last.path)
		r.Hint = "let the second one answer so"
	}
}

// wordsMost bounds the text of which the words are compared.
const wordsMost = 4096

// words is a text without its numbers, and without words that have some, as ids do.
func words(text string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(text[:min(len(text), wordsMost)], func(c rune) bool { return strings.ContainsRune(` ,;:"{}[]`, c) }) {
		if !strings.ContainsAny(w, "0123456789") {
			b.WriteString(w)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

package drive

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/internal/says"
	"github.com/scenario-lang/scenario/providers"
)

// Carried says of a value that the program was given, by an answer, by who asked it or as its input, that
// it sends it on in a part of a request that no check tells from another one: the script answers either. ""
// for none. The command is what was started.
func (r *Run) Carried(command []string, parts []observe.RequestPart) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(parts) == 0 || !r.endedWell() {
		return ""
	}
	if again := r.again(); len(again) > 0 && !r.speaksOf("cookie", nil) {
		for _, q := range again {
			if q.Headers["cookie"] == "" {
				return fmt.Sprintf("an answer of %s sets a cookie, and the program asks it again without one (%s %s), which its script answers all the same.\nhint: send it, and check that, such as with a match for the field cookie in the reply that needs it", q.Provider, q.Method, pathOf(q))
			}
		}
	}
	given := r.allOffered(command)
	for _, p := range parts {
		if p.Name == "" && p.Request == "" {
			continue // the endpoint whose requests nothing reads is told of where the file is checked
		}
		for _, sent := range p.Sent {
			for _, o := range given {
				if o.is(sent) {
					return fmt.Sprintf("%s gave %s, which the program sends on (%s), and no check tells that from another value: the script answers either.\nhint: check it, such as with %s", o.from, o.name, p, carriedCheck(p))
				}
			}
		}
	}
	return ""
}

// is reports whether a value that was sent is the one that was given, which may be hidden in a trace.
func (l *offer) is(sent string) bool {
	return sent == l.value || sent == l.hidden || sent == l.bearer || strings.TrimPrefix(sent, "Bearer ") == l.value
}

// carriedCheck is how a scenario reads a part of a request.
func carriedCheck(p observe.RequestPart) string {
	kind, name, _ := strings.Cut(p.Name, " ")
	switch {
	case p.Name == "":
		return fmt.Sprintf("endpoint.%s.attempts[…].request.url == \"…\"", p.Of)
	case kind == "header":
		return fmt.Sprintf("a match for the field %s in the reply that needs it", name)
	case kind == "query" || strings.HasSuffix(p.Name, "path"):
		return fmt.Sprintf("strcontains(endpoint.%s.attempts[…].request.url, \"…\")", p.Of)
	}
	return fmt.Sprintf("endpoint.%s.attempts[…].request.json.%s == \"…\"", p.Of, p.Name)
}

// knownAlready says of each endpoint whose answer has values that the program sends on whether the program has all of them in
// its own files: then a program that does not read the answer sends the same.
func (r *Run) knownAlready(command []string, files func() circumstance.Files) (list []circumstance.Trial) {
	sent := map[string]bool{}
	for _, e := range r.Log.Events() {
		if p, is := e.Payload.(*event.AttemptStart); is && p.Request != nil && p.Asker != nil {
			says.JSON(p.Body, func(_, value string) { sent[value] = true })
			for _, word := range strings.FieldsFunc(p.URL, func(c rune) bool { return strings.ContainsRune("/?&=", c) }) {
				sent[word] = true
			}
			for _, value := range p.Headers {
				sent[value] = true
			}
		}
	}
	var from []string
	on := map[string][]string{}
	for _, o := range r.allOffered(command) {
		if of, answer := strings.CutPrefix(o.from, "the answer of "); answer && sent[o.value] {
			if on[of] == nil {
				from = append(from, of)
			}
			on[of] = append(on[of], o.value)
		}
	}
	for _, of := range from {
		t := circumstance.Trial{Of: "values of " + of}
		own := files().Sources
		t.Made = slices.ContainsFunc(on[of], func(value string) bool {
			return !slices.ContainsFunc(own, func(text string) bool { return failure.Word(text, value) })
		})
		if !t.Made {
			t.Why = fmt.Sprintf("the program sends on what %s answers (%s), and has all of that in its own files: one that does not read the answer sends the same.\nhint: let the answer give values that the program does not have", of, strings.Join(on[of][:min(3, len(on[of]))], ", "))
		}
		list = append(list, t)
	}
	return list
}

// offeredMost bounds the values that are looked for, and soughtMost in how many bytes of requests they are:
// each is looked for in all before it.
const (
	offeredMost = 256
	soughtMost  = 512 << 20
)

// allOffered are [Run.offered] of a run that has ended, made once.
func (r *Run) allOffered(command []string) []*offer {
	if r.handedOffers == nil {
		r.handedOffers = append([]*offer{}, r.offered(command)...)
	}
	return r.handedOffers
}

// offered are the values that the program was given, by their names, and that none of its requests before
// had.
func (r *Run) offered(command []string) (list []*offer) {
	add := func(from, name, value string) {
		if len(list) < offeredMost && tellsItself(value) && !slices.ContainsFunc(list, func(o *offer) bool { return o.value == value }) {
			o := newOffer(name, value)
			o.from = from
			list = append(list, o)
		}
	}
	for _, name := range read.SortedNames(r.given.Env) {
		if value := r.given.Env[name]; !strings.Contains(value, "://") {
			add("the environment", name, value)
		}
	}
	for _, word := range command[min(1, len(command)):] {
		if !strings.ContainsAny(word, "/.") {
			add("its command", word, word)
		}
	}
	says.JSON(r.given.Stdin, func(name, value string) { add("its input", name, value) })
	serving := r.plan.Sut.Serving()
	var sent strings.Builder
	decided, left := map[string]bool{}, soughtMost // what was asked with before stays so, and what is offered is so once
	before := func(from string) func(name, value string) {
		return func(name, value string) {
			if len(list) == offeredMost || decided[value] || !tellsItself(value) {
				return
			}
			decided[value] = true
			if left -= sent.Len(); left >= 0 && !strings.Contains(sent.String(), value) {
				add(from, name, value)
			}
		}
	}
	replies := map[*providers.Output]bool{}
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request == nil {
				continue
			}
			if serving != nil && p.Provider == serving.Name && p.Asker == nil {
				says.JSON(p.Body, before("the request of "+e.Step))
				continue
			}
			if sent.Len() < linkedMax {
				sent.WriteString(p.URL + "\n" + p.Body + "\n")
			}
		case *event.AttemptEnd:
			if p.StatusCode >= http.StatusBadRequest {
				continue
			}
			if reply := circumstance.Replied(r.plan, e.Step, "", p); reply != nil {
				if !replies[reply] {
					replies[reply] = true
					says.Reply(reply, before("the answer of "+e.Step))
				}
			} else if p.By == "cassette" {
				says.JSON(p.Content, before("the answer of "+e.Step))
			}
		}
	}
	return list
}

// tellsItself reports whether a value is of a kind that stands in a request only because it was given: an
// id, a sum, a name, and no word like ok.
func tellsItself(value string) bool {
	if len(value) < 3 || len(value) > 200 || strings.Contains(value, "\n") {
		return false
	}
	digits := strings.Trim(value, "0123456789.-") == ""
	if digits {
		return len(strings.TrimRight(value, "0")) >= 3 || len(value) >= 5
	}
	return len(value) >= 8 || strings.ContainsAny(value, "0123456789@-_/")
}

// again are the requests to a provider after one that was answered with a cookie.
func (r *Run) again() (list []*event.Request) {
	set := map[string]bool{}
	asked := map[string]string{}
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request != nil && p.Asker != nil {
				asked[e.Step] = p.Provider
				if set[p.Provider] {
					list = append(list, p.Request)
				}
			}
		case *event.AttemptEnd:
			if reply := circumstance.Replied(r.plan, e.Step, "", p); reply != nil && len(reply.Headers["Set-Cookie"]) > 0 {
				set[asked[e.Step]] = true
			}
		}
	}
	return list
}

package drive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An offer is what an answer gives to be sent with a later request.
type offer struct {
	name, value string
	from        string         // the endpoint that answered
	asked       *event.Request // with that
	// sent is the endpoint that was asked with it, and where that was; missed the one that was asked
	// without it. n is the place of that among its attempts.
	sent, where, missed string
	n                   int
	// hidden and bearer are what stands for it in a trace where it is secret.
	hidden, bearer string
}

// A requested is a request that an endpoint was asked with, and which of its attempts that was.
type requested struct {
	*event.Request
	endpoint string
	attempt  int
}

func newOffer(name, value string) *offer {
	return &offer{name: name, value: value, hidden: redact.Placeholder(value), bearer: redact.Placeholder("Bearer " + value)}
}

// endedWell reports whether the run succeeded, and so did the program, unless the run ended it.
func (r *Run) endedWell() bool {
	code := r.Obs.Sut.ExitCode
	return r.Obs.Run.Status == read.StatusSuccess && (code == nil || *code == 0)
}

// linksMax bounds the links of a run that are looked for, and linkedMax in how many bytes of requests
// they are: each is looked for in each.
const (
	linksMax  = 64
	linkedMax = 32 << 20
)

// Linked says of a link that an answer gave, such as the cursor of the next page or a token, that no later
// request which would carry it does, or that one does and nothing in the scenario reads that: the script
// answers either. "" where something reads those requests, or no answer gave a link.
func (r *Run) Linked() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan.Sut.Serving() != nil || !r.endedWell() {
		return ""
	}
	unseen := r.unseen()
	var links []*offer
	var all []requested
	left := linkedMax
	looks := func(l *offer, q *event.Request) string {
		if left -= len(q.URL) + len(q.Body) + linksMax; left < 0 {
			return ""
		}
		return l.in(q)
	}
	follow := func(l *offer, q requested) {
		if l.sent == "" {
			l.follow(q.endpoint, q.attempt-1, q.Request, looks(l, q.Request))
		}
	}
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			q := requested{p.Request, e.Step, e.Attempt}
			all = append(all, q)
			for _, l := range links {
				follow(l, q)
			}
		case *event.AttemptEnd:
			if len(links) >= linksMax {
				continue
			}
			own := len(all) - 1
			for own >= 0 && (all[own].endpoint != e.Step || all[own].attempt != e.Attempt) {
				own--
			}
			if own < 0 {
				continue
			}
			// Who has read an answer may have asked again before its end is in the log.
			before, since := all[:own+1], all[own+1:]
			for _, l := range r.linksIn(e.Step, p) {
				l.from, l.asked = e.Step, all[own].Request
				if slices.ContainsFunc(before, func(q requested) bool { return looks(l, q.Request) != "" }) {
					continue
				}
				links = append(links, l)
				for _, q := range since {
					follow(l, q)
				}
			}
		}
	}
	if left < 0 {
		return ""
	}
	for _, l := range links {
		switch {
		case l.sent == "" && l.missed != "" && unseen[l.missed]:
			return fmt.Sprintf("the answer of %s gave %s, and the program asked %s again without it, which its script answers all the same.\nhint: send it, and check that, such as with %s", l.from, l.name, l.missed, l.check(l.missed))
		case l.sent != "" && unseen[l.sent]:
			return fmt.Sprintf("the answer of %s gave %s, which the program sends with a request to %s, and nothing in the scenario reads that: its script answers a request without it as well.\nhint: check it, such as with %s", l.from, l.name, l.sent, l.check(l.sent))
		}
	}
	return ""
}

// check is how a scenario reads the part of a request to an endpoint that has a link.
func (l *offer) check(endpoint string) string {
	switch {
	case l.name == eventID:
		return fmt.Sprintf("assert \"resumed\" { condition = endpoint.%s.attempts[%d].request.headers[\"last-event-id\"] == \"…\" }", endpoint, l.n)
	case l.where == "headers" || l.where == "" && read.IsToken(l.name):
		return "match { headers = { authorization = \"Bearer …\" } } in the reply that needs it"
	case l.name == etag:
		return "match { headers = { if-none-match = \"…\" } } in the reply that needs it"
	}
	return fmt.Sprintf("assert \"sent\" { condition = strcontains(endpoint.%s.attempts[%d].request.%s, \"…\") }", endpoint, l.n, cmp.Or(l.where, "url"))
}

// follow notes a request that carries a link where it says, or that would carry it and does not: it asks
// the same place again, or with a token the same service.
func (l *offer) follow(endpoint string, n int, q *event.Request, where string) {
	switch {
	case where != "":
		l.sent, l.where, l.n = endpoint, where, n
	case l.missed != "" || q.Provider != l.asked.Provider:
	case read.IsToken(l.name) || q.Method == l.asked.Method && pathOf(q) == pathOf(l.asked):
		l.missed, l.n = endpoint, n
	}
}

func pathOf(q *event.Request) string {
	path, _, _ := strings.Cut(q.URL, "?")
	return path
}

// in is the part of a request that carries a link as a whole value or as a piece of its own, "" where none
// does. What is secret stands there under its placeholder.
func (l *offer) in(q *event.Request) string {
	if l.name == eventID {
		if q.Headers["last-event-id"] != "" {
			return "headers"
		}
		return ""
	}
	is := func(text string) bool { return text == l.value || text == l.hidden || text == l.bearer }
	if u, err := url.Parse(q.URL); err == nil {
		if q.URL == l.value || strings.HasPrefix(l.value, "/") && strings.HasSuffix(q.URL, l.value) || slices.ContainsFunc(strings.Split(u.Path, "/"), is) {
			return "url"
		}
		for _, values := range u.Query() {
			if slices.ContainsFunc(values, is) {
				return "url"
			}
		}
	}
	for _, value := range q.Headers {
		if is(value) || slices.ContainsFunc(strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(` ,;="`, c) }), is) {
			return "headers"
		}
	}
	if !strings.Contains(q.Body, l.value) && !strings.Contains(q.Body, l.hidden) && !strings.Contains(q.Body, l.bearer) {
		return ""
	}
	if slices.ContainsFunc(strings.FieldsFunc(q.Body, func(c rune) bool { return strings.ContainsRune(` ,&="{}[]:`, c) }), is) ||
		q.Body == l.value || strings.Contains(q.Body, l.hidden) || strings.Contains(q.Body, `"`+l.value+`"`) {
		return "body"
	}
	return ""
}

const (
	// eventID stands for the id of an event of a stream, which goes back as Last-Event-ID.
	eventID = "the id of an event"
	etag    = "an ETag"
)

// linksIn are the links that an answer gave, in its order.
func (r *Run) linksIn(endpoint string, end *event.AttemptEnd) (list []*offer) {
	if end.Outcome != read.StatusSuccess {
		if strings.HasPrefix(end.Headers["content-type"], "text/event-stream") && !end.Complete && end.StatusCode == 200 && strings.Contains("\n"+end.Content+strings.Join(end.Chunks, ""), "\nid:") {
			list = append(list, newOffer(eventID, "id"))
		}
		return list
	}
	body := end.Content
	if s := r.plan.ScriptFor(endpoint, ""); end.By == "script" && s != nil && 0 < end.Entry && end.Entry <= len(s.Entries) {
		if reply := s.Entries[end.Entry-1].Reply; reply != nil {
			body = string(reply.Body) // with what is hidden in the trace
		}
	}
	if tag := strings.Trim(strings.TrimPrefix(end.Headers["etag"], "W/"), `"`); tag != "" {
		list = append(list, newOffer(etag, tag))
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &members) != nil {
		return list
	}
	for _, name := range read.SortedNames(members) {
		var text string
		if read.IsLink(name) && json.Unmarshal(members[name], &text) == nil && text != "" {
			list = append(list, newOffer(name, text))
		}
		var inner map[string]json.RawMessage
		if json.Unmarshal(members[name], &inner) != nil {
			continue
		}
		for _, name := range read.SortedNames(inner) {
			if read.IsLink(name) && json.Unmarshal(inner[name], &text) == nil && text != "" {
				list = append(list, newOffer(name, text))
			}
		}
	}
	return list
}

// unseen reports of its endpoints on which nothing in a scenario depends that tells one request from the
// next: no check reads a request, no lane and no entry of a script is chosen by one, and a match looks at
// most at what all of them have alike, such as the path.
func (r *Run) unseen() map[string]bool {
	needs := &read.Needs{}
	for _, e := range r.plan.Conditions() {
		needs.Add(dsl.Replaced(e, counted))
	}
	unseen := map[string]bool{}
	if r.plan.Recording != nil || r.plan.Sut != nil && r.plan.Sut.Until != nil || readsAny(needs) {
		return unseen
	}
	for _, e := range r.endpoints {
		script := r.plan.ScriptFor(e.Name, "")
		unseen[e.Name] = script != nil && e.Step.Endpoint.Lane == nil && e.Step.Endpoint.Match.Condition == nil &&
			!slices.ContainsFunc(e.Step.Endpoint.Match.Leaves, func(l plan.Leaf) bool { return slices.Contains(telling, l.Path[0]) }) &&
			!slices.ContainsFunc(script.Entries, func(e *plan.Entry) bool { return !e.Match.Empty() }) &&
			!needs.Of("endpoint").Of(e.Name).ReadsRequests() && !needs.Of("step").Of(e.Name).ReadsRequests() &&
			!slices.ContainsFunc(r.plan.Expects, func(x *plan.Expectation) bool {
				return x.Address == e.Name && slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return a.Name == "attempts" })
			})
	}
	return unseen
}

// counted is a list of the elements for which something holds without what it lists, where only its length
// is read; nil for any other expression.
func counted(e hclsyntax.Expression) hclsyntax.Expression {
	f, is := e.(*hclsyntax.FunctionCallExpr)
	if !is || f.Name != "length" || len(f.Args) != 1 {
		return nil
	}
	loop, is := dsl.Bare(f.Args[0]).(*hclsyntax.ForExpr)
	if !is || loop.CondExpr == nil || loop.KeyExpr != nil {
		return nil
	}
	if x, is := dsl.Bare(loop.ValExpr).(*hclsyntax.ScopeTraversalExpr); !is || x.Traversal.RootName() != loop.ValVar || len(x.Traversal) != 1 {
		return nil
	}
	bare := *loop
	bare.ValExpr = &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: loop.SrcRange}
	return &bare
}

// telling are the parts of a match that tell requests to one place from each other.
var telling = []string{"query", "headers", "json", "prompt"}

// readsAny reports whether conditions may read the request of any endpoint.
func readsAny(n *read.Needs) bool {
	return n.Of("target").ReadsRequests() || n.Of("endpoints") != nil || n.Of("steps") != nil ||
		slices.ContainsFunc(n.Calls, func(f string) bool { return f == "events" || f == "span" || f == "spans" })
}

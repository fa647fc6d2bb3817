package circumstance

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// What bounds the requests of a run that are compared: how many bytes they have, and how many of their parts
// say who asks.
const (
	apartMax   = 8 << 20
	apartParts = 64
)

// Apart are the parts of the requests of a scenario to the server under test that say who asks, such as a
// tenant, where the scenario is about what the server keeps: the server asked an endpoint for a request and for
// nothing when the same came again, or the name of the scenario or of a check says so. Made says that two requests of one method differ in that part alone. Why is there where none do,
// although two that are answered have other values of it, and checks read both answers: a server whose cache
// does not look at that part passes as well.
func Apart(p *plan.Plan, obs *observe.Observed) (list []Trial) {
	serving := p.Sut.Serving()
	if serving == nil {
		return nil
	}
	all := asked(obs, serving)
	// alone are the parts in which two requests differ that are alike in all else.
	first, alone := map[string]*request{}, map[string]bool{}
	for _, q := range all {
		f := first[q.rest]
		if f == nil {
			first[q.rest] = q
			continue
		}
		for _, w := range q.who {
			if v, has := f.value(w.part); has && v != w.value {
				alone[w.part] = true
			}
		}
	}
	kept := aboutKept(p)
	groups, order := map[string][]*request{}, []string(nil)
	for _, q := range all {
		if groups[q.shape] == nil {
			order = append(order, q.shape)
		}
		groups[q.shape] = append(groups[q.shape], q)
	}
	told := map[string]bool{}
	for _, shape := range order {
		group := groups[shape]
		if !kept && !keeps(group) {
			continue
		}
		for _, w := range partsOf(group) {
			if told[w] || alone[w] {
				continue
			}
			if one, other := differing(p, obs, group, w); other != nil {
				told[w] = true
				list = append(list, Trial{Of: w, Why: fmt.Sprintf("%s says for whom the program is asked, with one value in %s and another in %s, and no two requests of the scenario differ in it alone: a program that leaves it out of the key under which it keeps something passes as well.\nhint: ask for the same with another value of it: let %[3]s ask for what %[2]s asks for, in one more request, and check both answers", w, one.name, other.name)})
			}
		}
	}
	for _, w := range read.SortedNames(alone) {
		list = append(list, Trial{Of: w, Made: true})
	}
	return list
}

// A request is one of the scenario to the server under test.
type request struct {
	step string
	name string // as a message calls it: step "ann"
	// ids are its parts that tell what it is about from all else.
	ids string
	// who are its parts that say who asks. shape is what requests for things of one kind have alike, rest is all
	// but those parts, and whole is all.
	who                []who
	shape, rest, whole string
	answered           bool
	// fetched says that the server asked an endpoint while it was under way.
	fetched bool
}

// who is a part of a request that says who asks.
type who struct{ part, value string }

func (q *request) value(part string) (string, bool) {
	for _, w := range q.who {
		if w.part == part {
			return w.value, true
		}
	}
	return "", false
}

// asked are the requests of the scenario to its server, without those that a step tries again.
func asked(obs *observe.Observed, serving *plan.Provider) (list []*request) {
	type place struct {
		step, call string
		iteration  int
	}
	all, under := map[place]*request{}, map[place]*request{}
	left := apartMax
	events := obs.Log.Events()
	for i := range events {
		e := &events[i]
		at := place{e.Step, e.Call, e.Iteration}
		switch x := e.Payload.(type) {
		case *event.AttemptStart:
			if x.Asker != nil {
				for _, q := range under {
					q.fetched = true
				}
				continue
			}
			if x.Request == nil || x.Provider != serving.Name {
				continue
			}
			if left -= len(x.URL) + len(x.Body); left < 0 {
				return nil
			}
			q := all[at]
			if q == nil {
				q = taken(x.Request)
				q.step, q.name = e.Step, called(obs.Plan, e.Step)
				all[at] = q
				list = append(list, q)
			}
			under[at] = q
		case *event.AttemptEnd:
			if q := under[at]; q != nil {
				q.answered = x.Outcome == read.StatusSuccess
				delete(under, at)
			}
		}
	}
	return list
}

// called is a step or a call as a message names it.
func called(p *plan.Plan, name string) string {
	what := "step"
	if d := p.ActionOf(name); d != nil {
		what = d.What()
	}
	return fmt.Sprintf("%s %q", what, name)
}

// taken takes a request apart.
func taken(r *event.Request) *request {
	q := &request{}
	add := func(part, value string) {
		if len(q.who) < apartParts {
			q.who = append(q.who, who{part, value})
		}
	}
	var rest, whole []string
	one := func(part, value string, says bool) {
		whole = append(whole, part+"="+value)
		if says {
			add(part, value)
			return
		}
		rest = append(rest, part+"="+value)
	}
	for _, name := range read.SortedNames(r.Headers) {
		if !passing(name) {
			one("the header field "+name, r.Headers[name], saysWho(name))
		}
	}
	segments, shape := []string(nil), ""
	if u, err := url.Parse(r.URL); err == nil && r.URL != "" {
		query := u.Query()
		for _, name := range read.SortedNames(query) {
			one("the query parameter "+name, strings.Join(query[name], ","), saysWho(name))
		}
		segments = strings.Split(strings.Trim(u.Path, "/"), "/")
		for i, s := range segments {
			says := i > 0 && saysWho(strings.TrimSuffix(segments[i-1], "s")) && strings.HasSuffix(segments[i-1], "s")
			if says {
				one("the part of the path behind "+segments[i-1], s, true)
			} else {
				one(fmt.Sprintf("path %d of %d", i, len(segments)), s, false)
			}
		}
		if shape = segments[0]; strings.ContainsAny(shape, "0123456789") {
			shape = "*"
		}
	}
	ids := ""
	eachPlain(r.Body, func(path, name, above, value string) {
		says := saysWho(name) || isNeutral(name) && saysWho(above)
		one("the member "+path, value, says)
		if !says && isID(name) {
			ids += path + "=" + value + "\n"
		}
	})
	head := r.Method + " " + r.Tool + " "
	q.ids, q.shape = ids, fmt.Sprintf("%s%d %s\n%s", head, len(segments), shape, ids)
	q.rest, q.whole = head+strings.Join(rest, "\n"), head+strings.Join(whole, "\n")
	return q
}

// eachPlain gives the plain values of a body of JSON, in an order of their own: the path to each, its name and
// that of what it stands in. Any other body is one value without a name.
func eachPlain(body string, give func(path, name, above, value string)) {
	eachOf(body, false, give)
}

// eachOf is [eachPlain], where asked to with lists, objects and null as empty values that are members and have
// nothing in them.
func eachOf(body string, empty bool, give func(path, name, above, value string)) {
	if body == "" {
		return
	}
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		give("", "", "", body)
		return
	}
	var within func(path, name, above string, v any)
	within = func(path, name, above string, v any) {
		if l, is := v.([]any); empty && path != "" && (v == nil || is && len(l) == 0) {
			give(path, name, above, "")
			return
		}
		switch v := v.(type) {
		case map[string]any:
			if empty && path != "" && len(v) == 0 {
				give(path, name, above, "")
			}
			for _, n := range read.SortedNames(v) {
				within(strings.TrimPrefix(path+"."+n, "."), n, name, v[n])
			}
		case []any:
			for i, e := range v {
				within(fmt.Sprintf("%s[%d]", path, i), name, above, e)
			}
		default:
			give(path, name, above, fmt.Sprint(v))
		}
	}
	within("", "", "", v)
}

// passing reports whether a header field is another one in each request, or the same, whoever asks.
func passing(name string) bool {
	switch strings.ToLower(name) {
	case "traceparent", "tracestate", "date", "user-agent", "content-length", "idempotency-key":
		return true
	}
	return slices.ContainsFunc(read.WordsIn(name), func(w string) bool {
		return slices.Contains([]string{"signature", "timestamp", "digest", "nonce", "request", "correlation"}, w)
	})
}

// asking are the words that say who asks, or in which language or currency, and neutral those beside them.
var (
	asking = []string{
		"tenant", "user", "account", "customer", "org", "organization", "organisation", "workspace", "client", "session", "subject", "authorization", "cookie",
		"apikey", "language", "lang", "locale", "currency",
	}
	neutral = []string{"x", "id", "ids", "name", "key", "code", "number", "no", "ref", "uuid", "slug", "email", "token", "accept", "current"}
)

// saysWho reports whether a name says who asks: tenant, X-Tenant-Id, userName, accept-language.
func saysWho(name string) bool {
	says := false
	for _, w := range read.WordsIn(name) {
		if slices.Contains(asking, w) {
			says = true
		} else if !slices.Contains(neutral, w) {
			return false
		}
	}
	return says || strings.TrimPrefix(strings.Join(read.WordsIn(name), ""), "x") == "apikey"
}

func isNeutral(name string) bool {
	return !slices.ContainsFunc(read.WordsIn(name), func(w string) bool { return !slices.Contains(neutral, w) })
}

// isID reports whether a name is that of what tells a thing from all others: id, order_id, uuid.
func isID(name string) bool {
	words := read.WordsIn(name)
	return len(words) > 0 && slices.Contains([]string{"id", "uuid", "key", "number", "ref", "reference"}, words[len(words)-1])
}

// keeps reports whether the server asked an endpoint for a request, and for nothing when the same came again.
func keeps(group []*request) bool {
	fetched := map[string]bool{}
	for _, q := range group {
		if fetched[q.whole] && !q.fetched {
			return true
		}
		fetched[q.whole] = fetched[q.whole] || q.fetched
	}
	return false
}

// partsOf are the parts of some requests that say who asks, in their order.
func partsOf(group []*request) (list []string) {
	seen := map[string]bool{}
	for _, q := range group {
		for _, w := range q.who {
			if !seen[w.part] {
				seen[w.part] = true
				list = append(list, w.part)
			}
		}
	}
	return list
}

// differing are the first requests that were answered with two values of a part and of which checks read what
// became of them; nil for none.
func differing(p *plan.Plan, obs *observe.Observed, group []*request, part string) (one, other *request) {
	for _, q := range group {
		v, has := q.value(part)
		if !has || !q.answered || !readsAnswer(p, obs, q.step) {
			continue
		}
		if one == nil {
			one = q
		} else if was, _ := one.value(part); was != v {
			return one, q
		}
	}
	return nil, nil
}

// readsAnswer reports whether a check reads a step or a call, or what the server asked.
func readsAnswer(p *plan.Plan, obs *observe.Observed, step string) bool {
	n := p.Needs
	if len(n.Calls) > 0 || n.Of("steps") != nil || n.Of("endpoint") != nil || n.Of("endpoints") != nil || len(p.SnapshotChecks) > 0 {
		return true
	}
	for _, x := range p.Expects {
		if s := obs.Steps[x.Address]; x.Address == step || s != nil && s.Step.Endpoint != nil {
			return true
		}
	}
	root := "step"
	if d := p.ActionOf(step); d != nil {
		root = d.What()
	}
	of := n.Of(root)
	for name := range strings.SplitSeq(step, ".") {
		of = of.Of(name)
	}
	return of != nil
}

// keeping are words of names by which a scenario is about what a server keeps.
var keeping = []string{"cache", "caches", "cached", "caching", "tenant", "tenants", "isolated", "isolation", "apart", "leak", "leaks", "leaked", "mixed", "own", "separate", "separated", "stored", "memoized"}

// aboutKept reports whether the name of a scenario, or of one of its checks, says that it is about that.
func aboutKept(p *plan.Plan) bool { return isAbout(p, keeping, nil) }

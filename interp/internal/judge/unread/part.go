package unread

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A part is one of the requests of a group.
type part struct {
	name string
	// keys are how a match names it: "headers", "cookie".
	keys []string
	// told says that a match or a recording tells it from others.
	told bool
	// unread says that no check tells it from others, which has been said.
	unread bool
	// slight says that checks tell it from none, and from nothing else, which has been said.
	slight bool
	// change puts something else in its place, and sent gives the values there; nil for parts that have
	// inner ones.
	change func(q *event.Request, c change)
	sent   func(q *event.Request, add func(value string))
	inner  []*part
}

func (p *part) put(q *event.Request, c change) {
	if p.change != nil {
		p.change(q, c)
	}
	for _, inner := range p.inner {
		inner.put(q, c)
	}
}

// isTold reports whether a part is told, or one inside of it.
func (p *part) isTold() bool { return p.told || slices.ContainsFunc(p.inner, (*part).isTold) }

// parts are the whole request of a group, with its parts inside.
func (g *group) parts(o *observe.Observed) *part {
	all := &part{}
	add := func(p *part) {
		if p != nil {
			all.inner = append(all.inner, p)
		}
	}
	switch kind := g.step.Step.Kind; kind {
	case plan.KindSQL:
		add(g.statement())
		add(named("args", g.body("", func(path string) bool { return path != "query" })))
	case plan.KindMCP:
		add(&part{name: "tool", keys: []string{"tool"}, change: setTool, sent: func(q *event.Request, add func(string)) { add(q.Tool) }})
		add(g.body("params.", func(path string) bool { return strings.HasPrefix(path, "params.arguments") }))
		add(g.headers(false))
	case plan.KindHTTP:
		if g.asked[0].Method != http.MethodGet { // which is what clients send by themselves
			add(&part{name: "method", keys: []string{"method"}, change: setMethod})
		}
		add(g.host())
		add(g.path())
		add(g.query())
		add(g.headers(true))
		add(g.body("", func(string) bool { return true }))
	default:
		add(g.host())
		add(g.headers(false))
		add(g.body("", func(string) bool { return true }))
	}
	add(g.provider(o))
	g.tell(o, all)
	return all
}

// named gives a part another name.
func named(name string, p *part) *part {
	if p != nil {
		p.name = name
	}
	return p
}

// shown is how a part is told of: by what is inside of it where that says more.
func (p *part) shown() string {
	if p.name != "" && len(p.inner) == 1 {
		return p.inner[0].shown()
	}
	if p.name != "headers" {
		return p.name
	}
	var names []string
	for _, inner := range p.inner {
		names = append(names, inner.name)
	}
	return strings.Join(names, ", ")
}

func setMethod(q *event.Request, c change) {
	q.Method = http.MethodGet
	if c.how != alike {
		q.Method = http.MethodPatch
	}
}

func setTool(q *event.Request, c change) {
	q.Tool = c.text(q.Tool)
	q.Body = c.in(q.Body, func(path string) bool { return path == "params.name" })
}

// address divides a URL into what stands before its path, the path, and the query with its sign.
func address(raw string) (before, path, query string) {
	if i := strings.IndexByte(raw, '?'); i >= 0 {
		raw, query = raw[:i], raw[i:]
	}
	if i := strings.Index(raw, "://"); i >= 0 {
		if slash := strings.IndexByte(raw[i+3:], '/'); slash >= 0 {
			return raw[:i+3+slash], raw[i+3+slash:], query
		}
		return raw, "", query
	}
	return "", raw, query
}

// host is that of the requests, where they have several, as those to the targets of a gateway.
func (g *group) host() *part {
	first, _, _ := address(g.asked[0].URL)
	if !slices.ContainsFunc(g.asked, func(q *event.Request) bool { host, _, _ := address(q.URL); return host != first }) {
		return nil
	}
	return &part{name: "host", keys: []string{"host"}, change: setHost}
}

// setHost puts another host in the place of that of a request.
func setHost(q *event.Request, c change) {
	if before, path, query := address(q.URL); before != "" {
		scheme, host, _ := strings.Cut(before, "://")
		q.URL = scheme + "://" + strings.ReplaceAll(c.text(host), " ", "") + ".invalid" + path + query
	}
}

// provider is which of several providers of one kind a step asks, nil where there is one, where a gateway chooses,
// where a check reads what was asked by name, and of a program: that asks the address which it was given.
func (g *group) provider(o *observe.Observed) *part {
	gateway := g.step.Step.Gateway
	if o.Driven() || gateway == nil || len(gateway.Targets) != 1 {
		return nil
	}
	own := gateway.Targets[0].Provider
	if !slices.ContainsFunc(o.Order, func(s *observe.StepResult) bool {
		return s.Step.Gateway != nil && slices.ContainsFunc(s.Step.Gateway.Targets, func(t *plan.Target) bool {
			return t.Provider != own && t.Provider.Kind == own.Kind && t.Provider.Name != own.Name
		})
	}) || readsTarget(o.Plan) {
		return nil
	}
	return &part{name: "provider", keys: []string{"provider"}, change: func(q *event.Request, c change) {
		q.Provider = c.text(q.Provider)
		setHost(q, c)
	}}
}

// readsTarget reports whether a check reads the target or the provider of something.
func readsTarget(p *plan.Plan) bool {
	for _, e := range p.Conditions() {
		for name := range read.Names(e) {
			if name == "target" || name == "provider" {
				return true
			}
		}
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			if a.Name == "target" || a.Name == "attempts" || a.Name == "calls" {
				return true
			}
		}
	}
	return false
}

// path are the segments of that of a URL.
func path(raw string) []string {
	_, p, _ := address(raw)
	return strings.Split(strings.Trim(p, "/"), "/")
}

// path is that of the addresses, with its segments where it has several.
func (g *group) path() *part {
	p := &part{name: "path", keys: []string{"path"}}
	n := len(path(g.asked[0].URL))
	for i := range n {
		p.inner = append(p.inner, &part{name: g.segment(i, n), keys: []string{"path", strconv.Itoa(i)}, change: func(q *event.Request, c change) {
			before, _, query := address(q.URL)
			segments := path(q.URL)
			if i >= len(segments) {
				return
			}
			segments[i] = c.text(segments[i])
			q.URL = before + "/" + strings.Join(segments, "/") + query
		}, sent: func(q *event.Request, add func(string)) {
			if segments := path(q.URL); i < len(segments) {
				add(unescaped(segments[i]))
			}
		}})
	}
	return p
}

// segment names one of the path, by what stands there in the first request.
func (g *group) segment(i, of int) string {
	if of == 1 {
		return "path"
	}
	return strconv.Quote(unescaped(path(g.asked[0].URL)[i])) + " in the path"
}

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

func (g *group) query() *part {
	var names []string
	for _, q := range g.asked {
		_, _, query := address(q.URL)
		for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
			if name := parameter(pair); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return nil
	}
	p := &part{name: "query"}
	for _, name := range names {
		p.inner = append(p.inner, &part{name: "query " + name, keys: []string{"query", name}, change: func(q *event.Request, c change) {
			before, path, query := address(q.URL)
			var pairs []string
			for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
				if parameter(pair) != name {
					pairs = append(pairs, pair)
				} else if c.how != none {
					_, was, _ := strings.Cut(pair, "=")
					pairs = append(pairs, url.QueryEscape(name)+"="+queryEscaped(c.text(queryUnescaped(was)), was))
				}
			}
			q.URL = before + path
			if len(pairs) > 0 {
				q.URL += "?" + strings.Join(pairs, "&")
			}
		}, sent: func(q *event.Request, add func(string)) {
			if u, err := url.Parse(q.URL); err == nil {
				for _, v := range u.Query()[name] {
					add(v)
				}
			}
		}})
	}
	return p
}

func parameter(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	return queryUnescaped(name)
}

func queryUnescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// queryEscaped writes a value of a query with the spaces of another one.
func queryEscaped(text, as string) string {
	text = url.QueryEscape(text)
	if strings.Contains(as, "%20") {
		text = strings.ReplaceAll(text, "+", "%20")
	}
	return text
}

// usual are the header fields that clients send by themselves, and those of sessions and versions that
// libraries do. One that the file of a workflow writes is none of them.
var usual = pattern.New(`^(accept|accept-.*|connection|content-length|content-type|host|user-agent|traceparent|tracestate|baggage|cache-control|pragma|te|upgrade|transfer-encoding|sec-.*|date|mcp-.*|last-event-id|x-stainless-.*|x-request-id|anthropic-.*|openai-.*|x-goog-.*|origin|referer|via|forwarded|x-forwarded-.*)$`)

// Credentials are the fields in which libraries send the key of an account.
var credentials = []string{"authorization", "x-api-key", "api-key"}

// headers are the fields that a program or a step sends on purpose; those of an account are such where the
// client is no library of a vendor.
func (g *group) headers(account bool) *part {
	p := &part{name: "headers"}
	names, written := map[string]bool{}, g.headersWritten()
	for _, q := range g.asked {
		for name := range q.Headers {
			names[name] = written[name] || !usual().MatchString(name) && (account || !slices.Contains(credentials, name))
		}
	}
	for _, name := range read.SortedNames(names) {
		if !names[name] {
			continue
		}
		p.inner = append(p.inner, &part{name: "header " + name, keys: []string{"headers", name}, change: func(q *event.Request, c change) {
			if was, has := q.Headers[name]; has && c.how == none {
				delete(q.Headers, name)
			} else if has {
				q.Headers[name] = c.text(was)
			}
		}, sent: func(q *event.Request, add func(string)) { add(q.Headers[name]) }})
	}
	if p.inner == nil {
		return nil
	}
	return p
}

// body is that of the requests: by members where it is JSON. Prefix is left out of their names.
func (g *group) body(prefix string, is func(path string) bool) *part {
	whole := &part{name: "body", keys: []string{"body"}}
	under := map[string]*part{}
	plain := false
	for _, q := range g.asked {
		v := parsed(q.Body)
		if v == nil {
			plain = plain || q.Body != ""
			continue
		}
		v.leaf("", 0, func(path string, _ *value) {
			if !is(path) {
				return
			}
			name := strings.TrimPrefix(path, prefix)
			first := under[top(name)]
			if first == nil {
				first = &part{name: top(name), keys: keys(prefix + top(name))}
				under[top(name)] = first
				whole.inner = append(whole.inner, first)
			}
			if !slices.ContainsFunc(first.inner, func(p *part) bool { return p.name == name }) {
				first.inner = append(first.inner, member(name, path))
			}
		})
	}
	switch {
	case plain:
		return &part{name: "body", keys: whole.keys, change: func(q *event.Request, c change) { q.Body = c.text(q.Body) }, sent: func(q *event.Request, add func(string)) { add(q.Body) }}
	case whole.inner == nil:
		return nil
	}
	return whole
}

// member is a member of the bodies, by its path.
func member(name, path string) *part {
	return &part{name: name, keys: keys(path), change: func(q *event.Request, c change) {
		q.Body = c.in(q.Body, func(p string) bool { return p == path })
		if path == "model" {
			q.Model = c.text(q.Model)
		}
	}, sent: func(q *event.Request, add func(string)) {
		if v := parsed(q.Body); v != nil {
			v.leaf("", 0, func(p string, v *value) {
				if p == path {
					add(said(q.Body[v.from:v.to]))
				}
			})
		}
	}}
}

// keys are a path as a match has it, without the places in lists.
func keys(path string) []string {
	return append([]string{"json"}, strings.FieldsFunc(indices().ReplaceAllString(path, ""), func(c rune) bool { return c == '.' })...)
}

var indices = pattern.New(`\[\d*\]`)

// clause begins one of a statement.
var clause = pattern.New(`(?i)\b(from|where|and|or|set|values|order\s+by|group\s+by|having|limit|offset|returning|on\s+conflict|on\s+duplicate|for\s+update|for\s+share|join|using)\b`)

// statement is that of the requests, by its clauses.
func (g *group) statement() *part {
	whole := &part{name: "statement", keys: []string{"statement"}}
	if len(g.asked) == 0 || g.asked[0].Statement == "" {
		return nil
	}
	var texts []string
	for _, q := range g.asked {
		for _, text := range clauses(q.Statement) {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) > clausesMost {
		texts = []string{g.asked[0].Statement}
	}
	for _, text := range texts {
		whole.inner = append(whole.inner, &part{name: strconv.Quote(strings.Join(strings.Fields(text), " ")), keys: whole.keys, change: func(q *event.Request, c change) {
			now := ""
			switch {
			case c.edit != nil:
				now = c.edit(text)
			case c.how != none:
				now = text[:len(clause().FindString(text))] + " " + c.text("") + " "
			}
			was := q.Statement
			q.Statement = strings.ReplaceAll(was, text, now)
			if q.Statement != was {
				q.Body = statementIn(q.Body, q.Statement)
			}
		}})
	}
	return whole
}

const clausesMost = 16

// clauses divides a statement where one begins.
func clauses(statement string) (list []string) {
	from := 0
	for _, at := range clause().FindAllStringIndex(statement, -1) {
		if at[0] > from {
			list = append(list, statement[from:at[0]])
			from = at[0]
		}
	}
	return append(list, statement[from:])
}

// statementIn puts a statement into the body that has it.
func statementIn(body, statement string) string {
	v := parsed(body)
	if v == nil {
		return body
	}
	for i, name := range v.names {
		if name == "query" {
			quoted, _ := json.Marshal(statement) // never fails for a string
			return body[:v.inner[i].from] + string(quoted) + body[v.inner[i].to:]
		}
	}
	return body
}

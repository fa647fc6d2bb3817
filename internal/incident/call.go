package incident

import (
	"net/url"
	"slices"
	"strings"
)

// A call is what the program asked a service for, with all its attempts.
type call struct {
	kind kind
	span *span // what says most of it
	// within is the span that the attempts are in, which may end after the last of
	// them: the call's own, or that of the step around it.
	within   *span
	attempts []*attempt
	// again is how many attempts each of the calls had that were joined below the
	// span joinedIn, as their libraries made them; nil where there was one.
	again    []int
	joinedIn *span
	last     *span // the span of the last of several calls that were joined; else span
	// part is the child that the call is below, of the span whose calls are being
	// joined, and alone says that it is the only call there.
	part  *span
	alone bool
	key   string // what it asks for: equal of calls that repeat each other
	talk  talk   // of a model

	name     string // of its step
	provider *provider
}

// A kind is the kind of step that a call becomes.
type kind string

const (
	llm      kind = "llm"
	overHTTP kind = "http"
	mcp      kind = "mcp"
	sql      kind = "sql"
)

// An attempt is one request of a call.
type attempt struct {
	span *span
	// also is the span of the call, where it is the last attempt and says how the
	// call ended.
	also *span
}

func (a *attempt) start() int64 { return a.span.start }
func (a *attempt) end() int64   { return a.span.end }

// A finder collects the calls of the program that the trace is of.
type finder struct {
	calls []*call
	// other counts client spans that no step can stand for, by what they are;
	// behind is how many spans are the work of services that were called.
	other  map[string]int
	names  []string // of other, in order
	behind map[string]int
	beyond []string
}

// find goes through a span and what is below it.
func (f *finder) find(s *span) {
	c := f.call(s)
	if c == nil {
		f.findAll(s, s.kids)
		return
	}
	if s.up != nil && s.has("scenario.attempt") {
		c.within = s.up // the span of the step
	}
	f.add(c)
	f.remote(s)
}

// findAll goes through spans beside each other, and joins the calls that repeat
// each other.
func (f *finder) findAll(within *span, kids []*span) {
	from := len(f.calls)
	for _, k := range kids {
		before := len(f.calls)
		f.find(k)
		for _, c := range f.calls[before:] {
			c.part, c.alone = k, len(f.calls) == before+1
		}
	}
	own := f.calls[from:]
	joined := own[:0]
	for _, c := range own {
		if prior := repeated(joined, c); prior != nil && (c.span.up == within || wrapped(prior, c)) {
			if prior.again == nil || prior.joinedIn != within {
				prior.again, prior.joinedIn = []int{len(prior.attempts)}, within
			}
			prior.again = append(prior.again, len(c.attempts))
			prior.attempts = append(prior.attempts, c.attempts...)
			prior.talk.answer, prior.talk.reason, prior.last = c.talk.answer, c.talk.reason, c.span
			continue
		}
		joined = append(joined, c)
	}
	f.calls = f.calls[:from+len(joined)]
}

// repeated is the call that c is a retry of: what was asked before by the same
// part of the program, for the same, and failed.
func repeated(before []*call, c *call) *call {
	for i := len(before) - 1; i >= 0; i-- {
		p := before[i]
		last := p.attempts[len(p.attempts)-1]
		if p.kind != c.kind || p.key != c.key || last.end() > c.attempts[0].start() {
			continue
		}
		step := c.span.text("scenario.step_id")
		switch {
		case p.span.up != c.span.up && !(wrapped(p, c) && last.failed()):
		case step != "":
			if step == p.span.text("scenario.step_id") && last.failed() {
				return p
			}
		case c.span.number("http.request.resend_count", "http.resend_count") > 0, last.failed():
			return p
		}
		return nil
	}
	return nil
}

// wrapped reports whether two calls are each the only one below spans of their own
// that are called alike: a library that tries again gives each try a span.
func wrapped(a, b *call) bool {
	return a.alone && b.alone && a.part != b.part && a.part != a.span && b.part != b.span && untold(a.part.name) == untold(b.part.name)
}

// untold is the name of a span without its numbers: "attempt 2" is one of several.
func untold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, name)
}

func (f *finder) add(c *call) { f.calls = append(f.calls, c) }

// remote counts what other programs did for a call.
func (f *finder) remote(s *span) {
	for _, k := range s.kids {
		if k.kind == server {
			f.leave(k)
			continue
		}
		f.remote(k)
	}
}

func (f *finder) leave(s *span) {
	for _, one := range below(s) {
		name := one.from.service
		if f.behind[name] == 0 {
			f.beyond = append(f.beyond, name)
		}
		f.behind[name]++
	}
}

// below is a span with all that is below it.
func below(s *span) []*span {
	list := []*span{s}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].kids...)
	}
	return list
}

// call is the call that a span is, nil where it is none.
func (f *finder) call(s *span) *call {
	if s.kind == server {
		return nil
	}
	switch {
	case s.has("mcp.method.name"):
		return f.mcp(s)
	case isModel(s):
		return modelCall(s)
	case s.kind != producer && s.has("db.system.name", "db.system"), s.has("db.query.text", "db.statement"):
		return f.database(s)
	case isHTTP(s):
		return httpCall(s)
	case s.kind == client || s.kind == producer:
		f.cannot(s)
	}
	return nil
}

// cannot counts a span of a service for which there is no step.
func (f *finder) cannot(s *span) {
	what := s.text("rpc.system", "rpc.system.name", "messaging.system", "db.system.name", "db.system")
	if what == "" {
		what = s.name
	}
	if f.other[what] == 0 {
		f.names = append(f.names, what)
	}
	f.other[what]++
}

// isHTTP reports whether a span is a request. Spans without a kind are, too,
// where they name where it went.
func isHTTP(s *span) bool {
	return s.kind == client && s.has("http.request.method", "http.method") || s.kind == inside && s.has("url.full", "http.url") && s.has("http.request.method", "http.method")
}

// requests are the requests below a span that nothing below them sent again:
// a library's span around that of another has one.
func requests(s *span) []*span {
	var list []*span
	for _, k := range s.kids {
		if k.kind == server {
			continue
		}
		inner := requests(k)
		if len(inner) == 0 && isHTTP(k) {
			inner = []*span{k}
		}
		list = append(list, inner...)
	}
	inTime(list)
	return list
}

// attemptsOf are the requests of a call, or the call's own span where none was
// seen. Requests elsewhere, such as for a token, are none of them, and neither
// is one that a redirect followed.
func attemptsOf(s *span) []*attempt {
	list := requests(s)
	if len(list) > 0 {
		last := where(list[len(list)-1])
		list = slices.DeleteFunc(list, func(r *span) bool { return where(r) != last })
	}
	if len(list) == 0 {
		return []*attempt{{span: s}}
	}
	var out []*attempt
	for i, r := range list {
		if status := statusOf(r); status >= 300 && status < 400 && i+1 < len(list) {
			continue
		}
		out = append(out, &attempt{span: r})
	}
	out[len(out)-1].also = s
	return out
}

// where is what a request goes to, without its query.
func where(s *span) string {
	u := address(s)
	return s.text("http.request.method", "http.method") + " " + u.Host + u.Path
}

// address is the URL of a request, as far as its span says it.
func address(s *span) *url.URL {
	if u, err := url.Parse(s.text("url.full", "http.url")); err == nil && u.Host != "" {
		u.User = nil
		return u
	}
	u := &url.URL{Scheme: s.text("url.scheme", "http.scheme"), Host: s.text("server.address", "net.peer.name", "http.host")}
	if port := s.text("server.port", "net.peer.port"); port != "" && u.Host != "" && port != "443" && port != "80" && !strings.Contains(u.Host, ":") {
		u.Host += ":" + port
	}
	if u.Scheme == "" && u.Host != "" {
		u.Scheme = "https"
	}
	path, query, _ := strings.Cut(s.text("url.path", "http.target"), "?")
	u.Path, u.RawQuery = path, strings.TrimPrefix(s.text("url.query"), "?")
	if u.RawQuery == "" {
		u.RawQuery = query
	}
	return u
}

func httpCall(s *span) *call {
	c := &call{kind: overHTTP, span: s, within: s, attempts: attemptsOf(s)}
	u := address(c.attempts[0].span)
	c.key = where(c.attempts[0].span) + "?" + u.RawQuery
	return c
}

// mcp is a call of an MCP server. What opens a session is none.
func (f *finder) mcp(s *span) *call {
	method := s.text("mcp.method.name")
	if method != "tools/call" && method != "resources/read" && method != "prompts/get" {
		return nil
	}
	c := &call{kind: mcp, span: s, within: s, attempts: attemptsOf(s)}
	c.key = strings.Join([]string{method, s.text("gen_ai.tool.name"), s.text("mcp.resource.uri"), s.text("gen_ai.prompt.name"), s.text("gen_ai.tool.call.arguments")}, " ")
	return c
}

// postgres are the systems that speak its protocol.
var postgres = []string{"postgresql", "cockroachdb", "redshift", "aws.redshift", "other_sql", "yugabytedb", "alloydb", ""}

// database is a statement. Connecting is a call only where it failed.
func (f *finder) database(s *span) *call {
	if !slices.Contains(postgres, s.text("db.system.name", "db.system")) {
		f.cannot(s)
		return nil
	}
	statement := s.text("db.query.text", "db.statement")
	if statement == "" && !s.broken() {
		return nil
	}
	return &call{kind: sql, span: s, within: s, attempts: []*attempt{{span: s}}, key: statement}
}

// lastSpan is the span that says how the call ended.
func (c *call) lastSpan() *span {
	if c.last != nil {
		return c.last
	}
	return c.span
}

func (c *call) start() int64 { return c.attempts[0].start() }

func (c *call) end() int64 { return c.attempts[len(c.attempts)-1].end() }

// failed reports whether the call came to no answer.
func (c *call) failed() bool { return c.attempts[len(c.attempts)-1].ending(c.kind).fault != "" }

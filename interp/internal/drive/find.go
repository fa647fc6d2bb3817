package drive

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// The header fields and the path prefix by which a program can say whose request
// it makes. They are cut off before anything else looks.
const (
	HeaderEndpoint = "X-Scenario-Endpoint"
	HeaderLane     = "X-Scenario-Lane"
	PrefixEndpoint = "/_e/"
)

// Asked is a request of a program that has been read to its end.
type Asked struct {
	// Request says what is asked and of whom: its URL is absolute. Body is the
	// whole body, which is not read from Request.
	Request *http.Request
	Body    []byte
	// Listener names the provider whose listener the request came to, and stands
	// for the host of its URL then; "" for one that came by its address.
	Listener string
	// Connection counts the connections of the run from 1, 0 where there are
	// none, and Reused says that a request came over it before.
	Connection int
	Reused     bool

	legible
}

// route is what a program says of a request by itself, and how it says which
// endpoint it means.
type route struct{ endpoint, lane, by string }

// A lost request is one that reaches no endpoint: the gate that it breaks.
type lost struct{ gate, message string }

// routed cuts what is meant for the run off a copy of a request.
func routed(r *http.Request) (*http.Request, route) {
	own := r.Clone(r.Context())
	way := route{own.Header.Get(HeaderEndpoint), own.Header.Get(HeaderLane), "header " + HeaderEndpoint}
	own.Header.Del(HeaderEndpoint)
	own.Header.Del(HeaderLane)
	if rest, ok := strings.CutPrefix(own.URL.Path, PrefixEndpoint); ok {
		name, path, _ := strings.Cut(rest, "/")
		if way.endpoint == "" {
			way.endpoint, way.by = name, "path "+PrefixEndpoint
		}
		_, sent, _ := strings.Cut(strings.TrimPrefix(own.URL.EscapedPath(), PrefixEndpoint), "/")
		own.URL.Path, own.URL.RawPath = "/"+path, "/"+sent
	}
	return own, way
}

// addressed are the providers that a request may be for, by where it was sent.
func (r *Run) addressed(a *Asked, req *http.Request) []*provider {
	host := plan.HostPort(req.URL)
	if a.Listener != "" {
		for _, p := range r.providers {
			if p.Name == a.Listener {
				host = plan.HostPort(p.base)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(r.providers), func(p *provider) bool { return !p.At(host) })
}

// A candidate is a provider that a request may be for, and the request as it is
// below its base.
type candidate struct {
	*provider
	below *http.Request
	// by is the rule by which it was chosen.
	by string
}

// asksOf finds the provider of a request: of those whose adapter knows it the one with
// the longest base path, http last, then whose listener it came to, then whose model it
// asks for. So two APIs of one host, as a proxy for several vendors has them, are told
// apart also where the base of one is a part of the paths of the other.
func (r *Run) asksOf(a *Asked, req *http.Request) (*candidate, *lost) {
	at := r.addressed(a, req)
	if len(at) == 0 {
		return nil, r.unlisted(req.URL.Scheme, req.URL.Host)
	}
	list := r.below(at, req)
	if len(list) == 0 {
		return nil, &lost{plan.GateUnmatched, fmt.Sprintf("nothing answers %s %s: the path is below the base_url of no provider at %s. %s\nhint: give the program that address, path and all", req.Method, req.URL, req.URL.Host, bases(at))}
	}
	by := "address"
	if a.Listener != "" {
		by = "listener"
	}
	// narrowed notes the rule that left out some, the last of which decides.
	narrowed := func(rest []*candidate, rule string) {
		if len(rest) < len(list) {
			by = rule
		}
		list = rest
	}
	known := keep(list, claims)
	if len(known) == 0 {
		return nil, unclaimed(list, req)
	}
	narrowed(known, "API of the request")
	narrowed(keep(list, func(c *candidate) bool { return len(c.base.Path) == longest(list) }), "longest path")
	if own := keep(list, func(c *candidate) bool { return c.Kind.Family != "http" }); len(own) > 0 {
		narrowed(own, "API of the request")
	}
	if a.Listener != "" {
		if own := keep(list, func(c *candidate) bool { return c.Name == a.Listener }); len(own) > 0 {
			narrowed(own, "listener")
		}
	}
	if len(list) > 1 {
		model := modelOf(list[0], a.plain)
		if own := keep(list, func(c *candidate) bool { return c.Model != "" && c.Model == model }); len(own) > 0 {
			narrowed(own, "model")
		}
		if len(list) > 1 {
			return nil, alike(list, req, model)
		}
	}
	list[0].by = by
	return list[0], nil
}

// below are the providers whose base a request is below of.
func (r *Run) below(at []*provider, req *http.Request) []*candidate {
	var list []*candidate
	for _, p := range at {
		if below, ok := providers.Below(req, p.base); ok {
			list = append(list, &candidate{provider: p, below: below})
		}
	}
	return list
}

func longest(list []*candidate) int {
	n := 0
	for _, c := range list {
		n = max(n, len(c.base.Path))
	}
	return n
}

func claims(c *candidate) bool {
	reader, ok := c.Adapter.(providers.Reader)
	return ok && reader.Claims(c.below)
}

func modelOf(c *candidate, body []byte) string {
	in, err := c.Adapter.(providers.Reader).Read(c.below, body)
	if err != nil {
		return ""
	}
	return in.Model
}

func keep(list []*candidate, f func(*candidate) bool) []*candidate {
	return slices.DeleteFunc(slices.Clone(list), func(c *candidate) bool { return !f(c) })
}

func names(list []*candidate) string {
	var texts []string
	for _, c := range list {
		texts = append(texts, fmt.Sprintf("%q", c.Name))
	}
	return strings.Join(texts, " or ")
}

func bases(list []*provider) string {
	var texts []string
	for _, p := range list {
		texts = append(texts, fmt.Sprintf("provider %q is %s", p.Name, shown(p.base)))
	}
	return "There, " + strings.Join(texts, ", ") + "."
}

// unlisted is a call to a host of no provider, which is noted.
func (r *Run) unlisted(scheme, host string) *lost {
	r.emit(trace.Event{Payload: &event.SutHost{Host: host}})
	bare := strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[scheme])
	allow := ""
	if r.options.Way == plan.Exec {
		allow = fmt.Sprintf("; or let it through: sut { allow_hosts = [%q] }", plan.HostPort(&url.URL{Scheme: scheme, Host: host}))
	}
	return &lost{plan.GateUnlistedHost, fmt.Sprintf("the program called %s, which is the address of no provider.\nhint: %s", bare, r.hostHint(scheme, bare, allow))}
}

// endpointOf finds the endpoint of a request: the one that the program names,
// else the one of the provider whose match says most of those that fit. It says by
// which rule.
func (r *Run) endpointOf(c *candidate, way route, req *request) (e *endpoint, by string, l *lost) {
	of := slices.DeleteFunc(slices.Clone(r.endpoints), func(e *endpoint) bool { return !e.asks(c.Provider) })
	if way.endpoint != "" {
		for _, e := range of {
			if e.Name == way.endpoint {
				return e, way.by, nil
			}
		}
		var names []string
		for _, e := range of {
			names = append(names, e.Name)
		}
		return nil, "", &lost{plan.GateAmbiguous, fmt.Sprintf("%s says that it is for the endpoint %q, and provider %q has %s.%s", about(req), way.endpoint, c.Name, listed(of), dsl.DidYouMean(way.endpoint, names))}
	}
	var fits []*plan.Node
	var near *endpoint
	var first *difference
	nearest := 0
	for _, e := range of {
		d := r.differs(req, &e.Step.Endpoint.Match)
		if d == nil {
			fits = append(fits, e.Node)
		} else if n := req.nearness(&e.Step.Endpoint.Match); near == nil || n > nearest {
			near, first, nearest = e, d, n
		}
	}
	best := mostSpecific(fits)
	switch {
	case best != nil:
		by = "match"
		if best.Step.Endpoint.Match.Empty() {
			by = "no other match fits"
		}
		if len(of) == 1 {
			by = "provider"
		}
		return of[slices.IndexFunc(of, func(e *endpoint) bool { return e.Node == best })], by, nil
	case len(fits) == 0 && near == nil:
		return nil, "", &lost{plan.GateUnmatched, fmt.Sprintf("nothing answers %s: provider %q has no endpoint.", about(req), c.Name)}
	case len(fits) == 0:
		return nil, "", &lost{plan.GateUnmatched, fmt.Sprintf("nothing answers %s: it fits no endpoint of provider %q. The nearest is %q, and %s.\nhint: %s", about(req), c.Name, near.Name, first, remedy(near, first, c, req))}
	}
	var texts []string
	for _, n := range fits {
		texts = append(texts, fmt.Sprintf("%q", n.Name))
	}
	return nil, "", &lost{plan.GateAmbiguous, fmt.Sprintf("%s fits the endpoints %s alike.\nhint: give one of them a match that says more, such as path, model, prompt or json", about(req), strings.Join(texts, " and "))}
}

// differs is the first difference of a request from a match.
func (r *Run) differs(req *request, m *plan.Match) *difference {
	return req.differs(m, func() bool {
		v, why := r.evaluate(req, m.Condition)
		return why == "" && plan.IsTrue(v)
	})
}

func listed(list []*endpoint) string {
	var texts []string
	for _, e := range list {
		texts = append(texts, fmt.Sprintf("%q", e.Name))
	}
	if len(texts) == 0 {
		return "none"
	}
	return strings.Join(texts, ", ")
}

// about names a request in messages.
func about(req *request) string {
	text := req.http.Method + " " + req.http.URL.String()
	switch {
	case req.in.RPC.Subject() != "":
		text += fmt.Sprintf(" (tool %q)", req.in.RPC.Subject())
	case req.in.Model != "":
		text += fmt.Sprintf(" (model %q)", req.in.Model)
	}
	return text
}

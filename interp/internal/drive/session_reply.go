package drive

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// sessionReply is the answer to a request that is no call; ok is false for a call, and
// for what a match of the provider's endpoints and their entries names.
func (r *Run) sessionReply(c *candidate, req *request) (b providers.SessionReply, ok bool) {
	a, can := c.Adapter.(providers.SessionServer)
	if !can {
		return b, false
	}
	if b, ok = a.SessionReply(req.in, r.offers(c)); ok && r.named(c, req, b) {
		return b, false
	}
	return b, ok
}

// preflight is the answer to a request for what may be asked, which is a call only
// where a match of those at that address names the method; ok is false for others.
func (r *Run) preflight(a *Asked, req *http.Request) (c *candidate, b providers.SessionReply, ok bool) {
	if req.Method != http.MethodOptions || !overHTTP(req) {
		return nil, b, false
	}
	at := r.addressed(a, req)
	if len(at) == 0 {
		return nil, b, false
	}
	b = providers.SessionReply{
		Response: wire.Response{Status: http.StatusNoContent, Header: []wire.Field{{Name: "Allow", Value: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"}}},
		What:     http.MethodOptions, Field: "method", Word: http.MethodOptions,
	}
	for _, p := range at {
		if r.named(&candidate{provider: p}, &request{http: req}, b) {
			return nil, b, false
		}
	}
	return &candidate{provider: at[0]}, b, true
}

func overHTTP(req *http.Request) bool { return strings.HasPrefix(req.URL.Scheme, "http") }

// matches are those of the endpoints of a provider, and of the entries of their
// scripts.
func (r *Run) matches(c *candidate) []*plan.Match {
	var list []*plan.Match
	for _, e := range r.endpoints {
		t := e.target(c.Provider)
		if t == nil {
			continue
		}
		list = append(list, &e.Step.Endpoint.Match)
		if s := r.plan.ScriptFor(e.Name, t.Name); s != nil {
			for _, entry := range s.Entries {
				list = append(list, &entry.Match)
			}
		}
	}
	return list
}

// named reports whether a match names a request that is no call by itself: what
// it says of it fits, and is more than any run of characters.
func (r *Run) named(c *candidate, req *request, b providers.SessionReply) bool {
	return slices.ContainsFunc(r.matches(c), func(m *plan.Match) bool {
		return slices.ContainsFunc(m.Leaves, func(l plan.Leaf) bool {
			if l.Path[0] != b.Field || len(l.Path) > 1 || l.Want.IsNull() || l.Want.Type() != cty.String || !leafFits(&l, req.at(l.Path)) {
				return false
			}
			return strings.Contains(strings.ToLower(l.Want.AsString()), strings.ToLower(b.Word))
		})
	})
}

// offers are what the matches for a provider name, each once.
func (r *Run) offers(c *candidate) []providers.Offer {
	if c.Kind.Family != "mcp" {
		return nil
	}
	var list []providers.Offer
	add := func(method, name string) {
		o := providers.Offer{Method: method, Name: name}
		if name != "" && !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	for _, e := range r.endpoints {
		if e.target(c.Provider) == nil {
			continue
		}
		for attr, method := range subjectMethods {
			if e.Step.Args[attr] != nil {
				for _, name := range texted(&e.Step.Endpoint.Match, "tool") {
					add(method, name)
				}
			}
		}
	}
	for _, m := range r.matches(c) {
		method := "tools/call"
		if said := texted(m, "method"); len(said) > 0 {
			method = said[0]
		}
		for _, name := range texted(m, "tool") {
			if !slices.ContainsFunc(list, func(o providers.Offer) bool { return o.Name == name }) {
				add(method, name)
			}
		}
	}
	return list
}

// subjectMethods are what a step asks a server, by the attribute that says it.
var subjectMethods = map[string]string{"tool": "tools/call", "prompt": "prompts/get", "resource": "resources/read"}

// texted are the texts, and no patterns, that a match wants at a path of one name.
func texted(m *plan.Match, name string) []string {
	var list []string
	for _, l := range m.Leaves {
		if len(l.Path) == 1 && l.Path[0] == name && !l.Pattern && !l.Want.IsNull() && l.Want.Type() == cty.String {
			list = append(list, l.Want.AsString())
		}
	}
	return list
}

// attend answers what is no call. It takes no entry, and the trace has it as a
// message.
func (r *Run) attend(ctx context.Context, a Asked, c *candidate, req *request, b providers.SessionReply) *Exchange {
	r.asked--
	told := &event.Message{Direction: "received", Method: b.What, Server: c.Name, StatusCode: b.Status, Connection: a.Connection}
	switch {
	case req.in.Statement != "":
		told.Params.Plain = map[string]any{"statement": req.in.Statement}
	case req.in.RPC.Params != nil:
		told.Params.Plain = req.in.RPC.Params
	}
	r.emit(trace.Event{Payload: told})
	x := &Exchange{run: r, asked: a, ctx: ctx, started: r.Now(), session: true}
	x.play(r.aside(ctx, x, c, req, b))
	r.open = append(r.open, x)
	return x
}

// aside is what answers a request that is no call: the real service, where calls of its
// session go on to it, what that answered when it was recorded, or we.
func (r *Run) aside(ctx context.Context, x *Exchange, c *candidate, req *request, b providers.SessionReply) wire.WireScript {
	if c.Kind.Family == "mcp" && overHTTP(x.asked.Request) {
		if x.relay = r.sources.Pass(ctx, c.Provider, r.endpointsOf(c), req.http, req.body); x.relay != nil {
			if req.in.RPC.ID != "" {
				x.take = x.relay.Take()
			}
			return wire.WireScript{}
		}
		if s, ok := r.sources.Passed(ctx, c.Provider, req.http, req.body); ok {
			return s
		}
	}
	if req.in.RPC.Method == "initialize" {
		r.sessions++
		b.Header = sessioned(b.Header, r.sessions)
	}
	return b.Script(wire.Meta{})
}

// endpointsOf are the names of the endpoints of a provider. A session of which one call
// goes on to the real service is a session with that.
func (r *Run) endpointsOf(c *candidate) []string {
	var names []string
	for _, e := range r.endpoints {
		if e.target(c.Provider) != nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// Message notes what is said on a connection and is no request: it is for the
// trace alone.
func (r *Run) Message(provider, what string, params map[string]any) {
	told := &event.Message{Direction: "received", Method: what, Server: provider}
	if params != nil {
		told.Params.Plain = params
	}
	r.program(told)
}

// sessioned are header fields whose session is one of its own.
func sessioned(fields []wire.Field, n int) []wire.Field {
	list := slices.Clone(fields)
	for i, f := range list {
		if strings.EqualFold(f.Name, "Mcp-Session-Id") {
			list[i].Value = "session-" + strconv.Itoa(n)
		}
	}
	return list
}

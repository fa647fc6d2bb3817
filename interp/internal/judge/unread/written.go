package unread

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// headersWritten are the header fields that the file gives the requests of a group, in lower case: those of its
// providers and of its step.
func (g *group) headersWritten() map[string]bool {
	list := map[string]bool{}
	if gateway := g.step.Step.Gateway; gateway != nil {
		for _, t := range gateway.Targets {
			for name := range t.Provider.Headers {
				list[strings.ToLower(name)] = true
			}
		}
	}
	if g.step.Step.Block == nil {
		return list
	}
	if headers := g.step.Step.Block.Expr("headers"); headers != nil {
		dsl.EachExpr(headers, func(e hclsyntax.Expression) {
			x, is := e.(*hclsyntax.ObjectConsExpr)
			if !is {
				return
			}
			for _, item := range x.Items {
				if v, diags := dsl.Evaluate(item.KeyExpr, nil); !diags.HasErrors() && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
					list[strings.ToLower(v.AsString())] = true
				}
			}
		})
	}
	return list
}

// providers adds the addresses of providers that no check tells from others, where the file writes them, and what they
// have their secrets from, where several of one kind have them from different variables. Of a provider of whose
// requests nothing is read that has been said, and of one of several that any other of its kind could be.
func (l *look) providers(list []observe.RequestPart, groups []*group, requests []*part) []observe.RequestPart {
	if l.o.Driven() {
		return list
	}
	var used []*plan.Provider
	read := map[*plan.Provider]bool{}
	for i, g := range groups {
		gateway := g.step.Step.Gateway
		if gateway == nil {
			continue
		}
		for _, t := range gateway.Targets {
			if !slices.Contains(used, t.Provider) {
				used = append(used, t.Provider)
			}
			read[t.Provider] = read[t.Provider] || !requests[i].unread
		}
	}
	for _, p := range used {
		family := p.Kind.Family
		if attr := "api_key_env"; p.ApiKeyEnv != "" && slices.ContainsFunc(used, func(o *plan.Provider) bool {
			return o != p && o.Kind == p.Kind && o.ApiKeyEnv != "" && o.ApiKeyEnv != p.ApiKeyEnv
		}) {
			if family == "sql" {
				attr = "dsn_env"
			}
			list = append(list, observe.RequestPart{Of: "provider " + p.Name, Name: attr})
		}
		if read[p] && family != "sql" && p.BaseURL != "" && l.addressMissed(p, groups, requests) {
			list = append(list, observe.RequestPart{Of: "provider " + p.Name, Name: "base_url"})
		}
	}
	return list
}

// addressMissed reports whether no check tells the address of a provider from another one.
func (l *look) addressMissed(p *plan.Provider, groups []*group, requests []*part) bool {
	all := &group{}
	for i, g := range groups {
		for n, q := range g.asked {
			if q.Provider != p.Name {
				continue
			}
			if g.recorded || slices.ContainsFunc(requests[i].inner, func(in *part) bool { return in.unread && (in.name == "provider" || in.name == "host") }) {
				return false
			}
			all.at, all.asked = append(all.at, g.at[n]), append(all.asked, q)
		}
	}
	return l.missed(all, &part{change: otherHost}, change{})
}

// otherHost puts another host of the same domain in the place of that of a request, as one of another region or stage.
func otherHost(q *event.Request, c change) {
	before, path, query := address(q.URL)
	if scheme, host, is := strings.Cut(before, "://"); is {
		first, domain, _ := strings.Cut(host, ".")
		q.URL = scheme + "://" + strings.TrimSuffix(c.text(first)+"."+domain, ".") + path + query
	}
}

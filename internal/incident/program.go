package incident

import (
	"slices"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// program is the draft of a scenario for the program itself: an endpoint for each
// thing that it asks for, and what each of them is answered, in order.
func (d *drafter) program() []*convert.Block {
	var groups []*group
	for _, c := range d.found {
		groups = join(groups, c)
	}
	test := &convert.Block{Type: "scenario", Labels: []string{d.title()}}
	var blocks []*convert.Block
	for _, g := range groups {
		blocks = append(blocks, g.endpoint(groups))
		on := &convert.Block{Type: "on", Labels: []string{g.name}}
		for _, c := range g.calls {
			on.Blocks = append(on.Blocks, d.entries(c, true)...)
		}
		test.Blocks = append(test.Blocks, on)
	}
	expect := &convert.Block{Type: "expect", Labels: []string{"run"}}
	set(expect, "status", "success")
	test.Blocks = append(test.Blocks, expect)
	return append(blocks, test)
}

// A group are the calls for one thing.
type group struct {
	name, what string
	provider   *provider
	calls      []*call
}

// join puts a call into its group, or begins one.
func join(groups []*group, c *call) []*group {
	what := c.asksFor()
	for _, g := range groups {
		if g.provider == c.provider && g.what == what {
			g.calls = append(g.calls, c)
			return groups
		}
	}
	return append(groups, &group{name: c.name, what: what, provider: c.provider, calls: []*call{c}})
}

// asksFor is what tells the requests of one endpoint from those of another.
func (c *call) asksFor() string {
	switch c.kind {
	case llm:
		return c.model()
	case overHTTP:
		return where(c.attempts[0].span)
	case mcp:
		return c.span.text("gen_ai.tool.name", "mcp.resource.uri", "gen_ai.prompt.name")
	}
	return c.span.text("db.query.text", "db.statement")
}

// endpoint declares the endpoint of a group. The only one of a provider takes all
// that the provider is asked.
func (g *group) endpoint(all []*group) *convert.Block {
	b := &convert.Block{Type: "endpoint", Labels: []string{g.name}}
	set(b, "provider", convert.Ref("provider."+g.provider.name))
	if g.overlaps() {
		set(b, "concurrent", "arrival")
	}
	if !slices.ContainsFunc(all, func(o *group) bool { return o != g && o.provider == g.provider }) {
		return b
	}
	match := &convert.Block{Type: "match"}
	first := g.calls[0]
	switch first.kind {
	case llm:
		set(match, "model", g.what)
	case overHTTP:
		set(match, "method", first.attempts[0].span.text("http.request.method", "http.method"))
		set(match, "path", address(first.attempts[0].span).Path)
	case mcp:
		set(match, "tool", g.what)
	case sql:
		if g.what != "" {
			set(match, "statement", g.what)
		}
	}
	b.Blocks = append(b.Blocks, match)
	return b
}

// overlaps reports whether the program asked again before it was answered.
func (g *group) overlaps() bool {
	for i := 1; i < len(g.calls); i++ {
		if g.calls[i].start() < g.calls[i-1].end() {
			return true
		}
	}
	return false
}

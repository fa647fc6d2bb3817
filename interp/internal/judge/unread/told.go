package unread

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// tell marks what the script of a group asks for, and what its recording compares.
func (g *group) tell(o *observe.Observed, all *part) {
	if e := g.step.Step.Endpoint; e != nil && o.Driven() {
		all.match(&e.Match)
		if e.Lane != nil {
			all.condition(e.Lane)
		}
		if s := o.Plan.ScriptFor(g.of, ""); s != nil {
			for _, entry := range s.Entries {
				all.match(&entry.Match)
			}
		}
	}
	if g.recorded {
		g.compare(o, all)
	}
}

func (p *part) each(f func(p *part)) {
	f(p)
	for _, inner := range p.inner {
		inner.each(f)
	}
}

// prompts are the members of a body in which a prompt stands.
var prompts = []string{"messages", "prompt", "input", "contents", "system", "instructions"}

// match marks what a match asks for. Of a path with * that is what stands between.
func (p *part) match(m *plan.Match) {
	for i := range m.Leaves {
		l := &m.Leaves[i]
		switch l.Path[0] {
		case "path":
			wanted := strings.Split(strings.Trim(l.Want.AsString(), "/"), "/")
			p.each(func(p *part) {
				if len(p.keys) == 2 && p.keys[0] == "path" {
					n, _ := strconv.Atoi(p.keys[1])
					p.told = p.told || n >= len(wanted) || !l.Pattern || !strings.Contains(wanted[n], "*")
				}
			})
		case "prompt":
			for _, name := range prompts {
				p.tells([]string{"json", name})
			}
		case "model":
			p.tells([]string{"json", "model"})
		default:
			p.tells(slices.DeleteFunc(slices.Clone(l.Path), isIndex))
		}
	}
	if m.Condition != nil {
		p.condition(m.Condition)
	}
}

func isIndex(key string) bool {
	_, err := strconv.Atoi(key)
	return err == nil
}

// condition marks what an expression over a request reads.
func (p *part) condition(e hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.ScopeTraversalExpr)
		if !is || x.Traversal.RootName() != "request" {
			return
		}
		var path []string
		for i := 1; i < len(x.Traversal); i++ {
			if _, splat := x.Traversal[i].(hcl.TraverseSplat); splat {
				break
			}
			if name, named := read.AttrName(x.Traversal, i); named {
				path = append(path, name)
			}
		}
		switch {
		case len(path) == 0:
			p.each(func(p *part) { p.told = true })
		case path[0] == "url":
			p.tells([]string{"path"})
			p.tells([]string{"query"})
		case path[0] == "body":
			p.tells([]string{"json"})
			p.tells([]string{"body"})
		default:
			p.tells(path)
		}
	})
}

// tells marks a part by the names to it, with all that is inside of it.
func (p *part) tells(path []string) {
	p.each(func(p *part) {
		p.told = p.told || len(p.keys) >= len(path) && slices.Equal(p.keys[:len(path)], path) || len(p.keys) > 1 && len(p.keys) < len(path) && len(p.inner) == 0 && slices.Equal(path[:len(p.keys)], p.keys)
	})
}

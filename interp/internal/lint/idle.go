package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// idle warns of what no answer of the file's scripts comes to: budgets of dollars
// where none has a price, and tools where none calls one. What a recording or a
// program does is not known, nor what an expression gives.
func (c *checker) idle() {
	if !c.scripted() {
		return
	}
	said := sync.OnceValue(c.answers)
	for _, w := range c.file.Body.All("workflow") {
		if !c.own(w) {
			continue
		}
		if b := w.First("budget"); b != nil && b.Attr("usd") != nil && !said().priced {
			c.warnf(b.Attr("usd").NameRange, "Budget that nothing spends", "No reply in this file has a cost_usd, so workflow %q never spends anything and no scenario meets its limit. Give the replies a cost, or take the budget out.", w.Name())
		}
		c.idleTools(w, said)
	}
}

// scripted reports whether all scenarios of a file run workflows whose answers it
// writes out.
func (c *checker) scripted() bool {
	for _, s := range c.file.Body.All("scenario") {
		if s.First("cassette") != nil || s.First("sut") != nil || s.Attr("run") == nil {
			return false
		}
	}
	return c.file.Body.First("scenario") != nil && c.file.Body.First("bench") == nil
}

// idleTools warns of the steps of a workflow or loop all of whose tools are called
// by nobody.
func (c *checker) idleTools(b *dsl.Block, said func() answers) {
	for _, s := range b.All("step") {
		tools := s.All("tool")
		var names []string
		for _, t := range tools {
			names = append(names, t.Name())
		}
		if len(tools) > 0 && !said().open && !c.callsUnknown(said()) && !slices.ContainsFunc(names, func(n string) bool { return said().called[n] }) {
			c.warnf(tools[0].DefRange, "Tools that no model calls", "No reply in this file calls a tool of step %q (%s), so none of them ever runs. Let one do, with tool_calls = [{ name = %q, arguments = { … } }].", s.Name(), strings.Join(names, ", "), names[0])
		}
		c.idleTools(s, said)
	}
}

// answers are what the scripts of a file say.
type answers struct {
	priced bool            // one has a cost
	called map[string]bool // the names of the tools that are called
	open   bool            // an expression says what is called
}

func (c *checker) answers() answers {
	a := answers{called: map[string]bool{}}
	for _, b := range c.file.Body.Blocks {
		if b.Type == "workflow" {
			continue
		}
		b.EachWritten(func(_ *dsl.Block, name string, e hclsyntax.Expression) {
			switch name {
			case "cost_usd":
				a.priced = true
			case "tool_calls":
				a.open = a.open || len(e.Variables()) > 0
				dsl.EachExpr(e, func(e hclsyntax.Expression) {
					if call, is := e.(*hclsyntax.ObjectConsExpr); is {
						a.calls(call)
					}
				})
			}
		})
	}
	return a
}

// calls notes the name of the tool that an object may be the call of.
func (a *answers) calls(call *hclsyntax.ObjectConsExpr) {
	for _, item := range call.Items {
		if name, written := writtenText(item.ValueExpr); written && keyOf(item) == "name" {
			a.called[name] = true
		}
	}
}

// callsUnknown reports whether a tool is called that no step of the file has, which
// is told where it is called.
func (c *checker) callsUnknown(a answers) bool {
	have := map[string]bool{}
	var visit func(b *dsl.Block)
	visit = func(b *dsl.Block) {
		for _, n := range b.Blocks {
			if n.Type == "tool" {
				have[n.Name()] = true
			}
			visit(n)
		}
	}
	for _, w := range c.file.Body.All("workflow") {
		visit(w)
	}
	for name := range a.called {
		if !have[name] {
			return true
		}
	}
	return false
}

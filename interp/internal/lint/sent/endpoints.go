package sent

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// endpoints warns of an endpoint of a program whose script answers any request, where nothing in the file
// reads what the program asks of it. What the program writes in the end does not tell: the script gives
// the same answer to another method, path or body. A cassette compares the requests that it answers.
func (c *checker) endpoints(scenarios []*dsl.Block) {
	var programs, recorded []*dsl.Block
	for _, s := range scenarios {
		if s.First("sut") == nil && s.Attr("run") != nil {
			continue // a workflow alone
		}
		if s.First("cassette") != nil {
			recorded = append(recorded, s)
		}
		programs = append(programs, s)
	}
	if len(programs) == 0 {
		return
	}
	r := readsIn(c.file, "endpoint")
	if r.any {
		return
	}
	declared := map[string]bool{}
	for _, b := range c.file.Body.Blocks {
		if b.Type == "endpoint" || b.Type == "provider" {
			declared[b.Name()] = true
		}
	}
	for _, e := range c.file.Body.All("endpoint") {
		if tellsRequests(e) || e.Attr("lane") != nil {
			r.note(e.Name())
		}
	}
	for _, s := range programs {
		for _, on := range s.All("on") {
			if slices.ContainsFunc(on.Blocks, tellsRequests) {
				r.note(on.Name())
			}
		}
	}
	warned := map[string]bool{}
	for _, s := range programs {
		for _, on := range s.All("on") {
			name := on.Name()
			root, of := "endpoint", r
			if !declared[name] {
				root, of = "step", c.inPlaceOf(s, name)
			}
			compared := slices.ContainsFunc(recorded, func(s *dsl.Block) bool { return !scripted(s, func(on string) bool { return on == name }) })
			if of == nil || compared || of.request(name) || r.have["*"] || warned[name] || !c.own(s) || !slices.ContainsFunc(on.Blocks, succeeds) {
				continue
			}
			warned[name] = true
			what, check := c.otherRequest(root, name)
			c.warnf(on.DefRange, "Endpoint whose requests nothing reads", "The script of %q answers any request, and nothing in the file reads what the program asks of it, so %s passes as well. What the program makes of the answer does not tell. Check it in one scenario, such as assert \"asked\" { condition = %s }, or with a match.", name, what, check)
		}
	}
}

// inPlaceOf is what reads the requests of a step where the program of a scenario stands for its workflow,
// nil where it does not: then the steps ask the program.
func (c *checker) inPlaceOf(s *dsl.Block, step string) *reads {
	sut := s.First("sut")
	if step == "*" || s.Attr("run") == nil || sut == nil || sut.Attr("serves") != nil {
		return nil
	}
	return c.requests()
}

// succeeds reports whether an entry of a script is a reply that is no refusal.
func succeeds(b *dsl.Block) bool {
	if b.Type != "reply" {
		return false
	}
	for _, name := range []string{"status_code", "status"} {
		if v, written := dsl.Literal(b.Expr(name)); b.Attr(name) != nil && (!written || v.Type() != cty.Number || v.IsNull() || v.GreaterThanOrEqualTo(cty.NumberIntVal(http.StatusMultipleChoices)).True()) {
			return false
		}
	}
	return b.Attr("is_error") == nil && b.Attr("error") == nil
}

// otherRequest is one that passes at an endpoint, and a check that tells it from the one that is meant.
func (c *checker) otherRequest(root, name string) (what, check string) {
	request := fmt.Sprintf("%s.%s.attempts[0].request", root, name)
	if !hclsyntax.ValidIdentifier(name) {
		request = fmt.Sprintf("%s[%q].attempts[0].request", root, name)
	}
	switch c.kindOf(name) {
	case "http":
		return "another method, path or body", request + `.method == "POST" && ` + request + `.json.id == "…"`
	case "sql":
		return "another statement, or the same with other arguments,", "strcontains(" + request + `.statement, "…") && ` + request + `.json.args == ["…"]`
	case "mcp":
		return "another tool, or the same with other arguments,", "strcontains(" + request + `.body, "…")`
	}
	return "another request", "strcontains(" + request + `.body, "…")`
}

// kindOf is the kind of the provider of an endpoint, which may be named by the endpoint itself; "" where
// it is not written out.
func (c *checker) kindOf(name string) string {
	for _, e := range c.file.Body.All("endpoint") {
		if e.Name() != name {
			continue
		}
		if p, is := e.Expr("provider").(*hclsyntax.ScopeTraversalExpr); is && p.Traversal.RootName() == "provider" {
			name, _ = read.AttrName(p.Traversal, 1)
		}
	}
	for _, p := range c.file.Body.All("provider") {
		if p.Name() == name {
			return p.Labels[0]
		}
	}
	return ""
}

// tellsRequests reports whether a match in a block tells requests to one place from each other: it has more
// than the parts of an address, or the whole of one.
func tellsRequests(in *dsl.Block) bool {
	for _, m := range in.All("match") {
		if len(m.Blocks) > 0 {
			return true
		}
		path := m.Expr("path")
		if path != nil && m.Attr("method") != nil {
			if text, is := written(path); !is || !strings.Contains(text, "*") {
				return true
			}
		}
		for _, a := range m.Attrs {
			if text, is := written(a.Expr); a.Name == "statement" && is && strings.Contains(text, "*") {
				continue // what stands in its place is in no match
			}
			if !slices.Contains([]string{"path", "method", "host", "model", "tool"}, a.Name) {
				return true
			}
		}
	}
	return false
}

// asksRequests reports whether a query of events may find a request: it asks for no other type alone.
func asksRequests(x *hclsyntax.FunctionCallExpr) bool {
	of := read.TypeOfEvents(x)
	if of == nil {
		return true
	}
	text, literal := written(of)
	return !literal || text == "attempt_start"
}

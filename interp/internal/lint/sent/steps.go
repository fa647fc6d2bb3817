package sent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// partOf is the part of a request that an attribute of a step is, "" for one that is none.
func partOf(kind, attr string) string {
	switch attr {
	case "path", "url":
		return "url"
	case "query":
		if kind == "sql" {
			return "statement"
		}
		return "url"
	case "headers", "json", "body", "prompt", "messages", "system", "arguments", "args":
		if kind == "workflow" || kind == "call" {
			return ""
		}
		return "body"
	}
	return ""
}

// told are the attributes of a result that are what the service told.
var told = []string{"content", "json", "body", "rows", "structured", "headers", "tool_calls", "output"}

// passing is what the steps of a workflow pass on of what they are answered.
type passing struct {
	workflow *dsl.Block
	steps    map[string]*dsl.Block
	// values are what the value steps have of other steps.
	values map[string]hcl.Traversal
	// checked are the steps of whose answers checks read, nil before it is asked for.
	checked map[string]bool
	// recorded are the scenarios with a cassette.
	recorded []*dsl.Block
	// checks are all blocks of the scenarios that run it, and replies those to each step among them, nil
	// before they are asked for.
	checks  []*dsl.Block
	replies map[string][]*dsl.Block
}

// steps warns of steps of a workflow whose request has something that an earlier step was answered, an
// input, or another element in each iteration of a loop, where the scenarios that run it check what the step is
// answered, and nothing in the file reads that request: its script answers any.
func (c *checker) steps(w *dsl.Block, runs []*dsl.Block) {
	if !c.own(w) || slices.ContainsFunc(runs, func(s *dsl.Block) bool { return s.First("sut") != nil }) {
		return // what answers them depends on the request
	}
	p := &passing{workflow: w, steps: map[string]*dsl.Block{}, values: map[string]hcl.Traversal{}}
	for _, s := range runs {
		p.checks = append(p.checks, s.Blocks...)
		if s.First("cassette") != nil {
			p.recorded = append(p.recorded, s)
		}
	}
	if len(p.checks) > 0 {
		p.add(w)
		c.below(p, w, "", "step.")
		if p.recorded == nil {
			c.filters(p)
		}
	}
}

func (p *passing) add(in *dsl.Block) {
	for _, s := range in.All("step") {
		p.steps[s.Name()] = s
		p.add(s)
	}
}

// below looks at the steps of a workflow or a loop, whose results are read below a place. of is the
// step of the workflow in which they are, "" for those of itself.
func (c *checker) below(p *passing, in *dsl.Block, of, place string) {
	for _, s := range in.All("step") {
		top := of
		if top == "" {
			top = s.Name()
		}
		compared := p.isCompared(top, s)
		for _, a := range s.Attrs {
			part := partOf(s.Labels[0], a.Name)
			if part == "" || compared || !p.isChecked(top) || c.requests().request(top) {
				continue
			}
			from := p.from(a.Expr)
			if from == nil || from.RootName() == "input" && (of != "" || len(p.repliesTo(s.Name()))+len(p.repliesTo("*")) == 0) {
				continue // what a step without a reply is given may be in no request
			}
			what, value := dsl.TraversalText(from), "\"…\""
			if from.RootName() == "loop" {
				what = "another element in each iteration"
			} else if name := last(from); of == "" && (len(from) > 3 || name == "content" || name == "body") {
				value = what
			}
			check := fmt.Sprintf("strcontains(%s%s.attempts[0].request.%s, %s)", place, s.Name(), part, value)
			if a.Name == "headers" {
				check = fmt.Sprintf("%s%s.attempts[0].request.headers[\"…\"] == %s", place, s.Name(), value)
			}
			c.warnf(s.DefRange, "Step whose request no check reads", "The %s of step %q carries %s. A check reads how its script answers that, which answers any request, and none reads the request, so one without it passes as well. Check what it sends, such as %s.", a.Name, s.Name(), what, check)
			break
		}
		switch s.Labels[0] {
		case "call":
			c.call(p, top, "step", s)
		case "fanout":
			for _, sub := range s.All("sub") {
				c.call(p, top, "sub", sub)
			}
		}
		if p.recorded == nil {
			c.same(s)
		}
		c.below(p, s, top, place+s.Name()+".runs[0].")
	}
}

// isCompared reports whether a cassette may answer a step in one of the scenarios, which compares its requests. What
// is inside another step, top, may have its script under that.
func (p *passing) isCompared(top string, step *dsl.Block) bool {
	return slices.ContainsFunc(p.recorded, func(s *dsl.Block) bool {
		return !scripted(s, func(on string) bool {
			return on == top || strings.HasPrefix(on, top+".") && strings.HasSuffix(on, "."+step.Name())
		})
	})
}

// scripted reports whether a script of a scenario with a cassette answers an address by itself: it has a reply, and
// nothing in it is taken from the recording.
func scripted(s *dsl.Block, is func(on string) bool) bool {
	found := false
	for _, on := range s.All("on") {
		if on.Name() != "*" && !is(on.Name()) {
			continue
		}
		past, _ := written(on.Expr("exhausted"))
		if on.First("replay") != nil || past == "replay" {
			return false
		}
		found = found || on.First("reply") != nil
	}
	return found
}

// last is the name at the end of a path, "" where that is none.
func last(t hcl.Traversal) string {
	name, _ := read.AttrName(t, len(t)-1)
	return name
}

// from is what an expression has of the answer of a step, an input, or loop.index where it takes another
// element by it in each iteration; nil for none.
func (p *passing) from(e hclsyntax.Expression) (found hcl.Traversal) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.IndexExpr:
			for t := range dsl.Variables(x.Key) {
				if t.RootName() == "loop" && found == nil {
					found = t
				}
			}
		case *hclsyntax.ScopeTraversalExpr:
			name, _ := read.AttrName(x.Traversal, 1)
			of := p.steps[name]
			switch {
			case found == nil && x.Traversal.RootName() == "input" && len(x.Traversal) > 1:
				found = x.Traversal
			case found != nil || x.Traversal.RootName() != "step" || of == nil:
			case of.Labels[0] == "value":
				if _, known := p.values[name]; !known {
					p.values[name] = nil // for one that reads itself
					p.values[name] = p.from(of.Expr("value"))
				}
				found = p.values[name]
			case tells(x.Traversal):
				found = x.Traversal
			}
		}
	})
	return found
}

// tells reports whether a path into the result of a step is of what the service told.
func tells(t hcl.Traversal) bool {
	for i := range t {
		if name, _ := read.AttrName(t, i); i > 1 && slices.Contains(told, name) {
			return true
		}
	}
	return len(t) == 2
}

// isChecked reports whether a check reads what a step is answered, itself or by the output of the run.
func (p *passing) isChecked(step string) bool {
	if p.checked == nil {
		p.checked = map[string]bool{}
		for _, b := range p.checks {
			for _, a := range b.Attrs {
				switch b.Type {
				case "assert", "invariant", "snapshot":
					p.check(a.Expr)
				case "expect":
					of := p.steps[b.Name()]
					switch {
					case b.Name() == "run" && a.Name == "output":
						p.check(p.workflow.Expr("output"))
					case of != nil && of.Labels[0] == "value":
						p.check(of.Expr("value"))
					case of != nil && (slices.Contains(told, a.Name) || of.Labels[0] == "call" && a.Name == "value"):
						p.checked[b.Name()] = true
					}
				}
			}
		}
	}
	return p.checked[step]
}

// check notes of which answers an expression reads.
func (p *passing) check(e hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.ScopeTraversalExpr)
		if !is {
			return
		}
		name, _ := read.AttrName(x.Traversal, 1)
		of := p.steps[name]
		switch root := x.Traversal.RootName(); {
		case root == "run" && name == "output" && !p.checked["run"]:
			p.checked["run"] = true
			p.check(p.workflow.Expr("output"))
		case root != "step" || of == nil || p.checked[name]:
		case of.Labels[0] == "value":
			p.checked[name] = true
			p.check(of.Expr("value"))
		case of.Labels[0] == "loop" || tells(x.Traversal):
			p.checked[name] = true
		}
	})
}

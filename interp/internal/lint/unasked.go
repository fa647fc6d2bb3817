package lint

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// asked are the attributes of a step that choose with its request what a reply lists, and what a check
// reads of them; none for a step of another kind.
func asked(kind string) (attrs []string, part string) {
	switch kind {
	case "sql":
		return []string{"query"}, "attempts[0].request.statement or .request.json.args"
	case "http":
		return []string{"path", "url", "query", "json", "body"}, "attempts[0].request.url or .request.json"
	case "mcp":
		return []string{"arguments"}, "attempts[0].request.json"
	}
	return nil, ""
}

// lists are the attributes of a reply in which a service lists what it was asked for.
var lists = []string{"rows", "json", "structured"}

// unasked warns of an assert which says of each element of the only reply of a step what it has to
// be, where nothing in the file reads what the step asks: the script gives the elements, so a filter
// in the request is not tested. That the run comes to an end, or what it makes of the elements, may
// be checked beside it.
func (c *checker) unasked(s *dsl.Block, r *replies) {
	for _, b := range s.All("assert") {
		for _, e := range dsl.Conjuncts(b.Expr("condition")) {
			step := r.quantified(e)
			if step == "" || c.isRequestRead(step) {
				continue
			}
			of := r.workflow.All("step")
			at := slices.IndexFunc(of, func(b *dsl.Block) bool { return b.Name() == step })
			if at < 0 {
				continue
			}
			attrs, part := asked(of[at].Labels[0])
			if !slices.ContainsFunc(attrs, func(name string) bool { return of[at].Attr(name) != nil }) {
				continue
			}
			c.warnf(b.DefRange, "Request that no check reads", "The assert %q says what each element has to be that the script of %q answers, and the script gives them whatever the step asks: no check reads that, so another filter in its request passes as well. Check what it sends, such as step.%s.%s.", b.Name(), step, step, part)
			break
		}
	}
}

// quantified is the step of whose only reply a part of a condition says what all elements are, or any
// of them, and which reads nothing else of a run; "" for none.
func (r *replies) quantified(e hclsyntax.Expression) (step string) {
	if steps := r.read(e, r.single); len(steps) != 1 {
		return ""
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		loop := selects(e)
		if loop == nil {
			return
		}
		for t := range dsl.Variables(loop.CollExpr) {
			if attr, _ := read.AttrName(t, 2); t.RootName() == "step" && slices.Contains(lists, attr) {
				step = r.stepOf(t)
			}
		}
	})
	return step
}

// selects is the loop in which an expression asks of elements whether something is true of them, nil
// where it asks for none: all of them, any, or those of which it is.
func selects(e hclsyntax.Expression) *hclsyntax.ForExpr {
	switch x := e.(type) {
	case *hclsyntax.ForExpr:
		if x.CondExpr != nil {
			return x
		}
	case *hclsyntax.FunctionCallExpr:
		if (x.Name == "alltrue" || x.Name == "anytrue") && len(x.Args) == 1 {
			loop, _ := dsl.Bare(x.Args[0]).(*hclsyntax.ForExpr)
			return loop
		}
	}
	return nil
}

// readRequests are the steps of which something in the file may read the request: an attribute
// named request, a query, or a list of attempts as it is.
type readRequests struct {
	any  bool // of any step
	have map[string]bool
}

// isRequestRead reports whether anything in the file may read what a step asks. The file is gone
// over once for that.
func (c *checker) isRequestRead(step string) bool {
	if c.requests == nil {
		c.requests = &readRequests{have: map[string]bool{}}
		for _, b := range append(c.file.Body.All("scenario"), c.file.Body.All("invariant")...) {
			b.EachWritten(func(_ *dsl.Block, name string, e hclsyntax.Expression) {
				c.requests.any = c.requests.any || name == "attempts"
				c.requests.add(e)
			})
		}
	}
	return c.requests.any || c.requests.have[step]
}

// add notes what an expression may read.
func (r *readRequests) add(e hclsyntax.Expression) {
	passed := map[hclsyntax.Expression]bool{} // lists of which only the length, or some attributes, are read
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			r.any = r.any || read.IsQuery(x.Name) && x.Name != "metric"
			if x.Name == "length" && len(x.Args) == 1 {
				passed[dsl.Bare(x.Args[0])] = true
			}
		case *hclsyntax.ForExpr:
			passed[dsl.Bare(x.CollExpr)] = read.OnlyAttributes(x)
		case *hclsyntax.RelativeTraversalExpr:
			r.any = r.any || read.IsRequest(x.Traversal)
		case *hclsyntax.ScopeTraversalExpr:
			name, named := read.AttrName(x.Traversal, 1)
			ofStep := x.Traversal.RootName() == "step"
			switch reads := read.IsRequest(x.Traversal) || !passed[x] && read.IsAttempts(x.Traversal); {
			case ofStep && named:
				r.have[name] = r.have[name] || reads || len(x.Traversal) == 2
			case ofStep, reads, !passed[x] && x.Traversal.RootName() == "steps" && len(x.Traversal) == 1:
				r.any = true
			}
		}
	})
}

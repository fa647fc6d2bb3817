package transaction

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Statements warns of each place where a condition looks for a statement about the session
// among the attempts of a scenario's databases. Nodes are its steps and endpoints by their
// addresses, and what the file says is evaluated in statics.
func Statements(p *plan.Plan, e hclsyntax.Expression, nodes map[string]*plan.Node, statics *hcl.EvalContext) hcl.Diagnostics {
	f := finder{p: p, whole: e, nodes: nodes, statics: statics}
	if f.isDriven() {
		dsl.EachExpr(e, f.look)
	}
	return f.diags
}

type finder struct {
	p       *plan.Plan
	whole   hclsyntax.Expression
	nodes   map[string]*plan.Node
	statics *hcl.EvalContext
	diags   hcl.Diagnostics
}

// isDriven reports whether a program may ask in the place of the scenario's steps.
func (f *finder) isDriven() bool {
	return slices.ContainsFunc([]plan.Way{plan.Exec, plan.Serve, plan.Embedded}, func(w plan.Way) bool { return f.p.Barred[w] == "" })
}

// look looks at one part of the condition: a comparison, a search, or a filter of what the
// run did.
func (f *finder) look(e hclsyntax.Expression) {
	switch x := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		if dsl.IsComparison(x.Op) {
			f.search(x, x.LHS, x.RHS, beginning)
			f.search(x, x.RHS, x.LHS, beginning)
		}
	case *hclsyntax.FunctionCallExpr:
		switch {
		case len(x.Args) == 1 && (x.Name == "events" || x.Name == "spans"):
			dsl.EachExpr(x.Args[0], f.filter)
		case len(x.Args) != 2:
		case x.Name == "startswith" || x.Name == "contains" || x.Name == "index":
			f.search(x, x.Args[0], x.Args[1], beginning)
		case x.Name == "strcontains" || x.Name == "endswith" || x.Name == "word":
			f.search(x, x.Args[0], x.Args[1], within)
		case x.Name == "regexmatch" || x.Name == "regexall":
			f.search(x, x.Args[1], x.Args[0], matched)
		}
	}
}

// filter looks at an object by whose members events or spans are chosen.
func (f *finder) filter(e hclsyntax.Expression) {
	x, is := e.(*hclsyntax.ObjectConsExpr)
	if !is {
		return
	}
	for _, item := range x.Items {
		if key, written := dsl.WrittenKey(item.KeyExpr); written && (key == "statement" || key == "db.query.text") {
			f.warn(item.ValueExpr, beginning(f.said(item.ValueExpr)), f.p.Endpoints)
		}
	}
}

// search looks at a search for what the file says in what may be the statement of a request;
// verb is what the text says that is sought.
func (f *finder) search(at, in, sought hclsyntax.Expression, verb func(string) string) {
	if !readsStatement(in) {
		return
	}
	asked := f.askedIn(in)
	if asked == nil {
		asked = f.askedIn(f.whole) // the list of a for expression around it
	}
	f.warn(at, verb(f.said(sought)), asked)
}

// readsStatement reports whether a value is made of the statements of requests.
func readsStatement(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		var path hcl.Traversal
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			path = x.Traversal
		case *hclsyntax.RelativeTraversalExpr:
			path = x.Traversal
		default:
			return
		}
		name, _ := read.AttrName(path, len(path)-1)
		found = found || name == "statement"
	})
	return found
}

// said is the text that the file gives, "" for none.
func (f *finder) said(e hclsyntax.Expression) string {
	v, diags := dsl.Evaluate(e, f.statics)
	if diags.HasErrors() || !v.IsKnown() || v.IsNull() || v.IsMarked() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// askedIn are the steps and endpoints whose results an expression reads, nil for none.
func (f *finder) askedIn(e hclsyntax.Expression) (list []*plan.Node) {
	for t := range dsl.Variables(e) {
		switch t.RootName() {
		case "endpoints":
			list = append(list, f.p.Endpoints...)
		case "endpoint", "step":
			address := ""
			for i := 1; i < len(t); i++ {
				name, _ := read.AttrName(t, i)
				address = strings.TrimPrefix(address+"."+name, ".")
				if n := f.nodes[address]; n != nil && n.Step.Gateway != nil {
					list = append(list, n)
				}
			}
		}
	}
	return list
}

// warn warns of a statement that is among the attempts of none of some endpoints.
func (f *finder) warn(at hclsyntax.Expression, verb string, asked []*plan.Node) {
	var of []string
	for _, n := range asked {
		switch {
		case verb == "" || n.Step.Family != "sql":
		case f.mayAsk(n, verb):
			return
		case n.Step.Endpoint != nil && n.Step.Endpoint.Declared:
			of = append(of, "endpoint."+n.Name)
		default:
			of = append(of, "step."+n.Name)
		}
	}
	if len(of) == 0 {
		return
	}
	slices.Sort(of)
	rng := at.Range()
	f.diags = append(f.diags, &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Summary: "Statement that is no attempt", Subject: &rng,
		Detail: fmt.Sprintf("%[1]s is about the session: it is answered automatically and is no attempt of %[2]s, so this is the same whether the program says it or not. events({ type = \"message\", method = %[1]q }) has each one that a program says.", verb, strings.Join(slices.Compact(of), ", ")),
	})
}

// mayAsk reports whether a statement with a verb may be an attempt of a database: a match of
// an endpoint of the same provider, or of an entry of its script, names it, or a step has a
// query that is not known or is such a statement.
func (f *finder) mayAsk(n *plan.Node, verb string) bool {
	if q := n.Step.Args["query"]; q != nil {
		v, written := dsl.Literal(dsl.Bare(q.Expr))
		if !written || v.IsNull() || v.Type() != cty.String || mentions(v.AsString(), verb) {
			return true
		}
	}
	names := func(m *plan.Match) bool {
		return slices.ContainsFunc(m.Leaves, func(l plan.Leaf) bool {
			return l.Path[0] == "statement" && !l.Want.IsNull() && l.Want.Type() == cty.String && mentions(l.Want.AsString(), verb)
		})
	}
	for _, e := range f.p.Endpoints {
		if !sharesProvider(e, n) {
			continue
		}
		if names(&e.Step.Endpoint.Match) {
			return true
		}
		for _, t := range e.Step.Gateway.Targets {
			s := f.p.ScriptFor(e.Name, t.Name)
			if s != nil && slices.ContainsFunc(s.Entries, func(e *plan.Entry) bool { return names(&e.Match) }) {
				return true
			}
		}
	}
	return false
}

func mentions(text, verb string) bool { return strings.Contains(strings.ToUpper(text), verb) }

// sharesProvider reports whether two endpoints are of one provider.
func sharesProvider(a, b *plan.Node) bool {
	return slices.ContainsFunc(a.Step.Gateway.Targets, func(t *plan.Target) bool {
		return slices.ContainsFunc(b.Step.Gateway.Targets, func(o *plan.Target) bool { return o.Provider == t.Provider })
	})
}

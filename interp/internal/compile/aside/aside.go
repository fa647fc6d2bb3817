package aside

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

// Find warns of each place where a condition looks among the attempts of a scenario's services for
// what is none: a statement about the session, the handshake of a protocol. Nodes are its steps and
// endpoints by their addresses, and what the file says is evaluated in statics.
func Find(p *plan.Plan, e hclsyntax.Expression, nodes map[string]*plan.Node, statics *hcl.EvalContext) hcl.Diagnostics {
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
			f.search(x, x.LHS, x.RHS, equal)
			f.search(x, x.RHS, x.LHS, equal)
		}
	case *hclsyntax.FunctionCallExpr:
		switch {
		case len(x.Args) == 1 && (x.Name == "events" || x.Name == "spans"):
			dsl.EachExpr(x.Args[0], f.filter)
		case len(x.Args) != 2:
		case x.Name == "contains" || x.Name == "index":
			f.search(x, x.Args[0], x.Args[1], equal)
		case x.Name == "startswith":
			f.search(x, x.Args[0], x.Args[1], prefix)
		case x.Name == "strcontains" || x.Name == "endswith" || x.Name == "word":
			f.search(x, x.Args[0], x.Args[1], part)
		case x.Name == "regexmatch" || x.Name == "regexall":
			f.search(x, x.Args[1], x.Args[0], matching)
		}
	}
}

// filter looks at an object by whose members events or spans of attempts are chosen.
func (f *finder) filter(e hclsyntax.Expression) {
	x, is := e.(*hclsyntax.ObjectConsExpr)
	if !is {
		return
	}
	members := map[string]hclsyntax.Expression{}
	for _, item := range x.Items {
		if key, written := dsl.WrittenKey(item.KeyExpr); written {
			members[key] = item.ValueExpr
		}
	}
	for _, key := range []string{"statement", "db.query.text"} {
		if v := members[key]; v != nil {
			f.warn(v, f.p.Endpoints, func(n *plan.Node) []string { return found(n, "statement", f.said(v), equal) })
		}
	}
	if v, of := members["method"], members["type"]; v != nil && of != nil && f.said(of) == "attempt_start" {
		f.warn(v, f.p.Endpoints, func(n *plan.Node) []string { return found(n, "method", f.said(v), equal) })
	}
}

// search looks at a search for what the file says in what may be the statement or the method of
// a request.
func (f *finder) search(at, in, sought hclsyntax.Expression, how manner) {
	if name := attribute(in); name != "" {
		f.warn(at, f.askedIn(in), func(n *plan.Node) []string { return found(n, name, f.said(sought), how) })
	}
}

// found are the words of what is no attempt of a service that a search finds in an attribute of
// requests, none where it finds an attempt as well.
func found(n *plan.Node, name, text string, how manner) []string {
	switch family := n.Step.Family; {
	case text == "":
	case family == "sql" && name == "statement":
		return how.statements(text)
	case family == "mcp" && name != "statement":
		return how.methods(text, sessions, calls)
	case family != "sql" && family != "mcp" && name == "request.method":
		return how.methods(text, options, asks)
	}
	return nil
}

// attribute is which attribute of requests a value is made of: their statement, the method that
// they name, or that which they have themselves; "" for any other.
func attribute(e hclsyntax.Expression) (found string) {
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
		switch name, _ := read.AttrName(path, len(path)-1); name {
		case "statement", "method":
			if found = name; name == "method" && len(path) > 1 {
				if of, _ := read.AttrName(path, len(path)-2); of == "request" {
					found = "request.method"
				}
			}
		}
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

// askedIn are the steps and endpoints whose results an expression reads, also by the variables of
// the for expressions around it.
func (f *finder) askedIn(e hclsyntax.Expression) (list []*plan.Node) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.ScopeTraversalExpr)
		if !is {
			return
		}
		t := x.Traversal
		switch root := t.RootName(); root {
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
		default:
			if around := f.binds(root, x.Range()); around != nil {
				list = append(list, f.askedIn(around.CollExpr)...)
			}
		}
	})
	return list
}

// binds is the innermost for expression around a place whose variable has a name, nil for none.
func (f *finder) binds(name string, at hcl.Range) (found *hclsyntax.ForExpr) {
	dsl.EachExpr(f.whole, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.ForExpr)
		if is && x.ValVar == name && x.Range().Overlaps(at) && !x.CollExpr.Range().Overlaps(at) {
			found = x
		}
	})
	return found
}

// What warnings are called.
const (
	ofStatement = "Statement that is no attempt"
	ofMessage   = "Message that is no attempt"
)

// warn warns of words that the requests of some endpoints have which are among the attempts of
// none of them.
func (f *finder) warn(at hclsyntax.Expression, asked []*plan.Node, words func(*plan.Node) []string) {
	var of []string
	word, summary, what := "", ofStatement, "about the session"
	for _, n := range asked {
		found := words(n)
		switch {
		case len(found) == 0:
			continue
		case slices.ContainsFunc(found, func(word string) bool { return f.mayAsk(n, word) }):
			return
		case n.Step.Endpoint != nil && n.Step.Endpoint.Declared:
			of = append(of, "endpoint."+n.Name)
		default:
			of = append(of, "step."+n.Name)
		}
		if word = found[0]; n.Step.Family != "sql" {
			summary, what = ofMessage, "no call"
		}
	}
	if len(of) == 0 {
		return
	}
	slices.Sort(of)
	rng := at.Range()
	f.diags = append(f.diags, &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Summary: summary, Subject: &rng,
		Detail: fmt.Sprintf("%[1]s is %[3]s: it is answered automatically and is no attempt of %[2]s, so this is the same whether the program says it or not. events({ type = \"message\", method = %[1]q }) has each one that a program says.", word, strings.Join(slices.Compact(of), ", "), what),
	})
}

// mayAsk reports whether what a word names may be an attempt of a service: a match of an endpoint
// of the same provider, or of an entry of its script, names it, or a step has a query or a
// method that is not known or is such a one, or asks for a list.
func (f *finder) mayAsk(n *plan.Node, word string) bool {
	if n.Step.Args["list"] != nil && strings.HasSuffix(word, "/list") {
		return true
	}
	for _, name := range []string{"query", "method"} {
		if q := n.Step.Args[name]; q != nil {
			v, written := dsl.Literal(dsl.Bare(q.Expr))
			if !written || v.IsNull() || v.Type() != cty.String || mentions(v.AsString(), word) {
				return true
			}
		}
	}
	names := func(m *plan.Match) bool {
		return slices.ContainsFunc(m.Leaves, func(l plan.Leaf) bool {
			return (l.Path[0] == "statement" || l.Path[0] == "method") && !l.Want.IsNull() && l.Want.Type() == cty.String && mentions(l.Want.AsString(), word)
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

func mentions(text, word string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(word))
}

// sharesProvider reports whether two endpoints are of one provider.
func sharesProvider(a, b *plan.Node) bool {
	return slices.ContainsFunc(a.Step.Gateway.Targets, func(t *plan.Target) bool {
		return slices.ContainsFunc(b.Step.Gateway.Targets, func(o *plan.Target) bool { return o.Provider == t.Provider })
	})
}

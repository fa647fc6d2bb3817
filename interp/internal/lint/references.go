package lint

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A reference is to ROOT.NAME; one to ROOT.* is to all of a root.
type reference struct{ root, name string }

// all is the name of everything in a root.
const all = "*"

// A set of what something refers to.
type references map[reference]bool

// to reports whether ROOT.NAME is among them.
func (r references) to(root, name string) bool {
	return r[reference{root, name}] || r[reference{root, all}]
}

// count is how many of them refer to ROOT.NAME.
func (r references) count(root, name string) (n int) {
	for _, to := range []reference{{root, name}, {root, all}} {
		if r[to] {
			n++
		}
	}
	return n
}

// add notes what an expression refers to. A root by itself, or with an index that
// is computed, may mean all of it.
func (r references) add(e hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, ok := e.(*hclsyntax.ScopeTraversalExpr)
		if !ok {
			return
		}
		name, named := read.AttrName(x.Traversal, 1)
		if !named {
			name = all
		}
		r[reference{x.Traversal.RootName(), name}] = true
	})
}

// addBlock notes what a block and all in it refer to, addresses and names in
// quotes included.
func (r references) addBlock(b *dsl.Block) {
	b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
		r.add(e)
		if name == "lock" || name == "uses" || name == "labels" {
			r.addNames(e)
		}
	})
	r.addLabels(b)
}

// addLabels notes the addresses in the labels of blocks.
func (r references) addLabels(b *dsl.Block) {
	for _, label := range b.Labels {
		r.addAddress(label)
	}
	for _, n := range b.Blocks {
		r.addLabels(n)
	}
}

// addProgram notes the providers that are endpoints by their names: all where a
// scenario is for a program alone, else those that it addresses.
func (r references) addProgram(b *dsl.Block) {
	if b.Type != "scenario" {
		return
	}
	if b.Attr("run") == nil && !b.Drives() {
		r[reference{"provider", all}] = true
	}
	for _, n := range b.Blocks {
		if (n.Type == "on" || n.Type == "expect") && n.Name() != all {
			r[reference{"provider", n.Name()}] = true
		}
		if a := n.Attr("address"); n.Type == "outage" && a != nil {
			eachText(a.Expr, func(text string) {
				r[reference{"provider", text}] = true
				r.addAddress(text)
			})
		}
	}
	b.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) {
		for t := range dsl.Variables(e) {
			if name, ok := read.AttrName(t, 1); ok && t.RootName() == "endpoint" {
				r[reference{"provider", name}] = true
			}
		}
	})
}

// addAddress notes what an address such as actor.desk.pool.db begins with.
func (r references) addAddress(text string) {
	if root, rest, ok := strings.Cut(text, "."); ok && (root == "actor" || root == "lock") {
		name, _, _ := strings.Cut(rest, ".")
		if name == "" {
			name = all // the rest is computed
		}
		r[reference{root, name}] = true
	}
}

// addNames notes names in quotes: those of locks, and addresses.
func (r references) addNames(e hclsyntax.Expression) {
	eachText(e, func(text string) {
		r[reference{"lock", text}] = true
		r.addAddress(text)
	})
}

// keyOf is the name of a member of an object, "" for one that is computed.
func keyOf(item hclsyntax.ObjectConsItem) string {
	if v, diags := dsl.Evaluate(item.KeyExpr, nil); !diags.HasErrors() && v.Type() == cty.String && v.IsWhollyKnown() && !v.IsNull() {
		return v.AsString()
	}
	return ""
}

// eachText calls f with the pieces of text in an expression.
func eachText(e hclsyntax.Expression, f func(string)) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if l, ok := e.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String && !l.Val.IsNull() {
			f(l.Val.AsString())
		}
	})
}

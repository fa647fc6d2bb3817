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

// add notes what an expression refers to.
func (r references) add(e hclsyntax.Expression) { eachReference(e, anyRoot, r.note) }

// addBlock notes what a block and all in it refer to.
func (r references) addBlock(b *dsl.Block) { eachReferenceOf(b, anyRoot, r.note) }

func (r references) note(to reference) { r[to] = true }

func anyRoot(string) bool { return true }

// eachReference calls f with what an expression refers to, of some roots. A root by
// itself, or with an index that is computed, may mean all of it.
func eachReference(e hclsyntax.Expression, is func(root string) bool, f func(reference)) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, ok := e.(*hclsyntax.ScopeTraversalExpr)
		if !ok || !is(x.Traversal.RootName()) {
			return
		}
		name, named := read.AttrName(x.Traversal, 1)
		if !named {
			name = all
		}
		f(reference{x.Traversal.RootName(), name})
	})
}

// eachReferenceOf calls f with what a block and all in it refer to, of some roots; with
// addresses and names in quotes, too.
func eachReferenceOf(b *dsl.Block, is func(root string) bool, f func(reference)) {
	b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
		eachReference(e, is, f)
		if name == "lock" || name == "uses" || name == "labels" {
			eachName(e, f)
		}
	})
	eachLabel(b, f)
}

// eachLabel calls f with the addresses in the labels of blocks.
func eachLabel(b *dsl.Block, f func(reference)) {
	for _, label := range b.Labels {
		eachAddress(label, f)
	}
	for _, n := range b.Blocks {
		eachLabel(n, f)
	}
}

// eachEndpoint calls f with the providers that are endpoints by their names: all where a
// scenario is for a program alone, else those that it addresses.
func eachEndpoint(b *dsl.Block, f func(reference)) {
	if b.Type != "scenario" {
		return
	}
	if b.Attr("run") == nil && !b.Drives() {
		f(reference{"provider", all})
	}
	for _, n := range b.Blocks {
		if (n.Type == "on" || n.Type == "expect") && n.Name() != all {
			f(reference{"provider", n.Name()})
		}
		if a := n.Attr("address"); n.Type == "outage" && a != nil {
			eachText(a.Expr, func(text string) {
				f(reference{"provider", text})
				eachAddress(text, f)
			})
		}
	}
	b.EachWritten(func(_ *dsl.Block, _ string, e hclsyntax.Expression) {
		for t := range dsl.Variables(e) {
			if name, ok := read.AttrName(t, 1); ok && t.RootName() == "endpoint" {
				f(reference{"provider", name})
			}
		}
	})
}

// eachAddress calls f with what an address such as actor.desk.pool.db begins with.
func eachAddress(text string, f func(reference)) {
	if root, rest, ok := strings.Cut(text, "."); ok && (root == "actor" || root == "lock") {
		name, _, _ := strings.Cut(rest, ".")
		if name == "" {
			name = all // the rest is computed
		}
		f(reference{root, name})
	}
}

// eachName calls f with names in quotes: those of locks, and addresses.
func eachName(e hclsyntax.Expression, f func(reference)) {
	eachText(e, func(text string) {
		f(reference{"lock", text})
		eachAddress(text, f)
	})
}

// keyOf is the name of a member of an object, "" for one that is computed.
func keyOf(item hclsyntax.ObjectConsItem) string {
	if name, literal := dsl.WrittenKey(item.KeyExpr); literal {
		return name
	}
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

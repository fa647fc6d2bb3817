package lsp

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// What stands for an element of what a block goes over is written into the
// block before it is compiled, so that the compiler never meets its name:
// each.key, matrix.model, and the iterator of a dynamic block. Its attributes
// are read from the file as it stands.

// An element is what such a name stands for: its attributes, each with the
// expressions that it may have the value of.
type element map[string][]hclsyntax.Expression

// elementRoots are the names of elements at a place, the innermost of each.
func elementRoots(ix *index, block *dsl.Block) map[string]element {
	roots := map[string]element{}
	add := func(name string, e element) {
		if roots[name] == nil {
			roots[name] = e
		}
	}
	for b := block; b != nil; b = b.Parent {
		over := b.Attr("for_each")
		if b.Type == dsl.Dynamic().Type {
			name := b.Name()
			if a := b.Attr("iterator"); a != nil {
				name = hcl.ExprAsKeyword(a.Expr)
			}
			add(name, element{"key": nil, "value": ix.elements(over)})
			continue
		}
		if over != nil {
			add("each", element{"key": nil, "value": ix.elements(over)})
		}
		if m := b.First("matrix"); m != nil {
			axes := element{}
			for _, a := range m.Attrs {
				axes[a.Name] = ix.elements(a)
			}
			add("matrix", axes)
		}
	}
	return roots
}

// elements are the elements of an object or a tuple that is written out, there
// or in the local that is named.
func (ix *index) elements(a *dsl.Attr) []hclsyntax.Expression {
	if a == nil {
		return nil
	}
	switch e := ix.written(a.Expr).(type) {
	case *hclsyntax.ObjectConsExpr:
		var list []hclsyntax.Expression
		for _, item := range e.Items {
			list = append(list, item.ValueExpr)
		}
		return list
	case *hclsyntax.TupleConsExpr:
		return e.Exprs
	}
	return nil
}

// written is what an expression says, or what the local says that it names.
func (ix *index) written(e hclsyntax.Expression) hclsyntax.Expression {
	t, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) != 2 || t.Traversal.RootName() != "local" {
		return e
	}
	name, _ := ix.stepName(t.Traversal[1])
	for _, d := range ix.declared {
		if d.typ == "local" && d.name == name {
			return d.block.Attr(name).Expr
		}
	}
	return e
}

// within are the attributes of what some expressions say, where those are
// objects.
func (ix *index) within(all []hclsyntax.Expression) element {
	e := element{}
	for _, one := range all {
		object, ok := ix.written(one).(*hclsyntax.ObjectConsExpr)
		if !ok {
			continue
		}
		for _, key := range keysOf(object) {
			e[key.name] = append(e[key.name], key.value)
		}
	}
	return e
}

// pathBefore is what stands before the word at the cursor: each.value.
var pathBefore = pattern.New(`(?:^|[^\w.)\]-])([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\.$`)

// element offers the attributes of an element, and reports whether the cursor
// is behind the name of one.
func (c *completer) element() bool {
	before := c.doc.text.src[:c.from]
	if n := strings.LastIndexByte(string(before), '\n'); n >= 0 {
		before = before[n+1:]
	}
	m := pathBefore().FindSubmatch(before)
	if m == nil {
		return false
	}
	ix, block := c.index(placeholder, c.from, c.to)
	if ix == nil {
		return false
	}
	path := strings.Split(string(m[1]), ".")
	e := elementRoots(ix, block)[path[0]]
	if e == nil {
		return false
	}
	for _, name := range path[1:] {
		e = ix.within(e[name])
	}
	c.attributes(e)
	return true
}

func (c *completer) attributes(e element) {
	for _, name := range slices.Sorted(maps.Keys(e)) {
		if hclsyntax.ValidIdentifier(name) {
			c.add(itemField, name, name, "", "")
		}
	}
}

// elementNames offers the names of elements.
func (c *completer) elementNames() {
	ix, block := c.index(placeholder, c.from, c.to)
	if ix == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(elementRoots(ix, block))) {
		c.add(itemVariable, name, name, "", "")
	}
}

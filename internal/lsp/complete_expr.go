package lsp

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// expression offers what an expression may go on with. A reference to a
// declaration is found among the declarations; for everything else the
// compiler is asked what it knows at the cursor.
func (c *completer) expression() {
	a := c.place.schema
	if a != nil && (a.Type == schema.Ref || a.Type == schema.Refs) {
		c.references(a)
		return
	}
	if a != nil && len(c.place.open) == 0 {
		c.constants(a)
	}
	if c.element() {
		return
	}
	for _, cut := range []bool{false, true} {
		if n, ok := c.watch(c.patched(placeholder, c.from, c.to, cut)); ok {
			c.names(n)
			return
		}
	}
}

// references offers declarations, with their type: provider.primary.
func (c *completer) references(a *schema.Attr) {
	src := c.doc.text.src
	for c.from > 0 && (isWord(src[c.from-1]) || src[c.from-1] == '.') {
		c.from--
	}
	for c.to < len(src) && (isWord(src[c.to]) || src[c.to] == '.') {
		c.to++
	}
	for _, d := range c.visible(a.Refs, placeholder, c.from, c.to) {
		if !hclsyntax.ValidIdentifier(d.name) || d.block == nil {
			continue
		}
		name := d.typ + "." + d.name
		c.add(itemRef, name, name, headerOf(d.block.Schema), d.block.Schema.Doc)
	}
}

// constants offers the values that an attribute of few has.
func (c *completer) constants(a *schema.Attr) {
	if a.Type == schema.Bool {
		c.add(itemValue, "true", "true", "", "")
		c.add(itemValue, "false", "false", "", "")
	}
	for _, word := range c.opts.words(c.place.block, a) {
		quoted := `"` + word + `"`
		if a.Type == schema.Strings {
			quoted = "[" + quoted + "]"
		}
		c.add(itemValue, quoted, quoted, "", "")
		c.items[len(c.items)-1].Filter = word
	}
}

// names offers what the compiler knows at a name: the attributes of a value,
// or everything that an expression may begin with.
func (c *completer) names(n dsl.Name) {
	if n.Of != nil {
		for _, name := range slices.Sorted(maps.Keys(n.Of.Attrs)) {
			if hclsyntax.ValidIdentifier(name) {
				c.add(itemField, name, name, shapeName(n.Of.Attrs[name]), n.Of.Attrs[name].Doc)
			}
		}
		if n.Of == n.Env.Roots["sut"] {
			c.functions(n, "sut.")
		}
		return
	}
	c.elementNames()
	bound := n.Bound()
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		c.add(itemVariable, name, name, shapeName(bound[name]), "")
	}
	for _, name := range slices.Sorted(maps.Keys(n.Env.Roots)) {
		if bound[name] == nil {
			c.add(itemVariable, name, name, shapeName(n.Env.Roots[name]), n.Env.Roots[name].Doc)
		}
	}
	c.functions(n, "")
}

// functions offers those whose names begin so, by what is left of them.
func (c *completer) functions(n dsl.Name, before string) {
	for _, name := range slices.Sorted(maps.Keys(n.Env.Funcs)) {
		f, known := functions()[name]
		rest, fits := strings.CutPrefix(name, before)
		if known && fits {
			c.add(itemFunction, rest, rest, f.Signature, functionDoc(f))
			c.snippet(rest + "($0)")
		}
	}
}

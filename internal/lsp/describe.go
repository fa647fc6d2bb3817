package lsp

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/schema"
)

// attrDoc explains an attribute as the reference does.
func attrDoc(a *schema.Attr) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`: %s", a.Name, a.TypeName())
	if a.Required {
		b.WriteString(", required")
	}
	if a.Default != "" {
		fmt.Fprintf(&b, ", default `%s`", a.Default)
	}
	fmt.Fprintf(&b, "\n\n%s", a.Doc)
	if len(a.OneOf) > 0 {
		fmt.Fprintf(&b, "\n\nOne of `\"%s\"`.", strings.Join(a.OneOf, "\"`, `\""))
	}
	return b.String()
}

// headerOf is how a block is written, with its labels named.
func headerOf(b *schema.Block) string {
	header := b.Type
	for i, l := range b.Labels {
		if i == 0 && b.Kind != "" {
			l = b.Kind
		}
		header += fmt.Sprintf(" %q", l)
	}
	return header
}

// blockDoc explains a block with what may stand in it.
func blockDoc(b *schema.Block) string {
	var doc strings.Builder
	fmt.Fprintf(&doc, "```hcl\n%s\n```\n\n%s", headerOf(b), b.Doc)
	list := func(what string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&doc, "\n\n%s: `%s`.", what, strings.Join(names, "`, `"))
		}
	}
	var kinds, attrs, blocks []string
	for _, k := range b.Kinds {
		kinds = append(kinds, k.Kind)
	}
	for _, a := range b.Listed() {
		attrs = append(attrs, a.Name)
	}
	for _, n := range b.Blocks {
		blocks = append(blocks, n.Type)
	}
	list("Kinds", kinds)
	list("Attributes", attrs)
	list("Blocks", blocks)
	return doc.String()
}

// shapeName is what is known of the type of a value, for people.
func shapeName(s *schema.Shape) string {
	if s == nil {
		return "any value"
	}
	name := "any value"
	switch s.Kind {
	case schema.ShapeString:
		name = "string"
	case schema.ShapeNumber:
		name = "number"
	case schema.ShapeBool:
		name = "bool"
	case schema.ShapeTuple:
		name = "list"
		if s.Elem != nil && s.Elem.Kind != schema.ShapeUnknown {
			name = "list of " + shapeName(s.Elem)
		}
	case schema.ShapeObject:
		name = "object"
		if s.Name != "" {
			name = s.Name
		}
	case schema.ShapeNull:
		return "null"
	}
	if s.Nullable && s.Kind != schema.ShapeUnknown {
		name += " or null"
	}
	return name
}

// blockSnippet is a whole block with what must be filled in.
func blockSnippet(b *schema.Block) string {
	var s strings.Builder
	s.WriteString(b.Type)
	n := 1
	for _, l := range b.Labels {
		fmt.Fprintf(&s, " \"${%d:%s}\"", n, l)
		n++
	}
	s.WriteString(" {\n  ")
	for i := range b.Attrs {
		if a := &b.Attrs[i]; a.Required {
			fmt.Fprintf(&s, "%s = ${%d}\n  ", a.Name, n)
			n++
		}
	}
	s.WriteString("$0\n}")
	return s.String()
}

// valueSnippet is what a value of the attribute's type looks like.
func valueSnippet(a *schema.Attr) string {
	switch a.Type {
	case schema.String, schema.Duration:
		if !a.Runtime {
			return `"$0"`
		}
	case schema.Strings, schema.Refs:
		return "[$0]"
	case schema.Map, schema.StringMap:
		return "{ $0 }"
	}
	return "$0"
}

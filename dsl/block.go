package dsl

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// A File is one decoded file. It is not changed after Parse returns and is
// safe for concurrent use.
type File struct {
	// Path is the name that diagnostics carry.
	Path string
	// Source is the text, for snippets.
	Source []byte
	// Body holds the top-level attributes and blocks.
	Body *Block
	// Imports are the files whose declarations [Link] put into Body, each
	// before those that import it.
	Imports []*File
	// Extensions are those of the language that the file is read in, nil for
	// none.
	Extensions *language.Extensions

	linked bool
}

// Sources are the texts of a file and of what it imports, by their paths.
func (f *File) Sources() map[string][]byte {
	all := make(map[string][]byte, 1+len(f.Imports))
	for _, in := range f.Imports {
		all[in.Path] = in.Source
	}
	all[f.Path] = f.Source
	return all
}

// A Block is one block as it was written, checked against its schema: labels
// are complete, names of attributes and blocks are known. Expressions are not
// evaluated.
type Block struct {
	Schema      *schema.Block
	Type        string
	Labels      []string
	LabelRanges []hcl.Range
	// Attrs and Blocks are in the order of declaration.
	Attrs  []*Attr
	Blocks []*Block
	// DefRange covers the header, for a diagnostic about the whole block.
	DefRange hcl.Range
	// End is the place of the closing brace.
	End    hcl.Range
	Parent *Block

	// generates says that there is a dynamic block in it, or that it is one,
	// and src is the syntax of such a block and of one with for_each.
	generates bool
	src       *hclsyntax.Block
}

// An Attr is one attribute as it was written.
type Attr struct {
	Name      string
	Schema    *schema.Attr // nil in a block that takes any name
	Expr      hclsyntax.Expression
	Range     hcl.Range
	NameRange hcl.Range
}

// root is the outermost block around this one, which is that of the file.
func (b *Block) root() *Block {
	for b.Parent != nil {
		b = b.Parent
	}
	return b
}

// Name is the last label, which names a block; "" for a block without labels.
func (b *Block) Name() string {
	if len(b.Labels) == 0 {
		return ""
	}
	return b.Labels[len(b.Labels)-1]
}

// Kind is the first of two labels, such as the kind of a step.
func (b *Block) Kind() string {
	if len(b.Labels) < 2 {
		return ""
	}
	return b.Labels[0]
}

// Address is how other blocks and messages refer to b: its type and name.
func (b *Block) Address() string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "." + b.Name()
}

// Attr returns the attribute of that name, or nil.
func (b *Block) Attr(name string) *Attr {
	for _, a := range b.Attrs {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Expr returns the expression of the named attribute, or nil.
func (b *Block) Expr(name string) hclsyntax.Expression {
	if a := b.Attr(name); a != nil {
		return a.Expr
	}
	return nil
}

// All returns the nested blocks of a type, in order of declaration.
func (b *Block) All(typ string) []*Block {
	var all []*Block
	for _, n := range b.Blocks {
		if n.Type == typ {
			all = append(all, n)
		}
	}
	return all
}

// Declares reports whether the block is of a type, or generates blocks of it.
func (b *Block) Declares(typ string) bool {
	return b.Type == typ || b.Type == dynamicType && b.Name() == typ
}

// First returns the first nested block of a type, or nil.
func (b *Block) First(typ string) *Block {
	for _, n := range b.Blocks {
		if n.Type == typ {
			return n
		}
	}
	return nil
}

// Named returns the nested block of a type and name, or nil.
func (b *Block) Named(typ, name string) *Block {
	for _, n := range b.Blocks {
		if n.Type == typ && n.Name() == name {
			return n
		}
	}
	return nil
}

// Drives reports whether a scenario does something beside what it runs: it has
// blocks that drive actors, names actors to start, or may generate such blocks.
func (b *Block) Drives() bool {
	if b.generates || b.Attr("start") != nil {
		return true
	}
	for _, n := range b.Blocks {
		switch n.Type {
		case "call", "event", "hold", "fanout", "classify":
			return true
		}
	}
	return false
}

// Overridden returns a block as a scenario overrides it: what the scenario
// gives takes the place of the block's own. One that is null is as if it were
// not given at all. A gateway takes the place of a provider and the other way
// round.
func (b *Block) Overridden(by *Block) *Block {
	out := *b
	gone := func(a *Attr) bool {
		switch a.Name {
		case "gateway", "provider":
			return by.Attr("gateway") != nil || by.Attr("provider") != nil
		case "fallback_on": // means nothing without a fallback
			if f := by.Attr("fallback"); f != nil && isNullLiteral(f.Expr) {
				return true
			}
		}
		return by.Attr(a.Name) != nil
	}
	out.Attrs = slices.DeleteFunc(slices.Clone(b.Attrs), gone)
	for _, a := range by.Attrs {
		if isNullLiteral(a.Expr) {
			continue
		}
		own := *a
		own.Schema = b.Schema.Attr(a.Name)
		out.Attrs = append(out.Attrs, &own)
	}
	out.Blocks = slices.DeleteFunc(slices.Clone(b.Blocks), func(n *Block) bool { return n.Type != "step" && by.First(n.Type) != nil })
	for _, n := range by.Blocks {
		if n.Type != "step" {
			out.Blocks = append(out.Blocks, n)
		}
	}
	return &out
}

package lsp

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// explain says what stands at an offset: a declaration, a function, what the
// compiler knows of a name, or the words of the language.
func explain(opts *Options, doc *document, offset int) *hover {
	ix := doc.parsed()
	if ix == nil {
		return nil
	}
	at := func(said string, rng hcl.Range) *hover { return &hover{markdown(said), doc.text.rangeOf(rng)} }
	b, a := around(doc.file().Body, offset)
	if a != nil && covers(a.Expr.Range(), offset) {
		if name, rng := callAt(a.Expr, offset); name != "" {
			if f, ok := functions()[name]; ok {
				return at(functionDoc(f), rng)
			}
		}
	}
	if d, rng := ix.at(offset); d != nil {
		return at(ix.declarationDoc(d), rng)
	}
	if text, rng := wordDoc(b, a, offset); text != "" {
		return at(text, rng)
	}
	if n, ok := nameAt(opts, doc, offset); ok {
		rng := n.Range
		return at(nameDoc(n), within(rng, max(0, rng.End.Byte-rng.Start.Byte-len(n.Text)), rng.End.Byte-rng.Start.Byte))
	}
	return nil
}

// around is the innermost block at an offset, with the attribute there.
func around(b *dsl.Block, offset int) (*dsl.Block, *dsl.Attr) {
	for _, n := range b.Blocks {
		if n.DefRange.Start.Byte <= offset && offset <= n.End.End.Byte {
			return around(n, offset)
		}
	}
	for _, a := range b.Attrs {
		if covers(a.Range, offset) {
			return b, a
		}
	}
	return b, nil
}

// callAt is the function whose name stands at an offset.
func callAt(e hclsyntax.Expression, offset int) (name string, rng hcl.Range) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && covers(call.NameRange, offset) {
			name, rng = call.Name, call.NameRange
		}
		return nil
	})
	return name, rng
}

// wordDoc explains a word of the language: a block type, a kind, an attribute.
func wordDoc(b *dsl.Block, a *dsl.Attr, offset int) (string, hcl.Range) {
	if a != nil && a.Schema != nil && covers(a.NameRange, offset) {
		return attrDoc(a.Schema), a.NameRange
	}
	if a != nil || b.Type == "" {
		return "", hcl.Range{}
	}
	if word := within(b.DefRange, 0, len(b.Type)); covers(word, offset) {
		if b.Schema.Kind != "" {
			if whole := b.Parent.Schema.Block(b.Type); whole != nil {
				return blockDoc(whole), word
			}
		}
		return blockDoc(b.Schema), word
	}
	if len(b.LabelRanges) > 0 && b.Schema.Kind != "" && covers(b.LabelRanges[0], offset) {
		return blockDoc(b.Schema), b.LabelRanges[0]
	}
	return "", hcl.Range{}
}

// declarationDoc shows where something is declared, with the comment above.
func (ix *index) declarationDoc(d *declaration) string {
	src := ix.source(d.rng)
	var b strings.Builder
	from := d.rng.Start.Byte
	for from > 0 && src[from-1] != '\n' {
		from--
	}
	line := strings.TrimSpace(string(lineAt(src, from)))
	fmt.Fprintf(&b, "```hcl\n%s\n```", line)
	if comment := commentAbove(src, from); comment != "" {
		b.WriteString("\n\n" + comment)
	}
	if d.block.Type == d.typ {
		if a := d.block.Attr("description"); a != nil {
			if s, _, ok := literalText(a.Expr); ok {
				b.WriteString("\n\n" + s)
			}
		}
		b.WriteString("\n\n" + d.block.Schema.Doc)
	}
	return b.String()
}

// commentAbove are the lines of comment right above a line.
func commentAbove(src []byte, from int) string {
	var lines []string
	for from > 0 {
		end := from - 1
		from = end
		for from > 0 && src[from-1] != '\n' {
			from--
		}
		line := strings.TrimSpace(string(src[from:end]))
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			comment, ok = strings.CutPrefix(line, "//")
		}
		if !ok {
			break
		}
		lines = append([]string{strings.TrimSpace(comment)}, lines...)
	}
	return strings.Join(lines, "\n")
}

// nameAt is what the compiler knows of the name at an offset.
func nameAt(opts *Options, doc *document, offset int) (found dsl.Name, ok bool) {
	_, file := opts.parse(doc.path, doc.text.src, doc.open)
	if file == nil {
		return found, false
	}
	opts.names(file, func(n dsl.Name) {
		if !ok && n.Shape != nil && dsl.Place(n.Range).Filename == doc.path && covers(n.Range, offset) {
			found, ok = n, true
		}
	})
	return found, ok
}

func nameDoc(n dsl.Name) string {
	text := fmt.Sprintf("`%s`: %s", n.Text, shapeName(n.Shape))
	if n.Shape.Kind == schema.ShapeObject && n.Shape.Within != "" {
		text = fmt.Sprintf("`%s`: every %s declared %s", n.Text, n.Shape.Name, n.Shape.Within)
	}
	if n.Shape.Doc != "" {
		text += "\n\n" + n.Shape.Doc
	}
	return text
}

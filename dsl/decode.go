package dsl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/mistakes"
	"github.com/scenario-lang/scenario/dsl/places"
	"github.com/scenario-lang/scenario/dsl/render"
	words "github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/schema"
)

// Limits of one file. A file beyond them is refused before it
// can cost more than reading it.
const (
	MaxFileSize = 4 << 20
	MaxNesting  = 100
)

// Parse reads one file. It returns as much of the file as could be understood
// together with everything that is wrong with it; File is nil only when
// nothing could be read at all.
func Parse(path string, src []byte) (*File, hcl.Diagnostics) { return ParseExtended(nil, path, src) }

// ParseExtended reads a file of a language to which a program has added
// something; what the file imports is of the same language.
func ParseExtended(e *language.Extensions, path string, src []byte) (*File, hcl.Diagnostics) {
	body, diags := Syntax(path, src)
	if body == nil {
		return nil, diags
	}
	root := &Block{Schema: e.File(), DefRange: body.SrcRange, End: body.EndRange}
	d := decoder{extensions: e, diags: append(diags, absurdNumbers(body, src)...), broken: mistakes.FirstBroken(diags), written: places.Of(body)}
	d.body(root, body)
	strictly(body)
	d.tellMore()
	return &File{Path: path, Source: src, Body: root, Extensions: e}, d.diags
}

// Syntax reads one file and looks at nothing but its syntax. The body is nil
// only when nothing could be read at all: the file is too large, nested too
// deep or no text.
func Syntax(path string, src []byte) (*hclsyntax.Body, hcl.Diagnostics) {
	if d := unreadable(path, src); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	parsed, diags := dotted.ParseConfig(src, path, hcl.InitialPos)
	if len(diags) > maxErrors {
		diags = diags[:maxErrors]
	}
	if len(diags) > 0 {
		diags = mistakes.Causes(mistakes.Rewrite(diags, src), src)
	}
	if parsed == nil {
		return nil, diags
	}
	body, _ := parsed.Body.(*hclsyntax.Body)
	return body, diags
}

// Expression reads an expression that stands in no file. It is nil where it has more
// than a file may have.
func Expression(name, text string) (hclsyntax.Expression, hcl.Diagnostics) {
	src := []byte(text)
	if d := unreadable(name, src); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	return dotted.ParseExpression(src, name, hcl.InitialPos)
}

// unreadable says why a file is not given to the parser, nil where it is. The
// parser recurses, and takes the square of some lengths.
func unreadable(path string, src []byte) *hcl.Diagnostic {
	if len(src) > MaxFileSize {
		return &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "File is too large",
			Detail:   fmt.Sprintf("A scenario file may have at most %s bytes (4 MiB), and this one has more. Move recorded bodies into a cassette and split the scenarios over several files.", render.Thousands(MaxFileSize)),
			Subject:  &hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos},
		}
	}
	if d := noText(path, src); d != nil {
		return d
	}
	l := &lexer{path: path, src: src}
	if rng, deep := tooDeep(l); deep {
		return &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Nesting is too deep",
			Detail:   fmt.Sprintf("Brackets may be nested at most %d levels deep, and operators at most %s, or %s of those that stand between two values.", MaxNesting, render.Thousands(maxOperators), render.Thousands(maxSteps)),
			Subject:  &rng,
		}
	}
	if rng, long := tooLong(l); long {
		return &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Too long to read",
			Detail:   fmt.Sprintf("A template may have at most %s parts, where each line of a heredoc is one, and a number at most %s digits. What is longer belongs in a file, which file(…) reads.", render.Thousands(maxParts), render.Thousands(maxDigits)),
			Subject:  &rng,
		}
	}
	return nil
}

type decoder struct {
	// extensions are those of the language, nil for none.
	extensions *language.Extensions
	diags      hcl.Diagnostics
	// broken is where the syntax is wrong for the first time. What the parser
	// made of the file from there on is a guess, and nothing is said of it.
	broken hcl.Pos
	// written are the blocks of the file by their types and kinds.
	written map[string]bool
	// more counts the errors of which there were too many to say anything.
	more int
}

// maxErrors bounds what is said of the blocks and attributes of a file, and what is
// looked at of what the parser says: each mistake takes some time to explain.
const maxErrors = 1000

// full reports whether enough is wrong with the file, and counts one error more.
func (d *decoder) full() bool {
	if len(d.diags) < maxErrors {
		return false
	}
	d.more++
	return true
}

// tellMore says how many errors nothing is said of.
func (d *decoder) tellMore() {
	if d.more == 0 {
		return
	}
	last := d.diags[len(d.diags)-1]
	d.diags = append(d.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: mistakes.SummaryTooMany, Subject: last.Subject,
		Detail: fmt.Sprintf("There are %s more errors behind this place.", render.Thousands(d.more)),
	})
}

// complete reports whether all of a block was understood. The end of one with
// an error on the line of its header is a guess.
func (d *decoder) complete(b *Block) bool {
	return b.End.Start.Byte <= d.broken.Byte && b.DefRange.Start.Line != d.broken.Line
}

func (d *decoder) errorf(rng hcl.Range, summary, format string, args ...any) {
	if rng.Start.Byte >= d.broken.Byte || rng.Start.Line == d.broken.Line || len(d.diags) >= maxErrors && d.full() {
		return
	}
	d.diags = append(d.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   fmt.Sprintf(format, args...),
		Subject:  &rng,
	})
}

// body decodes the attributes and blocks of src into b by b's schema.
func (d *decoder) body(b *Block, src *hclsyntax.Body) {
	attrs := make([]Attr, 0, len(src.Attributes))
	b.Attrs = make([]*Attr, 0, len(src.Attributes))
	for name, a := range src.Attributes {
		described := b.Schema.Attr(name)
		attrs = append(attrs, Attr{Name: name, Schema: described, Expr: bareWord(described, a.Expr), Range: a.SrcRange, NameRange: a.NameRange})
		b.Attrs = append(b.Attrs, &attrs[len(attrs)-1])
	}
	slices.SortFunc(b.Attrs, func(x, y *Attr) int { return x.Range.Start.Byte - y.Range.Start.Byte })
	known := b.Attrs[:0]
	var meant []string // by the names that are not known, and by blocks
	for _, n := range src.Blocks {
		meant = append(meant, n.Type)
	}
	lacks := mistakes.Lacking(b.Schema, src)
	for _, a := range b.Attrs {
		if a.Schema == nil && !b.Schema.Open {
			meant = append(meant, d.unknownAttr(b, a, lacks))
			continue
		}
		known = append(known, a)
	}
	b.Attrs = known
	for i := range b.Schema.Attrs {
		want := &b.Schema.Attrs[i]
		if a := b.Attr(want.Name); want.Required && (a == nil || isNullLiteral(a.Expr)) && d.complete(b) && !slices.Contains(meant, want.Name) {
			d.errorf(b.DefRange, "Missing attribute", "%s block needs the attribute %q: %s", wording.Capital(wording.WithArticle(describe(b.Schema))), want.Name, wording.Lower(want.Doc))
		}
	}
	b.Blocks = make([]*Block, 0, len(src.Blocks))
	for _, n := range src.Blocks {
		if c := d.block(b, n); c != nil {
			b.Blocks = append(b.Blocks, c)
			b.generates = b.generates || c.generates
		}
	}
	d.count(b, src, meant)
}

// misspelt counts the blocks in the source whose type is not known and was
// probably meant to be this one.
func misspelt(b *Block, src *hclsyntax.Body, typ string) int {
	n := 0
	types := blockTypes(b.Schema)
	for _, c := range src.Blocks {
		if b.Schema.Block(c.Type) == nil && Suggest(c.Type, types) == typ {
			n++
		}
	}
	return n
}

func blockTypes(s *schema.Block) []string {
	var types []string
	for _, n := range s.Blocks {
		types = append(types, n.Type)
	}
	return types
}

// block decodes one nested block, or reports why it cannot stand there.
func (d *decoder) block(parent *Block, src *hclsyntax.Block) *Block {
	s := parent.Schema.Block(src.Type)
	switch {
	case s == nil && src.Type == dynamicType && len(parent.Schema.Blocks) > 0:
		return d.dynamic(parent, src)
	case s == nil:
		d.unknownBlock(parent, src)
		return nil
	}
	b := &Block{Type: src.Type, Labels: src.Labels, LabelRanges: src.LabelRanges, DefRange: header(src), End: src.CloseBraceRange, Parent: parent}
	if !d.labels(b, s, src.Body) {
		return nil
	}
	b.Schema = s
	if s.Kinds != nil {
		b.Schema = s.ForKind(b.Labels[0])
		if b.Schema == nil {
			d.unknownKind(b, s)
			return nil
		}
	}
	if parent.Schema == dynamicBlock {
		return b
	}
	d.body(b, src.Body)
	if b.generates || b.Multiplied() {
		b.src = src
	}
	return b
}

// header is the range of a block's type and labels. The labels of a generated
// block stand on lines of their own.
func header(src *hclsyntax.Block) hcl.Range {
	if n := len(src.LabelRanges); n > 0 && src.LabelRanges[n-1].Start.Line > src.TypeRange.End.Line {
		return src.TypeRange
	}
	return src.DefRange()
}

func (d *decoder) labels(b *Block, s *schema.Block, body *hclsyntax.Body) bool {
	if len(b.Labels) == len(s.Labels) {
		for i, l := range b.Labels {
			if l == "" {
				d.errorf(b.LabelRanges[i], "Empty label", "The %s of %s block may not be empty.", s.Labels[i], wording.WithArticle(s.Type))
				return false
			}
		}
		return true
	}
	rng := b.DefRange
	if len(b.Labels) > len(s.Labels) {
		rng = b.LabelRanges[len(s.Labels)]
	}
	hint := ""
	if len(s.Kinds) > 0 && len(s.Kinds) <= maxListed && len(b.Labels) < len(s.Labels) {
		hint = fmt.Sprintf(" The kinds are: %s.", strings.Join(mistakes.KindsOf(s), ", "))
	} else if class := explained[s.Type]; class != "" && len(b.Labels) < len(s.Labels) {
		hint = fmt.Sprintf(" `scenario help %s` lists the kinds.", class)
	} else if len(b.Labels) == 0 && s.Type == "on" {
		hint = " The address is the name of a step or an endpoint."
	} else if len(b.Labels) == 0 && slices.Equal(s.Labels, []string{"address"}) {
		hint = " The address is \"run\", or the name of a step or an endpoint."
	}
	d.errorf(rng, "Wrong number of labels", "%s block has %s here and takes %d: write `%s`.%s", wording.Capital(wording.WithArticle(s.Type)), wording.Count(len(b.Labels), "label"), len(s.Labels), mistakes.Head(s, b.Labels, b.LabelRanges, body), hint)
	return false
}

// count checks how often each block type occurs, and that names are unique.
// A block of which only the kind or a label is wrong is there all the same.
func (d *decoder) count(b *Block, src *hclsyntax.Body, meant []string) {
	for _, s := range b.Schema.Blocks {
		if s.Min > 0 && written(src, s.Type)+misspelt(b, src, s.Type) < s.Min && d.complete(b) && !slices.Contains(meant, s.Type) {
			d.errorf(b.DefRange, "Missing block", "%s block needs at least %s: %s", wording.Capital(wording.WithArticle(describe(b.Schema))), wording.Count(s.Min, "nested "+s.Type+" block"), wording.Lower(s.Doc))
		}
	}
	d.often(b)
}

// written counts the blocks of a type in the source, wrong ones included, and
// those that will be generated as one.
func written(src *hclsyntax.Body, typ string) int {
	n := 0
	for _, b := range src.Blocks {
		if b.Type == typ || b.Type == dynamicType && len(b.Labels) == 1 && b.Labels[0] == typ {
			n++
		}
	}
	return n
}

// unique reports whether the last label of a block type names it. The label of
// an on or expect block is an address, that of a fault its kind, and an
// assertion is named for people.
func unique(s *schema.Block) bool {
	switch s.Type {
	case "on", "expect", "fault", "assert", "detect", "invariant":
		return false
	}
	return len(s.Labels) > 0
}

// namesListed is how many names a message lists beside another hint.
const namesListed = 12

// unknownAttr returns the name of the attribute that was probably meant. lacks is the one
// that the block lacks and that takes the value, nil for none.
func (d *decoder) unknownAttr(b *Block, a *Attr, lacks *schema.Attr) string {
	if d.full() {
		return ""
	}
	if nested := b.Schema.Block(a.Name); nested != nil {
		d.errorf(a.NameRange, "Block written as an attribute", "In %s block %q is a nested block: %s", wording.WithArticle(describe(b.Schema)), a.Name, mistakes.AsBlock(nested, a.Expr, Excerpt))
		return ""
	}
	var names []string
	for _, s := range b.Schema.Listed() {
		names = append(names, s.Name)
	}
	detail := fmt.Sprintf("%s has no attribute %q.", where(b.Schema), a.Name)
	meant := Suggest(a.Name, names)
	if said := words.Told(b.Type, a.Name, Excerpt(a.Expr)); said != "" {
		detail += " " + said
	} else if hint := DidYouMean(a.Name, names); hint != "" {
		detail += hint
	} else if header := words.Header(a.Name); header != "" && slices.Contains(names, "headers") {
		detail += fmt.Sprintf(" A header is written headers = { %q = \"…\" }.", header)
	} else if b.Type == "fault" && slices.Contains([]string{"probability", "chance", "rate", "percent", "percentage"}, a.Name) {
		detail += " A scenario is the same in every run: times = 2 lets the next two calls meet the fault."
	} else if a.Name == forEach && b.Type != dynamicType && b.Type != "variable" && b.Type != "locals" {
		detail += fmt.Sprintf(" Several of them are `dynamic %q { … }`, which has for_each.", b.Type)
	} else if typ := Suggest(a.Name, blockTypes(b.Schema)); typ != "" && len(places.Inside(b.Schema, a.Name)) == 0 {
		detail += fmt.Sprintf(" Did you mean the block %q? It is written `%s { … }`, without an equals sign.", typ, mistakes.Form(b.Schema.Block(typ)))
		meant = typ
	} else if b.Parent != nil && b.Parent.Type == "override" {
		detail = fmt.Sprintf("An override changes policies and timeouts of a step, and not %q: change that in the workflow. It has: %s.", a.Name, strings.Join(names, ", "))
	} else if b.Parent != nil && places.Takes(d.extensions.File(), a.Name) {
		detail += fmt.Sprintf(" It stands at the top of the file, outside of all blocks: `%s = %s`.", a.Name, Excerpt(a.Expr))
	} else if lacks != nil && !d.akin(b, a.Name) {
		detail += fmt.Sprintf(" Did you mean %q? The block needs it: %s", lacks.Name, wording.Lower(lacks.Doc))
		meant = lacks.Name
	} else if where := d.nearby(b, a.Name); where != "" {
		detail += fmt.Sprintf(" It is an attribute of %s.", where)
		if len(names) > 0 && len(names) <= namesListed {
			detail += " This block has: " + strings.Join(names, ", ") + "."
		}
	} else if len(names) > 0 {
		detail += " It has: " + strings.Join(names, ", ") + "."
	}
	d.errorf(a.NameRange, "Unknown attribute", "%s", detail)
	return meant
}

func (d *decoder) unknownBlock(parent *Block, src *hclsyntax.Block) {
	if d.full() {
		return
	}
	if a := parent.Schema.Attr(src.Type); a != nil && a.Type == schema.Ref {
		d.errorf(src.TypeRange, "Attribute written as a block", "In %s block %q is an attribute that refers to a declaration: write `%s = %s.NAME`, and at the top level of the file %s", wording.WithArticle(describe(parent.Schema)), src.Type, src.Type, a.Refs[0], mistakes.Declaration(d.extensions.File().Block(a.Refs[0])))
		return
	} else if a != nil {
		d.instead(src)
		d.errorf(src.TypeRange, "Attribute written as a block", "In %s block %q is an attribute: write %s.", wording.WithArticle(describe(parent.Schema)), src.Type, mistakes.AsAttribute(a, src, parent.Schema, Excerpt))
		return
	}
	names := blockTypes(parent.Schema)
	detail := fmt.Sprintf("%s has no block type %q.", where(parent.Schema), src.Type)
	if meant := Suggest(src.Type, names); meant == "assert" && src.Body.Attributes["condition"] == nil && len(src.Body.Attributes) > 0 {
		detail += " Did you mean \"expect\"?" // it says what a result has, and no condition
	} else if meant != "" {
		detail += DidYouMean(src.Type, names)
		if s := parent.Schema.Block(meant); len(s.Labels) > len(src.Labels) {
			detail += fmt.Sprintf(" It is written `%s`.", mistakes.Head(s, src.Labels, src.LabelRanges, src.Body))
		}
	} else if n := len(src.Labels); n > 0 && slices.Contains(names, src.Labels[0]) {
		detail += fmt.Sprintf(" Did you mean `%s`?", mistakes.Head(parent.Schema.Block(src.Labels[0]), src.Labels[1:], nil, nil))
	} else if within := places.Holders(parent.Schema, src.Type); len(within) > 0 {
		detail += fmt.Sprintf(" It belongs in the blocks in it: %s.", strings.Join(within, ", "))
		if src.Type == "match" {
			detail += " One for all requests of an endpoint belongs in its endpoint block."
		}
	} else if place := places.ValidIn(d.extensions.File(), src.Type, ""); place != "" {
		detail += fmt.Sprintf(" It belongs %s %s.", places.Preposition(place), place)
	} else if len(names) > 0 {
		detail += " It has: " + strings.Join(names, ", ") + "."
	}
	d.errorf(src.TypeRange, "Unknown block type", "%s", detail)
}

// instead forgets what the syntax of a block is said to be wrong for that was meant to be
// an attribute with an object.
func (d *decoder) instead(src *hclsyntax.Block) {
	if kept := mistakes.WithoutKeys(d.diags, src); len(kept) < len(d.diags) {
		d.diags, d.broken = kept, src.CloseBraceRange.End
	}
}

func (d *decoder) unknownKind(b *Block, s *schema.Block) {
	var kinds []string
	for _, k := range s.Kinds {
		kinds = append(kinds, k.Kind)
	}
	given := b.Labels[0]
	if language.LaterKinds[s.Type+" "+given] {
		d.errorf(b.LabelRanges[0], "Kind is not in this version", "The %s kind %q is part of the language, but this version of scenario does not run it yet. This version has: %s.", s.Type, given, strings.Join(kinds, ", "))
		return
	}
	hint := DidYouMean(given, kinds)
	if len(b.Labels) > 1 && slices.Contains(kinds, b.Labels[1]) && !words.Mistyped(given, kinds) {
		hint = fmt.Sprintf(" The labels are in the other order: write `%s %q %q { … }`.", s.Type, b.Labels[1], given)
	}
	if status := words.Status(given); s.Type == "fault" && status != 0 {
		hint = fmt.Sprintf(" Did you mean `fault \"http_error\" { status_code = %d }`?", status)
	}
	if vendor := d.extensions.Provider(given); s.Type == "step" && vendor != nil {
		hint = fmt.Sprintf(" It is a kind of provider: write `step %q`, with the `provider` that it asks.", vendor.Family)
	}
	detail := fmt.Sprintf("There is no %s kind %q.%s", s.Type, given, hint)
	if hint == "" || len(kinds) <= maxListed {
		detail += " The kinds are: " + strings.Join(kinds, ", ") + "."
	}
	if class := explained[s.Type]; class != "" {
		detail += fmt.Sprintf(" `scenario help %s` says what each is.", class)
	}
	d.errorf(b.LabelRanges[0], "Unknown kind", "%s", detail)
}

// explained are the blocks whose kinds scenario help explains, by the word that
// stands for them there.
var explained = map[string]string{"fault": "fault", "step": "kind"}

// nearby says which blocks in an unknown attribute's block, around it or beside it take one
// of that name, "" where none does: of a block elsewhere nobody thought here. Of several
// those are named that the file has.
func (d *decoder) nearby(b *Block, name string) string {
	if within := places.Names(places.Inside(b.Schema, name), nil); len(within) > 0 {
		return "the " + wording.Series(within, "and") + " blocks in it"
	} else if b.Parent == nil {
		return ""
	}
	for p := b.Parent; p != nil && p.Schema != nil && p.Schema.Type != ""; p = p.Parent {
		if places.Takes(p.Schema, name) {
			return "the " + describe(p.Schema) + " block around it"
		}
	}
	var taking []*schema.Block
	for _, n := range besides(b) {
		if places.Takes(n, name) {
			taking = append(taking, n)
		}
		if b.Parent.Parent == nil && n.Type != b.Type {
			taking = append(taking, places.Inside(n, name)...)
		}
	}
	switch names := places.Names(taking, d.written); len(names) {
	case 0:
		return ""
	case 1:
		return wording.WithArticle(names[0]) + " block"
	default:
		return wording.Series(names, "and") + " blocks"
	}
}

// akin reports whether an attribute that a block does not have is one of what is in it, of
// what is around it or of another kind of it: then it stands in the wrong place.
func (d *decoder) akin(b *Block, name string) bool {
	for p := b.Parent; p != nil && p.Schema != nil; p = p.Parent {
		if places.Takes(p.Schema, name) {
			return true
		}
	}
	if p := b.Parent; p != nil && p.Schema != nil && p.Schema.Block(b.Type) != nil {
		if slices.ContainsFunc(p.Schema.Block(b.Type).Kinds, func(k *schema.Block) bool { return places.Takes(k, name) }) {
			return true
		}
	}
	return len(places.Inside(b.Schema, name)) > 0
}

// besides are the other kinds of a block and then what may stand beside it.
func besides(b *Block) []*schema.Block {
	if b.Parent.Schema == nil {
		return nil
	}
	var own, others []*schema.Block
	for _, n := range b.Parent.Schema.Blocks {
		if n.Type == b.Type {
			own = append(append(own, n), n.Kinds...)
		} else {
			others = append(append(others, n), n.Kinds...)
		}
	}
	return append(own, others...)
}

func describe(s *schema.Block) string { return places.Describe(s) }

func where(s *schema.Block) string {
	if s.Type == "" {
		return "The top level of a file"
	}
	return wording.Capital(wording.WithArticle(describe(s))) + " block"
}

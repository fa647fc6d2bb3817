package lsp

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// placeholder stands for the word at the cursor while the file around it is
// read.
const placeholder = "scenario__cursor__"

// mostItems bounds a list; the client asks again with more letters.
const mostItems = 500

// A completer finds what may stand at one place of a text.
type completer struct {
	ctx      context.Context
	opts     *Options
	doc      *document
	snippets bool
	place    place
	// from and to are what an item replaces.
	from, to int
	items    []completionItem
}

func complete(ctx context.Context, opts *Options, doc *document, at position, snippets bool) completionList {
	offset := doc.text.offset(at)
	return completeIn(ctx, opts, doc.focused(offset), offset, snippets)
}

// completeIn completes with all that a document says.
func completeIn(ctx context.Context, opts *Options, doc *document, offset int, snippets bool) completionList {
	c := &completer{ctx: ctx, opts: opts, doc: doc, snippets: snippets, place: placeAt(doc.text.src, offset)}
	c.from, c.to = doc.text.word(offset)
	p := &c.place
	switch header, n := p.label(); {
	case p.inside(frameComment), p.inside(frameHeredoc):
	case p.atItem():
		c.item()
	case header != nil:
		c.label(header, n)
	case p.attr == "":
	case p.inside(frameString):
		c.text()
	case p.atKey(doc.text.src):
		c.key()
	default:
		c.expression()
	}
	return c.list()
}

// list is what was found that begins as the word at the cursor does.
func (c *completer) list() completionList {
	typed := strings.ToLower(string(c.doc.text.src[c.from:c.place.offset]))
	list := completionList{Items: []completionItem{}}
	for _, item := range c.items {
		if !strings.HasPrefix(strings.ToLower(item.Filter), typed) {
			continue
		}
		if len(list.Items) == mostItems {
			list.Incomplete = true
			break
		}
		if item.Edit.Range == (span{}) {
			item.Edit.Range = c.doc.text.span(c.from, c.to)
		}
		item.SortText = fmt.Sprintf("%04d", len(list.Items))
		list.Items = append(list.Items, item)
	}
	return list
}

// add offers a label that stands for a text.
func (c *completer) add(kind int, label, insert, detail, doc string) *completionItem {
	item := completionItem{Label: label, Kind: kind, Detail: detail, Filter: label, Edit: textEdit{NewText: insert}}
	if doc != "" {
		m := markdown(doc)
		item.Doc = &m
	}
	c.items = append(c.items, item)
	return &c.items[len(c.items)-1]
}

// snippet gives the last item places to fill in, where the client can.
func (c *completer) snippet(text string) {
	if c.snippets {
		item := &c.items[len(c.items)-1]
		item.Format, item.Edit.NewText = formatSnippet, text
	}
}

// patched is the text with another in the place of the word at the cursor. Cut
// drops what follows on the line, and closes what was opened on it.
func (c *completer) patched(word string, from, to int, cut bool) []byte {
	src := c.doc.text.src
	out := append(bytes.Clone(src[:from]), word...)
	rest := src[to:]
	if cut {
		out = append(out, closers(c.place.open)...)
		if len(c.place.headers) > 0 && !bytes.Contains(src[c.place.opened:from], []byte("\n")) {
			out = append(out, " }"...)
		}
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			rest = rest[n:]
		} else {
			rest = nil
		}
	}
	return append(out, rest...)
}

// item offers the attributes and blocks that may begin here.
func (c *completer) item() {
	given := map[string]int{}
	if c.place.block == nil {
		return
	}
	if c.place.block.Open && c.place.block.Type != "locals" {
		c.expected()
		return
	}
	if _, body := mend(c.ctx, c.patched(c.itemWord(), c.from, c.to, false)); body != nil {
		given = written(body)
	}
	for i := range c.place.block.Attrs {
		a := &c.place.block.Attrs[i]
		if a.Refused || given[a.Name] > 0 {
			continue
		}
		c.add(itemProperty, a.Name, a.Name+c.assign(), a.TypeName(), attrDoc(a))
		if placeholders := valueSnippet(a); c.assign() != "" {
			c.snippet(a.Name + " = " + placeholders)
		}
	}
	for _, b := range c.place.block.Blocks {
		if b.Max == 0 || given[b.Type] < b.Max {
			c.add(itemClass, b.Type, b.Type, headerOf(b), b.Doc)
			c.snippet(blockSnippet(b))
		}
	}
}

// assign is what follows the name of an attribute: nothing where that is there
// already.
func (c *completer) assign() string {
	if assigned().Match(c.doc.text.src[c.to:]) {
		return ""
	}
	return " = "
}

var assigned = pattern.New(`^[ \t]*[={"]`)

// itemWord makes a statement of the word at the cursor.
func (c *completer) itemWord() string {
	if c.assign() == "" {
		return placeholder
	}
	return placeholder + " = null"
}

// written counts the attributes and blocks beside the placeholder.
func written(body *hclsyntax.Body) map[string]int {
	if body.Attributes[placeholder] != nil {
		given := map[string]int{}
		for name := range body.Attributes {
			given[name]++
		}
		for _, b := range body.Blocks {
			given[b.Type]++
		}
		return given
	}
	for _, b := range body.Blocks {
		if given := written(b.Body); given != nil {
			return given
		}
	}
	return nil
}

// expected offers the attributes of a result that are not expected yet.
func (c *completer) expected() {
	src := c.patched(c.itemWord(), c.from, c.to, false)
	given := map[string]int{}
	if _, body := mend(c.ctx, src); body != nil {
		given = written(body)
	}
	if n, ok := c.watch(src); ok && n.Of != nil {
		for _, name := range slices.Sorted(maps.Keys(n.Of.Attrs)) {
			if given[name] == 0 {
				c.add(itemField, name, name+c.assign(), shapeName(n.Of.Attrs[name]), n.Of.Attrs[name].Doc)
			}
		}
	}
}

// watch compiles a text with the placeholder in it, and returns what the
// compiler made of it.
func (c *completer) watch(src []byte) (found dsl.Name, ok bool) {
	mended, body := mend(c.ctx, src)
	if body == nil {
		return found, false
	}
	_, file := c.opts.parse(c.doc.path, mended, c.doc.open)
	if file == nil || c.ctx.Err() != nil {
		return found, false
	}
	c.opts.names(file, func(n dsl.Name) {
		if n.Text == placeholder && !ok {
			found, ok = n, true
		}
	})
	return found, ok
}

// index is that of the text with a placeholder in it, as far as it can be
// read, with the innermost block around the placeholder.
func (c *completer) index(word string, from, to int) (*index, *dsl.Block) {
	for _, cut := range []bool{false, true} {
		mended, body := mend(c.ctx, c.patched(word, from, to, cut))
		if body == nil {
			continue
		}
		alone, file := c.opts.parse(c.doc.path, mended, c.doc.open)
		if file == nil {
			continue
		}
		at := bytes.Index(mended, []byte(placeholder))
		return newIndex(file), innermost(alone.Body, at)
	}
	return nil, nil
}

func innermost(b *dsl.Block, at int) *dsl.Block {
	for _, n := range b.Blocks {
		if n.DefRange.Start.Byte <= at && at < n.End.End.Byte {
			return innermost(n, at)
		}
	}
	return b
}

// label offers the n-th label of a block: kinds, or addresses.
func (c *completer) label(header []string, n int) {
	if c.place.block == nil {
		return
	}
	b := c.place.block.Block(header[0])
	if b == nil || n >= len(b.Labels) {
		return
	}
	quoted := c.quotes()
	switch {
	case n == 0 && b.Kinds != nil:
		for _, k := range b.Kinds {
			c.add(itemKeyword, k.Kind, quoted(k.Kind), headerOf(k), k.Doc)
		}
	case b.Labels[n] == "address":
		for _, a := range c.addresses(header[0]) {
			c.add(itemRef, a, quoted(a), "", "")
		}
	}
}

// quotes makes a text of a name. Inside of quotes it replaces all between
// them.
func (c *completer) quotes() func(string) string {
	src := c.doc.text.src
	if !c.place.inside(frameString) {
		return func(s string) string { return `"` + s + `"` }
	}
	c.from, c.to = c.place.open[len(c.place.open)-1].at+1, c.place.offset
	for c.to < len(src) && src[c.to] != '"' && src[c.to] != '\n' && src[c.to] != '\r' {
		c.to++
	}
	if c.to < len(src) && src[c.to] == '"' {
		return func(s string) string { return s }
	}
	c.to = c.place.offset
	return func(s string) string { return s + `"` }
}

// addresses are what on and expect blocks may name here, in their label, or an
// attribute of another block, whose typ is "".
func (c *completer) addresses(typ string) []string {
	from := c.from
	if c.place.inside(frameString) {
		from--
	}
	to := c.to
	if src := c.doc.text.src; to < len(src) && src[to] == '"' {
		to++
	}
	word := `"` + placeholder + `"`
	if typ != "" && !bytes.Contains(lineAt(c.doc.text.src, to), []byte("{")) {
		word += " {}"
	}
	ix, block := c.index(word, from, to)
	if ix == nil {
		return nil
	}
	if typ == "" || block.Schema.Type == typ {
		block = block.Parent
	}
	list := []string{}
	if typ == "expect" {
		list = append(list, "run")
	} else {
		list = append(list, "*")
	}
	for b := block; b != nil; b = b.Parent {
		list = append(list, ix.addressesIn(b, "")...)
		if run := ix.runs(b); run != nil {
			list = append(list, ix.addressesIn(run, "")...)
		}
		if b == ix.file.Body && block.Attr("run") == nil {
			list = append(list, ix.plain()...)
		}
	}
	return list
}

// plain are the providers that are endpoints by their names: those that no
// endpoint block names.
func (ix *index) plain() []string {
	var list []string
	for _, p := range ix.file.Body.All("provider") {
		if !slices.ContainsFunc(ix.file.Body.All("endpoint"), func(e *dsl.Block) bool { return names(e.Attr("provider"), "provider", p.Name()) }) {
			list = append(list, p.Name())
		}
	}
	return list
}

// names reports whether an attribute is a reference to a declaration.
func names(a *dsl.Attr, typ, name string) bool {
	return a != nil && slices.ContainsFunc(a.Expr.Variables(), func(t hcl.Traversal) bool {
		if len(t) != 2 || t.RootName() != typ {
			return false
		}
		attr, ok := t[1].(hcl.TraverseAttr)
		return ok && attr.Name == name
	})
}

// addressesIn are the addresses of what a block holds, steps of loops too.
func (ix *index) addressesIn(b *dsl.Block, prefix string) []string {
	var list []string
	for _, n := range b.Blocks {
		if slices.Contains(addressable, n.Type) && named(n.Schema) {
			list = append(list, prefix+n.Name())
			list = append(list, ix.addressesIn(n, prefix+n.Name()+".")...)
		}
	}
	return list
}

// lineAt is the rest of a line.
func lineAt(src []byte, from int) []byte {
	rest := src[min(from, len(src)):]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		return rest[:n]
	}
	return rest
}

// text offers what a string may say: one of a few words, or a name.
func (c *completer) text() {
	a := c.place.schema
	if a == nil || len(c.place.open) > 2 || len(c.place.open) == 2 && c.place.open[0].kind != frameTuple {
		return
	}
	quoted := c.quotes()
	for _, word := range c.opts.words(c.place.block, a) {
		c.add(itemValue, word, quoted(word), "", "")
	}
	if a.Addresses {
		for _, address := range c.addresses("") {
			if address != "*" {
				c.add(itemRef, address, quoted(address), "", "")
			}
		}
	}
	if len(a.Refs) > 0 && a.Type != schema.Ref && a.Type != schema.Refs {
		for _, d := range c.visible(a.Refs, placeholder, c.from, c.to) {
			c.add(itemRef, d.name, quoted(d.name), d.typ, "")
		}
	}
}

// visible are the declarations of some types that can be referred to where the
// placeholder is put.
func (c *completer) visible(types []string, word string, from, to int) []*declaration {
	ix, block := c.index(word, from, to)
	if ix == nil {
		return nil
	}
	var all []*declaration
	for _, d := range ix.declared {
		if d.name != placeholder && ix.findAny(types, d.name, block) == d {
			all = append(all, d)
		}
	}
	return all
}

// key offers the attributes of an object: the inputs of a workflow, or what a
// nested result has.
func (c *completer) key() {
	src := c.patched(c.itemWord(), c.from, c.to, false)
	if n, ok := c.watch(src); ok && n.Of != nil {
		for _, name := range slices.Sorted(maps.Keys(n.Of.Attrs)) {
			c.add(itemField, name, name+c.assign(), shapeName(n.Of.Attrs[name]), n.Of.Attrs[name].Doc)
		}
		return
	}
	if c.place.attr != "inputs" || len(c.place.open) > 1 {
		return
	}
	for _, d := range c.visible([]string{"input"}, c.itemWord(), c.from, c.to) {
		c.add(itemField, d.name, d.name+c.assign(), "input", "")
	}
}

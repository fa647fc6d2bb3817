package lsp

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// A declaration is something with a name that can be referred to.
type declaration struct {
	// typ is the block type; "local" and "input" for an attribute of locals
	// and of a workflow's inputs.
	typ, name string
	// rng is the name alone, without quotes.
	rng hcl.Range
	// block is the block that it names, or that the attribute stands in.
	block *dsl.Block
}

// A reference is one place that names a declaration.
type reference struct {
	rng hcl.Range
	to  *declaration
}

// An index knows what a file declares and where it is referred to.
type index struct {
	file     *dsl.File
	declared []*declaration
	byBlock  map[*dsl.Block]*declaration
	byName   map[scoped]*declaration
	// direct are the providers that are called without a gateway.
	direct map[string]bool
	refs   []reference
}

// scoped is a name of some type in the block that it belongs to.
type scoped struct {
	in        *dsl.Block
	typ, name string
}

func newIndex(file *dsl.File) *index {
	ix := &index{file: file, byBlock: map[*dsl.Block]*declaration{}, byName: map[scoped]*declaration{}, direct: map[string]bool{}}
	ix.declare(file.Body)
	ix.refer(file.Body)
	slices.SortStableFunc(ix.refs, func(a, b reference) int { return a.rng.Start.Byte - b.rng.Start.Byte })
	return ix
}

func (ix *index) declare(b *dsl.Block) {
	for _, n := range b.Blocks {
		if named(n.Schema) {
			d := &declaration{typ: n.Type, name: n.Name(), rng: ix.unquoted(n.LabelRanges[len(n.LabelRanges)-1]), block: n}
			ix.byBlock[n] = d
			ix.add(d, b)
		}
		if n.Type == "locals" {
			for _, a := range n.Attrs {
				ix.add(&declaration{typ: "local", name: a.Name, rng: a.NameRange, block: n}, b)
			}
		}
		if declaresInputs(n) {
			for _, key := range objectKeys(n.Attr("inputs")) {
				ix.add(&declaration{typ: "input", name: key.name, rng: key.rng, block: n}, n)
			}
		}
		if a := n.Attr("provider"); a != nil && n.Type != "target" {
			if t, ok := a.Expr.(*hclsyntax.ScopeTraversalExpr); ok && len(t.Traversal) == 2 {
				name, _ := ix.stepName(t.Traversal[1])
				ix.direct[name] = true
			}
		}
		ix.declare(n)
	}
}

// add notes a declaration; the first of several of one name counts.
func (ix *index) add(d *declaration, in *dsl.Block) {
	ix.declared = append(ix.declared, d)
	key := scoped{scopeOf(in), d.typ, d.name}
	if ix.byName[key] == nil {
		ix.byName[key] = d
	}
}

// scopeOf is what names belong to: nil for the top level, of which each imported
// file has its own.
func scopeOf(b *dsl.Block) *dsl.Block {
	if b.Type == "" {
		return nil
	}
	return b
}

// source is the text that a range is of.
func (ix *index) source(rng hcl.Range) []byte {
	name := dsl.Place(rng).Filename
	for _, f := range ix.file.Imports {
		if f.Path == name {
			return f.Source
		}
	}
	return ix.file.Source
}

// named reports whether the last label of a block is a name of its own, and no
// address or kind.
func named(b *schema.Block) bool { return len(b.Labels) > 0 && b.Labels[len(b.Labels)-1] == "name" }

// declaresInputs tells a block whose inputs are declared in it, a workflow,
// from one that gives them to another.
func declaresInputs(b *dsl.Block) bool { return b.Attr("inputs") != nil && b.Schema.Attr("run") == nil }

type objectKey struct {
	name  string
	rng   hcl.Range
	value hclsyntax.Expression
}

// objectKeys are the names that an object is written with.
func objectKeys(a *dsl.Attr) []objectKey {
	if a == nil {
		return nil
	}
	return keysOf(a.Expr)
}

func keysOf(e hclsyntax.Expression) []objectKey {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return nil
	}
	var keys []objectKey
	for _, item := range object.Items {
		key, ok := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr)
		if !ok {
			continue
		}
		if name := hcl.ExprAsKeyword(key.Wrapped); name != "" && !key.ForceNonLiteral {
			keys = append(keys, objectKey{name, key.Range(), item.ValueExpr})
		} else if name, rng, ok := literalText(key.Wrapped); ok {
			keys = append(keys, objectKey{name, rng, item.ValueExpr})
		}
	}
	return keys
}

// literalText is a text in quotes, with the place inside of them. Within an expression
// it is the literal value that [dsl.Strict] made of it, whose place has the quotes.
func literalText(e hclsyntax.Expression) (string, hcl.Range, bool) {
	rng := e.Range()
	switch x := e.(type) {
	case *hclsyntax.TemplateExpr:
		if len(x.Parts) != 1 {
			return "", hcl.Range{}, false
		}
		e, rng = x.Parts[0], x.Parts[0].Range()
	case *hclsyntax.LiteralValueExpr:
		rng.Start.Byte++
		rng.Start.Column++
		rng.End.Byte--
		rng.End.Column--
	}
	l, ok := e.(*hclsyntax.LiteralValueExpr)
	if !ok || l.Val.IsNull() || l.Val.Type() != cty.String {
		return "", hcl.Range{}, false
	}
	s := l.Val.AsString()
	return s, rng, len(s) == rng.End.Byte-rng.Start.Byte
}

// unquoted is the place of a label without its quotes.
func (ix *index) unquoted(rng hcl.Range) hcl.Range {
	src := ix.source(rng)
	if from, to := rng.Start.Byte, rng.End.Byte; to <= len(src) && to-from >= 2 && src[from] == '"' && src[to-1] == '"' {
		return within(rng, 1, to-from-1)
	}
	return rng
}

// within is a part of a range by offsets in it. Only the bytes of the result
// count, as columns do elsewhere.
func within(rng hcl.Range, from, to int) hcl.Range {
	start := rng.Start.Byte
	rng.Start.Byte, rng.End.Byte = start+from, start+to
	return rng
}

func (ix *index) refer(b *dsl.Block) {
	for i, what := range b.Schema.Labels {
		if what == "address" && i < len(b.LabelRanges) {
			ix.address(b.Labels[i], ix.unquoted(b.LabelRanges[i]), b)
		}
	}
	for _, a := range b.Attrs {
		ix.attr(b, a)
	}
	for _, n := range b.Blocks {
		ix.refer(n)
	}
}

func (ix *index) attr(b *dsl.Block, a *dsl.Attr) {
	if a.Name == "inputs" && !declaresInputs(b) {
		for _, key := range objectKeys(a) {
			ix.use(ix.find("input", key.name, b), key.rng)
		}
	}
	if a.Schema != nil && a.Schema.Addresses {
		if name, rng, ok := literalText(a.Expr); ok {
			ix.address(name, rng, b)
		}
	}
	if a.Schema != nil && len(a.Schema.Refs) > 0 {
		for _, e := range append(elements(a.Expr), a.Expr) {
			if name, rng, ok := literalText(e); ok {
				ix.use(ix.findAny(a.Schema.Refs, name, b), rng)
			}
		}
	}
	w := &walker{ix: ix, block: b, declared: a.Schema != nil && (a.Schema.Type == schema.Ref || a.Schema.Type == schema.Refs)}
	// Walk has no errors of its own.
	_ = hclsyntax.Walk(a.Expr, w)
}

func elements(e hclsyntax.Expression) []hclsyntax.Expression {
	if t, ok := e.(*hclsyntax.TupleConsExpr); ok {
		return slices.Clone(t.Exprs)
	}
	return nil
}

func (ix *index) use(d *declaration, rng hcl.Range) {
	if d != nil {
		ix.refs = append(ix.refs, reference{rng, d})
	}
}

// A walker finds the references of one expression.
type walker struct {
	ix    *index
	block *dsl.Block
	// declared says that a name means a declaration, not what was observed.
	declared bool
	// bound are the variables of the for expressions around.
	bound []map[string]struct{}
}

func (w *walker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	switch e := n.(type) {
	case hclsyntax.ChildScope:
		w.bound = append(w.bound, e.LocalNames)
	case *hclsyntax.ScopeTraversalExpr:
		w.traversal(e.Traversal)
	case *hclsyntax.FunctionCallExpr:
		if isQuery(e.Name) {
			w.filter(e)
		}
	}
	return nil
}

func (w *walker) Exit(n hclsyntax.Node) hcl.Diagnostics {
	if _, ok := n.(hclsyntax.ChildScope); ok {
		w.bound = w.bound[:len(w.bound)-1]
	}
	return nil
}

// traversal follows a name as far as it names declarations.
func (w *walker) traversal(t hcl.Traversal) {
	root := t.RootName()
	hidden := func(names map[string]struct{}) bool { _, ok := names[root]; return ok }
	if len(t) < 2 || slices.ContainsFunc(w.bound, hidden) {
		return
	}
	name, rng := w.ix.stepName(t[1])
	d := w.ix.resolve(root, name, w.block, w.declared)
	w.ix.use(d, rng)
	for i := 2; d != nil && i < len(t); i++ {
		name, rng = w.ix.stepName(t[i])
		if d = w.ix.part(d, name); d != nil {
			w.ix.use(d, rng)
		}
	}
}

// filter finds the steps and targets that the labels of a query name:
// metric("…", { step_id = "answer" }).
func (w *walker) filter(call *hclsyntax.FunctionCallExpr) {
	for _, arg := range call.Args {
		for _, key := range keysOf(arg) {
			if name, rng, ok := literalText(key.value); ok {
				w.ix.use(w.ix.find(strings.TrimSuffix(key.name, "_id"), name, w.block), rng)
			}
		}
	}
}

// stepName is the name that a traversal goes to, with its place.
func (ix *index) stepName(t hcl.Traverser) (string, hcl.Range) {
	switch t := t.(type) {
	case hcl.TraverseAttr:
		size := t.SrcRange.End.Byte - t.SrcRange.Start.Byte
		return t.Name, within(t.SrcRange, max(0, size-len(t.Name)), size)
	case hcl.TraverseIndex:
		if t.Key.Type() == cty.String && !t.Key.IsNull() && t.Key.IsKnown() {
			name := t.Key.AsString()
			from, to := t.SrcRange.Start.Byte, t.SrcRange.End.Byte
			src := ix.source(t.SrcRange)
			if i := strings.Index(string(src[min(from, len(src)):min(to, len(src))]), `"`+name+`"`); i >= 0 {
				return name, within(t.SrcRange, i+1, i+1+len(name))
			}
		}
	}
	return "", hcl.Range{}
}

// blockTypes are all block types of the language. Some have blocks of their own type
// in them.
var blockTypes = sync.OnceValue(func() map[string]bool {
	types := map[string]bool{}
	language.Each(func(b *schema.Block) {
		if b.Type != "" { // the file
			types[b.Type] = true
		}
	})
	return types
})

// resolve is what root.name means in a block.
func (ix *index) resolve(root, name string, from *dsl.Block, declared bool) *declaration {
	switch {
	case name == "":
		return nil
	case root == "var":
		return ix.find("variable", name, from)
	case root == "breaker" && !declared:
		// In a condition it is short for the breaker of a target.
		return ix.find("target", name, from)
	}
	return ix.find(root, name, from)
}

func (ix *index) findAny(types []string, name string, from *dsl.Block) *declaration {
	for _, typ := range types {
		if d := ix.find(typ, name, from); d != nil {
			return d
		}
	}
	return nil
}

// find looks for a declaration in the blocks around one and in the workflows
// that these run, the nearest first.
func (ix *index) find(typ, name string, from *dsl.Block) *declaration {
	for b := from; b != nil; b = b.Parent {
		if d := ix.byName[scoped{scopeOf(b), typ, name}]; d != nil {
			return d
		}
		if run := ix.runs(b); run != nil {
			if d := ix.byName[scoped{run, typ, name}]; d != nil {
				return d
			}
		}
	}
	switch typ {
	case "target":
		return ix.target(name)
	case "endpoint": // or a provider, which is one of its own name
		return ix.find("provider", name, from)
	}
	return nil
}

// runs is the block that a block's attribute run refers to, nil for none.
func (ix *index) runs(b *dsl.Block) *dsl.Block {
	a := b.Attr("run")
	if a == nil {
		return nil
	}
	t, ok := a.Expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) != 2 {
		return nil
	}
	name, _ := ix.stepName(t.Traversal[1])
	if n := ix.file.Body.Named(t.Traversal.RootName(), name); n != nil && n != b {
		return n
	}
	return nil
}

// target is a target of any gateway; a provider that is called without one is
// a target of its own name.
func (ix *index) target(name string) *declaration {
	for _, d := range ix.declared {
		if d.typ == "target" && d.name == name {
			return d
		}
	}
	for _, d := range ix.declared {
		if d.typ == "provider" && d.name == name && ix.direct[name] {
			return d
		}
	}
	return nil
}

// part is a declaration inside of another: the inner step of a loop.
func (ix *index) part(d *declaration, name string) *declaration {
	if d.block.Type != d.typ {
		return nil
	}
	for _, n := range d.block.Blocks {
		if in := ix.byBlock[n]; in != nil && in.name == name {
			return in
		}
	}
	return nil
}

// addressable are the block types whose names share the addresses of a
// scenario.
var addressable = []string{"step", "call", "fanout", "classify", "case", "endpoint"}

// address finds what the parts of an address name: step, loop.step, or
// actor.name.tool.name.
func (ix *index) address(text string, rng hcl.Range, from *dsl.Block) {
	if rng.End.Byte-rng.Start.Byte != len(text) {
		return // written with escapes
	}
	parts := strings.Split(text, ".")
	at := 0
	here := func(n int) hcl.Range { return within(rng, at, at+len(parts[n])) }
	n := 0
	d := ix.findAny(addressable, parts[0], from)
	if d == nil && len(parts) > 1 && blockTypes()[parts[0]] {
		at, n = len(parts[0])+1, 1
		d = ix.find(parts[0], parts[1], from)
	}
	for d != nil {
		ix.use(d, here(n))
		at += len(parts[n]) + 1
		if n++; n >= len(parts) {
			return
		}
		if next := ix.part(d, parts[n]); next != nil || n+1 >= len(parts) || !blockTypes()[parts[n]] {
			d = next
			continue
		}
		at += len(parts[n]) + 1
		n++
		d = ix.part(d, parts[n])
	}
}

// at is the declaration that is named at an offset, with the place of the
// name; nil for none.
func (ix *index) at(offset int) (*declaration, hcl.Range) {
	for _, r := range ix.refs {
		if r.rng.Filename == ix.file.Path && covers(r.rng, offset) {
			return r.to, r.rng
		}
	}
	for _, d := range ix.declared {
		if d.rng.Filename == ix.file.Path && covers(d.rng, offset) {
			return d, d.rng
		}
	}
	return nil, hcl.Range{}
}

// places are where a declaration is named in one file, in its order.
func (ix *index) places(d *declaration, declared bool, file string) []hcl.Range {
	var all []hcl.Range
	if declared && d.rng.Filename == file {
		all = append(all, d.rng)
	}
	for _, r := range ix.refs {
		if r.to == d && r.rng.Filename == file {
			all = append(all, r.rng)
		}
	}
	slices.SortStableFunc(all, func(a, b hcl.Range) int { return a.Start.Byte - b.Start.Byte })
	return slices.CompactFunc(all, func(a, b hcl.Range) bool { return a.Start.Byte == b.Start.Byte })
}

func covers(rng hcl.Range, offset int) bool {
	return rng.Start.Byte <= offset && offset <= rng.End.Byte
}

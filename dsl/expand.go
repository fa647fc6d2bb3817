package dsl

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/generated"
	"github.com/scenario-lang/scenario/dsl/mistakes"
	"github.com/scenario-lang/scenario/dsl/render"
)

// Limits of what one file may expand to. The second bounds
// the blocks that all dynamic blocks of a file generate together.
const (
	MaxExpansions = 10_000
	maxGenerated  = 100_000
)

const matrixType = "matrix"

// An Expander writes out what stands in a file once and is there several times:
// dynamic blocks, and scenarios with for_each or matrix. Both are known before
// anything runs.
type Expander struct {
	// Ctx and Env are what for_each and labels may refer to.
	Ctx *hcl.EvalContext
	Env *Env
	// Normal is the value that an element has for what is generated from it.
	Normal func(cty.Value) cty.Value
	// Reported says that a value which is not known was complained about where
	// it should have come from.
	Reported bool
	// Diags collects what is wrong. The ranges in it are those of instances.
	Diags hcl.Diagnostics
	// Made counts what the dynamic blocks came to whose for_each may differ from one
	// place to another.
	Made generated.Counts

	generated int
	lost      []*Block
}

// Bindings are the values that an instance's expressions may refer to, by root
// and name: each.key, matrix.model.
type Bindings map[string]map[string]cty.Value

// Generates reports whether a block holds a dynamic block, or is one.
func (b *Block) Generates() bool { return b.generates }

// Multiplied reports whether a block stands for several, by for_each or matrix.
func (b *Block) Multiplied() bool {
	return (b.Attr(forEach) != nil || b.First(matrixType) != nil || b.Named(dynamicType, matrixType) != nil) && b.Schema.Block(matrixType) != nil
}

// Lost reports whether something is wrong with what would have declared a name
// of a type: a block that could not be written out, or a dynamic block.
func (x *Expander) Lost(typ, name string) bool {
	return slices.ContainsFunc(x.lost, func(b *Block) bool {
		return b.Type == typ && b.Name() == name || b.Type == dynamicType && b.Name() == typ
	})
}

// Generated are the blocks of one type that the dynamic blocks directly in a
// block stand for, with the values of an instance.
func (x *Expander) Generated(b *Block, typ string, values Bindings) []*Block {
	var list []*Block
	for _, n := range b.Blocks {
		if n.Type != dynamicType || n.Name() != typ {
			continue
		}
		for _, src := range x.generate(n.src, &copier{mark: n.DefRange.Filename, diags: &x.Diags, values: values}) {
			if one := x.decode(b, src); one != nil {
				list = append(list, one)
			}
		}
	}
	return list
}

// Top returns the top level of a file with its dynamic blocks written out, but
// for those in the blocks that later says are expanded later.
func (x *Expander) Top(root *Block, later func(*Block) bool) *Block {
	if !root.generates {
		return root
	}
	out := *root
	out.Blocks = nil
	for _, b := range root.Blocks {
		switch {
		case b.Type == dynamicType:
			before := len(x.Diags)
			for _, src := range x.generate(b.src, &copier{mark: b.DefRange.Filename, diags: &x.Diags}) {
				if n := x.decode(root, src); n != nil {
					out.Blocks = append(out.Blocks, n)
				}
			}
			if x.Diags[before:].HasErrors() {
				x.lost = append(x.lost, b)
			}
		case b.generates && !later(b):
			if n := x.Instance(b, "", b.Labels, nil); n != nil {
				out.Blocks = append(out.Blocks, n)
			} else {
				x.lost = append(x.lost, b)
			}
		default:
			out.Blocks = append(out.Blocks, b)
		}
	}
	if !x.Diags.HasErrors() {
		d := decoder{broken: mistakes.FirstBroken(nil)}
		d.often(&out)
		x.Diags = append(x.Diags, d.diags...)
	}
	return &out
}

// Instance returns a block with everything in it written out: dynamic blocks,
// and the values in the place of what refers to them. Without bindings it is no
// instance and keeps its name. The attributes and blocks named in without are
// left out, and what would generate such blocks. It is nil where something is
// wrong.
func (x *Expander) Instance(b *Block, instance string, labels []string, values Bindings, without ...string) *Block {
	in := &copier{mark: b.DefRange.Filename, diags: &x.Diags, values: values}
	if instance != "" {
		in.mark = marked(in.mark, instance)
	}
	src := *b.src
	src.Labels = labels
	body := *src.Body
	body.Attributes = maps.Clone(body.Attributes)
	maps.DeleteFunc(body.Attributes, func(name string, _ *hclsyntax.Attribute) bool { return slices.Contains(without, name) })
	body.Blocks = slices.DeleteFunc(slices.Clone(body.Blocks), func(n *hclsyntax.Block) bool {
		return slices.Contains(without, n.Type) || n.Type == dynamicType && len(n.Labels) > 0 && slices.Contains(without, n.Labels[0])
	})
	src.Body = &body
	before := len(x.Diags)
	written := x.block(&src, in, false)
	if x.Diags[before:].HasErrors() {
		return nil // what is missing now is not missing in the file
	}
	out := x.decode(b.Parent, written)
	if x.Diags[before:].HasErrors() {
		return nil
	}
	return out
}

// Value evaluates an expression that must be known before the run, with the
// values of an instance. where names the place in messages.
func (x *Expander) Value(e hclsyntax.Expression, values Bindings, where string) (cty.Value, bool) {
	return x.static(e, &copier{mark: e.Range().Filename, diags: &x.Diags, values: values}, where)
}

func (x *Expander) errorf(rng hcl.Range, summary, format string, args ...any) {
	x.Diags = append(x.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

func (x *Expander) warnf(rng hcl.Range, summary, format string, args ...any) {
	x.Diags = append(x.Diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

func (x *Expander) static(e hclsyntax.Expression, in *copier, where string) (cty.Value, bool) {
	before := len(x.Diags)
	e = in.expr(e)
	env := *x.Env
	env.Where, env.Replaced = where, slices.Sorted(maps.Keys(in.values))
	_, diags := Infer(e, &env)
	x.Diags = append(x.Diags, diags...)
	if x.Diags[before:].HasErrors() {
		return cty.DynamicVal, false
	}
	v, diags := Evaluate(e, x.Ctx)
	x.Diags = append(x.Diags, diags...)
	if !diags.HasErrors() && !v.IsWhollyKnown() {
		if !x.Reported {
			x.errorf(e.Range(), "Value that is not known", "What %s gives must be known before the run.", where)
		}
		return v, false
	}
	return v, !diags.HasErrors()
}

// spend counts one generated block and says when there are too many.
func (x *Expander) spend(rng hcl.Range) bool {
	if x.generated++; x.generated == maxGenerated+1 {
		x.errorf(rng, "Too many generated blocks", "The dynamic blocks of a file may generate at most %s blocks together.", render.Thousands(maxGenerated))
	}
	return x.generated <= maxGenerated
}

// TooMany reports whether the dynamic blocks of a block would generate too many, written
// out for each of its instances, and says so before any is. It counts all only where the
// first promises as much.
func (x *Expander) TooMany(b *Block, instances int, valuesOf func(int) Bindings) bool {
	if !b.generates || instances == 0 {
		return false
	}
	probe := &Expander{Ctx: x.Ctx, Env: x.Env, Reported: true}
	count := func(i int) int {
		return probe.count(b.src.Body, &copier{mark: b.DefRange.Filename, diags: &probe.Diags, values: valuesOf(i)})
	}
	left := maxGenerated - x.generated
	if count(0)*instances <= left {
		return false
	}
	for i := range instances {
		if left -= count(i); left < 0 {
			x.errorf(b.DefRange, "Too many generated blocks", "The dynamic blocks of a file may generate at most %s blocks together, and those of this scenario, which stands for %s, would generate more.", render.Thousands(maxGenerated), render.Thousands(instances))
			return true
		}
	}
	return false
}

// count is how many blocks are generated in a body at least: what generated blocks
// generate counts where it does not depend on them.
func (x *Expander) count(body *hclsyntax.Body, in *copier) (n int) {
	for _, b := range body.Blocks {
		if b.Type != dynamicType {
			n += x.count(b.Body, in)
			continue
		}
		if a := b.Body.Attributes[forEach]; a != nil && !slices.Equal(b.Labels, []string{matrixType}) { // of a matrix there is one for all
			if v, known := x.static(a.Expr, in, "the for_each of a dynamic block"); known && !v.IsNull() && v.CanIterateElements() {
				n += v.LengthInt() * (1 + x.count(b.Body, in))
			}
		}
		if n > maxGenerated {
			return maxGenerated + 1
		}
	}
	return n
}

func (x *Expander) decode(parent *Block, src *hclsyntax.Block) *Block {
	d := decoder{broken: mistakes.FirstBroken(nil)}
	b := d.block(parent, src)
	x.Diags = append(x.Diags, d.diags...)
	return b
}

func (x *Expander) generate(src *hclsyntax.Block, in *copier) []*hclsyntax.Block {
	d := decoder{broken: mistakes.FirstBroken(nil)}
	if d.dynamic(nil, src); d.diags.HasErrors() { // one in generated content was not read before
		x.Diags = append(x.Diags, d.diags...)
		return nil
	}
	g := &generator{Expander: x, src: src, in: in}
	list := g.blocks()
	if len(list) > MaxExpansions {
		x.errorf(in.at(src.DefRange()), "Too many generated blocks", "A dynamic block may generate at most %s blocks, and this one would generate %s.", render.Thousands(MaxExpansions), render.Thousands(len(list)))
		return nil
	}
	return list
}

// block copies a block with everything in it.
func (x *Expander) block(src *hclsyntax.Block, in *copier, generated bool) *hclsyntax.Block {
	out := *src
	out.TypeRange, out.OpenBraceRange, out.CloseBraceRange = in.at(src.TypeRange), in.at(src.OpenBraceRange), in.at(src.CloseBraceRange)
	out.LabelRanges = make([]hcl.Range, len(src.LabelRanges))
	for i, r := range src.LabelRanges {
		out.LabelRanges[i] = in.at(r)
	}
	out.Body = x.body(src.Body, in, generated)
	return &out
}

// body copies what a block holds. In generated content null means absent.
func (x *Expander) body(src *hclsyntax.Body, in *copier, generated bool) *hclsyntax.Body {
	out := &hclsyntax.Body{Attributes: make(hclsyntax.Attributes, len(src.Attributes)), SrcRange: in.at(src.SrcRange), EndRange: in.at(src.EndRange)}
	for _, name := range slices.Sorted(maps.Keys(src.Attributes)) { // the order of what is said of them
		a := *src.Attributes[name]
		a.Expr = in.expr(a.Expr)
		if generated && x.isNull(a.Expr) {
			continue
		}
		a.SrcRange, a.NameRange, a.EqualsRange = in.at(a.SrcRange), in.at(a.NameRange), in.at(a.EqualsRange)
		out.Attributes[name] = &a
	}
	for _, n := range src.Blocks {
		if n.Type == dynamicType {
			out.Blocks = append(out.Blocks, x.generate(n, in)...)
			continue
		}
		out.Blocks = append(out.Blocks, x.block(n, in, generated))
	}
	return out
}

// isNull reports whether an expression is null whatever happens in the run.
func (x *Expander) isNull(e hclsyntax.Expression) bool {
	switch e.(type) {
	case *hclsyntax.ObjectConsExpr, *hclsyntax.TupleConsExpr, *hclsyntax.TemplateExpr, *hclsyntax.ForExpr:
		return false // and evaluating one may take long
	}
	if isNullLiteral(e) {
		return true
	}
	if _, literal := Literal(e); literal {
		return false
	}
	for t := range Variables(e) {
		if _, known := x.Ctx.Variables[t.RootName()]; !known {
			return false
		}
	}
	v, diags := Evaluate(e, x.Ctx)
	return !diags.HasErrors() && v.IsNull()
}

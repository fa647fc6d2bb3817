package dsl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/generated"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/schema"
)

const (
	dynamicType = "dynamic"
	contentType = "content"
	forEach     = "for_each"
)

// Dynamic is the schema of the block that generates others. It may stand in
// the place of any block but a variable or locals.
func Dynamic() *schema.Block { return dynamicBlock }

var dynamicBlock = &schema.Block{
	Type: dynamicType, Labels: []string{"type"}, Doc: "Generates a block of the named type for each element of a collection.",
	Attrs: []schema.Attr{
		{Name: forEach, Type: schema.Expr, Required: true, Doc: "An object, or a list. Known before the run."},
		{Name: "iterator", Type: schema.Expr, Doc: "What the content calls the element: NAME.key and NAME.value. The block type by default."},
		{Name: "labels", Type: schema.Expr, Doc: "The labels of the generated block, a list of strings."},
	},
	Blocks: []*schema.Block{{Type: contentType, Min: 1, Max: 1, Open: true, Doc: "What the generated block holds; an attribute that is null is left out."}},
}

// dynamic decodes a generator. Its content is decoded when it is generated: only
// then are the labels known, and with them what may stand in it.
func (d *decoder) dynamic(parent *Block, src *hclsyntax.Block) *Block {
	b := &Block{Type: src.Type, Labels: src.Labels, LabelRanges: src.LabelRanges, DefRange: src.DefRange(), End: src.CloseBraceRange, Parent: parent, Schema: dynamicBlock, src: src, generates: true}
	if !d.labels(b, dynamicBlock, src.Body) {
		return nil
	}
	switch typ := b.Labels[0]; {
	case typ == "variable" || typ == "locals":
		d.errorf(b.LabelRanges[0], "Block that cannot be generated", "What a dynamic block generates may depend on variables and locals, so these are written out.")
		return nil
	case typ == dynamicType: // the inner one would not be written out
		d.errorf(b.LabelRanges[0], "Block that cannot be generated", "A dynamic block generates other blocks. Where they hold generated blocks, write a dynamic block in the content.")
		return nil
	case parent != nil && parent.Schema.Block(typ) == nil:
		d.unknownBlock(parent, &hclsyntax.Block{Type: typ, TypeRange: b.LabelRanges[0]})
		return nil
	}
	d.body(b, src.Body)
	return b
}

// generator reads the attributes of one dynamic block.
type generator struct {
	*Expander
	src *hclsyntax.Block
	in  *copier
}

// blocks are what a generator stands for.
func (g *generator) blocks() []*hclsyntax.Block {
	attrs := g.src.Body.Attributes
	values, keys, ok := g.elements(attrs[forEach])
	if !ok {
		return nil
	}
	iterator, implied := g.src.Labels[0], true
	if a := attrs["iterator"]; a != nil {
		if iterator = hcl.ExprAsKeyword(a.Expr); iterator == "" {
			g.errorf(a.Expr.Range(), "Wrong iterator", "The attribute \"iterator\" is a name without quotes, such as iterator = item.")
			return nil
		}
		implied = false
	}
	var content *hclsyntax.Block
	for _, n := range g.src.Body.Blocks {
		content = n
	}
	var out []*hclsyntax.Block
	defer func() { g.leftOut(content, out) }()
	for i, v := range values {
		if !g.spend(g.src.TypeRange) {
			return nil
		}
		in := g.in.with(iterator, implied, map[string]cty.Value{"key": keys[i], "value": v})
		in.mark = marked(g.in.mark, fmt.Sprintf("%s[%s]", g.src.Labels[0], plainKey(keys[i])))
		if b := g.generate(in, content); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// elements are the values of for_each with their keys.
func (g *generator) elements(a *hclsyntax.Attribute) (values, keys []cty.Value, ok bool) {
	v, ok := g.static(a.Expr, g.in, "the for_each of a dynamic block")
	if !ok {
		return nil, nil, false
	}
	if v.IsNull() || !v.CanIterateElements() {
		g.errorf(g.in.at(a.Expr.Range()), "Wrong for_each", "The for_each of a dynamic block is an object or a list, not %s.", describeValue(v))
		return nil, nil, false
	}
	if n := v.LengthInt(); !generated.Constant(a.Expr) {
		g.Made.Note(a, g.src.Labels[0], n)
	} else if n == 0 {
		g.warnf(g.in.at(a.Expr.Range()), "Block that is never generated", "The for_each is empty, so there is no %s block here. Give it elements, or take the dynamic block out. One that is meant to be empty at times says when: for_each = CONDITION ? … : [].", g.src.Labels[0])
	}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		values, keys = append(values, g.Normal(e)), append(keys, k)
	}
	return values, keys, true
}

func (g *generator) generate(in *copier, content *hclsyntax.Block) *hclsyntax.Block {
	header := in.at(hcl.RangeBetween(g.src.TypeRange, g.src.LabelRanges[0]))
	out := &hclsyntax.Block{
		Type: g.src.Labels[0], TypeRange: header,
		OpenBraceRange: in.at(content.OpenBraceRange), CloseBraceRange: in.at(content.CloseBraceRange),
	}
	if a := g.src.Body.Attributes["labels"]; a != nil {
		v, ok := g.static(a.Expr, in, "the labels of a dynamic block")
		if !ok {
			return nil
		}
		labels, err := stringsOf(v)
		if err != nil {
			g.errorf(in.at(a.Expr.Range()), "Wrong labels", "The attribute \"labels\" %s.", err)
			return nil
		}
		out.Labels = labels.([]string)
		tuple, _ := a.Expr.(*hclsyntax.TupleConsExpr)
		for i := range out.Labels {
			rng := a.Expr.Range()
			if tuple != nil && i < len(tuple.Exprs) {
				rng = tuple.Exprs[i].Range()
			}
			out.LabelRanges = append(out.LabelRanges, in.at(rng))
		}
	}
	out.Body = g.body(content.Body, in, true)
	return out
}

// expectType is the block in which an attribute that is left out is one that is
// not checked.
const expectType = "expect"

// leftOut warns of an attribute that a reader of the file expects to be checked and
// that every block leaves out.
func (g *generator) leftOut(content *hclsyntax.Block, blocks []*hclsyntax.Block) {
	if g.src.Labels[0] != expectType || len(blocks) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(content.Body.Attributes)) {
		if !slices.ContainsFunc(blocks, func(b *hclsyntax.Block) bool { return b.Body.Attributes[name] != nil }) {
			g.warnf(g.in.at(content.Body.Attributes[name].SrcRange), "Expectation that is left out", "%q is null in every block here, and null leaves an attribute of a generated block out: nothing is checked. To expect null, write an assert with == null.", name)
		}
	}
}

// plainKey is a key as the name of an instance shows it.
func plainKey(v cty.Value) string {
	if v.Type() == cty.String {
		return v.AsString()
	}
	return strings.TrimSpace(render.Value(v, 60))
}

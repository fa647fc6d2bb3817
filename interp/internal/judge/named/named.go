// Package named finds conditions that search the text of a whole value and find the name of
// an attribute there, which is in every run, and nothing of what the run came to.
//
//	nothing := named.Only(condition, shapes, ctx) // strcontains(jsonencode(run), "error")
package named

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// Why says why such a condition shows nothing.
const Why = "it holds because it finds the name of an attribute, which is there in every run: jsonencode() writes the names with the values, so it shows nothing here.\nhint: compare the attribute itself, such as run.error != null"

// Only reports whether a condition that holds does so by the names of attributes: it holds
// with every jsonencode of something observed giving these alone, and not with giving
// nothing. shapes are those of the roots that a condition reads; what a service or a program
// named is no name of an attribute.
func Only(e hclsyntax.Expression, shapes func() map[string]*schema.Shape, ctx *hcl.EvalContext) bool {
	texts := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		texts = texts || is && f.Name == encode
	})
	if !texts {
		return false
	}
	r := reader{shapes: shapes(), ctx: ctx}
	return r.holds(e, r.names) && r.found && !r.holds(e, func(cty.Value, hclsyntax.Expression) (cty.Value, bool) { return cty.StringVal(""), true })
}

const encode = "jsonencode"

type reader struct {
	shapes map[string]*schema.Shape
	ctx    *hcl.EvalContext
	found  bool
}

// holds reports whether a condition holds with other values in the place of those that it
// writes as JSON, where instead has one.
func (r *reader) holds(e hclsyntax.Expression, instead func(v cty.Value, of hclsyntax.Expression) (cty.Value, bool)) bool {
	other := dsl.Replaced(e, func(e hclsyntax.Expression) hclsyntax.Expression {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != encode || len(f.Args) != 1 || f.ExpandFinal {
			return nil
		}
		v, diags := dsl.Evaluate(f.Args[0], r.ctx)
		if diags.HasErrors() || !v.IsWhollyKnown() {
			return nil
		}
		v, _ = v.UnmarkDeep()
		v, is = instead(v, f.Args[0])
		if !is {
			return nil
		}
		text, err := stdlib.Functions()[encode].Call([]cty.Value{v})
		if err != nil {
			return nil
		}
		return &hclsyntax.LiteralValueExpr{Val: text, SrcRange: f.Range()}
	})
	v, diags := dsl.Evaluate(other, r.ctx)
	v, _ = v.Unmark()
	return !diags.HasErrors() && v.IsKnown() && !v.IsNull() && v.Type() == cty.Bool && v.True()
}

// names is a value with nothing in it but the names that the language gives.
func (r *reader) names(v cty.Value, of hclsyntax.Expression) (cty.Value, bool) {
	switch x := dsl.Bare(of).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		s := follow(r.shapes[x.Traversal.RootName()], x.Traversal[1:])
		r.found = r.found || s != nil
		return emptied(v, s), s != nil
	case *hclsyntax.FunctionCallExpr:
		known := read.IsQuery(x.Name) && v.Type().IsTupleType()
		r.found = r.found || known
		return shared(v), known
	}
	return v, false
}

// follow is the shape of a part, nil where the language does not say it.
func follow(s *schema.Shape, path hcl.Traversal) *schema.Shape {
	for i := range path {
		name, named := read.AttrName(path, i)
		switch {
		case s == nil:
			return nil
		case named && s.Attrs[name] != nil:
			s = s.Attrs[name]
		default:
			s = s.Elem
		}
	}
	return s
}

var nothing = cty.StringVal("")

// emptied is a value without anything but the names of attributes that its shape has.
func emptied(v cty.Value, s *schema.Shape) cty.Value {
	switch t := v.Type(); {
	case v.IsNull() || s == nil:
	case t.IsObjectType() && s.Kind == schema.ShapeObject:
		attrs := map[string]cty.Value{}
		for name, a := range v.AsValueMap() {
			if of := s.Attrs[name]; of != nil {
				attrs[name] = emptied(a, of)
			}
		}
		return cty.ObjectVal(attrs)
	case t.IsTupleType() && s.Kind == schema.ShapeTuple:
		list := v.AsValueSlice()
		for i := range list {
			list[i] = emptied(list[i], s.Elem)
		}
		return cty.TupleVal(list)
	}
	return nothing
}

// shared is the answer of a query without anything but the names that each of its elements
// has: which others one has is what happened.
func shared(v cty.Value) cty.Value {
	list := v.AsValueSlice()
	in := map[string]int{}
	for _, e := range list {
		if e.Type().IsObjectType() && !e.IsNull() {
			for name := range e.Type().AttributeTypes() {
				in[name]++
			}
		}
	}
	attrs := map[string]cty.Value{}
	for name, n := range in {
		if n == len(list) {
			attrs[name] = nothing
		}
	}
	for i := range list {
		list[i] = cty.ObjectVal(attrs)
	}
	return cty.TupleVal(list)
}

package certain

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// OfCertain says why to ask whether something can be evaluated shows nothing where it always can.
const OfCertain = "it holds whatever the run does: what it asks for is there in every run, whatever it comes to, so it shows nothing here.\nhint: compare it with what it has to be, such as step.NAME.status == \"success\""

// Without is a condition in which what cannot fail stands in the place of a try around it, and
// true in that of a can; and reports whether there is any. shapes are those of the roots of
// conditions. The condition is not changed.
func Without(e hclsyntax.Expression, shapes func() map[string]*schema.Shape) (plain hclsyntax.Expression, some bool) {
	handled := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		handled = handled || is && (f.Name == "try" || f.Name == "can")
	})
	if !handled {
		return e, false
	}
	w := walk{roots: shapes()}
	plain = w.without(e)
	return plain, w.found
}

// A walk goes through a condition; vars are the shapes of what its loops are about.
type walk struct {
	roots map[string]*schema.Shape
	vars  []variable
	found bool
}

type variable struct {
	name  string
	shape *schema.Shape
}

//go:noinline
func (w *walk) without(e hclsyntax.Expression) hclsyntax.Expression {
	return dsl.Replaced(e, func(e hclsyntax.Expression) hclsyntax.Expression {
		switch x := e.(type) {
		case *hclsyntax.ForExpr:
			return w.withoutInLoop(x)
		case *hclsyntax.FunctionCallExpr:
			if x.Name == "alltrue" && w.holdsOfEach(x) {
				return &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: x.Range()}
			}
			if x.Name != "try" && x.Name != "can" || len(x.Args) == 0 || x.ExpandFinal || w.shape(x.Args[0]) == nil {
				return nil
			}
			w.found = true
			if x.Name == "can" {
				return &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: x.Range()}
			}
			return &hclsyntax.ParenthesesExpr{Expression: w.without(x.Args[0]), SrcRange: x.Range()}
		}
		return nil
	})
}

// withoutInLoop is without for a loop of which it is known what it goes over, nil for another.
func (w *walk) withoutInLoop(x *hclsyntax.ForExpr) hclsyntax.Expression {
	outer := w.vars
	defer func() { w.vars = outer }()
	if !w.enter(x) {
		w.vars = append(slices.Clip(outer), variable{x.KeyVar, nil}, variable{x.ValVar, nil})
	}
	own := *x
	own.ValExpr = w.without(x.ValExpr)
	if x.CondExpr != nil {
		own.CondExpr = w.without(x.CondExpr)
	}
	return &own
}

// holdsOfEach reports whether alltrue is given a loop that says of each element what always
// holds, however many there are.
func (w *walk) holdsOfEach(x *hclsyntax.FunctionCallExpr) bool {
	if len(x.Args) != 1 {
		return false
	}
	loop, is := dsl.Bare(x.Args[0]).(*hclsyntax.ForExpr)
	if !is || w.loop(loop) == nil {
		return false
	}
	said, is := w.withoutInLoop(loop).(*hclsyntax.ForExpr)
	v, written := dsl.Literal(dsl.Bare(said.ValExpr))
	return is && written && v.RawEquals(cty.True)
}

// enter gives the variables of a loop their shapes, and reports whether what it goes over can
// always be evaluated.
func (w *walk) enter(x *hclsyntax.ForExpr) bool {
	of := w.shape(x.CollExpr)
	if of == nil || of.Nullable {
		return false
	}
	key, elem := schema.NumberShape, of.Elem
	switch {
	case of.Kind == schema.ShapeTuple && elem != nil:
	case of.Kind == schema.ShapeObject && len(of.Attrs) > 0 && !of.Open:
		texts := make([]*schema.Shape, 0, len(of.Attrs))
		for name := range of.Attrs {
			texts = append(texts, schema.Written(name))
		}
		key, elem = schema.Common(texts), schema.AnyAttr(of)
	default:
		return false
	}
	w.vars = append(slices.Clip(w.vars), variable{x.KeyVar, key}, variable{x.ValVar, elem})
	return elem != nil
}

// shape is what an expression comes to that can be evaluated in every run, nil for one of which
// that is not known.
func (w *walk) shape(e hclsyntax.Expression) *schema.Shape {
	if v, written := dsl.Literal(e); written {
		return dsl.LiteralShape(v)
	}
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return w.shape(x.Expression)
	case *hclsyntax.ScopeTraversalExpr:
		return follow(w.root(x.Traversal.RootName()), x.Traversal[1:])
	case *hclsyntax.RelativeTraversalExpr:
		return follow(w.shape(x.Source), x.Traversal)
	case *hclsyntax.IndexExpr:
		return w.named(x)
	case *hclsyntax.TupleConsExpr:
		return w.list(x)
	case *hclsyntax.ForExpr:
		return w.loop(x)
	case *hclsyntax.UnaryOpExpr:
		if s := w.shape(x.Val); is(s, x.Op.Type) {
			return s
		}
	case *hclsyntax.BinaryOpExpr:
		return w.operation(x)
	case *hclsyntax.FunctionCallExpr:
		return w.call(x)
	}
	return nil
}

func (w *walk) root(name string) *schema.Shape {
	for _, v := range slices.Backward(w.vars) {
		if v.name == name {
			return v.shape
		}
	}
	return w.roots[name]
}

// follow goes from a value to a part that it always has.
func follow(s *schema.Shape, path hcl.Traversal) *schema.Shape {
	for i := range path {
		name, named := read.AttrName(path, i)
		if s == nil || !named || s.Kind != schema.ShapeObject || s.Nullable {
			return nil
		}
		s = s.Attrs[name]
	}
	return s
}

// named is a part of an object by a name that is one of some.
func (w *walk) named(x *hclsyntax.IndexExpr) *schema.Shape {
	of, key := w.shape(x.Collection), w.shape(x.Key)
	if of == nil || key == nil || of.Kind != schema.ShapeObject || of.Nullable || len(key.Texts) == 0 {
		return nil
	}
	list := make([]*schema.Shape, len(key.Texts))
	for i, name := range key.Texts {
		if list[i] = of.Attrs[name]; list[i] == nil {
			return nil
		}
	}
	return schema.Common(list)
}

func (w *walk) list(x *hclsyntax.TupleConsExpr) *schema.Shape {
	elems := make([]*schema.Shape, len(x.Exprs))
	for i, e := range x.Exprs {
		if elems[i] = w.shape(e); elems[i] == nil {
			return nil
		}
	}
	return &schema.Shape{Kind: schema.ShapeTuple, Elem: schema.Common(elems), Elems: elems}
}

func (w *walk) loop(x *hclsyntax.ForExpr) *schema.Shape {
	outer := w.vars
	defer func() { w.vars = outer }()
	if x.KeyExpr != nil || !w.enter(x) || x.CondExpr != nil && !is(w.shape(x.CondExpr), cty.Bool) {
		return nil
	}
	elem := w.shape(x.ValExpr)
	if elem == nil {
		return nil
	}
	return schema.TupleOf(elem)
}

func (w *walk) operation(x *hclsyntax.BinaryOpExpr) *schema.Shape {
	left, right := w.shape(x.LHS), w.shape(x.RHS)
	switch {
	case left == nil || right == nil || x.Op == hclsyntax.OpDivide || x.Op == hclsyntax.OpModulo:
		return nil
	case dsl.IsComparison(x.Op): // of two types it is an error
		if left.Kind != schema.ShapeUnknown && left.Kind == right.Kind || left.Kind == schema.ShapeNull || right.Kind == schema.ShapeNull {
			return schema.BoolShape
		}
	case x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr:
		if is(left, cty.Bool) && is(right, cty.Bool) {
			return schema.BoolShape
		}
	case is(left, cty.Number) && is(right, cty.Number) && x.Op.Type == cty.Bool:
		return schema.BoolShape
	case is(left, cty.Number) && is(right, cty.Number):
		return schema.NumberShape
	}
	return nil
}

// call is the result of a function that takes all that its arguments can be.
func (w *walk) call(x *hclsyntax.FunctionCallExpr) *schema.Shape {
	switch x.Name {
	case "metric":
		return asked(x, schema.NumberShape)
	case "events", "spans", "metrics":
		return asked(x, schema.TupleOf(nil))
	}
	args := make([]*schema.Shape, len(x.Args))
	for i, a := range x.Args {
		if args[i] = w.shape(a); args[i] == nil || x.ExpandFinal {
			return nil
		}
	}
	switch x.Name {
	case "can":
		return schema.BoolShape
	case "try":
		if len(args) > 0 {
			return args[0]
		}
	case "length":
		if len(args) == 1 && !args[0].Nullable && (args[0].Kind == schema.ShapeTuple || args[0].Kind == schema.ShapeObject || args[0].Kind == schema.ShapeString) {
			return schema.NumberShape
		}
	case "alltrue", "anytrue":
		if len(args) == 1 && args[0].Kind == schema.ShapeTuple && !args[0].Nullable && is(args[0].Elem, cty.Bool) {
			return schema.BoolShape
		}
	case "lower", "upper", "trimspace", "tostring":
		if len(args) == 1 && is(args[0], cty.String) {
			return schema.StringShape
		}
	}
	return nil
}

// asked is the answer of a query whose arguments are written out.
func asked(x *hclsyntax.FunctionCallExpr, s *schema.Shape) *schema.Shape {
	for range dsl.Variables(x) {
		return nil
	}
	return s
}

// is reports whether a value is always there and of a type.
func is(s *schema.Shape, t cty.Type) bool {
	if s == nil || s.Nullable {
		return false
	}
	switch t {
	case cty.Bool:
		return s.Kind == schema.ShapeBool
	case cty.Number:
		return s.Kind == schema.ShapeNumber
	case cty.String:
		return s.Kind == schema.ShapeString
	}
	return false
}

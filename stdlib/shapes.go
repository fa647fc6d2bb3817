package stdlib

import (
	"maps"

	"github.com/scenario-lang/scenario/schema"
)

// The shapes of results, as functions of the shapes of the arguments. Those
// of the arguments are never nil.

type result = func([]*schema.Shape) *schema.Shape

func always(s *schema.Shape) result {
	return func([]*schema.Shape) *schema.Shape { return s }
}

var (
	aNumber     = always(schema.NumberShape)
	aString     = always(schema.StringShape)
	aBool       = always(schema.BoolShape)
	aTuple      = always(schema.TupleOf(nil))
	someTexts   = always(schema.TupleOf(schema.StringShape))
	someNumbers = always(schema.TupleOf(schema.NumberShape))
)

// sameElements is a tuple of other length with the elements of the first
// argument.
func sameElements(args []*schema.Shape) *schema.Shape {
	if len(args) == 0 || args[0].Kind != schema.ShapeTuple {
		return schema.TupleOf(nil)
	}
	return schema.TupleOf(args[0].Elem)
}

// anElement is one element of the first argument.
func anElement(args []*schema.Shape) *schema.Shape {
	if len(args) == 0 || args[0].Elem == nil {
		return schema.UnknownShape
	}
	return args[0].Elem
}

// allElements is a tuple with the elements of all arguments, known where they
// agree.
func allElements(args []*schema.Shape) *schema.Shape {
	elems := make([]*schema.Shape, 0, len(args))
	for _, a := range args {
		if a.Elem == nil && len(a.Elems) == 0 && a.Elems != nil {
			continue // an empty tuple adds nothing
		}
		if a.Elem == nil {
			return schema.TupleOf(nil)
		}
		elems = append(elems, a.Elem)
	}
	return schema.TupleOf(schema.Common(elems))
}

// oneOfThem is any of the arguments, known where they agree.
func oneOfThem(args []*schema.Shape) *schema.Shape {
	if s := schema.Common(args); s != nil {
		return s
	}
	return schema.UnknownShape
}

// joined is one text of the elements of a list.
func joined(args []*schema.Shape) *schema.Shape {
	if len(args) != 2 || args[1].Kind != schema.ShapeTuple {
		return schema.StringShape
	}
	return schema.Joined(args[1], args[0])
}

// merged is an object with the attributes of all: of those of one name the last.
func merged(args []*schema.Shape) *schema.Shape {
	s := &schema.Shape{Kind: schema.ShapeObject, Name: "this object", Attrs: map[string]*schema.Shape{}}
	for _, a := range args {
		if a.Kind != schema.ShapeObject || a.Within != "" || a.Keys != nil || a.Nullable {
			return schema.OpenObject()
		}
		s.Open, s.Observed = s.Open || a.Open, s.Observed || a.Observed
		if a.Open {
			clear(s.Attrs) // it may have them, too
		}
		maps.Copy(s.Attrs, a.Attrs)
	}
	return s
}

// theNames are the names of an object's attributes, and theValues their values.
func theNames(args []*schema.Shape) *schema.Shape { return schema.TupleOf(schema.Names(args[0])) }

func theValues(args []*schema.Shape) *schema.Shape {
	return schema.TupleOf(known(schema.AnyAttr(args[0])))
}

// known is nil for a shape of which nothing is known.
func known(s *schema.Shape) *schema.Shape {
	if s == nil || s.Kind == schema.ShapeUnknown {
		return nil
	}
	return s
}

// zipped is an object with the names and the values of two lists.
func zipped(args []*schema.Shape) *schema.Shape {
	s := schema.OpenObject()
	s.Name, s.Keys, s.Elem = "this object", args[0].Elem, args[1].Elem
	return s
}

// flat is a tuple with the innermost elements of a list of lists.
func flat(args []*schema.Shape) *schema.Shape { return schema.TupleOf(innermost(args[0])) }

func innermost(s *schema.Shape) *schema.Shape {
	switch {
	case s == nil || s.Kind == schema.ShapeUnknown:
		return nil
	case s.Kind != schema.ShapeTuple:
		return s
	case s.Elems == nil:
		return innermost(s.Elem)
	case len(s.Elems) == 0:
		return &schema.Shape{Kind: schema.ShapeNull} // it adds nothing
	}
	all := make([]*schema.Shape, len(s.Elems))
	for i, e := range s.Elems {
		all[i] = innermost(e)
	}
	return schema.Common(all)
}

package schema

import "slices"

// A ShapeKind is the broad type of a value that an expression can read.
type ShapeKind uint8

const (
	// ShapeUnknown is a value about which nothing is known before the run.
	ShapeUnknown ShapeKind = iota
	ShapeString
	ShapeNumber
	ShapeBool
	ShapeTuple
	ShapeObject
	ShapeNull
)

// A Shape is what is known of a value before anything runs: enough to find a
// mistyped attribute, also inside a for expression, and a comparison that can
// never hold.
type Shape struct {
	Kind ShapeKind
	// Name is what to call the value in a message: "step", "an attempt".
	Name string
	// Elem is the shape of every element of a tuple, nil when unknown.
	Elem *Shape
	// Elems are the shapes of the elements of a tuple whose length is known,
	// such as a tuple in the file; nil for any other.
	Elems []*Shape
	// Attrs are the attributes of an object. Open says that there may be
	// others.
	Attrs map[string]*Shape
	Open  bool
	// Within says where the names of Attrs are declared, such as `in workflow
	// "support"`, for an object that is a directory of declarations, like the
	// root step. It is "" for a value with attributes. A directory is no value
	// by itself: an expression must go on to one of its names.
	Within string
	// Nullable values may be null at run time.
	Nullable bool
	// Observed says that the value comes from the run, not from the file.
	Observed bool
	// OneOf lists the values that a string may have, nil where it may have any.
	OneOf []string
	// Domain names the values that a string may have where the file decides
	// which those are, such as the modes of its taxonomies; "" where it does not.
	Domain string
	// Text is the string itself where it is written out, which Written tells.
	Text    string
	Written bool
	// Doc is for hover and the reference.
	Doc string
}

// The shapes of plain values. They are shared and must not be changed.
var (
	UnknownShape = &Shape{}
	StringShape  = &Shape{Kind: ShapeString}
	NumberShape  = &Shape{Kind: ShapeNumber}
	BoolShape    = &Shape{Kind: ShapeBool}
)

// TupleOf is a tuple of any length whose elements have one shape; nil says
// that nothing is known of them.
func TupleOf(elem *Shape) *Shape { return &Shape{Kind: ShapeTuple, Elem: elem} }

// OpenObject is an object of which no attribute is known.
func OpenObject() *Shape { return &Shape{Kind: ShapeObject, Open: true} }

// Common is the shape that all have in common, nil where there is none. A null
// fits every other shape. Plain values agree when their kinds do, tuples and
// objects only when they are one and the same shape.
func Common(shapes []*Shape) *Shape {
	var common *Shape
	for _, s := range shapes {
		switch {
		case s == nil || s.Kind == ShapeUnknown:
			return nil
		case common == nil || common.Kind == ShapeNull:
			common = s
		case s.Kind == ShapeNull || s == common:
		case s.Kind != common.Kind || s.Kind == ShapeTuple || s.Kind == ShapeObject:
			return nil
		case s.Kind == ShapeString:
			common = either(common, s)
		}
	}
	return common
}

// At is the shape of an element of a tuple, counted from 0; nil where nothing is
// known of it, or there is none.
func (s *Shape) At(i int) *Shape {
	switch {
	case s.Elems == nil:
		return s.Elem
	case i < len(s.Elems):
		return s.Elems[i]
	}
	return nil
}

// either is a string that is one of two: it may have the values of both, where
// those are known.
func either(a, b *Shape) *Shape {
	if a.Domain != "" && a.Domain == b.Domain {
		return a
	}
	x, y := a.values(), b.values()
	if a.Domain != "" || b.Domain != "" || x == nil || y == nil {
		return StringShape
	}
	return &Shape{Kind: ShapeString, OneOf: slices.Concat(x, y), Observed: a.Observed || b.Observed}
}

// values are those that a string is known to be one of, nil where nothing is.
func (s *Shape) values() []string {
	if s.Written {
		return []string{s.Text}
	}
	return s.OneOf
}

// KindName says what a value of the shape is, with an article.
func (s *Shape) KindName() string {
	switch s.Kind {
	case ShapeString:
		return "a string"
	case ShapeNumber:
		return "a number"
	case ShapeBool:
		return "a bool"
	case ShapeTuple:
		return "a list"
	case ShapeObject:
		return "an object"
	case ShapeNull:
		return "null"
	}
	return "a value"
}

package schema

import (
	"maps"
	"slices"
)

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
	// Elem is the shape of every element of a tuple, nil when unknown; of an
	// object with Keys that of every attribute.
	Elem *Shape
	// Elems are the shapes of the elements of a tuple whose length is known,
	// such as a tuple in the file; nil for any other.
	Elems []*Shape
	// Attrs are the attributes of an object. Open says that there may be
	// others.
	Attrs map[string]*Shape
	Open  bool
	// Never says of attributes that others of its sort have, and this has not, why
	// that is so.
	Never map[string]string
	// Within says where the names of Attrs are declared, such as `in workflow
	// "support"`, for an object that is a directory of declarations, like the
	// root step. It is "" for a value with attributes. A directory is no value
	// by itself: an expression must go on to one of its names.
	Within string
	// Nullable values may be null at run time.
	Nullable bool
	// Filled says of a nullable string that it is null where there is none, never "".
	Filled bool
	// Observed says that the value comes from the run, not from the file.
	Observed bool
	// Texts are what a string is where the file writes it out, one of several
	// where it chooses; Words are the closed sets that it may be of, and Made what
	// is computed of such strings. Where there is nothing of all three, it may be
	// any string.
	Texts []string
	Words []*Words
	Made  []Made
	// Keys is the shape of the names of an object's attributes where it has one
	// for each of some strings of the run, each with the shape Elem.
	Keys *Shape
	// Counts says of a number that it counts from 1 and is not there before;
	// NoCount of one that is written out that no count is ever equal to it.
	Counts, NoCount bool
	// Range is what a number of the run is between, nil where nothing is known of that.
	Range *Range
	// Doc is for hover and the reference.
	Doc string
}

// A Range is the least and the most that a number can be, where it is there.
type Range struct{ Least, Most float64 }

// The shapes of plain values. They are shared and must not be changed.
var (
	UnknownShape = &Shape{}
	StringShape  = &Shape{Kind: ShapeString}
	NumberShape  = &Shape{Kind: ShapeNumber}
	BoolShape    = &Shape{Kind: ShapeBool}
	// NoCountShape is a number that is written out and below 1, or no integer.
	NoCountShape = &Shape{Kind: ShapeNumber, NoCount: true}
)

// TupleOf is a tuple of any length whose elements have one shape; nil says
// that nothing is known of them.
func TupleOf(elem *Shape) *Shape { return &Shape{Kind: ShapeTuple, Elem: elem} }

// OpenObject is an object of which no attribute is known.
func OpenObject() *Shape { return &Shape{Kind: ShapeObject, Open: true} }

// Common is the shape that all have in common, nil where there is none. A null
// fits every other shape. Values agree when their kinds do; of two objects those
// attributes are known that both have.
func Common(shapes []*Shape) *Shape {
	if s := commonOfAlike(shapes); s != nil {
		return s
	}
	var common *Shape
	var texts *oneOfTexts // where they are strings
	for _, s := range shapes {
		switch {
		case s == nil || s.Kind == ShapeUnknown:
			return nil
		case common == nil || common.Kind == ShapeNull:
			common = s
		case s.Kind == ShapeNull || s == common:
		case s.Kind != common.Kind:
			return nil
		case s.Kind == ShapeObject:
			common = inBoth(common, s)
		case s.Kind == ShapeTuple:
			common = oneOfTuples(common, s)
		case s.Kind == ShapeString:
			if texts == nil {
				texts = oneOf(common)
			}
			texts.add(s)
		case common.NoCount || common.Counts:
			common = NumberShape
		case common.Range != s.Range:
			either := *common
			either.Range = nil
			common = &either
		}
	}
	if texts != nil {
		return texts.shape
	}
	return common
}

// commonOfAlike is [Common] of several objects, or of several tuples of one length, part by
// part: to take them two by two would take the square of their number. It is nil for
// others.
func commonOfAlike(shapes []*Shape) *Shape {
	var first *Shape
	several, observed := false, false
	for _, s := range shapes {
		switch {
		case s == nil || s.Never != nil || s.Kind != ShapeObject && (s.Kind != ShapeTuple || len(s.Elems) == 0):
			return nil
		case first == nil:
			first = s
		case s.Kind != first.Kind || len(s.Elems) != len(first.Elems):
			return nil
		}
		several, observed = several || s != first, observed || s.Observed
	}
	if !several {
		return nil
	}
	parts := make([]*Shape, len(shapes))
	if first.Kind == ShapeTuple {
		all := &Shape{Kind: ShapeTuple, Observed: observed, Elems: make([]*Shape, len(first.Elems))}
		for i := range all.Elems {
			for k, s := range shapes {
				parts[k] = s.Elems[i]
			}
			all.Elems[i] = orUnknown(Common(parts))
		}
		all.Elem = Common(all.Elems)
		return all
	}
	all := &Shape{Kind: ShapeObject, Name: first.Name, Attrs: map[string]*Shape{}, Open: true, Observed: observed}
	for name := range first.Attrs {
		for k, s := range shapes {
			parts[k] = s.Attrs[name] // nil has nothing in common with others
		}
		if common := Common(parts); common != nil {
			all.Attrs[name] = common
		}
	}
	return all
}

// inBoth is an object that is one of two.
func inBoth(a, b *Shape) *Shape {
	s := &Shape{Kind: ShapeObject, Name: a.Name, Attrs: map[string]*Shape{}, Open: true, Observed: a.Observed || b.Observed}
	for name, attr := range a.Attrs {
		other, ok := b.Attrs[name]
		if b.Never[name] != "" {
			other, ok = attr, true // it is empty there
		}
		if ok {
			if common := Common([]*Shape{attr, other}); common != nil {
				s.Attrs[name] = common
			}
		}
	}
	for name, attr := range b.Attrs {
		if a.Never[name] != "" {
			s.Attrs[name] = attr
		}
	}
	for name, why := range a.Never {
		if b.Never[name] != "" {
			if s.Never == nil {
				s.Never = map[string]string{}
			}
			s.Never[name] = why
		}
	}
	return s
}

// AnyAttr is the shape that every attribute of an object has, [UnknownShape]
// where they have nothing in common.
func AnyAttr(s *Shape) *Shape {
	if s.Open {
		return orUnknown(s.Elem)
	}
	shapes := make([]*Shape, 0, len(s.Attrs))
	for _, name := range slices.Sorted(maps.Keys(s.Attrs)) {
		shapes = append(shapes, s.Attrs[name])
	}
	return orUnknown(Common(shapes))
}

func orUnknown(s *Shape) *Shape {
	if s == nil {
		return UnknownShape
	}
	return s
}

// oneOfTuples is a tuple that is one of two. An empty one says nothing of the
// elements; others that are written out have to be equally long for that.
func oneOfTuples(a, b *Shape) *Shape {
	s := &Shape{Kind: ShapeTuple, Observed: a.Observed || b.Observed}
	switch {
	case b.Elems != nil && len(b.Elems) == 0:
		s.Elem, s.Elems = a.Elem, a.Elems
	case a.Elems != nil && len(a.Elems) == 0:
		s.Elem, s.Elems = b.Elem, b.Elems
	case a.Elems == nil && b.Elems == nil:
		s.Elem = Common([]*Shape{a.Elem, b.Elem})
	case len(a.Elems) == len(b.Elems):
		s.Elems = make([]*Shape, len(a.Elems))
		for i := range s.Elems {
			s.Elems[i] = orUnknown(Common([]*Shape{a.Elems[i], b.Elems[i]}))
		}
		s.Elem = Common(s.Elems)
	}
	return s
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

// A oneOfTexts is a string that is one of several: it may be what any of them may be, where
// that is known of all. It takes time in proportion to what they are together.
type oneOfTexts struct {
	shape *Shape
	// texts and words are those of the shape.
	texts map[string]bool
	words map[*Words]bool
}

func oneOf(first *Shape) *oneOfTexts { return &oneOfTexts{shape: first} }

// add makes it one of one more.
func (o *oneOfTexts) add(more *Shape) {
	if !o.shape.limited() || !more.limited() {
		o.shape = StringShape
		return
	}
	if o.texts == nil {
		first := o.shape
		o.shape = &Shape{Kind: ShapeString, Observed: first.Observed}
		o.texts, o.words = make(map[string]bool, len(first.Texts)), map[*Words]bool{}
		o.include(first)
	}
	o.include(more)
	if s := o.shape; len(s.Texts)+len(s.Made) > maxMade {
		o.shape = StringShape
	}
}

func (o *oneOfTexts) include(more *Shape) {
	s := o.shape
	s.Observed = s.Observed || more.Observed
	for _, text := range more.Texts {
		if !o.texts[text] {
			o.texts[text] = true
			s.Texts = append(s.Texts, text)
		}
	}
	for _, w := range more.Words {
		if !o.words[w] {
			o.words[w] = true
			s.Words = append(s.Words, w)
		}
	}
	s.Made = append(s.Made, more.Made...)
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

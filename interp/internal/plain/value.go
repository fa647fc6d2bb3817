package plain

import "github.com/zclconf/go-cty/cty"

// A Value is what a condition reads, or a part of it comes to. The zero value is
// one that only the whole evaluation knows.
type Value struct {
	kind   kind
	scalar cty.Value
	list   List
	object Object
}

type kind uint8

const (
	unsure kind = iota
	absent      // an operand that is not there, so that it has no value to compare
	null
	scalar
	list
	object
)

// A List is what a condition goes over.
type List interface {
	Len() int
	At(i int) Value
}

// An Object is something with attributes. Get returns [Unknown] for one that it
// cannot tell, and [Null] for one that it does not have.
type Object interface {
	Get(name string) Value
}

// What a value may be, beside what [Of], [ListOf] and [ObjectOf] make.
var (
	Unknown = Value{}
	Null    = Value{kind: null}

	missing = Value{kind: absent}
	yes     = Value{kind: scalar, scalar: cty.True}
	no      = Value{kind: scalar, scalar: cty.False}
)

// Of is a string, a number, a bool, an object or a tuple; Null for null, and Unknown for
// any other value and for one that is marked.
func Of(v cty.Value) Value {
	switch {
	case v.IsMarked():
		return Unknown
	case v.IsNull():
		return Null
	case !v.IsKnown():
		return Unknown
	}
	switch t := v.Type(); {
	case t.IsPrimitiveType():
		return Value{kind: scalar, scalar: v}
	case t.IsObjectType():
		return ObjectOf(attributes{v})
	case t.IsTupleType():
		return ListOf(elements{v})
	}
	return Unknown
}

// attributes are those of an object. One that it does not have is an error.
type attributes struct{ cty.Value }

func (a attributes) Get(name string) Value {
	if !a.Type().HasAttribute(name) {
		return Unknown
	}
	return Of(a.GetAttr(name))
}

// elements are those of a tuple.
type elements struct{ cty.Value }

func (e elements) Len() int       { return e.LengthInt() }
func (e elements) At(i int) Value { return Of(e.Index(cty.NumberIntVal(int64(i)))) }

// ListOf is a list of values.
func ListOf(l List) Value { return Value{kind: list, list: l} }

// ObjectOf is a value with attributes.
func ObjectOf(o Object) Value { return Value{kind: object, object: o} }

func ofBool(b bool) Value {
	if b {
		return yes
	}
	return no
}

func number(n int) Value { return Value{kind: scalar, scalar: cty.NumberIntVal(int64(n))} }

// is reports whether a value is a scalar of a type.
func (v Value) is(t cty.Type) bool { return v.kind == scalar && v.scalar.Type() == t }

// at is what stands at the end of a path that begins with v.
func (v Value) at(path []segment) Value {
	for _, s := range path {
		switch {
		case v.kind == object && s.name != "":
			v = v.object.Get(s.name)
		case v.kind == list && s.name == "" && s.index < v.list.Len():
			v = v.list.At(s.index)
		case v.kind == list && s.name == "":
			return Null // behind the end
		case v.kind == null:
			return Null // beneath null
		default:
			return Unknown
		}
	}
	return v
}

// A segment is one step of a path: an attribute, or an element where it has no
// name.
type segment struct {
	name  string
	index int
}

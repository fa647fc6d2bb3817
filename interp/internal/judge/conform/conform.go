// Package conform makes the values and schemas that tell whether a JSON schema says anything of
// a value that conforms to it.
//
//	rest, some := conform.WithoutParts(schema) // { properties = { a = false } }, true
package conform

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Why a value that conforms to a schema shows nothing.
const (
	ofAnySchema    = "it holds because every value conforms to the schema, so it shows nothing here.\nhint: say in the schema what has to be there, with type, required and properties"
	ofAbsentSchema = "it holds because nothing is there that the schema describes, such as its properties or the elements of a list, so it shows nothing here.\nhint: say what has to be there, with required or minItems"
)

// Nothing says why it shows nothing that a value conforms to a schema: any other conforms as
// well, a text of its own leaves among them, or what the schema describes is not there and does
// not have to be. "" where it shows something.
func Nothing(value, leaves, schema cty.Value, conforms func(value, schema cty.Value) bool) string {
	if !slices.ContainsFunc(append(values(), leaves), func(other cty.Value) bool { return !conforms(other, schema) }) {
		return ofAnySchema
	}
	if rest, some := WithoutParts(schema); some && conforms(value, rest) && conforms(Emptied(value), schema) {
		return ofAbsentSchema
	}
	return ""
}

// values are values of every type of JSON.
func values() []cty.Value {
	return []cty.Value{
		cty.NullVal(cty.DynamicPseudoType), cty.True, cty.NumberFloatVal(-12345.5), cty.StringVal("z"),
		cty.EmptyTupleVal, cty.TupleVal([]cty.Value{cty.Zero}),
		cty.EmptyObjectVal, cty.ObjectVal(map[string]cty.Value{"z": cty.Zero}),
	}
}

// Emptied is a value of the same type of JSON with nothing in it.
func Emptied(v cty.Value) cty.Value {
	switch t := v.Type(); {
	case v.IsNull():
	case t.IsObjectType() || t.IsMapType():
		return cty.EmptyObjectVal
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return cty.EmptyTupleVal
	}
	return v
}

// The keywords of JSON schema (2020-12, core section 10) with a schema for what is in a
// value, if it is there, and with several of those by their names or in order; and
// those whose schemas are for the value itself.
var (
	ofParts      = []string{"items", "additionalItems", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "then", "else"}
	ofNamedParts = []string{"properties", "patternProperties", "dependentSchemas", "prefixItems"}
	ofItself     = []string{"allOf", "anyOf", "oneOf", "$defs", "definitions"}
)

// WithoutParts is a schema to which no value conforms that has one of the parts that it
// describes, and reports whether it describes any. It does not where one of them is false: that
// there is no such part is what it asks for.
func WithoutParts(schema cty.Value) (rest cty.Value, some bool) {
	d := described{}
	rest = d.without(schema)
	return rest, d.parts > 0 && !d.closed
}

// described counts the schemas for the parts of a value, and notes that one of them is
// false: that there is no such part is what it asks for.
type described struct {
	parts  int
	closed bool
}

// without is a schema to which no value conforms that has one of the described parts.
func (d *described) without(schema cty.Value) cty.Value {
	if !isObject(schema) {
		return schema
	}
	words := schema.AsValueMap()
	for name, v := range words {
		switch {
		case slices.Contains(ofParts, name):
			words[name] = d.refused(v)
		case slices.Contains(ofNamedParts, name):
			words[name] = EachOf(v, d.refused)
		case slices.Contains(ofItself, name):
			words[name] = EachOf(v, d.without)
		}
	}
	return cty.ObjectVal(words)
}

func (d *described) refused(part cty.Value) cty.Value {
	d.parts++
	d.closed = d.closed || part.RawEquals(cty.False)
	return cty.False
}

// EachOf is a list or an object with each of its elements made into another one.
func EachOf(v cty.Value, with func(cty.Value) cty.Value) cty.Value {
	switch {
	case isObject(v):
		all := v.AsValueMap()
		for name, e := range all {
			all[name] = with(e)
		}
		return cty.ObjectVal(all)
	case !v.IsNull() && v.Type().IsTupleType():
		all := v.AsValueSlice()
		for i, e := range all {
			all[i] = with(e)
		}
		return cty.TupleVal(all)
	}
	return v
}

func isObject(v cty.Value) bool { return !v.IsNull() && v.Type().IsObjectType() }

// Hollow is a value whose lists and objects have nothing in them, and in which all else is
// null.
func Hollow(v cty.Value) cty.Value {
	switch t := v.Type(); {
	case v.IsNull() || !v.IsKnown():
	case t.IsObjectType():
		attrs := v.AsValueMap()
		for name, a := range attrs {
			attrs[name] = Hollow(a)
		}
		return cty.ObjectVal(attrs)
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return cty.EmptyTupleVal
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// Leaves is a value of the same form with another value at each of its ends.
func Leaves(v cty.Value) cty.Value {
	out, _ := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		switch {
		case v.IsNull() || !v.IsKnown():
		case v.Type() == cty.Bool:
			return v.Not(), nil
		case v.Type() == cty.Number:
			return v.Add(cty.NumberIntVal(1)), nil
		case v.Type() == cty.String:
			return cty.StringVal(v.AsString() + "z"), nil
		}
		return v, nil
	})
	return out
}

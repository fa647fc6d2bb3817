package judge

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/stdlib"
)

// Why a value that conforms to a schema shows nothing.
const (
	ofAnySchema    = "it holds because every value conforms to the schema, so it shows nothing here.\nhint: say in the schema what has to be there, with type, required and properties"
	ofAbsentSchema = "it holds because nothing is there that the schema describes, such as its properties or the elements of a list, so it shows nothing here.\nhint: say what has to be there, with required or minItems"
)

// conforming is schemaerror, whose null is marked where the schema says nothing of the
// value: any other conforms as well, or what it describes is not there, and does not
// have to be.
func conforming() function.Function {
	f := stdlib.Functions()["schemaerror"]
	return function.New(&function.Spec{
		Params: []function.Parameter{anyParameter("value"), anyParameter("schema")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if !args[0].IsWhollyKnown() || !args[1].IsWhollyKnown() {
				return cty.DynamicVal, nil
			}
			value, marks := args[0].UnmarkDeep()
			schema, _ := args[1].UnmarkDeep()
			v, err := f.Call([]cty.Value{value, schema})
			if err != nil || !v.IsNull() {
				return v, err
			}
			conforms := func(value, schema cty.Value) bool {
				v, err := f.Call([]cty.Value{value, schema})
				return err == nil && v.IsNull()
			}
			if !slices.ContainsFunc(append(anyValues, leavesOf(value)), func(other cty.Value) bool { return !conforms(other, schema) }) {
				return v.Mark(none(ofAnySchema)), nil
			}
			if !schema.IsNull() && schema.Type() == cty.String {
				schema = called("jsondecode", schema)
			}
			d := described{}
			rest := d.without(schema)
			if d.parts > 0 && !d.closed && conforms(value, rest) && conforms(emptied(value), schema) {
				return v.Mark(none(ofAbsentSchema)), nil
			}
			return v.WithMarks(marks), nil
		},
	})
}

// anyValues are values of every type of JSON. They have no room for another one.
var anyValues = slices.Clip([]cty.Value{
	cty.NullVal(cty.DynamicPseudoType), cty.True, cty.NumberFloatVal(-12345.5), cty.StringVal("z"),
	cty.EmptyTupleVal, cty.TupleVal([]cty.Value{cty.Zero}),
	cty.EmptyObjectVal, cty.ObjectVal(map[string]cty.Value{"z": cty.Zero}),
})

// emptied is a value of the same type of JSON with nothing in it.
func emptied(v cty.Value) cty.Value {
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
			words[name] = eachOf(v, d.refused)
		case slices.Contains(ofItself, name):
			words[name] = eachOf(v, d.without)
		}
	}
	return cty.ObjectVal(words)
}

func (d *described) refused(part cty.Value) cty.Value {
	d.parts++
	d.closed = d.closed || part.RawEquals(cty.False)
	return cty.False
}

// eachOf is a list or an object with each of its elements made into another one.
func eachOf(v cty.Value, with func(cty.Value) cty.Value) cty.Value {
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

package judge

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/interp/internal/judge/conform"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/stdlib"
)

// conforming is schemaerror, whose null is marked where the schema says nothing of the
// value: any other conforms as well, or what it describes is not there, and does not
// have to be.
func conforming() function.Function {
	f := stdlib.Functions()["schemaerror"]
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("value"), unknown.Parameter("schema")},
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
			if !schema.IsNull() && schema.Type() == cty.String {
				schema = unknown.Called("jsondecode", schema)
			}
			if why := conform.Nothing(value, conform.Leaves(value), schema, conforms); why != "" {
				return v.Mark(none(why)), nil
			}
			return v.WithMarks(marks), nil
		},
	})
}

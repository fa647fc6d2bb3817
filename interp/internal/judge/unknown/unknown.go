// Package unknown has the functions of the language for operands of which a part is not
// known: each comes to what it comes to whatever that is, and else to something unknown.
//
//	ctx.Functions = unknown.Lists() // length(step.a.attempts), of which nothing but their number is known
package unknown

import (
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/stdlib"
)

// Length alone is what most questions need. Nobody may change it.
var Length = map[string]function.Function{"length": length}

// Lists are length and contains, in a map that the caller may add to.
func Lists() map[string]function.Function {
	return map[string]function.Function{"length": length, "contains": contains}
}

// Queries are all queries, of which no answer is known, in a map that the caller may change.
func Queries() map[string]function.Function {
	functions := make(map[string]function.Function, len(observe.Queries()))
	for _, name := range observe.Queries() {
		functions[name] = query
	}
	return functions
}

// Functions are [Queries] with [Lists] and lookup.
// Nobody may change them.
var Functions = sync.OnceValue(func() map[string]function.Function {
	functions := Queries()
	functions["length"], functions["contains"], functions["lookup"] = length, contains, lookup
	return functions
})

// length is that of a list whose elements are not known.
var length = function.New(&function.Spec{
	Params: []function.Parameter{Parameter("value")},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, _ := args[0].Unmark()
		if v.Type().IsTupleType() && v.IsKnown() && !v.IsNull() {
			return cty.NumberIntVal(int64(v.LengthInt())), nil
		}
		return Called("length", args[0]), nil
	},
})

// contains holds where one element is known to be the one.
var contains = function.New(&function.Spec{
	Params: []function.Parameter{Parameter("list"), Parameter("value")},
	Type:   function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		list, value := args[0], args[1]
		if list.IsKnown() && !list.IsNull() && list.Type().IsTupleType() && value.IsWhollyKnown() {
			if slices.ContainsFunc(list.AsValueSlice(), func(v cty.Value) bool { return v.IsWhollyKnown() && v.RawEquals(value) }) {
				return cty.True, nil
			}
		}
		if v := Called("contains", list, value); v.Type() == cty.Bool {
			return v, nil
		}
		return cty.UnknownVal(cty.Bool), nil
	},
})

// lookup gives the default where an object has no such member, whatever is in the others.
var lookup = function.New(&function.Spec{
	VarParam: variadic(),
	Type:     function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if len(args) == 3 && args[0].IsKnown() && !args[0].IsNull() && args[0].Type().IsObjectType() && isText(args[1]) {
			if name := args[1].AsString(); args[0].Type().HasAttribute(name) {
				return args[0].GetAttr(name), nil
			}
			return args[2], nil
		}
		return Called("lookup", args...), nil
	},
})

// query is one of which no answer is known.
var query = function.New(&function.Spec{
	VarParam: variadic(),
	Type:     function.StaticReturnType(cty.DynamicPseudoType),
	Impl:     func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, nil },
})

// Quantifiers are [Lists] with anytrue and alltrue.
func Quantifiers() map[string]function.Function {
	functions := Lists()
	functions["anytrue"], functions["alltrue"] = quantified(true), quantified(false)
	return functions
}

// quantified is anytrue or alltrue, which one element decides that is known.
//
//go:noinline
func quantified(decides bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{Parameter("list")},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if !args[0].IsKnown() || args[0].IsNull() || !args[0].Type().IsTupleType() {
				return cty.UnknownVal(cty.Bool), nil
			}
			list := args[0].AsValueSlice()
			switch {
			case slices.ContainsFunc(list, func(v cty.Value) bool { return v.IsWhollyKnown() && v.RawEquals(cty.BoolVal(decides)) }):
				return cty.BoolVal(decides), nil
			case slices.ContainsFunc(list, func(v cty.Value) bool { return !v.IsWhollyKnown() }):
				return cty.UnknownVal(cty.Bool), nil
			}
			return cty.BoolVal(!decides), nil
		},
	})
}

// List is a function of a list whose elements may be unknown.
func List(impl func(list []cty.Value) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{Parameter("list")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, _ := args[0].UnmarkDeep()
			if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
				return cty.DynamicVal, nil
			}
			return impl(v.AsValueSlice()), nil
		},
	})
}

// Called is what a function of the language comes to, something unknown where that is an error.
func Called(name string, args ...cty.Value) cty.Value {
	v, err := stdlib.Functions()[name].Call(args)
	if err != nil {
		return cty.DynamicVal
	}
	return v
}

// Parameter is one that takes whatever it is given.
func Parameter(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true}
}

func variadic() *function.Parameter {
	p := Parameter("arguments")
	return &p
}

func isText(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && !v.IsMarked() && v.Type() == cty.String
}

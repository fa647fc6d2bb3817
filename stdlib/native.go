package stdlib

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// Parameters of our own functions. A value of any type may be null; the
// implementation says so where that makes no sense.
func anything(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true}
}

func text(name string) function.Parameter { return function.Parameter{Name: name, Type: cty.String} }

func number(name string) function.Parameter { return function.Parameter{Name: name, Type: cty.Number} }

// native makes a function of our own. Its arguments are wholly known and
// plain, its result is made plain.
func native(impl func(args []cty.Value) (cty.Value, error), params ...function.Parameter) function.Function {
	return nativeRest(impl, nil, params...)
}

// nativeRest is native with a parameter that takes all further arguments.
func nativeRest(impl func(args []cty.Value) (cty.Value, error), rest *function.Parameter, params ...function.Parameter) function.Function {
	// Where no mark is allowed go-cty looks through every argument for some.
	params = slices.Clone(params)
	for i := range params {
		params[i].AllowMarked = true
	}
	if rest != nil {
		own := *rest
		own.AllowMarked = true
		rest = &own
	}
	return function.New(&function.Spec{
		Params:   params,
		VarParam: rest,
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			given := make([]cty.Value, len(args))
			var marks []cty.ValueMarks
			known := true
			for i, a := range args {
				if IsPlain(a) {
					given[i] = a
					continue
				}
				bare, found := a.UnmarkDeep()
				if len(found) > 0 {
					marks = append(marks, found)
				}
				if !bare.IsWhollyKnown() {
					known = false
					continue
				}
				p, err := Plain(bare)
				if err != nil {
					return cty.NilVal, err
				}
				given[i] = p
			}
			if !known {
				return cty.DynamicVal.WithMarks(marks...), nil
			}
			v, err := impl(given)
			if err != nil {
				return cty.NilVal, err
			}
			v, err = Plain(v)
			if err != nil {
				return cty.NilVal, err
			}
			return v.WithMarks(marks...), nil
		},
	})
}

// ofTexts makes lists of strings of what a function takes as such. Left to HCL, the
// types of all elements would be held against each other, which takes the square
// of their number.
func ofTexts(f function.Function) function.Function {
	anyList := func(p function.Parameter) function.Parameter {
		if p.Type.Equals(cty.List(cty.String)) {
			p.Type = cty.DynamicPseudoType
		}
		return p
	}
	spec := &function.Spec{Type: func(args []cty.Value) (cty.Type, error) {
		lists, err := textLists(f, args)
		if err != nil {
			return cty.NilType, err
		}
		return f.ReturnTypeForValues(lists)
	}, Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		lists, err := textLists(f, args)
		if err != nil {
			return cty.NilVal, err
		}
		return f.Call(lists)
	}}
	for _, p := range f.Params() {
		spec.Params = append(spec.Params, anyList(p))
	}
	if rest := f.VarParam(); rest != nil {
		p := anyList(*rest)
		spec.VarParam = &p
	}
	return function.New(spec)
}

func textLists(f function.Function, args []cty.Value) ([]cty.Value, error) {
	out, params := slices.Clone(args), f.Params()
	for i, a := range args {
		p := f.VarParam()
		if i < len(params) {
			p = &params[i]
		}
		if !p.Type.Equals(cty.List(cty.String)) {
			continue
		}
		var err error
		if out[i], err = textList(a); err != nil {
			return nil, function.NewArgError(i, err)
		}
	}
	return out, nil
}

func textList(v cty.Value) (cty.Value, error) {
	want := cty.List(cty.String)
	if !v.IsKnown() || v.IsMarked() || !v.Type().IsTupleType() || v.LengthInt() == 0 {
		return convert.Convert(v, want)
	}
	texts := v.AsValueSlice()
	for i, e := range texts {
		t, err := convert.Convert(Written(e), cty.String)
		if err != nil {
			return cty.NilVal, errors.New(convert.MismatchMessage(v.Type(), want))
		}
		texts[i] = t
	}
	return cty.ListVal(texts), nil
}

// elements returns the elements of a tuple argument.
func elements(v cty.Value, arg int) ([]cty.Value, error) {
	if v.IsNull() || !v.Type().IsTupleType() {
		return nil, function.NewArgErrorf(arg, "must be a list, not %s", typeName(v))
	}
	return v.AsValueSlice(), nil
}

// attributes returns the attributes of an object argument.
func attributes(v cty.Value, arg int) (map[string]cty.Value, error) {
	if v.IsNull() || !v.Type().IsObjectType() {
		return nil, function.NewArgErrorf(arg, "must be an object, not %s", typeName(v))
	}
	return v.AsValueMap(), nil
}

// whole reads an argument as an integer of at most 32 bits.
func whole(v cty.Value, arg int) (int, error) {
	n, accuracy := v.AsBigFloat().Int64()
	if accuracy != 0 || int64(int32(n)) != n {
		return 0, function.NewArgErrorf(arg, "must be an integer, not %s", v.AsBigFloat().Text('g', 12))
	}
	return int(n), nil
}

// typeName names the type of a plain value in a message.
func typeName(v cty.Value) string {
	switch t := v.Type(); {
	case v.IsNull():
		return "null"
	case t == cty.String:
		return "a string"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "a bool"
	case t.IsTupleType():
		return "a list"
	case t.IsObjectType():
		return "an object"
	}
	return fmt.Sprintf("a %s", v.Type().FriendlyName())
}

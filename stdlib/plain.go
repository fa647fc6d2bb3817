package stdlib

import (
	"errors"
	"math"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// maxNodes bounds the values inside one result. Aliases of a YAML document and
// repeated concatenation can write a result far larger than their source.
const maxNodes = 1_000_000

// Numbers are computed with exponents of any size, and writing one such out
// takes longer than anyone waits.
var errOutOfRange = errors.New("there is a number beyond 1e308")

// InRange reports whether a number can be written out: whether it is one that a
// float64 can hold, or infinite, as a division by zero is.
func InRange(v cty.Value) bool {
	n := v.AsBigFloat()
	if n.IsInf() {
		return true // writing that out is quick; who sends it says what is wrong
	}
	f, _ := n.Float64()
	return !math.IsInf(f, 0) && (f != 0 || n.Sign() == 0)
}

var errTooLarge = errors.New("the result has more than 1,000,000 values")

// Plain turns a value into one of tuples and objects only, with nulls that
// have no type, which is how the language presents everything that an
// expression can read. Marks stay where they are. Unknown values lose their
// type.
func Plain(v cty.Value) (cty.Value, error) {
	if IsPlain(v) {
		return v, nil
	}
	nodes := 0
	return plain(v, &nodes)
}

// IsPlain reports whether a value is wholly known and has no marks, and is what
// Plain would make of it, as most are.
func IsPlain(v cty.Value) bool {
	nodes := 0
	return plainAlready(v, &nodes)
}

func plainAlready(v cty.Value, nodes *int) bool {
	if *nodes++; *nodes > maxNodes || v.IsMarked() || !v.IsKnown() {
		return false
	}
	t := v.Type()
	switch {
	case v.IsNull():
		return t == cty.DynamicPseudoType
	case t == cty.Number:
		return InRange(v)
	case t.IsObjectType():
		for name := range t.AttributeTypes() {
			if !plainAlready(v.GetAttr(name), nodes) {
				return false
			}
		}
		return true
	case t.IsTupleType():
		for i := range t.Length() {
			if !plainAlready(At(v, i), nodes) {
				return false
			}
		}
		return true
	}
	return !t.IsMapType() && !t.IsListType() && !t.IsSetType()
}

func plain(v cty.Value, nodes *int) (cty.Value, error) {
	if *nodes++; *nodes > maxNodes {
		return cty.NilVal, errTooLarge
	}
	if v.IsMarked() {
		bare, marks := v.Unmark()
		p, err := plain(bare, nodes)
		if err != nil {
			return cty.NilVal, err
		}
		return p.WithMarks(marks), nil
	}
	if !v.IsKnown() {
		return cty.DynamicVal, nil
	}
	if v.IsNull() {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	t := v.Type()
	switch {
	case t == cty.Number && !InRange(v):
		return cty.NilVal, errOutOfRange
	case t.IsObjectType() || t.IsMapType():
		return plainObject(v, nodes)
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return plainTuple(v, nodes)
	}
	return v, nil
}

func plainObject(v cty.Value, nodes *int) (cty.Value, error) {
	attrs := make(map[string]cty.Value, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		p, err := plain(e, nodes)
		if err != nil {
			return cty.NilVal, err
		}
		k, _ = k.Unmark()
		attrs[k.AsString()] = p
	}
	return cty.ObjectVal(attrs), nil
}

func plainTuple(v cty.Value, nodes *int) (cty.Value, error) {
	elems := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		p, err := plain(e, nodes)
		if err != nil {
			return cty.NilVal, err
		}
		elems = append(elems, p)
	}
	return cty.TupleVal(elems), nil
}

// plainly wraps a function of go-cty so that its result is plain. The type of
// the result is only known when it is called.
func plainly(f function.Function) function.Function {
	return function.New(&function.Spec{
		Params:   f.Params(),
		VarParam: f.VarParam(),
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil {
				return cty.NilVal, err
			}
			return Plain(v)
		},
	})
}

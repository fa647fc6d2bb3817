package read

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// Normalise makes tuples and objects of lists and maps, so that == with a
// literal means what it says, and of every number the one that is sent: the
// value that it has as a [dsl.GoValue]. A value that is not wholly known stays
// as it is.
func Normalise(v cty.Value) cty.Value {
	n, _, known := normal(v)
	if !known {
		return v
	}
	return n
}

// normal is the normal form of a value, and whether that is another one. What
// is in it already, as most of what a run computes, is not built anew.
func normal(v cty.Value) (n cty.Value, changed, known bool) {
	if v.IsMarked() {
		bare, _ := v.Unmark()
		n, _, known = normal(bare)
		return n, true, known
	}
	if !v.IsKnown() {
		return v, false, false
	}
	t := v.Type()
	switch {
	case v.IsNull():
		return Null, t != cty.DynamicPseudoType, true
	case t == cty.String, t == cty.Bool:
		return v, false, true
	case t == cty.Number && isFloat64(v.AsBigFloat()):
		return v, false, true
	case t.IsObjectType():
		return normalObject(v)
	case t.IsTupleType():
		return normalTuple(v)
	}
	if !v.IsWhollyKnown() {
		return v, false, false
	}
	return dsl.CtyValue(dsl.GoValue(v)), true, true
}

// isFloat64 reports whether a number was made of a float64.
func isFloat64(n *big.Float) bool {
	const mantissa = 53
	if n.Prec() != mantissa {
		return false
	}
	_, accuracy := n.Float64()
	return accuracy == big.Exact && !n.IsInf()
}

func normalObject(v cty.Value) (n cty.Value, changed, known bool) {
	types := v.Type().AttributeTypes()
	var attrs map[string]cty.Value // once one of them is another
	for name := range types {
		part, differs, known := normal(v.GetAttr(name))
		if !known {
			return v, false, false
		}
		if !differs {
			continue
		}
		if attrs == nil {
			attrs = make(map[string]cty.Value, len(types))
		}
		attrs[name] = part
	}
	if attrs == nil {
		return v, false, true
	}
	for name := range types {
		if _, differs := attrs[name]; !differs {
			attrs[name] = v.GetAttr(name)
		}
	}
	return cty.ObjectVal(attrs), true, true
}

func normalTuple(v cty.Value) (n cty.Value, changed, known bool) {
	size := v.Type().Length()
	var elems []cty.Value // once one of them is another
	for i := range size {
		e := stdlib.At(v, i)
		part, differs, known := normal(e)
		if !known {
			return v, false, false
		}
		if differs && elems == nil {
			elems = make([]cty.Value, size)
			for j := range i {
				elems[j] = stdlib.At(v, j)
			}
		}
		if elems != nil {
			elems[i] = part
		}
	}
	if elems == nil {
		return v, false, true
	}
	return cty.TupleVal(elems), true, true
}

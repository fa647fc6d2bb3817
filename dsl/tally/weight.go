package tally

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// Weight is what a value takes written out in full, in bytes, with a price for each
// value in it; as soon as that is more than most it stops looking.
func Weight(v cty.Value, each, most int64) int64 {
	left := most
	weigh(v, each, &left)
	return most - left
}

func weigh(v cty.Value, each int64, left *int64) {
	if *left -= each; *left < 0 {
		return
	}
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	if !v.IsKnown() || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		*left -= int64(len(v.AsString()))
	case t.IsTupleType():
		for i := 0; i < t.Length() && *left >= 0; i++ {
			weigh(stdlib.At(v, i), each, left)
		}
	case t.IsObjectType():
		for name := range t.AttributeTypes() {
			*left -= each // an attribute takes longer to find than an element
			if weigh(v.GetAttr(name), each, left); *left < 0 {
				return
			}
		}
	case v.CanIterateElements():
		for it := v.ElementIterator(); *left >= 0 && it.Next(); {
			_, e := it.Element()
			weigh(e, each, left)
		}
	}
}

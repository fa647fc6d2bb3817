package stdlib

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// same reports whether two plain, known values are equal, in type and content.
func same(a, b cty.Value) bool { return a.RawEquals(b) }

// order sorts plain, known values: null, bools, numbers by size, strings by
// their bytes, then everything else by its canonical JSON.
func order(a, b cty.Value) int {
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d
	}
	switch rank(a) {
	case rankNull:
		return 0
	case rankNumber:
		return a.AsBigFloat().Cmp(b.AsBigFloat())
	case rankString:
		return strings.Compare(a.AsString(), b.AsString())
	}
	return strings.Compare(string(appendCanonical(nil, a)), string(appendCanonical(nil, b)))
}

const (
	rankNull = iota
	rankBool
	rankNumber
	rankString
	rankOther
)

func rank(v cty.Value) int {
	switch {
	case v.IsNull():
		return rankNull
	case v.Type() == cty.Bool:
		return rankBool
	case v.Type() == cty.Number:
		return rankNumber
	case v.Type() == cty.String:
		return rankString
	}
	return rankOther
}

// distinctSorted is the tuple form of a set.
func distinctSorted(values []cty.Value) cty.Value {
	sorted := slices.Clone(values)
	slices.SortStableFunc(sorted, order)
	return cty.TupleVal(slices.CompactFunc(sorted, same))
}

// holds reports whether values has one that is equal to v.
func holds(values []cty.Value, v cty.Value) bool {
	return slices.ContainsFunc(values, func(e cty.Value) bool { return same(e, v) })
}

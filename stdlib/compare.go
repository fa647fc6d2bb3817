package stdlib

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// same reports whether two plain, known values are equal, in type and content.
func same(a, b cty.Value) bool {
	if isNumber(a) && isNumber(b) && Apart(a.AsBigFloat(), b.AsBigFloat()) {
		return false
	}
	return a.RawEquals(b)
}

// isNumber reports whether a value is a number that is known and has no marks.
func isNumber(v cty.Value) bool {
	return v.Type() == cty.Number && !v.IsMarked() && v.IsKnown() && !v.IsNull()
}

// Apart reports whether two numbers are so far apart that they cannot have the same digits.
// In go-cty two numbers are equal if they are written alike, and writing a fraction takes a
// hundred times longer than this. For numbers that nearly agree only their digits tell.
func Apart(a, b *big.Float) bool {
	if a.Cmp(b) == 0 || !fine(a) || !fine(b) {
		return false
	}
	if a.IsInf() || b.IsInf() {
		return true
	}
	var difference big.Float
	return difference.Sub(a, b).MantExp(nil) > max(a.MantExp(nil), b.MantExp(nil))-alikeBits
}

// alikeBits is less than how many bits two numbers have in common that are written alike,
// where both are fine.
const alikeBits = 32

// fine reports whether a number has at least the precision of a float64.
func fine(f *big.Float) bool { return f.Sign() == 0 || f.IsInf() || f.Prec() >= 53 }

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

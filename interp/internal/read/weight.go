package read

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/providers"
)

// A value that is computed may be as large as an answer, and what a file
// declares as large as a text that a function builds. An expression names its
// operands as often as it likes, so without a bound a few lines double
// themselves out of any memory.
const (
	MaxLocal    = 16 << 20
	MaxComputed = providers.BodyMax
)

// Heavier reports whether a value is larger than a number of bytes. Every part
// counts as one, and a text as its length besides.
func Heavier(v cty.Value, most int) bool { return weigh(v, most) < 0 }

// weigh takes what a value weighs off what is left. The result is below zero
// where that was not enough; then it has not looked at the rest.
func weigh(v cty.Value, left int) int {
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	left--
	if left < 0 || !v.IsKnown() || v.IsNull() {
		return left
	}
	switch t := v.Type(); {
	case t == cty.String:
		return left - len(v.AsString())
	case t.IsPrimitiveType() || !v.CanIterateElements():
		return left
	}
	for it := v.ElementIterator(); left >= 0 && it.Next(); {
		_, e := it.Element()
		left = weigh(e, left)
	}
	return left
}

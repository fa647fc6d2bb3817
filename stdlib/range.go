package stdlib

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

// mostInRange is how many numbers range gives at most.
const mostInRange = 1024

// rangeFunc is range. Of integers, which nearly all are, it counts as such: go-cty
// compares and adds them at the precision of any number, at which they are written a
// hundred times slower, too. What it refuses, and all else, is left to go-cty.
func rangeFunc() function.Function {
	all := plainly(ofNumbers(ctystdlib.RangeFunc))
	return function.New(&function.Spec{
		VarParam: all.VarParam(),
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if start, step, n := sequence(args); n > 0 {
				list := make([]cty.Value, n)
				for i := range list {
					list[i] = cty.NumberIntVal(start + int64(i)*step)
				}
				return cty.TupleVal(list), nil
			}
			return all.Call(args)
		},
	})
}

// sequence is the first of the integers that range gives, the step and their number, 0
// where they are none or not to be had.
func sequence(args []cty.Value) (start, step, n int64) {
	if len(args) < 1 || len(args) > 3 {
		return 0, 0, 0
	}
	given := make([]int64, len(args))
	for i, a := range args {
		v, accuracy := a.AsBigFloat().Int64()
		if accuracy != big.Exact || v > 1<<52 || v < -1<<52 {
			return 0, 0, 0
		}
		given[i] = v
	}
	if len(given) == 1 {
		given = []int64{0, given[0]}
	}
	start, end := given[0], given[1]
	switch {
	case len(given) == 3:
		step = given[2]
	case end < start:
		step = -1
	default:
		step = 1
	}
	switch {
	case step > 0 && start < end:
		n = (end-start-1)/step + 1
	case step < 0 && start > end:
		n = (start-end-1)/-step + 1
	}
	if n > mostInRange {
		n = 0
	}
	return start, step, n
}

// ranges reports whether range gives anything for so many numbers, without making it. Of a
// fraction the last element may be one more or less than is counted here.
func ranges(values []cty.Value) bool {
	if _, _, n := sequence(values); n > 0 {
		return true
	}
	if len(values) != 3 || values[2].AsBigFloat().Sign() == 0 {
		return false
	}
	var all, n big.Float
	n.Quo(all.Sub(values[1].AsBigFloat(), values[0].AsBigFloat()), values[2].AsBigFloat())
	count, _ := n.Float64()
	return count > 0 && count <= mostInRange
}

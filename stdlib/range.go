package stdlib

import (
	"errors"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

// mostInRange is how many numbers range gives at most.
const mostInRange = 1024

// rangeFunc is range. Of integers, which nearly all are, it counts as such: go-cty adds
// them at the precision of any number, at which they are written a hundred times slower,
// too. Fractions are added as go-cty does it, which compares each by its digits with the
// limit. What else it refuses is left to go-cty.
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
			if start, end, step, down := fractions(args); step.Sign() != 0 {
				return addedUp(start, end, step, down)
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

// fractions is what range counts from, to and by for numbers of any kind, where that is one
// of the ways that it goes; the step is 0 where it is none.
func fractions(args []cty.Value) (start, end, step *big.Float, down bool) {
	given := make([]*big.Float, len(args))
	for i, a := range args {
		if given[i] = a.AsBigFloat(); given[i].IsInf() || !InRange(a) {
			return nil, nil, &big.Float{}, false
		}
	}
	switch len(given) {
	case 1:
		given = []*big.Float{{}, given[0], big.NewFloat(1)}
	case 2:
		given = append(given, big.NewFloat(1))
	case 3:
		start, end, step = given[0], given[1], given[2]
		down = step.Sign() < 0
		if end.Cmp(start) > 0 == down && end.Cmp(start) != 0 {
			return nil, nil, &big.Float{}, false
		}
		return start, end, step, down
	default:
		return nil, nil, &big.Float{}, false
	}
	start, end, step = given[0], given[1], given[2]
	if down = end.Cmp(start) < 0; down {
		step = big.NewFloat(-1)
	}
	return start, end, step, down
}

// addedUp is the list from start to end.
func addedUp(start, end, step *big.Float, down bool) (cty.Value, error) {
	var list []cty.Value
	by := cty.NumberVal(step)
	for at := cty.NumberVal(start); !reaches(at.AsBigFloat(), end, down); at = at.Add(by) {
		if len(list) >= mostInRange {
			return cty.NilVal, errors.New("more than 1024 values were generated; either decrease the difference between start and end or use a smaller step")
		}
		list = append(list, at)
	}
	return cty.TupleVal(list), nil
}

// reaches reports whether a number is as far as a limit, or equal to it as == has it: its
// digits are written where it is so near that they may be the same.
func reaches(at, end *big.Float, down bool) bool {
	order := at.Cmp(end)
	if down {
		order = -order
	}
	if order >= 0 {
		return true
	}
	return !Apart(at, end) && cty.NumberVal(at).Equals(cty.NumberVal(end)).True()
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

package stdlib

import (
	"math/big"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func statisticsFuncs() []Func {
	return []Func{
		describe("approx(a, b, tolerance)", "Whether two numbers differ by at most the tolerance. Compare decimals with it, not with ==.",
			native(approx, number("a"), number("b"), number("tolerance")), aBool, Example{"approx(0.1 + 0.2, 0.3, 0.000001)", "true"}).bounds([]int{2}, cty.Zero, cty.Zero, aNumeral),
		describe("percentile(values, p)", "The p-th percentile (0 to 100) of a list of numbers, interpolated linearly between the two nearest.",
			native(percentile, anything("values"), number("p")), aNumber, Example{"percentile([10, 20, 30, 40], 50)", "25"}).bounds([]int{1}, oneNumber, aNumeral),
		describe("bca(values, level, resamples, seed)", "The lower bound of the mean of a list of scores, by the bias-corrected and accelerated bootstrap: with level 0.95 the bound that the mean exceeds in 97.5 % of the resamples. Equal seeds give equal bounds.",
			native(bca, anything("values"), number("level"), number("resamples"), number("seed")), aNumber, Example{"bca([1, 1, 1], 0.95, 100, 1)", "1"}).bounds([]int{1}, bcaOf...).bounds([]int{2}, bcaOf...).bounds([]int{3}, bcaOf...),
	}
}

func approx(args []cty.Value) (cty.Value, error) {
	a, b, tolerance := args[0].AsBigFloat(), args[1].AsBigFloat(), args[2].AsBigFloat()
	if tolerance.Sign() < 0 {
		return cty.NilVal, function.NewArgErrorf(2, "must not be negative")
	}
	if a.IsInf() || b.IsInf() {
		return cty.BoolVal(a.Cmp(b) == 0), nil
	}
	difference := new(big.Float).SetPrec(512).Sub(a, b)
	return cty.BoolVal(difference.Abs(difference).Cmp(tolerance) <= 0), nil
}

func percentile(args []cty.Value) (cty.Value, error) {
	values, err := floatsOf(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	if len(values) == 0 {
		return cty.NilVal, function.NewArgErrorf(0, "must not be empty: there is no percentile of no values")
	}
	p, err := finite(args[1].AsBigFloat(), 1)
	if err != nil {
		return cty.NilVal, err
	}
	if p < 0 || p > 100 {
		return cty.NilVal, function.NewArgErrorf(1, "must be between 0 and 100, not %v", p)
	}
	slices.Sort(values)
	return cty.NumberFloatVal(linearPercentile(values, p/100)), nil
}

// linearPercentile interpolates between the two values around q (0 to 1) of
// sorted, which is not empty.
func linearPercentile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	part := at - float64(low)
	if part == 0 {
		return sorted[low]
	}
	return sorted[low]*(1-part) + sorted[low+1]*part
}

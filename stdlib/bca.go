package stdlib

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// maxResampled bounds the draws of one bootstrap: resamples times scores.
const maxResampled = 50_000_000

func bca(args []cty.Value) (cty.Value, error) {
	scores, err := floatsOf(args[0], 0)
	if err != nil {
		return cty.NilVal, err
	}
	if len(scores) == 0 {
		return cty.NilVal, function.NewArgErrorf(0, "must not be empty")
	}
	level, _ := args[1].AsBigFloat().Float64()
	if !(level > 0 && level < 1) {
		return cty.NilVal, function.NewArgErrorf(1, "must be between 0 and 1, such as 0.95")
	}
	resamples, err := whole(args[2], 2)
	if err != nil {
		return cty.NilVal, err
	}
	if resamples < 1 || resamples > maxResampled/len(scores) {
		return cty.NilVal, function.NewArgErrorf(2, "must be at least 1, and times the number of values at most %d", maxResampled)
	}
	seed, accuracy := args[3].AsBigFloat().Uint64()
	if accuracy != 0 {
		return cty.NilVal, function.NewArgErrorf(3, "must be an integer that is not negative")
	}
	return cty.NumberFloatVal(LowerBound(scores, level, resamples, seed)), nil
}

// resampled is how many draws a call makes.
func resampled(args []cty.Value) int64 {
	if len(args) < 3 || !args[0].IsKnown() || args[0].IsNull() || !args[0].CanIterateElements() {
		return 0
	}
	if n := args[2]; !n.IsKnown() || n.IsNull() || n.Type() != cty.Number {
		return 0
	}
	times, err := whole(args[2], 2)
	if err != nil {
		return 0
	}
	return int64(args[0].LengthInt()) * int64(min(max(times, 0), maxResampled))
}

// LowerBound is the lower bound of the mean of scores by the bias-corrected
// and accelerated bootstrap (Efron 1987), as benches use it: over the sorted
// scores, so that their order does not matter, and never above the mean. The
// scores must not be empty or infinite, level lies between 0 and 1, resamples
// is positive. Scores without spread give their mean.
func LowerBound(scores []float64, level float64, resamples int, seed uint64) float64 {
	sorted := slices.Sorted(slices.Values(scores))
	center := mean(sorted)
	if sorted[0] == sorted[len(sorted)-1] {
		return center
	}
	means := resampledMeans(sorted, resamples, seed)
	z0 := normalQuantile(shareBelow(means, center))
	a := acceleration(sorted)
	z := z0 + normalQuantile((1-level)/2)
	adjusted := normalCDF(z0 + z/(1-a*z))
	if math.IsNaN(adjusted) {
		return center
	}
	return min(linearPercentile(means, adjusted), center)
}

// resampledMeans are the sorted means of that many draws with replacement.
func resampledMeans(scores []float64, resamples int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, resamples)
	for i := range means {
		total := 0.0
		for range scores {
			total += scores[random.IntN(len(scores))]
		}
		means[i] = total / float64(len(scores))
	}
	slices.Sort(means)
	return means
}

// shareBelow is the share of means below center, ties counting half, kept off
// 0 and 1, where the quantile is infinite.
func shareBelow(means []float64, center float64) float64 {
	below := 0.0
	for _, m := range means {
		switch d := m - center; {
		case math.Abs(d) <= 1e-12:
			below += 0.5
		case d < 0:
			below++
		}
	}
	n := float64(len(means))
	edge := 1 / (2 * n)
	return min(max(below/n, edge), 1-edge)
}

// acceleration is the skewness of the jackknife means over six, 0 where it is
// undefined.
func acceleration(scores []float64) float64 {
	n := float64(len(scores))
	if n < 2 {
		return 0
	}
	total := mean(scores) * n
	center := 0.0
	left := make([]float64, len(scores))
	for i, s := range scores {
		left[i] = (total - s) / (n - 1)
		center += left[i] / n
	}
	squares, cubes := 0.0, 0.0
	for _, l := range left {
		d := center - l
		squares += d * d
		cubes += d * d * d
	}
	a := cubes / (6 * math.Pow(squares, 1.5))
	if math.IsNaN(a) || math.IsInf(a, 0) {
		return 0
	}
	return a
}

func mean(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

func normalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// normalQuantile is Acklam's rational approximation of the inverse of
// normalCDF for 0 < p < 1; its relative error is below 1.15e-9.
func normalQuantile(p float64) float64 {
	const low = 0.02425
	switch {
	case p < low:
		return quantileTail(math.Sqrt(-2 * math.Log(p)))
	case p > 1-low:
		return -quantileTail(math.Sqrt(-2 * math.Log(1-p)))
	}
	q := p - 0.5
	r := q * q
	return (((((-3.969683028665376e+01*r+2.209460984245205e+02)*r-2.759285104469687e+02)*r+1.383577518672690e+02)*r-3.066479806614716e+01)*r + 2.506628277459239e+00) * q /
		(((((-5.447609879822406e+01*r+1.615858368580409e+02)*r-1.556989798598866e+02)*r+6.680131188771972e+01)*r-1.328068155288572e+01)*r + 1)
}

func quantileTail(q float64) float64 {
	return (((((-7.784894002430293e-03*q-3.223964580411365e-01)*q-2.400758277161838e+00)*q-2.549732539343734e+00)*q+4.374664141464968e+00)*q + 2.938163982698783e+00) /
		((((7.784695709041462e-03*q+3.224671290700398e-01)*q+2.445134137142996e+00)*q+3.754408661907416e+00)*q + 1)
}

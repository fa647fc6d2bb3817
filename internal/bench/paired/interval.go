package paired

import (
	"math/rand/v2"
	"slices"
)

// An Interval is the median of values, and the range in which the median of
// such values lies with 99 percent confidence.
type Interval struct{ Low, Median, High float64 }

// resamples is how often values are drawn anew. With 2,000, the ten lowest and
// the ten highest medians are cut off.
const resamples = 2000

// Of is the interval of values, by the percentile bootstrap with a fixed seed.
// Without values it is zero, and with one it has no width.
func Of(values []float64) Interval {
	if len(values) == 0 {
		return Interval{}
	}
	random := rand.New(rand.NewPCG(1, uint64(len(values))))
	drawn, medians := make([]float64, len(values)), make([]float64, resamples)
	for i := range medians {
		for j := range drawn {
			drawn[j] = values[random.IntN(len(values))]
		}
		medians[i] = median(drawn)
	}
	slices.Sort(medians)
	cut := resamples / 200
	return Interval{medians[cut], Median(values), medians[resamples-1-cut]}
}

// Noise is how far the interval reaches from its median, as a part of it.
func (i Interval) Noise() float64 {
	if i.Median == 0 {
		return 0
	}
	return max(i.High-i.Median, i.Median-i.Low) / i.Median
}

// Ratios divides two series pair by pair. The series are equally long.
func Ratios(a, b []float64) []float64 {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return each
}

// Median is the middle of values, of which there is at least one: of an even
// number the mean of the two in the middle.
func Median(values []float64) float64 { return median(slices.Clone(values)) }

// median is [Median] of values that it may sort.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

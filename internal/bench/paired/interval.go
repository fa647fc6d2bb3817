package paired

import (
	"math"
	"slices"
)

// An Interval is the median of values, and the range in which the median of such values lies
// with at least 99 percent confidence. Of fewer than [Sure] it goes from the least to the most
// of them, which is less than that.
type Interval struct {
	Low, Median, High float64
	// Of is how many values there were.
	Of int
}

// Sure is how many values there have to be for 99 percent: of n the least and the most miss the
// true median where all lie on one side of it, once in 2^(n-1) times.
const Sure = 8

// tail is the chance with which the median may lie beyond either end.
const tail = 0.01 / 2

// Of is the interval of values: from one of them to another, so many from either end that the
// true median lies beyond in at most one of a hundred times, however the values are distributed
// (the sign test). Without values it is zero, and with one it has no width.
func Of(values []float64) Interval {
	n := len(values)
	if n == 0 {
		return Interval{}
	}
	sorted := slices.Sorted(slices.Values(values))
	cut := cutOf(n)
	return Interval{sorted[cut], middle(sorted), sorted[n-1-cut], n}
}

// cutOf is how many of n values lie beyond the interval on either side. The median lies there as
// well where no more of the values than those are on that side of it, which is as likely as no
// more heads of n coins.
func cutOf(n int) int {
	all, logarithm := 0.0, -float64(n)*math.Ln2 // of the chance of k heads, beginning with none
	for k := range n / 2 {
		if all += math.Exp(logarithm); all > tail {
			return max(0, k-1)
		}
		logarithm += math.Log(float64(n-k)) - math.Log(float64(k+1))
	}
	return 0
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
func Median(values []float64) float64 { return middle(slices.Sorted(slices.Values(values))) }

// middle is [Median] of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

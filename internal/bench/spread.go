package main

import (
	"fmt"
	"slices"
)

// A spread is what several rounds of one measurement gave.
type spread struct{ min, median, max float64 }

// spreadOf summarises values, of which there is at least one. Of an even
// number the median is the mean of the two in the middle.
func spreadOf(values []float64) spread {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return spread{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

// ratio divides two series round by round. Its median is that of the medians:
// one disturbed round must not decide.
func ratio(a, b []float64) spread {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	s := spreadOf(each)
	s.median = spreadOf(a).median / spreadOf(b).median
	s.min, s.max = min(s.min, s.median), max(s.max, s.median)
	return s
}

func (s spread) String() string { return fmt.Sprintf("%.4g – %.4g – %.4g", s.min, s.median, s.max) }

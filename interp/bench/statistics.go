package bench

import (
	"math"
	"strconv"

	"github.com/scenario-lang/scenario/stdlib"
)

// An Interval is an estimate between its bounds.
type Interval struct{ Value, Low, High float64 }

// A PassK says how often K trials of a case would pass: At is the chance that
// at least one of them does, All that all do, both estimated without bias from
// all trials (Chen et al. 2021; Yao et al. 2024) and averaged over the cases.
type PassK struct {
	K       int
	At, All float64
}

// seedOf is where the draws of a run come from: the first eight hex digits of
// its id.
func seedOf(runID string) uint64 {
	seed, _ := strconv.ParseUint(runID[:8], 16, 64)
	return seed
}

// measure computes what is said of all cases together.
func (r *Report) measure(spec *Spec, seed uint64) {
	n := len(r.Cases)
	for i := range r.Cases {
		r.MeanScore += r.Cases[i].Score.Score
	}
	if n > 0 {
		r.MeanScore /= float64(n)
	}
	r.PassRate = Wilson(r.Passed, n, spec.Bound.Level)
	r.ByK = passByK(r.Cases, spec.Trials)
	last := r.ByK[len(r.ByK)-1]
	r.PassAt, r.PassAll = last.At, last.All
	if n < spec.Bound.MinCases {
		r.warn("cases=%d < min_cases=%d: lower_bound_95 is 0", n, spec.Bound.MinCases)
	}
	r.LowerBound = r.bound(spec.Bound, seed, func(c *CaseResult) float64 { return c.Score.Score }, r.Passed)
}

// bound is the lower bound of the scores that the cases have, of which so many passed.
func (r *Report) bound(of Bound, seed uint64, score func(*CaseResult) float64, passed int) float64 {
	n := len(r.Cases)
	switch {
	case n < of.MinCases || n == 0:
		return 0
	case of.Method == MethodWilson:
		return Wilson(passed, n, of.Level).Low
	}
	scores := make([]float64, n)
	for i := range r.Cases {
		scores[i] = score(&r.Cases[i])
	}
	return stdlib.LowerBound(scores, of.Level, of.Resamples, seed)
}

// boundShown is the lower bound where those that show nothing of their answers score
// nothing.
func (r *Report) boundShown(of Bound) float64 {
	return r.bound(of, seedOf(r.RunID), func(c *CaseResult) float64 {
		if c.showsNothing() {
			return 0
		}
		return c.Score.Score
	}, r.Passed-len(r.OverNothing()))
}

// Wilson is the share of passed ones with its score interval at a level
// (Wilson 1927), which keeps inside 0 and 1 and has a width at both ends. Of
// none nothing is known.
func Wilson(passed, n int, level float64) Interval {
	if n == 0 {
		return Interval{0, 0, 1}
	}
	z := math.Sqrt2 * math.Erfinv(level)
	p, m := float64(passed)/float64(n), float64(n)
	center := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return Interval{Value: p, Low: max(0, center-half), High: min(1, center+half)}
}

// passByK estimates pass@k and pass^k for every k up to the number of trials.
// What never ran did not pass.
func passByK(cases []CaseResult, trials int) []PassK {
	out := make([]PassK, trials)
	for i := range out {
		k := i + 1
		out[i].K = k
		for j := range cases {
			c := 0
			if cases[j].Ran {
				c = passedTrials(cases[j].Trials)
			}
			out[i].At += 1 - choose(trials-c, trials, k)
			out[i].All += choose(c, trials, k)
		}
		if n := float64(len(cases)); n > 0 {
			out[i].At /= n
			out[i].All /= n
		}
	}
	return out
}

func passedTrials(trials []Trial) int {
	n := 0
	for _, t := range trials {
		if t.Passed {
			n++
		}
	}
	return n
}

// choose is the chance that k drawn of n are all among the c: C(c,k)/C(n,k).
func choose(c, n, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(c-i) / float64(n-i)
	}
	return max(0, p)
}

// plain writes a number as people do.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

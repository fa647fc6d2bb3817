package bench

import (
	"slices"

	"github.com/scenario-lang/scenario/stdlib"
)

// A Past is what an earlier run made of a case.
type Past struct {
	Passed bool
	Score  float64
}

// A Comparison says how a run differs from an earlier one, case by case: the
// cases are their own control, so that their spread does not count.
type Comparison struct {
	// Common counts the cases of both.
	Common int
	// Difference is the mean of now less before over those, with its interval by
	// the paired bootstrap at the level of the bench. It is all zero for none.
	Difference Interval
	// Fixed passed now and not before, Broken the other way round; Added and
	// Removed were there in one of them alone. All are sorted.
	Fixed, Broken, Added, Removed []string
}

// Significant reports whether the interval leaves no difference out.
func (c *Comparison) Significant() bool {
	return c.Common > 0 && (c.Difference.Low > 0 || c.Difference.High < 0)
}

// Compare holds a report against an earlier run.
func Compare(spec Spec, now *Report, before map[string]Past) *Comparison {
	c := &Comparison{}
	var differences []float64
	seen := map[string]bool{}
	for i := range now.Cases {
		k := &now.Cases[i]
		past, known := before[k.ID]
		seen[k.ID] = true
		if !k.Ran {
			continue
		}
		if !known {
			c.Added = append(c.Added, k.ID)
			continue
		}
		differences = append(differences, k.Score.Score-past.Score)
		switch {
		case k.Passed && !past.Passed:
			c.Fixed = append(c.Fixed, k.ID)
		case !k.Passed && past.Passed:
			c.Broken = append(c.Broken, k.ID)
		}
	}
	for id := range before {
		if !seen[id] {
			c.Removed = append(c.Removed, id)
		}
	}
	slices.Sort(c.Removed)
	c.Common = len(differences)
	if c.Common > 0 {
		c.Difference = paired(differences, spec.Bound, seedOf(RunID(spec.Name, spec.Seed, nil)))
	}
	return c
}

// paired is the mean of differences with its interval: the upper bound is the
// lower one of what is turned round.
func paired(differences []float64, b Bound, seed uint64) Interval {
	turned := make([]float64, len(differences))
	sum := 0.0
	for i, d := range differences {
		turned[i] = -d
		sum += d
	}
	return Interval{
		Value: sum / float64(len(differences)),
		Low:   stdlib.LowerBound(differences, b.Level, b.Resamples, seed),
		High:  -stdlib.LowerBound(turned, b.Level, b.Resamples, seed),
	}
}

package bench

import (
	"slices"

	"github.com/scenario-lang/scenario/stdlib"
)

// Sums identify what a case asks and what scores its answers, "" where that is not
// known: results of other inputs or rubrics are not compared.
type Sums struct{ Input, Rubric string }

// A Comparison says how a run differs from an earlier one, case by case: the
// cases are their own control, so that their spread does not count.
type Comparison struct {
	// Common counts the cases of both that ask the same and are scored alike.
	Common int
	// Difference is the mean of now less before over those, with its interval by
	// the paired bootstrap at the level of the bench. It is all zero for none.
	Difference Interval
	// Fixed passed now and not before, Broken the other way round, Lower did the
	// same in both and has a lower score now; Added and Removed were there in one of
	// them alone, and of OtherInput and OtherRubric is not known what they compare
	// with. All are sorted.
	Fixed, Broken, Lower, Added, Removed, OtherInput, OtherRubric []string
	// Unknown says that the earlier run does not tell what it asked and how it
	// scored.
	Unknown bool
	// Before are the cases of Broken and Lower as they were.
	Before []CaseResult
}

// Significant reports whether the interval leaves no difference out.
func (c *Comparison) Significant() bool {
	return c.Common > 0 && (c.Difference.Low > 0 || c.Difference.High < 0)
}

// Was is a case of Broken or Lower as it was, nil for any other.
func (c *Comparison) Was(id string) *CaseResult {
	if c == nil {
		return nil
	}
	for i := range c.Before {
		if c.Before[i].ID == id {
			return &c.Before[i]
		}
	}
	return nil
}

// Compare holds a report against an earlier run, whose cases are by their ids.
func Compare(spec Spec, now *Report, before map[string]*CaseResult) *Comparison {
	c := &Comparison{}
	var differences []float64
	seen := map[string]bool{}
	for i := range now.Cases {
		k := &now.Cases[i]
		seen[k.ID] = true
		if past := before[k.ID]; k.Ran && past == nil {
			c.Added = append(c.Added, k.ID)
		} else if k.Ran && c.comparable(k, past) {
			differences = append(differences, k.Score.Score-past.Score.Score)
			c.side(k, past)
		}
	}
	for id := range before {
		if !seen[id] && now.Of == 0 {
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

// comparable reports whether two results of a case are of one input and one rubric,
// as far as they tell, and notes it where they are not.
func (c *Comparison) comparable(now, past *CaseResult) bool {
	known := past.Sums != Sums{}
	c.Unknown = c.Unknown || !known
	switch {
	case known && now.Sums.Input != past.Sums.Input:
		c.OtherInput = append(c.OtherInput, now.ID)
	case known && now.Sums.Rubric != past.Sums.Rubric:
		c.OtherRubric = append(c.OtherRubric, now.ID)
	default:
		return true
	}
	return false
}

// side notes how a case differs from what it was.
func (c *Comparison) side(now, past *CaseResult) {
	switch {
	case now.Passed && !past.Passed:
		c.Fixed = append(c.Fixed, now.ID)
		return
	case !now.Passed && past.Passed:
		c.Broken = append(c.Broken, now.ID)
	case now.Score.Score < past.Score.Score:
		c.Lower = append(c.Lower, now.ID)
	default:
		return
	}
	c.Before = append(c.Before, *past)
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
		High:  0 - stdlib.LowerBound(turned, b.Level, b.Resamples, seed), // and not -0
	}
}

// CaseOf puts trials of a case together that were read from a log.
func CaseOf(id string, sums Sums, trials []Trial) *CaseResult {
	c := summary(Case{ID: id}, len(trials), func(_ Case, n int) (Trial, bool) { return trials[n-1], true })
	c.Sums = sums
	return &c
}

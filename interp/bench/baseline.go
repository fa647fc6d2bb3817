package bench

import (
	"math"
	"slices"

	"github.com/scenario-lang/scenario/stdlib"
)

// Sums identify what a case asks and what scores its answers, "" where that is not
// known: results of other inputs or rubrics are not compared. Around are the files
// beside the rubric's program, of which nobody knows whether it reads them.
type Sums struct{ Input, Rubric, Around string }

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
	// Chance is how likely so uneven a split of the flipped cases is, or a more uneven
	// one, where the program is as good as it was: McNemar's test, exact and two-sided.
	// It is 1 where no case flipped.
	Chance float64
	// Level is that of both tests, such as 0.95.
	Level float64
	// Unknown says that the earlier run does not tell what it asked and how it
	// scored.
	Unknown bool
	// Around says that files beside the rubric's program are others than they were.
	Around bool
	// Before are the cases of Broken and Lower as they were.
	Before []CaseResult
}

// A Verdict says which run is better.
type Verdict string

// The verdicts on a run that is compared with an earlier one.
const (
	Better Verdict = "better"
	Worse  Verdict = "worse"
	Mixed  Verdict = "mixed"
	Even   Verdict = "no significant difference"
)

// Verdict is what both tests say: the interval of the mean
// score, which sees how far scores moved, and the one of the cases that flipped, which
// sees how many passed before and now. A difference that one of them shows is one;
// where they contradict each other the verdict is mixed.
func (c *Comparison) Verdict() Verdict {
	up, down := c.Difference.Low > 0, c.Difference.High < 0
	if c.Chance < 1-c.Level {
		up = up || len(c.Fixed) > len(c.Broken)
		down = down || len(c.Broken) > len(c.Fixed)
	}
	switch {
	case c.Common == 0 || !up && !down:
		return Even
	case up && down:
		return Mixed
	case up:
		return Better
	}
	return Worse
}

// mcNemar is the chance that of cases which flipped so many or fewer fell on one side,
// were both sides as likely: exact, by the binomial distribution, and two-sided.
func mcNemar(a, b int) float64 {
	n, few := a+b, min(a, b)
	if n == 0 {
		return 1
	}
	// Logarithms, as 2^n is beyond a float64 from 1024 cases on.
	all := float64(n) * math.Ln2
	log, sum := 0.0, 0.0
	for k := 0; k <= few; k++ {
		sum += math.Exp(log - all)
		log += math.Log(float64(n-k)) - math.Log(float64(k+1))
	}
	return min(1, 2*sum)
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
	c := &Comparison{Level: spec.whole().Bound.Level}
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
	c.Common, c.Chance = len(differences), mcNemar(len(c.Fixed), len(c.Broken))
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
		c.Around = c.Around || now.Sums.Around != "" && past.Sums.Around != "" && now.Sums.Around != past.Sums.Around
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

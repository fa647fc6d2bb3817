package paired_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// A machine gives samples of costs: a program's own, times what slows both
// programs of a pair, times what slows one of them.
type machine struct {
	random *rand.Rand
	// own is the deviation of one sample, shared that of what both suffer.
	own, shared float64
	// spikes is how many samples in a hundred take three times as long.
	spikes int
}

func (m *machine) pairs(n int, after, before float64) []float64 {
	a, b := make([]float64, n), make([]float64, n)
	for i := range n {
		both := math.Exp(m.shared * m.random.NormFloat64())
		a[i], b[i] = m.sample(after*both), m.sample(before*both)
	}
	return paired.Ratios(a, b)
}

func (m *machine) sample(cost float64) float64 {
	cost *= math.Exp(m.own * m.random.NormFloat64())
	if m.random.IntN(100) < m.spikes {
		cost *= 3
	}
	return cost
}

// Shows that equal programs are never called slower, however noisy the machine
// is, that a tenth more is always found on a quiet one, and that what is too
// noisy to be told has no verdict.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name          string
		machine       machine
		after, before float64
		never, always paired.Verdict
	}{
		{"equal, quiet", machine{own: 0.02}, 1, 1, paired.Slower, paired.Same},
		{"equal, slowed together", machine{own: 0.02, shared: 0.5}, 1, 1, paired.Slower, paired.Same},
		{"equal, one sample in ten disturbed", machine{own: 0.02, spikes: 10}, 1, 1, paired.Slower, ""},
		{"equal, loud", machine{own: 0.3}, 1, 1, paired.Slower, ""},
		{"equal, deafening", machine{own: 1, spikes: 20}, 1, 1, paired.Slower, paired.Noisy},
		{"a tenth more", machine{own: 0.02}, 1.1, 1, paired.Same, paired.Slower},
		{"a tenth more, slowed together", machine{own: 0.02, shared: 0.5}, 1.1, 1, paired.Same, paired.Slower},
		{"a tenth more, deafening", machine{own: 1, spikes: 20}, 1.1, 1, paired.Slower, paired.Noisy},
		{"ten times as much, loud", machine{own: 0.3}, 10, 1, paired.Same, paired.Slower},
		{"a tenth less", machine{own: 0.02}, 0.9, 1, paired.Slower, paired.Faster},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(40) {
				c.machine.random = rand.New(rand.NewPCG(7, seed))
				i := paired.Of(c.machine.pairs(25, c.after, c.before))
				got := paired.Judge(i, 0.1)
				if got == c.never || c.always != "" && got != c.always {
					t.Fatalf("seed %d: %v is %s", seed, i, got)
				}
			}
		})
	}
}

// Shows that of pairs that are measured until there is a verdict, a program that costs
// exactly a tenth more is never called the same, and one that is compared with itself
// never slower or faster, whatever the noise: where it is too large there is no verdict.
// Where it is small there always is one.
func TestJudgeIsSureOrSilent(t *testing.T) {
	const change, most, runs = 0.1, 60, 15
	for _, own := range []float64{0.01, 0.02, 0.03, 0.045, 0.06, 0.1} {
		for _, spikes := range []int{0, 5} {
			for _, after := range []float64{1, 1 + change} {
				found := map[paired.Verdict]int{}
				for seed := range uint64(runs) {
					m := machine{random: rand.New(rand.NewPCG(13, seed)), own: own, shared: own, spikes: spikes}
					var ratios []float64
					for len(ratios) < most && (len(ratios) == 0 || !paired.Enough(paired.Of(ratios), change)) {
						ratios = append(ratios, m.pairs(10, after, 1)...)
					}
					found[paired.Judge(paired.Of(ratios), change)]++
				}
				wrong := found[paired.Slower] + found[paired.Faster]
				if after > 1 {
					wrong = found[paired.Same] + found[paired.Faster]
				}
				if wrong > 0 || own <= 0.02 && found[paired.Noisy] > 0 {
					t.Errorf("a noise of %g with %d spikes in a hundred, %g times as much: %v", own, spikes, after, found)
				}
			}
		}
	}
}

// Shows that the interval covers the true median as often as it says, from as few values as it
// says it of. Of 1,000 intervals 990 are due, with a deviation of 3, and less than the bound of
// 975 are none of a thousand such tests.
func TestOfCovers(t *testing.T) {
	for _, n := range []int{paired.Sure, 9, 15, 40} {
		covered, runs := 0, 1000
		for seed := range uint64(runs) {
			m := machine{random: rand.New(rand.NewPCG(11, seed)), own: 0.1}
			if i := paired.Of(m.pairs(n, 2, 1)); i.Low <= 2 && 2 <= i.High {
				covered++
			}
		}
		if covered < runs*975/1000 {
			t.Errorf("%d values: %d of %d intervals have the median", n, covered, runs)
		}
	}
}

// Shows between which of n values the interval lies, as tables of the sign test have it: of 20 it
// is from the 4th to the 17th (99.7 percent; from the 5th to the 16th are 98.8).
func TestOfRanks(t *testing.T) {
	for n, from := range map[int]int{5: 1, 8: 1, 10: 1, 12: 2, 15: 3, 20: 4, 25: 6, 60: 20} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i)
		}
		if got := paired.Of(values); got.Low != float64(from) || got.High != float64(n+1-from) || got.Of != n {
			t.Errorf("of %d: %+v, want from %d", n, got, from)
		}
	}
}

// Shows that equal samples give equal intervals, that the order of samples moves
// no median, and what few samples give.
func TestOfIsFixed(t *testing.T) {
	values := []float64{1.2, 0.9, 1.1, 1, 1.3}
	if a, b := paired.Of(values), paired.Of(values); a != b || a.Median != 1.1 || a.Low < 0.9 || a.High > 1.3 {
		t.Errorf("got %v and %v", a, b)
	}
	if got := fmt.Sprint(values); got != "[1.2 0.9 1.1 1 1.3]" {
		t.Errorf("the values are %s afterwards", got)
	}
	if got, want := paired.Of([]float64{2}), (paired.Interval{Low: 2, Median: 2, High: 2, Of: 1}); got != want {
		t.Errorf("got %v", got)
	}
	if got := paired.Of(nil); got != (paired.Interval{}) || got.Noise() != 0 {
		t.Errorf("got %v", got)
	}
	if got := paired.Median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("got %v", got)
	}
}

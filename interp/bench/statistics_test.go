package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// CG11: the interval is Wilson's (1927): the figures are those of Newcombe 1998,
// table I, methods 3 and the two ends, and of Brown, Cai, DasGupta 2001.
func TestWilsonIsThePublishedInterval(t *testing.T) {
	for _, c := range []struct {
		passed, n int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 1 - 0.1170, 1},
	} {
		got := Wilson(c.passed, c.n, 0.95)
		if math.Abs(got.Low-c.low) > 6e-5 || math.Abs(got.High-c.high) > 6e-5 || got.Value != float64(c.passed)/float64(c.n) {
			t.Errorf("%d of %d: %+v, want %v to %v", c.passed, c.n, got, c.low, c.high)
		}
	}
	if got := Wilson(0, 0, 0.95); got != (Interval{0, 0, 1}) {
		t.Errorf("of none: %+v", got)
	}
}

// trials makes cases of which so many of n trials passed.
func trials(n int, passed ...int) []CaseResult {
	var cases []CaseResult
	for _, c := range passed {
		k := CaseResult{Ran: true}
		for i := range n {
			k.Trials = append(k.Trials, Trial{Score: Score{Passed: i < c}})
		}
		cases = append(cases, k)
	}
	return cases
}

// pass@k and pass^k are what drawing k of the trials would give, counted out
// over all ways to draw them.
func TestPassByKIsTheShareOfAllDraws(t *testing.T) {
	const n = 6
	passed := []int{0, 1, 3, 5, 6}
	got := passByK(trials(n, passed...), n)
	for k := 1; k <= n; k++ {
		at, all := 0.0, 0.0
		for _, c := range passed {
			draws, some, every := 0, 0, 0
			for set := range 1 << n {
				if ones(set) != k {
					continue
				}
				draws++
				hit := ones(set & (1<<c - 1))
				if hit > 0 {
					some++
				}
				if hit == k {
					every++
				}
			}
			at += float64(some) / float64(draws) / float64(len(passed))
			all += float64(every) / float64(draws) / float64(len(passed))
		}
		if math.Abs(got[k-1].At-at) > 1e-12 || math.Abs(got[k-1].All-all) > 1e-12 || got[k-1].K != k {
			t.Errorf("k = %d: %+v, want %v and %v", k, got[k-1], at, all)
		}
	}
}

func ones(set int) int {
	n := 0
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// bound is the BCa lower bound as Efron and Tibshirani (1993, §14.3) write it,
// with the same draws and a quantile found by bisection.
func bound(scores []float64, level float64, resamples int, seed uint64) float64 {
	x := slices.Clone(scores)
	sort.Float64s(x)
	n := float64(len(x))
	mean := func(v []float64) float64 {
		s := 0.0
		for _, e := range v {
			s += e
		}
		return s / float64(len(v))
	}
	center := mean(x)
	draw := rand.New(rand.NewPCG(seed, 0))
	boot := make([]float64, resamples)
	for b := range boot {
		sample := make([]float64, len(x))
		for i := range sample {
			sample[i] = x[draw.IntN(len(x))]
		}
		boot[b] = mean(sample)
	}
	sort.Float64s(boot)
	share := 0.0
	for _, m := range boot {
		if math.Abs(m-center) <= 1e-12 {
			share += 0.5
		} else if m < center {
			share++
		}
	}
	share = math.Max(1/(2*float64(resamples)), math.Min(1-1/(2*float64(resamples)), share/float64(resamples)))
	phi := func(z float64) float64 { return (1 + math.Erf(z/math.Sqrt2)) / 2 }
	quantile := func(p float64) float64 {
		low, high := -40.0, 40.0
		for range 200 {
			if mid := (low + high) / 2; phi(mid) < p {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	jack := make([]float64, len(x))
	for i := range x {
		jack[i] = (center*n - x[i]) / (n - 1)
	}
	jackMean := mean(jack)
	up, down := 0.0, 0.0
	for _, j := range jack {
		up += math.Pow(jackMean-j, 3)
		down += math.Pow(jackMean-j, 2)
	}
	a := up / (6 * math.Pow(down, 1.5))
	z0, za := quantile(share), quantile((1-level)/2)
	p := phi(z0 + (z0+za)/(1-a*(z0+za)))
	at := p * float64(resamples-1)
	i := int(at)
	if i+1 >= resamples {
		return math.Min(boot[resamples-1], center)
	}
	return math.Min(boot[i]+(at-float64(i))*(boot[i+1]-boot[i]), center)
}

// CG11: the lower bound of a report is the bootstrap's, whatever the order in
// which its cases ended, with draws from the run's id.
func TestLowerBoundIsTheBootstraps(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{5, 12, 50, 200} {
		spec, _ := stub()
		var cases []Case
		scores := map[string]float64{}
		var list []float64
		for i := range n {
			id := fmt.Sprintf("c%03d", i)
			cases = append(cases, Case{ID: id})
			scores[id] = math.Round(100*math.Sqrt(random.Float64())) / 100
			list = append(list, scores[id])
		}
		of := func(c Case, _ int) (Trial, bool) { return Trial{Score: Score{Passed: true, Score: scores[c.ID]}}, true }
		r := Summarise(spec, cases, of, nil)
		var seed uint64
		if _, err := fmt.Sscanf(r.RunID[:8], "%x", &seed); err != nil {
			t.Fatal(err)
		}
		if want := bound(list, 0.95, 1000, seed); math.Abs(r.LowerBound-want) > 1e-6 {
			t.Errorf("%d cases: %v, want %v", n, r.LowerBound, want)
		}
		random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		if again := Summarise(spec, cases, of, nil); again.LowerBound != r.LowerBound || again.RunID != r.RunID {
			t.Errorf("%d cases in another order: %v %s, want %v %s", n, again.LowerBound, again.RunID, r.LowerBound, r.RunID)
		}
	}
}

// Two runs are compared case by case: flips are listed, and an interval that
// leaves 0 out is a difference, in either direction.
func TestCompareListsFlipsAndPairs(t *testing.T) {
	spec, _ := stub()
	var cases []Case
	was := func(passed bool, score float64) *CaseResult {
		return &CaseResult{Ran: true, Sums: Sums{Input: "i", Rubric: "r"}, Trial: Trial{Score: Score{Passed: passed, Score: score}}}
	}
	before := map[string]*CaseResult{"gone": was(true, 1)}
	for i := range 40 {
		id := fmt.Sprintf("c%02d", i)
		cases = append(cases, Case{ID: id})
		before[id] = was(i%2 == 0, float64(i%5)/10)
		before[id].ID = id
	}
	cases = append(cases, Case{ID: "new"})
	run := func(more float64) *Report {
		r := Summarise(spec, cases, func(c Case, _ int) (Trial, bool) {
			if c.ID == "new" {
				return Trial{}, true
			}
			passed := before[c.ID].Passed
			if c.ID == "c00" || c.ID == "c01" {
				passed = !passed
			}
			jitter := float64(int(c.ID[len(c.ID)-1])%3) / 100
			return Trial{Score: Score{Passed: passed, Score: before[c.ID].Score.Score + more + jitter}}, true
		}, nil)
		for i := range r.Cases {
			r.Cases[i].Sums = Sums{Input: "i", Rubric: "r"}
		}
		return r
	}
	c := Compare(spec, run(0.2), before)
	if fmt.Sprint(c.Fixed, c.Broken, c.Added, c.Removed, c.Common) != "[c01] [c00] [new] [gone] 40" {
		t.Errorf("%+v", c)
	}
	if c.Verdict() != Better || c.Difference.Low < 0.19 || c.Difference.High > 0.23 || c.Difference.Low > c.Difference.Value || c.Difference.High < c.Difference.Value {
		t.Errorf("better by a fifth: %+v", c.Difference)
	}
	if len(c.Lower) != 0 || len(c.Before) != 1 || c.Was("c00") == nil || c.Unknown {
		t.Errorf("as they were: %v, %d", c.Lower, len(c.Before))
	}
	if c := Compare(spec, run(-0.2), before); len(c.Lower) != 38 {
		t.Errorf("lower: %v", c.Lower)
	}
	other := run(0.2)
	other.Case("c05").Sums.Input, other.Case("c06").Sums.Rubric = "another", "another"
	if c := Compare(spec, other, before); fmt.Sprint(c.OtherInput, c.OtherRubric, c.Common) != "[c05] [c06] 38" {
		t.Errorf("other questions: %+v", c)
	}
	before["c07"].Sums = Sums{}
	if c := Compare(spec, run(0.2), before); !c.Unknown || c.Common != 40 {
		t.Errorf("a run of which nothing is known: %+v", c)
	}
	if c := Compare(spec, run(-0.01), before); c.Verdict() != Even {
		t.Errorf("as good as before: %+v", c.Difference)
	}
	if c := Compare(spec, run(0), map[string]*CaseResult{"other": {}}); c.Verdict() != Even || c.Common != 0 {
		t.Errorf("nothing in common: %+v", c)
	}
}

// CG14: no more cases than the spec says are under way at one time, on the
// virtual clock as on the real one, and the report is in the order of the ids.
func TestConcurrencyIsWhatTheSpecSays(t *testing.T) {
	spec, _ := stub()
	var cases []Case
	for i := range 30 {
		cases = append(cases, Case{ID: fmt.Sprintf("c%02d", 29-i)})
	}
	clock := sched.New()
	now, most := 0, 0
	sut := func(ctx context.Context, c Case, _ int) (Answer, error) {
		now++
		most = max(most, now)
		defer func() { now-- }()
		// Late ones are quick, so that the order of the ends is not that of the
		// starts.
		return Answer{Output: json.RawMessage(`{}`)}, clock.Sleep(ctx, time.Duration(100-c.ID[2])*time.Second)
	}
	ended := map[string]Trial{}
	r := Runner{Spec: spec, Cases: cases, Clock: clock, SUT: sut, Rubric: full, Ended: func(c Case, _ int, t Trial) error { ended[c.ID] = t; return nil }}
	if err := clock.Run(func(ctx context.Context) { _ = r.Run(ctx) }); err != nil {
		t.Fatal(err)
	}
	report := Summarise(spec, cases, func(c Case, _ int) (Trial, bool) { t, ok := ended[c.ID]; return t, ok }, nil)
	if most != 4 || report.Passed != 30 || !slices.IsSortedFunc(report.Cases, func(a, b CaseResult) int { return int(a.ID[1])*256 + int(a.ID[2]) - int(b.ID[1])*256 - int(b.ID[2]) }) {
		t.Errorf("%d at a time, %d passed", most, report.Passed)
	}
}

// BenchmarkMeasure is a system in process: cases a second on the real clock.
func BenchmarkMeasure(b *testing.B) {
	spec := Defaults()
	cases := make([]Case, b.N)
	for i := range cases {
		cases[i].ID = fmt.Sprintf("c%08d", i)
	}
	spec.Bound.Resamples = 1
	b.ResetTimer()
	if r, err := measure(spec, cases, passing, full); err != nil || r.Passed != b.N {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cases/s")
}

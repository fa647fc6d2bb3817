package stdlib

import (
	"math"
	"slices"
	"testing"
)

// The quantile is the inverse of the distribution function, at the published
// values and everywhere between (Acklam's bound on the relative error is
// 1.15e-9).
func TestNormalQuantile(t *testing.T) {
	for p, want := range map[float64]float64{0.5: 0, 0.975: 1.959963984540054, 0.025: -1.959963984540054, 0.01: -2.326347874040841, 0.999: 3.090232306167813} {
		if got := normalQuantile(p); math.Abs(got-want) > 5e-9 {
			t.Errorf("quantile of %v = %v, want %v", p, got, want)
		}
	}
	for p := 0.0005; p < 1; p += 0.0005 {
		if back := normalCDF(normalQuantile(p)); math.Abs(back-p) > 1e-8 {
			t.Errorf("the quantile of %v is the quantile of %v", p, back)
		}
	}
}

// The bound by the BCa bootstrap: the mean without spread, never above the
// mean, the same for every order of the scores and every run, lower for a
// higher level, and for many evenly spread scores close to the normal
// approximation.
func TestLowerBound(t *testing.T) {
	if got := LowerBound([]float64{0.7, 0.7, 0.7}, 0.95, 1000, 1); math.Abs(got-0.7) > 1e-15 {
		t.Errorf("without spread: %v, want the mean 0.7", got)
	}
	scores := make([]float64, 200)
	for i := range scores {
		scores[i] = float64(i%10) / 9
	}
	bound := LowerBound(scores, 0.95, 2000, 7)
	center, spread := 0.5, math.Sqrt(33.0/324.0) // of 0, 1/9, … 1
	if normal := center - 1.96*spread/math.Sqrt(200); math.Abs(bound-normal) > 0.01 {
		t.Errorf("bound %v, want about %v", bound, normal)
	}
	backwards := slices.Clone(scores)
	slices.Reverse(backwards)
	if again := LowerBound(backwards, 0.95, 2000, 7); again != bound {
		t.Errorf("another order gives %v, not %v", again, bound)
	}
	if strict := LowerBound(scores, 0.99, 2000, 7); strict >= bound {
		t.Errorf("level 0.99 gives %v, not below %v", strict, bound)
	}
	for seed := range uint64(50) {
		few := []float64{0, 0, 1, 1, 1}
		if got := LowerBound(few, 0.95, 50, seed); got > 0.6 || got < 0 {
			t.Errorf("seed %d: %v is not between 0 and the mean", seed, got)
		}
	}
}

// Means that are equal to the center but for rounding count half, and a share
// of 0 or 1 is clamped.
func TestShareBelow(t *testing.T) {
	for _, c := range []struct {
		means []float64
		want  float64
	}{
		{[]float64{1, 2, 3, 4}, 0.5},
		{[]float64{1, 2.5 + 1e-13, 2.5, 4}, 0.5},
		{[]float64{3, 4}, 0.25},
		{[]float64{1, 2}, 0.75},
	} {
		if got := shareBelow(c.means, 2.5); got != c.want {
			t.Errorf("share of %v below 2.5 = %v, want %v", c.means, got, c.want)
		}
	}
}

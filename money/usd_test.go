package money

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Sums that binary floating point gets wrong.
func TestSumsAreExact(t *testing.T) {
	for _, c := range []struct {
		addends []float64
		want    string
	}{
		{[]float64{0.1, 0.1, 0.1}, "0.3"},
		{[]float64{0.3, 0.3, 0.3}, "0.9"},
		{[]float64{0.1, 0.2}, "0.3"},
		{[]float64{1e-7, 1e-7, 1e-7}, "0.0000003"},
		{[]float64{1e9, 0.01}, "1000000000.01"},
		{nil, "0"},
	} {
		sum := USD{}
		for _, f := range c.addends {
			sum = sum.Plus(Of(f))
		}
		want, err := Parse(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if sum.String() != c.want || sum.Cmp(want) != 0 {
			t.Errorf("%v is %s, want %s", c.addends, sum, c.want)
		}
	}
}

// Sums and comparisons are those of whole numbers of a millionth of a dollar.
func TestAgreesWithIntegers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		sum, count := USD{}, big.NewInt(0)
		for range 1 + rnd.IntN(40) {
			micros := rnd.Int64N(5_000_000)
			price, err := Parse(fmt.Sprintf("%d.%06d", micros/1_000_000, micros%1_000_000))
			if err != nil {
				t.Fatal(err)
			}
			if Of(price.Float64()).Cmp(price) != 0 {
				t.Fatalf("%s is another amount as a number", price)
			}
			sum, count = sum.Plus(price), count.Add(count, big.NewInt(micros))
		}
		limit := rnd.Int64N(100_000_000)
		cap, err := Parse(fmt.Sprintf("%de-6", limit))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sum.Cmp(cap), count.Cmp(big.NewInt(limit)); got != want {
			t.Fatalf("%s against %s is %d, want %d", sum, cap, got, want)
		}
		if got, want := sum.Times(Of(1e6)).String(), count.String(); got != want {
			t.Fatalf("the sum is %s millionths, want %s", got, want)
		}
	}
}

// What is no amount counts as nothing, or is refused with its text.
func TestNoAmounts(t *testing.T) {
	for _, f := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if !Of(f).IsZero() {
			t.Errorf("%v is %s", f, Of(f))
		}
	}
	for _, text := range []string{"", "x", "1/3", "0x1p4q", "1e999999999", "Inf", "NaN"} {
		if a, err := Parse(text); err == nil {
			t.Errorf("%q is %s", text, a)
		}
	}
}

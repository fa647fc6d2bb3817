package money

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// USD is an amount of US dollars, exact in decimal. The zero value is nothing.
// It is immutable and safe for concurrent use.
type USD struct {
	rat *big.Rat // nil for 0
}

// Of is the amount that a number is written as: the shortest decimal that reads
// back as f. A number that is not finite is no amount and counts as nothing.
func Of(f float64) USD {
	if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return USD{}
	}
	a, _ := Parse(strconv.FormatFloat(f, 'g', -1, 64))
	return a
}

// maxExponent bounds the exponent of an amount, whose digits are held in full.
const maxExponent = 400

// Parse reads a decimal number such as "0.25" or "1e-6".
func Parse(text string) (USD, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return USD{}, fmt.Errorf("%q is no amount of dollars: %w", text, err)
	}
	if f == 0 {
		return USD{}, nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || math.Abs(math.Log10(math.Abs(f))) > maxExponent {
		return USD{}, fmt.Errorf("%q is no amount of dollars", text)
	}
	return USD{r}, nil
}

// Plus is the sum of both.
func (a USD) Plus(b USD) USD {
	switch {
	case b.rat == nil:
		return a
	case a.rat == nil:
		return b
	}
	return USD{new(big.Rat).Add(a.rat, b.rat)}
}

// Times is the amount n times.
func (a USD) Times(n USD) USD {
	if a.rat == nil || n.rat == nil {
		return USD{}
	}
	return USD{new(big.Rat).Mul(a.rat, n.rat)}
}

// Cmp is -1 where a is less than b, 0 where both are equal, and 1 else.
func (a USD) Cmp(b USD) int { return a.value().Cmp(b.value()) }

// IsZero reports whether it is nothing.
func (a USD) IsZero() bool { return a.value().Sign() == 0 }

// Float64 is the nearest number. It prints as the amount does, up to 15 digits.
func (a USD) Float64() float64 {
	f, _ := a.value().Float64()
	return f
}

// String is the amount in decimal, without a sign of currency.
func (a USD) String() string { return strconv.FormatFloat(a.Float64(), 'f', -1, 64) }

var zero = new(big.Rat)

func (a USD) value() *big.Rat {
	if a.rat == nil {
		return zero
	}
	return a.rat
}

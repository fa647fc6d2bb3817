package policy

import (
	"testing"

	"github.com/scenario-lang/scenario/money"
)

// Before a dial spent ≥ limit refuses, after an answer spent > limit does; a
// limit of zero is a limit, and none is none.
func TestBudget(t *testing.T) {
	limit := func(v float64) *float64 { return &v }
	dollars := func(v float64) *money.USD { a := money.Of(v); return &a }
	for _, c := range []struct {
		name              string
		budget            Budget
		usd, tokens       float64
		refuses, exceeded bool
	}{
		{"none", Budget{}, 1e9, 1e9, false, false},
		{"money left", Budget{USD: dollars(2)}, 1.99, 0, false, false},
		{"money spent exactly", Budget{USD: dollars(2)}, 2, 0, true, false},
		{"money overspent", Budget{USD: dollars(2)}, 2.01, 0, true, true},
		{"tokens spent exactly", Budget{Tokens: limit(100)}, 9, 100, true, false},
		{"tokens overspent", Budget{Tokens: limit(100)}, 9, 101, true, true},
		{"one of two is enough", Budget{USD: dollars(5), Tokens: limit(100)}, 1, 101, true, true},
		{"nothing may be spent", Budget{USD: dollars(0)}, 0, 0, true, false},
	} {
		if got := c.budget.Refuses(money.Of(c.usd), c.tokens) != ""; got != c.refuses {
			t.Errorf("%s: refuses is %v, want %v", c.name, got, c.refuses)
		}
		if got := c.budget.Exceeded(money.Of(c.usd), c.tokens) != ""; got != c.exceeded {
			t.Errorf("%s: exceeded is %v, want %v", c.name, got, c.exceeded)
		}
	}
}

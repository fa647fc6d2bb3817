package policy

import (
	"cmp"
	"fmt"

	"github.com/scenario-lang/scenario/money"
)

// A Budget is what a run may spend. A limit of zero is a limit; a nil one is
// none.
type Budget struct {
	USD    *money.USD
	Tokens *float64
}

// Limited reports whether there is a limit at all.
func (b Budget) Limited() bool { return b.USD != nil || b.Tokens != nil }

// Refuses says before a dial why nothing more may be spent, "" when it may:
// spent has reached a limit.
func (b Budget) Refuses(usd money.USD, tokens float64) string {
	return b.over(usd, tokens, 0)
}

// Exceeded says after an answer why the run has spent too much, "" when not.
func (b Budget) Exceeded(usd money.USD, tokens float64) string {
	return b.over(usd, tokens, 1)
}

// over says which limit is met (from = 0) or exceeded (from = 1).
func (b Budget) over(usd money.USD, tokens float64, from int) string {
	if b.USD != nil && usd.Cmp(*b.USD) >= from {
		return fmt.Sprintf("the budget of $%s is spent ($%s)", b.USD, usd)
	}
	if b.Tokens != nil && cmp.Compare(tokens, *b.Tokens) >= from {
		return fmt.Sprintf("the budget of %g tokens is spent (%g)", *b.Tokens, tokens)
	}
	return ""
}

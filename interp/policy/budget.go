package policy

import "fmt"

// A Budget is what a run may spend. A limit of zero is a limit; a nil one is
// none.
type Budget struct {
	USD    *float64
	Tokens *float64
}

// Limited reports whether there is a limit at all.
func (b Budget) Limited() bool { return b.USD != nil || b.Tokens != nil }

// Refuses says before a dial why nothing more may be spent, "" when it may:
// spent has reached a limit.
func (b Budget) Refuses(usd, tokens float64) string {
	return b.over(usd, tokens, func(spent, limit float64) bool { return spent >= limit })
}

// Exceeded says after an answer why the run has spent too much, "" when not.
func (b Budget) Exceeded(usd, tokens float64) string {
	return b.over(usd, tokens, func(spent, limit float64) bool { return spent > limit })
}

func (b Budget) over(usd, tokens float64, beyond func(spent, limit float64) bool) string {
	if b.USD != nil && beyond(usd, *b.USD) {
		return fmt.Sprintf("the budget of $%g is spent ($%g)", *b.USD, usd)
	}
	if b.Tokens != nil && beyond(tokens, *b.Tokens) {
		return fmt.Sprintf("the budget of %g tokens is spent (%g)", *b.Tokens, tokens)
	}
	return ""
}

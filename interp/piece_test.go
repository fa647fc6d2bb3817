package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that a condition is marked which holds because a pattern without ^ and $ is found in a piece of a
// value, whatever else it says, and that one is not where the whole value matches, nor one that says that
// it does not match.
func TestPatternsThatAreFoundInAPiece(t *testing.T) {
	const source = `provider "http" "pay" { base_url = "https://pay.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "pay" {
    reply { status_code = 201 }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition, key string
		marked         bool
	}{
		{`alltrue([for a in endpoint.pay.attempts : regexmatch("[0-9a-f-]+", a.idempotency_key)])`, "order-payment", true},
		{`length(endpoint.pay.attempts) == 1 && regexmatch("[0-9a-f-]+", endpoint.pay.attempts[0].idempotency_key)`, "order-payment", true},
		{`regexmatch("[0-9a-f-]+", endpoint.pay.attempts[0].idempotency_key)`, "0b1c-7f", false},
		{`regexmatch("^[a-z-]+$", endpoint.pay.attempts[0].idempotency_key)`, "order-payment", false},
		{`!regexmatch("[A-Z]+", endpoint.pay.attempts[0].idempotency_key)`, "order-payment", false},
		{`regexmatch("[0-9]+", endpoint.pay.attempts[0].idempotency_key)`, "order-7", false},
	} {
		r := exec(t, fmt.Sprintf(source, c.condition), func(d *driver) {
			d.asks("https://pay.test/pay", "{}", "Idempotency-Key", c.key).End(false)
		})
		marked := slices.ContainsFunc(r.Relaxed, func(p Problem) bool { return strings.Contains(p.Message, "found in a piece of the value") })
		if marked != c.marked || marked != (r.Verdict != Pass) {
			t.Errorf("%s of %q: %s %v, want a mark: %v", c.condition, c.key, told(r), r.Relaxed, c.marked)
		}
	}
}

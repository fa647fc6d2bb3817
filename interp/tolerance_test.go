package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a tolerance is told of that is so wide that 0 would pass in the place of the value, however it is
// written and on whichever side the value stands; and that none is that is narrower, or where 0 is wanted.
func TestTolerancesAsWideAsTheValue(t *testing.T) {
	const source = `provider "http" "billing" { base_url = "https://billing.test" }
workflow "bill" {
  inputs = { usd = null }
  step "http" "charge" {
    provider = provider.billing
    method   = "POST"
    path     = "/charges"
    json     = { usd = input.usd, all = [input.usd, input.usd] }
  }
}
scenario "s" {
  run    = workflow.bill
  inputs = { usd = %s }
  on "charge" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	const usd, all = "step.charge.attempts[0].request.json.usd", "step.charge.attempts[0].request.json.all"
	const told = "the tolerance of 0.01 is so wide that 0 would pass as well"
	for _, c := range []struct{ usd, check, want string }{
		{"0.0043", "approx(" + usd + ", 0.0044, 0.01)", told + ": the value is 0.0043, and 0.0044 is wanted"},
		{"0.0043", "approx(0.0044, " + usd + ", 0.01)", told + ": the value is 0.0043, and 0.0044 is wanted"},
		{"0.0043", "step.charge.attempts[0].request.method == \"POST\" && approx(" + usd + ", 0.0044, 0.01)", told},
		{"0.0043", "abs(" + usd + " - 0.0044) <= 0.01", told},
		{"0.0043", "abs(0.0044 - " + usd + ") < 0.01", told},
		{"0.0043", "0.01 > abs(" + usd + " - 0.0044)", told},
		{"0.0043", "!(abs(" + usd + " - 0.0044) > 0.01)", told},
		{"0.0043", "alltrue([for v in " + all + " : approx(v, 0.0044, 0.01)])", told},
		{"0", "approx(" + usd + ", 0.0044, 0.01)", told},
		{"0.01", "approx(" + usd + ", 0.01, 0.01)", told},

		{"0.0044", "approx(" + usd + ", 0.0044, 0.001)", ""},
		{"0.01", "abs(" + usd + " - 0.01) < 0.01", ""},
		{"12.5", "approx(" + usd + ", 12.504, 0.01)", ""},
		{"0.0043", "approx(" + usd + ", 0, 0.01)", ""},
		{"0.0043", "approx(" + usd + " - 0.0044, 0, 0.01)", ""},
		{"12.5", "!approx(" + usd + ", 0.0044, 0.01)", ""},
		{"12.5", "abs(" + usd + ") <= 20", ""},
		{"12.5", "abs(" + usd + " - 1) >= 0.01", ""},
	} {
		r := RunTold(mustCompile(t, fmt.Sprintf(source, c.usd, c.check))[0], RunOptions{})
		got := ""
		for _, p := range r.Relaxed {
			if p.Kind == KindElsewhere {
				got += p.Message
			}
		}
		if r.Verdict != Pass || c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s of %s: %s, told %q, want %q:\n%s", c.check, c.usd, r.Verdict, got, c.want, problems(r))
		}
	}
}

package interp

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Shows that a check which says that a server did not ask an endpoint is told of where the run ended with
// the server's last answer, as what it asks in the background comes after that; that it still passes and
// counts as a check; and that nothing is said where the run goes on, or of what was asked.
func TestWhatAServerMayAskInTheBackground(t *testing.T) {
	const source = `provider "http" "shop" {}
provider "http" "bank" { base_url = "https://bank.test" }
provider "http" "mail" { base_url = "https://mail.test" }
workflow "buy" {
  provider = provider.shop
  step "http" "order" { path = "/order" }
  %s
}
scenario "s" {
  run = workflow.buy
  sut {
    serves = provider.shop
    %s
  }
  on "bank" {
    reply {}
  }
  on "mail" {
    reply { optional = true }
  }
  %s
}
`
	const (
		settle = `settle = "2s"`
		until  = `until = endpoint.bank.status != "unused"`
		rests  = "step \"wait\" \"rest\" {\n for = \"3s\"\n depends_on = [step.order]\n }"
	)
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		steps, sut, check string
		told              bool
	}{
		{"", "", assert(`endpoint.mail.attempts == []`), true},
		{"", "", assert(`endpoint.mail.status == "unused"`), true},
		{"", "", assert(`length(endpoint.mail.attempts) == 0`), true},
		{"", "", assert(`endpoint.mail.status == "unused" && length(endpoint.bank.attempts) == 1`), true},
		{"", "", `expect "mail" { status = "unused" }`, true},
		{"", settle, assert(`endpoint.mail.attempts == []`), false},
		{"", settle, `expect "mail" { status = "unused" }`, false},
		{rests, "", assert(`endpoint.mail.attempts == []`), false},
		{"", "", assert(`length(endpoint.bank.attempts) == 1`), false},
		{"", "", assert(`endpoint.bank.status == "success"`), false},
		{"", "", assert(`step.order.status_code == 200`), false},
		{"", until, assert(`length(endpoint.bank.attempts) >= 1 && step.order.status_code == 200`), false},
	} {
		r := servedBy(t, fmt.Sprintf(source, c.steps, c.sut, c.check), func(s *server, w http.ResponseWriter, req *http.Request) error {
			s.ask(req.Context(), "https://bank.test/charges")
			return sold(w)
		})
		said := 0
		for _, p := range r.Relaxed {
			if p.Kind == KindIdle && p.Partly && strings.Contains(p.Message, "in the background after it was not seen") {
				said++
			}
		}
		if said > 0 != c.told || r.Verdict != Pass {
			t.Errorf("%s %s%s: told %d times, want %v; %s: %s %+v", c.check, c.steps, c.sut, said, c.told, r.Verdict, told(r), r.Relaxed)
		}
	}
}

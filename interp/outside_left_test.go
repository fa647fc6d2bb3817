package interp

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// Shows that what limits or rules out the requests of a server shows nothing where the run ended as
// its client left, and that it does where the run went on after that, or the client did not leave.
func TestLimitsThatTheClientsLeavingKeeps(t *testing.T) {
	const source = `provider "http" "shop" {}
provider "http" "bank" { base_url = "https://bank.test" }
provider "http" "mail" { base_url = "https://mail.test" }
workflow "buy" {
  provider = provider.shop
  step "http" "order" {
    path       = "/order"
    timeout    = "1s"
    on_failure = "continue"
  }
  %s
}
scenario "s" {
  run = workflow.buy
  sut {
    serves = provider.shop
    %s
  }
  on "bank" {
    fault "http_error" { status_code = 503 }
    fault "timeout" { optional = true }
  }
  on "mail" {
    reply { optional = true }
  }
  allow = ["unexpected_failure"]
  %s
}
`
	const (
		settle = `settle = "2s"`
		until  = `until = endpoint.bank.status != "unused"`
		rests  = "step \"wait\" \"rest\" {\n for = \"3s\"\n }"
		asks   = "step \"http\" \"again\" {\n path = \"/again\"\n }"
	)
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	// The bank refuses, and the shop asks it again, and then nobody answers.
	charges := func(first, second string) func(*server, http.ResponseWriter, *http.Request) error {
		return func(s *server, w http.ResponseWriter, req *http.Request) error {
			if req.URL.Path == "/again" { // which takes longer than the client of the other waits
				time.Sleep(3 * time.Second)
				return sold(w)
			}
			s.ask(req.Context(), "https://bank.test/charges", "Idempotency-Key", first)
			time.Sleep(100 * time.Millisecond) // of fake time
			s.ask(req.Context(), "https://bank.test/charges", "Idempotency-Key", second)
			<-req.Context().Done()
			return req.Context().Err()
		}
	}
	hangs, anew := charges("k", "k"), charges("k", "l")
	gives := func(s *server, w http.ResponseWriter, req *http.Request) error {
		s.ask(req.Context(), "https://bank.test/charges")
		return sold(w)
	}
	refuses := func(s *server, w http.ResponseWriter, req *http.Request) error {
		w.WriteHeader(http.StatusBadGateway)
		s.ask(req.Context(), "https://bank.test/charges")
		return nil
	}
	// The shop does not see that its client leaves.
	stays := func(s *server, _ http.ResponseWriter, req *http.Request) error {
		s.ask(req.Context(), "https://bank.test/charges")
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
			defer cancel()
			s.ask(ctx, "https://bank.test/charges")
		}()
		<-req.Context().Done()
		return req.Context().Err()
	}
	for _, c := range []struct {
		steps, sut, check string
		answer            func(*server, http.ResponseWriter, *http.Request) error
		shows             bool
	}{
		{"", "", assert("length(endpoint.bank.attempts) == 2"), hangs, false},
		{"", "", assert("length(endpoint.bank.attempts) <= 2"), hangs, false},
		{"", "", assert("!(length(endpoint.bank.attempts) > 3)"), hangs, true},
		{"", "", assert("length(endpoint.bank.calls) == 1"), hangs, false},
		{"", "", assert("endpoint.bank.retries == 1"), hangs, false},
		{"", "", `expect "bank" { retries = 1 }`, hangs, false},
		{"", "", assert("[for a in endpoint.bank.attempts : a.fault] == [\"http_error\", \"timeout\"]"), hangs, false},
		{"", "", assert("length([for a in endpoint.bank.attempts : a if a.started_at_ms > step.order.ended_ms]) == 0"), hangs, false},
		{"", "", assert("endpoint.mail.attempts == []"), hangs, false},
		{"", "", assert("endpoint.mail.status == \"unused\""), hangs, false},
		{"", "", `expect "mail" { status = "unused" }`, hangs, false},
		{"", "", assert("events({ type = \"attempt_start\", step = \"mail\" }) == []"), hangs, false},
		{"", "", assert("length([for e in endpoints : e if e.status == \"unused\"]) == 1"), hangs, false},
		{"", "", `invariant "x" { condition = length(endpoint.bank.attempts) <= 2 }`, hangs, false},
		// What came before says something by itself.
		{"", "", assert("length(endpoint.bank.attempts) >= 2"), hangs, true},
		{"", "", assert("endpoint.bank.status == \"failed\""), hangs, true},
		{"", "", assert("endpoint.bank.attempts[1].fault == \"timeout\" && endpoint.bank.attempts[0].request.json.sku == \"tea\""), hangs, true},
		{"", "", assert("alltrue([for a in endpoint.bank.attempts : a.request.json.sku == \"tea\"])"), hangs, true},
		{"", "", assert("length(distinct([for a in endpoint.bank.attempts : a.idempotency_key])) == length(endpoint.bank.attempts)"), anew, true},
		{"", "", assert("length(distinct([for a in endpoint.bank.attempts : a.request.headers[\"idempotency-key\"]])) == length(endpoint.bank.attempts)"), anew, true},
		{"", "", assert("length(distinct([for a in endpoint.bank.attempts : a.idempotency_key])) == 1"), hangs, true},
		{"", "", assert("endpoint.bank.calls[0].gaps_ms[0] <= 150"), hangs, true},
		{"", "", assert("alltrue([for g in endpoint.bank.calls[0].gaps_ms : g <= 1500])"), hangs, true},
		{"", "", assert("alltrue([for g in endpoint.bank.calls[0].gaps_ms : g >= 90])"), hangs, true},
		{"", "", assert("step.order.status == \"timeout\""), hangs, true},
		{"", "", assert("length(endpoint.bank.attempts) == 2"), stays, false},
		{"", "", assert("endpoint.bank.in_flight_max == 1"), stays, true},
		// The run goes on after the client has left.
		{"", settle, assert("length(endpoint.bank.attempts) == 2"), hangs, true},
		{"", settle, assert("endpoint.mail.attempts == []"), hangs, true},
		{"", until, assert("length(endpoint.bank.attempts) == 2"), hangs, true},
		{rests, "", assert("length(endpoint.bank.attempts) == 2"), hangs, true},
		{asks, "", assert("length(endpoint.bank.attempts) == 2"), hangs, true},
		// It does not leave.
		{"", "", assert("length(endpoint.bank.attempts) == 1"), gives, true},
		{"", "", assert("length(endpoint.bank.attempts) == 1"), refuses, true},
	} {
		r := servedBy(t, fmt.Sprintf(source, c.steps, c.sut, c.check), c.answer)
		if got := shows(t, r); got != c.shows {
			t.Errorf("%s %s%s: that it shows something is %v, want %v; %s: %s %+v", c.check, c.steps, c.sut, got, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

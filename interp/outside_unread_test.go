package interp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a scenario in which all goes well is warned of if nothing in it depends on which request its
// program sent, unless a match, a lane or a check reads that, or it shows something else.
func TestRequestsThatNothingReads(t *testing.T) {
	const (
		shop   = `provider "http" "shop" { base_url = "https://shop.test" }` + "\n"
		mail   = `provider "http" "mail" { base_url = "https://mail.test" }` + "\n"
		orders = `endpoint "orders" {
  provider = provider.shop
  match { method = "DELETE" }
}
`
		done = `on "shop" { 
  reply { status_code = 204 } 
}
`
		success = `expect "run" { status = "success" }`
		once    = `assert "x" { condition = length(endpoint.shop.attempts) == 1 }`
	)
	scenario := func(body ...string) string {
		return "scenario \"s\" {\n  sut { command = [\"agent\"] }\n" + strings.Join(body, "\n") + "\n}\n"
	}
	for _, c := range []struct {
		name, source string
		code         int
		warned       bool
	}{
		{"success", shop + scenario(done, success), 0, true},
		{"count", shop + scenario(done, once), 0, true},
		{"each status", shop + scenario(done, `assert "x" { condition = alltrue([for a in endpoint.shop.attempts : a.status_code == 204]) && sut.exit_code == 0 }`), 0, true},
		{"endpoint", shop + scenario(done, `expect "shop" { status = "success" }`, success), 0, true},
		{"method", shop + scenario(done, `assert "x" { condition = endpoint.shop.attempts[0].request.method == "DELETE" }`), 0, false},
		{"beside it", shop + scenario(done, once, `assert "y" { condition = strcontains(endpoint.shop.attempts[0].request.url, "/orders") }`), 0, false},
		{"all of it", shop + scenario(done, `assert "x" { condition = strcontains(jsonencode(endpoint.shop.attempts), "DELETE") }`), 0, false},
		{"key", shop + scenario(done, `assert "x" { condition = endpoint.shop.attempts[0].idempotency_key == null }`), 0, false},
		{"events", shop + scenario(done, `assert "x" { condition = length(events({ type = "attempt_end" })) == 1 }`), 0, false},
		{"output", shop + scenario(done, `assert "x" { condition = sut.stdout == "done\n" }`), 0, false},
		{"at once", shop + scenario(done, `assert "x" { condition = endpoint.shop.in_flight_max == 1 }`, once), 0, false},
		{"until", shop + strings.Replace(scenario(done, success), `{ command = ["agent"] }`, "{\n command = [\"agent\"]\n until = endpoint.shop.attempts[0].request.method == \"DELETE\"\n}", 1), 0, false},
		{"match of the endpoint", shop + orders + scenario(strings.ReplaceAll(done, "shop", "orders"), success), 0, false},
		{"match of the entry", shop + scenario("on \"shop\" {\n  reply {\n    match { method = \"DELETE\" }\n    status_code = 204\n  }\n}", success), 0, false},
		{"fault", shop + scenario("on \"shop\" {\n  fault \"http_error\" { status_code = 503 }\n  reply { status_code = 204 }\n}", success), 0, false},
		{"refusal", shop + scenario("on \"shop\" {\n  reply { status_code = 404 }\n}", success), 0, false},
		{"late", shop + scenario("on \"shop\" {\n  reply {\n    status_code = 204\n    latency = \"1s\"\n  }\n}", success), 0, false},
		{"pages", shop + scenario("on \"shop\" {\n  reply { json = { next = 2 } }\n  reply {\n    optional = true\n    json = {}\n  }\n}", success), 0, false},
		{"failure", shop + scenario(done, `assert "x" { condition = sut.exit_code == 1 }`), 1, false},
		{"another endpoint", shop + mail + scenario(done, "on \"mail\" {\n  reply {}\n}", `expect "mail" { status = "unused" }`, once), 0, false},
		{"allowed", shop + scenario(done, success, `allow = ["no_assertion"]`), 0, true},
		{"no check", shop + scenario(done, `allow = ["no_assertion"]`), 0, false},
		{"invariant", shop + scenario(done, success, `invariant "i" { condition = alltrue([for a in endpoint.shop.attempts : a.request.method != "GET"]) }`), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", c.source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
				d.calls("DELETE", "https://shop.test/orders/7").End(false)
				d.run.ProgramEnded(ProgramEnd{Code: &c.code, Ran: time.Second, Stdout: "done\n"})
				d.run.Finish("success")
				said := d.run.Unread()
				if warned := strings.Contains(said, "reads what the program asks of shop") && strings.Contains(said, "DELETE /orders/7 here"); warned != c.warned || !warned && said != "" {
					t.Errorf("warned %v: %q", warned, said)
				}
			})
		})
	}
}

// Shows that such a scenario is warned of whose program asks a database, with the statement, and that one
// is not whose program asks a model, which refuses what is no request of its protocol.
func TestStatementsThatNothingReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, `provider "sql" "shop" { base_url = "postgres://db.test/shop" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply { affected = 1 }
  }
  assert "x" { condition = length(endpoint.shop.attempts) == 1 }
}
`)
		d.says("UPDATE orders SET paid = true")
		d.run.Finish("success")
		if said := d.run.Unread(); !strings.Contains(said, "asks of shop") || !strings.Contains(said, `"UPDATE orders SET paid = true" here`) {
			t.Error(said)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, `provider "openai" "llm" { base_url = "https://llm.test/v1" }
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    reply { content = "Rayleigh." }
  }
  assert "x" { condition = length(endpoint.llm.attempts) == 1 }
}
`)
		d.asks("https://llm.test/v1/chat/completions", chatOf("why")).End(false)
		d.run.Finish("success")
		if said := d.run.Unread(); said != "" {
			t.Error(said)
		}
	})
}

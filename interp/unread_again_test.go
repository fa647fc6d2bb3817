package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that a check is marked which compares the request of a retry with that of its first attempt, however it
// is written, and that such a comparison does not count as one that reads the part. One of requests that may
// differ is not: of steps, of runs of a loop, and of targets; nor is one that says what a request has.
func TestRequestsComparedWithThemselves(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "http" "two" { base_url = "https://two.test" }
provider "sql" "db" {}
provider "mcp" "bank" { base_url = "https://bank.test/mcp" }
gateway "both" {
  strategy = "priority"
  target "a" { provider = provider.shop }
  target "b" { provider = provider.two }
}
retry "linear" "once" {
  max_retries = 1
  delay       = "0s"
}
workflow "w" {
  step "http" "pay" {
    provider   = provider.shop
    method     = "POST"
    path       = "/orders/o-1"
    query      = { tenant = "acme" }
    headers    = { "Idempotency-Key" = "k-1" }
    json       = { id = "o-1", amount = 1250 }
    retry      = retry.once
  }
  step "http" "book" {
    gateway    = gateway.both
    method     = "POST"
    path       = "/books"
    json       = { id = "o-1" }
    depends_on = [step.pay]
  }
  step "sql" "list" {
    provider   = provider.db
    query      = "SELECT id FROM orders WHERE tenant = $1 LIMIT 10"
    args       = ["acme"]
    retry      = retry.once
    depends_on = [step.book]
  }
  step "mcp" "move" {
    provider   = provider.bank
    tool       = "move"
    arguments  = { cents = 1250 }
    idempotent = true
    retry      = retry.once
  }
  step "loop" "poll" {
    while          = loop.index < 2
    max_iterations = 3
    depends_on     = [step.list]
    step "http" "ask" {
      provider = provider.shop
      path     = "/jobs/7"
      retry    = retry.once
    }
  }
}
scenario "s" {
  run = workflow.w
  on "pay" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  on "book" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  on "list" {
    fault "connection_reset" {}
    reply { rows = [] }
  }
  on "move" {
    fault "connection_reset" { after_bytes = 1 }
    reply { structured = {} }
  }
  on "poll.ask" {
    fault "http_error" { status_code = 503 }
    reply { times = 2 }
  }
  assert "x" { condition = %s }
}
`
	says := func(p Problem) bool {
		return p.Kind == "idle" && p.Partly && strings.Contains(p.Message, "it holds whatever is sent: a retry of a step sends the request of its first attempt again")
	}
	for _, c := range []struct {
		condition string
		told      bool
	}{
		{`step.pay.attempts[1].request.body == step.pay.attempts[0].request.body`, true},
		{`length(step.pay.attempts) == 2 && step.pay.attempts[0].request.json == step.pay.attempts[1].request.json`, true},
		{`step.pay.attempts[1].request.json.id == step.pay.attempts[0].request.json.id`, true},
		{`step.pay.attempts[1].request.json.amount == step.pay.attempts[0].request.json.amount`, true},
		{`step.pay.attempts[1].request.url == step.pay.attempts[0].request.url`, true},
		{`!(step.pay.attempts[1].request != step.pay.attempts[0].request)`, true},
		{`alltrue([for a in step.pay.attempts : a.request.body == step.pay.attempts[0].request.body])`, true},
		{`length(distinct([for a in step.pay.attempts : a.request.json.id])) == 1`, true},
		{`length(toset(step.pay.attempts[*].request.json.id)) == 1`, true},
		{`step.list.attempts[1].request.statement == step.list.attempts[0].request.statement`, true},
		{`step.list.attempts[1].request.json.args == step.list.attempts[0].request.json.args`, true},
		{`step.move.attempts[1].request.json.params == step.move.attempts[0].request.json.params`, true},
		{`step.move.attempts[1].request.json.params.arguments.cents == step.move.attempts[0].request.json.params.arguments.cents`, true},
		{`length(distinct([for a in step.move.attempts : a.request.json.params])) == 1`, true},
		{`step.poll.runs[0].ask.attempts[1].request.url == step.poll.runs[0].ask.attempts[0].request.url`, true},

		{`step.pay.attempts[1].request.json.id == "o-1"`, false},
		{`[for a in step.pay.attempts : a.request.json.id] == ["o-1", "o-1"]`, false},
		{`step.pay.attempts[1].request.headers["idempotency-key"] == step.pay.attempts[0].request.headers["idempotency-key"]`, false},
		{`step.pay.attempts[0].request.json.id == step.book.attempts[0].request.json.id`, false},
		{`step.book.attempts[1].request.body == step.book.attempts[0].request.body`, false},
		{`step.poll.runs[1].ask.attempts[0].request.url == step.poll.runs[0].ask.attempts[0].request.url`, false},
		{`length(distinct([for r in step.poll.runs : r.ask.attempts[0].request.url])) == 1`, false},
		{`length(step.pay.attempts) == 2`, false},
		{`step.move.attempts[1].request.json.id != step.move.attempts[0].request.json.id`, false},
		{`step.move.attempts[1].request.json.params.arguments.cents == 1250`, false},
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.condition))[0], RunOptions{Unread: true})
		if r.Verdict != Pass || slices.ContainsFunc(r.Relaxed, says) != c.told {
			t.Errorf("%s: %s, told %v and not %t:\n%s", c.condition, r.Verdict, r.Relaxed, c.told, problems(r))
		}
		if unread := fmt.Sprint(r.Unread); c.told && strings.Contains(c.condition, "step.pay") && unread != "[pay book list move poll.ask]" {
			t.Errorf("%s counts as one that reads the request: %s", c.condition, unread)
		}
	}
}

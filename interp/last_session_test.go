package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows that whatever is said of all attempts of a step of a handler, or of what it never
// comes to, warns where the scenario may call the handler more than once, in whatever way,
// and that what reads one attempt, the calls or all sessions, or a handler that is called
// once, does not.
func TestChecksOfTheLastSession(t *testing.T) {
	const world = `
provider "http" "bank" { base_url = "https://bank.test" }
retry "linear" "r" { delay = "1s" }
workflow "charge" {
  provider = provider.bank
  step "http" "pay" { path = "/charges" }
  step "loop" "again" {
    max_iterations = 2
    step "http" "ask" { path = "/state" }
  }
  step "call" "tell" { target = actor.mail.send }
}
actor "cashier" {
  handler "charge" { workflow = workflow.charge }
  handler "other" { workflow = workflow.charge }
}
actor "mail" {
  tool "send" {}
}
actor "desk" {
  handler "pass" { forward_to = actor.cashier.charge }
}
workflow "one" {
  step "call" "once" { target = actor.cashier.charge }
}
workflow "looped" {
  step "loop" "l" {
    max_iterations = 2
    step "call" "many" { target = actor.cashier.charge }
  }
}
workflow "fanned" {
  step "fanout" "f" {
    sub "s" {
      target = actor.cashier.charge
      retry  = retry.r
    }
  }
}
scenario "s" {
  %s
  %s
}
`
	const (
		once     = "call \"c\" { target = actor.cashier.charge }"
		twice    = "call \"c\" {\n target = actor.cashier.charge\n at = [\"0s\", \"9s\"]\n}"
		two      = once + "\ncall \"d\" {\n target = actor.cashier.charge\n at = \"9s\"\n}"
		forward  = once + "\ncall \"d\" {\n target = actor.desk.pass\n at = \"9s\"\n}"
		other    = once + "\ncall \"d\" {\n target = actor.cashier.other\n at = \"9s\"\n}"
		attempts = `assert "x" { condition = length(actor.cashier.handlers.charge.pay.attempts) == 1 }`
		ofPay    = `events({ type = "attempt_end", step = "actor.cashier.charge.pay" })`
		result   = "Result of the last session"
	)
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct{ calls, check, want string }{
		{twice, attempts, ofPay},
		{twice, attempts, "target.bank.attempts"},
		{two, attempts, ofPay},
		{forward, attempts, ofPay},
		{"run = workflow.looped", attempts, ofPay},
		{"run = workflow.fanned", attempts, ofPay},
		{"run = workflow.one\n" + once, attempts, ofPay},
		{twice, assert(`length(distinct([for a in actor.cashier.handlers.charge.pay.attempts : a.idempotency_key])) == 1`), ofPay},
		{twice, assert(`length(actor.cashier.handlers["charge"].pay.attempts) == 1`), ofPay},
		{twice, assert(`length(actor.cashier.handlers.charge.again.ask.attempts) == 1`), `step = "actor.cashier.charge.again.ask"`},
		{twice, assert(`length(actor.cashier.handlers.charge.tell.attempts) == 1`), `events({ type = "route", step = "actor.cashier.charge.tell" })`},
		{twice, assert(`actor.cashier.handlers.charge.pay.retries == 0`), `length(events({ type = "retry_wait", step = "actor.cashier.charge.pay" }))`},
		{twice, assert(`actor.cashier.handlers.charge.pay.delays_ms == []`), `events({ type = "retry_wait"`},
		{twice, assert(`actor.cashier.handlers.charge.pay.rejections == []`), `events({ type = "rejection"`},
		{twice, assert(`actor.cashier.handlers.charge.pay.cost_usd <= 1`), `call.NAME.cost_usd`},
		{twice, assert(`jq(actor.cashier.handlers.charge.pay, ".attempts | length") == 1`), ofPay},
		{twice, `expect "actor.cashier.charge.pay" { retries = 0 }`, `events({ type = "retry_wait"`},
		{twice, assert(`!strcontains(actor.cashier.handlers.charge.pay.body, "secret")`), result},
		{twice, assert(`actor.cashier.handlers.charge.pay.elapsed_ms <= 900`), `step_end`},
		{twice, assert(`actor.cashier.handlers.charge.pay.attempts[0].elapsed_ms <= 900`), result},

		{once, attempts, ""},
		{other, attempts, ""},
		{"run = workflow.one", attempts, ""},
		{once, assert(`!strcontains(actor.cashier.handlers.charge.pay.body, "secret")`), ""},
		{twice, assert(`actor.cashier.handlers.charge.pay.attempts[0].request.method == "GET"`), ""},
		{twice, assert(`actor.cashier.handlers.charge.pay.body == "x"`), ""},
		{twice, assert(`actor.cashier.handlers.charge.run.cost_usd == 0`), ""},
		{twice, assert(`length(target.bank.attempts) == 6`), ""},
		{twice, assert(`length(` + ofPay + `) == 2`), ""},
		{twice, assert(`alltrue([for s in actor.cashier.sessions : s.status == "success"])`), ""},
		{twice, assert(`actor.cashier.sessions[0].waited_ms <= 5`), ""},
		{twice, `expect "actor.cashier.charge.pay" { status = "success" }`, ""},
		{twice, `invariant "x" { condition = length(actor.cashier.handlers.charge.pay.attempts) <= 1 }`, ""},
	} {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(fmt.Sprintf(world, c.calls, c.check)))
		if !diags.HasErrors() {
			_, diags = Compile(file, Options{})
		}
		told, n := "", 0
		for _, d := range diags {
			if strings.Contains(d.Summary, "of the last session") || d.Severity == 1 {
				told += d.Summary + ": " + d.Detail + "\n"
				n++
			}
		}
		if n > 1 || (n == 1) != (c.want != "") || !strings.Contains(told, c.want) {
			t.Errorf("%s\n%s\n%q, want %q", c.calls, c.check, told, c.want)
		}
	}
}

// Shows that what those warnings tell to read has what was done in all sessions, and that the
// name of the step has the last one.
func TestWhatHasAllSessions(t *testing.T) {
	const source = `
provider "http" "bank" { base_url = "https://bank.test" }
retry "linear" "r" { delay = "1s" }
workflow "charge" {
  provider = provider.bank
  step "http" "pay" {
    path  = "/charges"
    retry = retry.r
  }
  step "call" "tell" { target = actor.mail.send }
}
actor "cashier" {
  handler "charge" { workflow = workflow.charge }
}
actor "mail" {
  tool "send" {}
}
scenario "s" {
  call "c" {
    target = actor.cashier.charge
    at     = ["0s", "9s", "20s"]
  }
  on "actor.cashier.charge.pay" {
    fault "connection_reset" { times = 2 }
    reply {
      json     = { n = 1 }
      cost_usd = 0.5
    }
    fault "connection_reset" {}
    reply { json = { n = 2 } }
    reply { json = { n = 3 } }
  }
  assert "one" { condition = length(actor.cashier.handlers.charge.pay.attempts) == 1 && actor.cashier.handlers.charge.pay.retries == 0 }
  assert "all" { condition = length(events({ type = "attempt_end", step = "actor.cashier.charge.pay" })) == 6 && length(target.bank.attempts) == 6 }
  assert "waits" { condition = length(events({ type = "retry_wait", step = "actor.cashier.charge.pay" })) == 3 }
  assert "calls" { condition = length(events({ type = "route", step = "actor.cashier.charge.tell" })) == 3 }
  assert "results" { condition = [for e in events({ type = "step_end", step = "actor.cashier.charge.pay" }) : e.json.n] == [1, 2, 3] }
}
`
	if r := Run(mustCompile(t, source)[0], RunOptions{}); r.Verdict != Pass || len(r.Relaxed) > 0 {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
}

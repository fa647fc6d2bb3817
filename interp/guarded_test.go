package interp

import "testing"

// Shows what holds by how it is written: an index that no element has, a default that is the
// other side, a second success of a step that ends with its first.
func TestChecksThatGuardsLeaveEmpty(t *testing.T) {
	const repeated = `step.pay.retries == 1`
	for condition, shows := range map[string]bool{
		`alltrue([for i, d in step.pay.delays_ms : i == 0 || d >= step.pay.delays_ms[i - 1] * 2])`:                       false,
		`[for i, d in step.pay.delays_ms : i if i > 0 && d <= step.pay.delays_ms[max(i - 1, 0)]] == []`:                  false,
		`step.pay.retries == lookup(local.row, "retries", step.pay.retries)`:                                             false,
		`length([for a in step.pay.attempts : a if a.outcome == "success"]) <= 1`:                                        false,
		`2 > length([for a in step.pay.attempts : a if a.error == null])`:                                                false,
		`length([for a in step.pay.attempts : a if a.outcome == "success" && a.status_code == 200]) == 1`:                false,
		`alltrue([for i, a in step.pay.attempts : i == 0 || a.idempotency_key == step.pay.attempts[0].idempotency_key])`: true,
		`step.pay.retries == lookup(local.row, "retry", step.pay.retries)`:                                               true,
		`length([for a in step.pay.attempts : a if a.outcome == "failure"]) <= 1`:                                        true,
		`length([for a in step.pay.attempts : a if a.status_code == 200]) == 1`:                                          true,
		`length([for a in step.ask.attempts : a if a.outcome == "success"]) <= 2`:                                        true, // it calls tools
		`alltrue([for i, d in step.pay.delays_ms : i == 0 || d >= step.pay.delays_ms[i - 1]]) && ` + repeated:            true,
	} {
		r := Run(mustCompile(t, `
provider "http" "bank" { base_url = "https://bank.test" }
provider "openai" "llm" { model = "m" }
locals { row = { retry = 1 } }
retry "exponential" "std" {}
workflow "w" {
  step "http" "pay" {
    provider   = provider.bank
    method     = "POST"
    path       = "/pay"
    headers    = { "Idempotency-Key" = "k" }
    retry      = retry.std
  }
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "x ${step.pay.json.id}"
    tool "t" { output = "y" }
  }
}
scenario "s" {
  run = workflow.w
  on "pay" {
    fault "http_error" { status_code = 503 }
    reply { json = { id = 1 } }
  }
  on "ask" {
    reply { tool_calls = [{ id = "c", name = "t", arguments = {} }] }
    reply { content = "z" }
  }
  assert "other" { condition = step.ask.turns == 2 }
  assert "x" { condition = `+condition+` }
}
`)[0], RunOptions{})
		if r.Verdict != Pass || (countIdle(r) == 0) != shows {
			t.Errorf("%s: that it shows something is %v; %s: %s %+v", condition, shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

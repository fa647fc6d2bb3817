package interp

import (
	"fmt"
	"testing"
)

// Shows that a check of how often a step was tried shows nothing where it reads what max_retries is
// made of, and that comes to 0; and that it does where the policy tries again or is written out, where
// the number is, and where the check is that the step was asked at all.
func TestChecksOfTriesThatAgreeWithAPolicyThatNeverTries(t *testing.T) {
	const file = `
variable "more" { default = 0 }
locals {
  limits = { tries = %[1]s }
  tries  = local.limits.tries
  again  = local.tries - 1
  other  = 1
}
provider "http" "api" { base_url = "https://api.example.com" }
provider "http" "two" { base_url = "https://two.example.com" }
retry "linear" "std" {
  delay       = "1s"
  max_retries = %[2]s
}
gateway "one" {
  target "a" { provider = provider.api }
}
gateway "both" {
  target "b" { provider = provider.api }
  target "c" { provider = provider.two }
}
workflow "get" {
  step "http" "first" {
    gateway = gateway.one
    path    = "/"
    %[7]s
  }
  step "http" "list" {
    gateway = gateway.%[4]s
    path    = "/orders"
    retry   = retry.std
    %[5]s
  }
}
scenario "s" {
  run = workflow.get
  on "first" {
    reply { status_code = 200 }
  }
  on "list" {
    fault "http_error" {
      status_code = 503
      times       = "*"
      optional    = %[6]v
    }
  }
  expect "run" { status = "failed" }
  assert "tries" { condition = %[3]s }
}
`
	for _, c := range []struct {
		tries, most, condition string
		gateway, step          string
		optional               bool
		first                  string
		marked                 bool
	}{
		{condition: "length(step.list.attempts) == local.tries", marked: true},
		{condition: "length(step.list.attempts) <= local.tries", marked: true},
		{condition: "length(step.list.attempts) == local.again + 1", marked: true},
		{condition: "length(step.list.attempts) - 1 == local.again", marked: true},
		{condition: "step.list.retries == local.limits.tries - 1", marked: true},
		{condition: "length(step.list.delays_ms) == local.again", marked: true},
		{condition: "step.list.retries == local.again", step: "depends_on = [step.first]", marked: true},
		{condition: "length(step.list.attempts) == local.tries", step: "depends_on = [step.first]", marked: true}, // the fault has to fire
		{condition: "length(step.list.attempts) == local.tries", step: "depends_on = [step.first]", optional: true},
		{condition: "step.list.retries == local.again", gateway: "both", marked: true},
		{condition: "step.list.retries == var.more", most: "var.more", marked: true},
		{condition: "step.list.retries == var.more + local.again", most: "local.again + var.more", marked: true},

		{condition: "length(step.list.attempts) + length(step.first.attempts) == 2 * local.tries", first: "retry = retry.std", marked: true},
		{condition: "length(step.list.attempts) == local.tries + 1", gateway: "both"}, // the second target is tried
		{condition: "length(step.list.attempts) == local.tries", tries: "3"},
		{condition: "step.list.retries == local.again", tries: "3"},
		{condition: "length(step.list.attempts) == 1"},
		{condition: "length(step.list.attempts) == local.other"},
		{condition: "length(step.list.attempts) == local.tries", most: "0"},
		{condition: "length(step.list.attempts) == local.tries", most: "1 - 1"},
		{condition: "length(step.first.attempts) == local.tries"},
		{condition: "length(step.list.attempts) + length(step.first.attempts) == 2 * local.tries"},
		{condition: "length(step.first.attempts) + length(step.list.attempts) == 2 * local.tries"},
		{condition: "length([for a in step.list.attempts : a if a.status_code == 503]) == local.tries"},
		{condition: "length(step.list.attempts[*].status_code) == local.tries && step.list.error.status_code == 503"},
		{condition: "step.list.attempts[local.again].status_code == 503"},
		{condition: `length(step.list.attempts) == local.tries * length(events({ type = "step_end", step = "first" }))`},
	} {
		for at, value := range map[*string]string{&c.tries: "1", &c.most: "local.tries - 1", &c.gateway: "one"} {
			if *at == "" {
				*at = value
			}
		}
		r := Run(compileWith(t, "test.scenario.hcl", fmt.Sprintf(file, c.tries, c.most, c.condition, c.gateway, c.step, c.optional, c.first), nil)[0], RunOptions{})
		if n := countIdle(r); r.Verdict != Pass || (n > 0) != c.marked {
			t.Errorf("%+v: %s with %d marks: %v %v", c, r.Verdict, n, r.Problems, r.Relaxed)
		}
	}
}

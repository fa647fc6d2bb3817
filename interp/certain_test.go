package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that to ask whether something can be evaluated which always can, or to give it a
// default, shows as little as the rest of the condition does, and that it is a check to ask so
// of what may not be there.
func TestWhatCanAlwaysBeEvaluated(t *testing.T) {
	const world = `
provider "http" "api" { base_url = "https://api.test" }
retry "linear" "twice" { max_retries = 2 }
workflow "w" {
  provider = provider.api
  step "http" "a" {
    path  = "/a"
    retry = retry.twice
  }
  step "http" "b" { path = "/b/${step.a.json.id}" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" { status_code = 503 }
    reply { json = { id = 7 } }
  }
  on "b" {
    reply { json = { name = "x" } }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition string
		shows     bool
	}{
		{`can(run.cost_usd >= 0)`, false},
		{`alltrue([for n in ["a", "b"] : can(step[n].status)])`, false},
		{`alltrue([for s in steps : can(s.status)])`, false},
		{`alltrue([for n, s in step : try(s.status, "none") == s.status])`, true}, // the values themselves are not looked at
		{`try(run.cost_usd, 0) >= 0`, false},
		{`try(step.a.retries, 0) <= 2`, false},
		{`can(metric("scenario_retries_total", { step_id = "a" }))`, false},
		{`can(length(events({ type = "retry_wait" })))`, false},

		{`can(step.a.attempts[1].status_code)`, true},
		{`can(step.a.json.id)`, true},
		{`can(step.b.json.name)`, true},
		{`!can(run.error.kind)`, true},
		{`!can(step.b.json.error)`, true},
		{`can(jsondecode(step.b.body).name)`, true},
		{`can(step.a.headers["content-type"])`, true},
		{`can(length(step.a.attempts))`, true},
		{`try(step.a.retries, 0) == 1`, true},
		{`try(run.status, "none") == "success"`, true},
		{`try(run.status == "success", false)`, true},
		{`try(step.a.retries, 0) <= 1`, true},
		{`try(step.a.json.id, 0) == 7`, true},
		{`alltrue([for s in steps : try(s.retries, 0) < 2])`, true},
		{`alltrue([for s in steps : can(s.output.name) || s.name == "a"])`, true},
		{`length([for s in steps : s if can(s.output.name)]) == 1`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: that it shows something is %v: %s %s %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a limit which the budget keeps for every run that succeeds shows nothing, and that
// it does where the run need not succeed, or below the budget.
func TestLimitsThatTheBudgetKeeps(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  %s
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply {
      content  = "because"
      cost_usd = %s
      usage    = { prompt_tokens = 30, completion_tokens = 12 }
    }
  }
  assert "x" { condition = %s }
  %s
}
`
	const failed = `expect "run" { status = "failed" }`
	for _, c := range []struct {
		budget, cost, condition, more string
		shows                         bool
	}{
		{"budget { usd = 0.75 }", "0.5", `run.cost_usd <= 0.75`, "", false},
		{"budget { usd = 0.75 }", "0.5", `run.cost_usd < 0.8`, "", false},
		{"budget { usd = 0.75 }", "0.5", `run.status != "success" || run.cost_usd <= 0.75`, "", false},
		{"budget { usd = 0.75 }", "0.5", `run.status == "failed" || run.cost_usd <= 0.75`, "", false},
		{"budget { tokens = 50 }", "0.5", `run.usage.total_tokens <= 50`, "", false},
		{"budget { usd = 0.75 }", "0.5", `run.cost_usd < 0.75`, "", true},
		{"budget { usd = 0.75 }", "0.5", `run.cost_usd == 0.5`, "", true},
		{"budget { tokens = 50 }", "0.5", `run.usage.total_tokens < 50`, "", true},
		{"budget { tokens = 50 }", "0.5", `run.cost_usd <= 0.75`, "", true},
		{"", "0.5", `run.cost_usd <= 0.75`, "", true},
		{"budget { usd = 0.75 }", "2", `run.cost_usd <= 2`, failed, true}, // how far it is passed
		{"budget { usd = 0.75 }", "0.5", `run.cost_usd <= 0.75`, `allow = ["unexpected_failure"]`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.budget, c.cost, c.condition, c.more))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows && !strings.Contains(c.more, "allow") {
			t.Errorf("%+v: %s %s %+v", c, r.Verdict, told(r), r.Relaxed)
		}
	}
}

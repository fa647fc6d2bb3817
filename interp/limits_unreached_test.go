package interp

import (
	"fmt"
	"testing"
)

// Shows that a limit on how often something is tried, or on time, is marked where the script ends
// before any number of attempts, or any wait, could break it.
func TestLimitsThatTheScriptCannotReach(t *testing.T) {
	const source = `provider "http" "crm" { base_url = "https://crm.example" }
retry "linear" "r" {
  delay       = "1s"
  max_retries = 10
}
workflow "w" {
  provider = provider.crm
  step "http" "list" {
    path            = "/list"
    attempt_timeout = "2s"
    %s
  }
}
scenario "s" {
  run = workflow.w
  on "list" {
    %s
  }
  %s
  assert "x" { condition = %s }
}
`
	const retry, fails = "retry = retry.r", `expect "run" { status = "failed" }`
	const recovers = "fault \"http_error\" { times = 2 }\n    reply {}"
	const down = `fault "http_error" { times = "*" }`
	const late, never, slow = "fault \"delay\" { by = \"3s\" }", `fault "timeout" {}`, "reply { latency = \"1500ms\" }"
	for _, c := range []struct {
		step, script, checks, condition string
		shows                           bool
	}{
		{retry, recovers, "", `step.list.retries <= 3`, false},
		{retry, recovers, "", `step.list.retries <= 2`, true}, // it allows what came alone
		{retry, recovers, "", `length(step.list.attempts) < 5`, false},
		{retry, recovers, "", `length(step.list.delays_ms) <= 3`, false},
		{retry, recovers, "", `length(step.list.delays_ms) <= 2`, true},
		{retry, recovers, "", `alltrue([for s in steps : s.retries <= 3])`, false},
		{retry, recovers, "", `step.list.retries == 2`, true},
		{retry, recovers, "", `step.list.retries >= 1`, true},
		{retry, recovers, "", `step.list.retries <= 3 && step.list.retries > 1`, true},
		{retry, recovers, "", `alltrue([for d in step.list.delays_ms : d <= 5000])`, true}, // the policy says that
		{retry, down, fails, `step.list.retries == 10`, true},

		{"", late, fails, `run.elapsed_ms <= 5000`, false},
		{"", late, fails, `step.list.elapsed_ms <= 3000`, false},
		{"", late, fails, `step.list.ended_ms < 4000 && run.ended_ms < 4000`, false},
		{"", late, fails, `run.elapsed_ms <= 2500`, true},
		{"", late, fails, `run.elapsed_ms == 2000`, true},
		{"", never, fails, `run.elapsed_ms <= 5000`, true},
		{"", slow, "", `run.elapsed_ms <= 1800`, false}, // nothing has a part in it
		{"", slow, "", `run.elapsed_ms >= 1500`, true},
		{retry, recovers, "", `run.elapsed_ms <= 60000`, true}, // the waits of the policy
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.step, c.script, c.checks, c.condition))[0], RunOptions{})
		marked := countIdle(r) > 0
		if marked == c.shows || c.checks == "" && (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%s, %s): that it shows something is %v; %s: %s %+v", c.condition, c.step, c.script, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

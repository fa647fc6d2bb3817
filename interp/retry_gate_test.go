package interp

import (
	"fmt"
	"testing"
)

// What breaks a gate is the scenario's mistake, and is not tried again: by no retry of the
// step that runs the workflow in which it happens, and by none around that. An allowed gate
// ends the retry, too, as it does for a call's own.
func TestRetryEndsWithABrokenGate(t *testing.T) {
	const file = `
provider "openai" "m" { model = "gpt-4o-mini" }
retry "linear" "again" {
  delay       = "1s"
  max_retries = 5
  retry_on    = ["5xx", "exception"]
}
workflow "inner" {
  provider = provider.m
  step "llm" "ask" { prompt = "why?" }
}
workflow "middle" {
  step "workflow" "within" { run = workflow.inner }
}
workflow "outer" {
  step "workflow" "desk" {
    run   = workflow.%s
    retry = retry.again
  }
}
scenario "s" {
  run   = workflow.outer
  allow = ["over_consumed"]
  on "desk.%sask" {
    fault "http_error" { status_code = 503 }
    fault "http_error" { status_code = 503 }
  }
  expect "run" { status = "failed" }
  assert "two rounds, and the one that has no entry" {
    condition = length(step.desk.runs) == 3 && step.desk.retries == 2
  }
}
`
	for _, c := range [][]any{{"inner", ""}, {"middle", "within."}} {
		r := Run(compileWith(t, "test.scenario.hcl", fmt.Sprintf(file, c...), nil)[0], RunOptions{})
		if r.Verdict != Pass {
			t.Errorf("%v: %s %v", c, r.Verdict, r.Problems)
		}
	}
}

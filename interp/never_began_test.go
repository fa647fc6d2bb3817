package interp

import (
	"fmt"
	"testing"
)

// Shows that a check is marked which holds only because a step failed at the instant at which another one,
// behind it in the file, was ready, and that it is not where that one waits for it, the failure takes
// time, or the check holds as well if both begin.
func TestChecksOfStepsThatAreBehindInTheFile(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.example.com" }
workflow "order" {
  provider   = provider.api
  on_failure = "fail_fast"
  %s
  step "http" "check" { path = "/check" }
  step "http" "reserve" {
    path       = "/reserve"
    depends_on = [step.check]
  }
  step "http" "pay" {
    path       = "/pay"
    depends_on = [%s]
  }
}
%s
scenario "s" {
  run = workflow.order
  on "check" {
    reply { json = {} }
  }
  on "reserve" {
    fault "http_error" {
      status_code = 503
      %s
    }
  }
  on "pay" {
    reply {
      json     = { ok = true }
      optional = true
    }
  }
  expect "run" { status = "failed" }
  %s
}
`
	const rule = `invariant "r" { condition = step.pay.started_ms == null || step.reserve.status == "success" }`
	const slow = "step.slow]\n  }\n  step \"http\" \"slow\" {\n    path       = \"/slow\"\n    depends_on = [step.check"
	const answers = "on \"slow\" {\n    reply { optional = true }\n  }"
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		limit, after, file, fault, check string
		marks                            int
	}{
		{"", "step.check", rule, "", "", 1},
		{"", "step.check", "", "", rule, 1},
		{"", "step.check", "", "", assert(`events({ type = "attempt_start", step = "pay" }) == []`), 1},
		{"", "step.check", "", "", assert(`length(target.api.attempts) == 2`), 1},
		{"", "step.check", "", "", `expect "pay" { status = "skipped" }`, 1},
		{"", "step.check", "", `after = "1s"`, assert(`step.reserve.elapsed_ms == 1000`), 0},
		{"", "step.reserve", rule, "", "", 0},
		{"", "step.reserve", "", "", assert(`events({ type = "attempt_start", step = "pay" }) == []`), 0},
		{"max_concurrent = 1", "step.check", rule, "", "", 0}, // it has to wait
		{"", "step.check", "", "", assert(`step.reserve.error.status_code == 503`), 0},
		{"", "step.check", "", "", assert(`length(target.api.attempts) >= 2`), 0},
		{"", "step.check", "", "", assert(`alltrue([for a in target.api.attempts : startswith(a.request.url, "https://api.")])`), 0},
		{"", "step.check", "", "", assert(`length(distinct([for a in target.api.attempts : a.request.url])) == 2`), 0},
		{"", "step.check", "", "", assert(`length(distinct([for a in target.api.attempts : a.request.url])) == length(target.api.attempts)`), 0},
		{"", slow, rule, "", answers, 0}, // it was not ready
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.limit, c.after, c.file, c.fault, c.check))[0], RunOptions{})
		if countIdle(r) != c.marks || r.Verdict != Pass {
			t.Errorf("%s %s (%s, %s): want %d marks, got %d, %s: %s %+v", c.file, c.check, c.after, c.fault, c.marks, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
	}
}

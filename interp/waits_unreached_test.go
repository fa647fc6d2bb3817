package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a limit on waits is marked where it is no less than the max_delay of the policy and
// no wait was cut short by that, beside other parts as well; and that one is not which a wait came
// near, which is less than max_delay, or which says how long each wait is.
func TestLimitsOnWaitsThatNoneComesNear(t *testing.T) {
	const source = `provider "http" "crm" { base_url = "https://crm.example" }
retry "exponential" "r" {
  base        = "1s"
  max_delay   = "8s"
  max_retries = 8
  %s
}
retry "linear" "even" {
  delay       = "1s"
  max_retries = 8
}
workflow "w" {
  provider = provider.crm
  step "http" "list" {
    path  = "/list"
    retry = retry.%s
  }
}
scenario "s" {
  run = workflow.w
  on "list" {
    %s
    reply {}
  }
  assert "x" { condition = %s }
}
`
	down := func(times int) string {
		return fmt.Sprintf("fault \"http_error\" {\n      status_code = 503\n      times = %d\n    }", times)
	}
	limit := "fault \"http_error\" {\n      status_code = 503\n      headers = { Retry-After = \"%d\" }\n    }"
	wait := func(s int) string { return fmt.Sprintf(limit, s) }
	const each = `alltrue([for d in step.list.delays_ms : d <= 8000])`
	for _, c := range []struct {
		attrs, retry, script, condition string
		shows                           bool
		says                            string
	}{
		{"", "r", down(3), each, false, "which is 8s, as the longest is 4s without it, so the limit is never met and shows nothing here.\nhint: let so many attempts fail that it cuts a wait short, such as times = 5;"},
		{"", "r", down(4), each, false, ""}, // 8 s is what the fourth wait is without it
		{"", "r", down(5), each, true, ""},
		{"", "r", down(3), `length(step.list.delays_ms) == 3 && ` + each, false, ""},
		{"", "r", down(5), `length(step.list.delays_ms) == 5 && ` + each, true, ""},
		{"", "r", down(3), `max(step.list.delays_ms...) <= 8000`, false, ""},
		{"", "r", down(3), `!(step.list.delays_ms[2] > 10000)`, false, ""},
		{"", "r", down(3), `[for d in step.list.delays_ms : d if d > 8000] == []`, false, ""},
		{"", "r", down(3), `alltrue([for s in steps : alltrue([for d in s.delays_ms : d <= 8000])])`, false, ""},
		{"", "r", down(3), `alltrue([for a in step.list.attempts : a.gap_ms == null || a.gap_ms <= 8000])`, false, ""},
		{"", "r", down(5), `alltrue([for a in step.list.attempts : a.gap_ms == null || a.gap_ms <= 8000])`, true, ""},
		{"", "r", down(3), `alltrue([for d in step.list.delays_ms : d <= 7999])`, true, ""}, // a longer first wait breaks it
		{"", "r", down(3), `alltrue([for d in step.list.delays_ms : d <= 4000])`, true, ""},
		{"", "r", down(3), `alltrue([for d in step.list.delays_ms : d >= 1000 && d <= 8000])`, true, ""},
		{"", "r", down(3), `step.list.delays_ms == [1000, 2000, 4000]`, true, ""},
		{"", "r", down(3), `sum(step.list.delays_ms) <= 10000`, true, ""},
		{"", "r", down(3), `run.elapsed_ms <= 10000`, true, ""},
		{"", "even", down(3), `alltrue([for d in step.list.delays_ms : d <= 8000])`, true, ""}, // it has no max_delay

		{`jitter = "full"`, "r", down(3), each, false, ""},
		{`jitter = "full"`, "r", down(5), each, true, ""},
		{`jitter = 0.5`, "r", down(3), each, true, ""}, // jitter may exceed max_delay
		{`jitter = 0.5`, "r", down(3), `alltrue([for d in step.list.delays_ms : d <= 12000])`, false, ""},
		{`multiplier = 1`, "r", down(3), each, false, ""},

		{"", "r", wait(5), each, true, ""}, // the service may ask for more
		{"", "r", wait(5), `alltrue([for d in step.list.delays_ms : d <= 120000])`, false, ""}, // no more than max_retry_after
		{`max_retry_after = "10s"`, "r", wait(5), `alltrue([for d in step.list.delays_ms : d <= 9000])`, true, ""},
		{`max_retry_after = "10s"`, "r", wait(5), `alltrue([for d in step.list.delays_ms : d <= 10000])`, false, "no longer wait than retry.r allows, which is 10s"},
		{`retry_after_cap = "6s"`, "r", wait(5), each, false, ""},
		{`retry_after_cap = "6s"`, "r", wait(7), each, true, ""},
		{`retry_after_cap = "20s"`, "r", wait(5), each, true, ""},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.attrs, c.retry, c.script, c.condition))[0], RunOptions{})
		if len(r.Problems) > 0 && c.shows {
			t.Errorf("%s: %s", c.condition, told(r))
		}
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s (%s, %s, %s): that it shows something is %v: %s %+v", c.condition, c.attrs, c.retry, c.script, c.shows, told(r), r.Relaxed)
		}
		if text := fmt.Sprint(r.Relaxed); c.says != "" && !strings.Contains(text, c.says) {
			t.Errorf("%s: %s", c.condition, text)
		}
	}
}

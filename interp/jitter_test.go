package interp

import (
	"fmt"
	"testing"
)

// Shows that a check which says of the waits of one step only that they differ is marked where they do
// without jitter, that it is told of where there is none, and that one of waits which only jitter makes
// differ is not.
func TestWaitsThatDifferWithoutJitter(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.example.com" }
retry %q "r" {
  %s
  max_retries = 3
}
workflow "get" {
  provider = provider.api
  step "http" "list" {
    path  = "/orders"
    retry = retry.r
  }
}
scenario "s" {
  run = workflow.get
  on "list" {
    fault "http_error" {
      status_code = 503
      times       = 3
      %s
    }
    reply { json = { ok = true } }
  }
  assert "x" { condition = %s }
}
`
	const (
		grows, even, full, linear = "base   = \"1s\"\n  jitter = 0.5", "base       = \"1s\"\n  multiplier = 1\n  jitter     = 0.5", "base   = \"1s\"\n  jitter = \"full\"", "delay     = \"1s\"\n  increment = \"1s\""
		plain                     = "base   = \"1s\"\n  jitter = 0"
		three                     = `length(distinct(step.list.delays_ms)) == 3`
	)
	for _, c := range []struct {
		kind, policy, fault, condition string
		marks                          int
		verdict                        Verdict
	}{
		{"exponential", grows, "", three, 1, Fail},
		{"exponential", full, "", three, 1, Fail},
		{"exponential", grows, "", `length(toset(step.list.delays_ms)) > 1`, 1, Fail},
		{"exponential", grows, "", `step.list.delays_ms[0] != step.list.delays_ms[1]`, 1, Fail},
		{"exponential", grows, "", three + ` && step.list.status == "success"`, 1, Pass},
		{"exponential", plain, "", three, 1, Pass}, // it shows that they grow
		{"exponential", plain, "", `step.list.delays_ms[1] > step.list.delays_ms[0]`, 0, Pass},
		{"exponential", plain, "", `step.list.delays_ms == [1000, 2000, 4000]`, 0, Pass},
		{"exponential", grows, "", `step.list.delays_ms != [1000, 2000, 4000]`, 0, Pass},
		{"exponential", even, "", three, 0, Pass},
		{"linear", linear, "", three, 0, Pass},
		{"exponential", grows, `headers = { "Retry-After" = "2" }`, `length(distinct(step.list.delays_ms)) >= 2`, 0, Pass},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.kind, c.policy, c.fault, c.condition))[0], RunOptions{})
		if countIdle(r) != c.marks || r.Verdict != c.verdict {
			t.Errorf("%s (%s %s): want %d marks, %s; got %d, %s: %s %+v", c.condition, c.kind, c.policy, c.marks, c.verdict, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
	}
}

package interp

import (
	"fmt"
	"testing"
)

// Shows that an upper limit on time is marked where all answers of the script, one after the other,
// keep it, also beside a race that ended others, and that it is not where it is below that, says how
// long it took, or where a retry, a rate limit or what never ran could have taken longer.
func TestLimitsThatAllAnswersKeep(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.example.com" }
provider "http" "other" { base_url = "https://other.example.com" }
rate_limit "r" { requests_per_minute = 60 }
gateway "limited" {
  target "main" {
    provider   = provider.api
    rate_limit = rate_limit.r
  }
}
workflow "f" {
  provider = provider.api
  step "http" "a" { path = "/a" }
}
workflow "l" {
  provider = provider.other
  step "http" "a" { path = "/a" }
}
workflow "long" {
  provider = provider.other
  step "http" "a" { path = "/a" }
  step "http" "b" { path = "/b/${step.a.status_code}" }
}
workflow "w" {
  timeout = "60s"
  %s
}
scenario "s" {
  run = workflow.w
  %s
  assert "x" { condition = %s }
}
`
	const plain = "provider = provider.api\n  step \"http\" \"a\" { path = \"/a\" }\n  step \"http\" \"b\" { path = \"/b\" }"
	const limited = "gateway = gateway.limited\n  step \"http\" \"a\" { path = \"/a\" }\n  step \"http\" \"b\" { path = \"/b\" }"
	race := func(join, second string) string {
		return fmt.Sprintf("step \"fanout\" \"race\" {\n    join = %q\n    sub \"fast\" { target = workflow.f }\n    sub \"slow\" { target = workflow.%s }\n  }", join, second)
	}
	two := "on \"a\" {\n    reply { latency = \"1s\" }\n  }\n  on \"b\" {\n    reply { latency = \"2s\" }\n  }"
	failing := "on \"a\" {\n    reply { latency = \"1s\" }\n  }\n  on \"b\" {\n    reply {\n      status_code = 503\n      latency     = \"2s\"\n    }\n  }\n  expect \"run\" { status = \"failed\" }"
	both := "on \"race.fast.a\" {\n    reply { latency = \"1s\" }\n  }\n  on \"race.slow.a\" {\n    reply { latency = \"3s\" }\n  }"
	const first, all = "first_success", "wait_for_all"
	for _, c := range []struct {
		workflow, scripts, condition string
		marked                       bool
	}{
		{plain, two, `run.elapsed_ms <= 3000`, true},
		{plain, two, `run.elapsed_ms < 2900`, false}, // the steps run side by side
		{plain, two, `run.elapsed_ms == 2000`, false},
		{plain, two, `run.elapsed_ms >= 2000`, false},
		{plain, two, `run.elapsed_ms >= 2000 && run.elapsed_ms <= 3500`, false},
		{plain, two, `step.a.status == "success" && run.elapsed_ms <= 3500`, true},
		{plain, two, `step.b.elapsed_ms <= 3500`, true},
		{plain, failing, `run.elapsed_ms <= 3500`, false}, // it is not tried again
		{limited, two, `run.elapsed_ms <= 3500`, false},
		{race(first, "l"), both, `step.race.fast.status == "success" && run.elapsed_ms <= 5000`, true},
		{race(all, "l"), both, `step.race.fast.status == "success" && run.elapsed_ms <= 5000`, true},
		{race(first, "l"), both, `run.elapsed_ms <= 3900`, false},
		{race(first, "l"), both, `run.elapsed_ms <= 2000`, false},
		{race(first, "long"), both, `run.elapsed_ms <= 5000`, false}, // its second step never ran
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.workflow, c.scripts, c.condition))[0], RunOptions{})
		if marked := countIdle(r) > 0; marked != c.marked || !c.marked && r.Verdict != Pass {
			t.Errorf("%s: marked is %v: %s: %s %+v\n%s\n%s", c.condition, marked, r.Verdict, told(r), r.Relaxed, c.workflow, c.scripts)
		}
	}
}

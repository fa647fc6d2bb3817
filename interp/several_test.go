package interp

import (
	"fmt"
	"testing"
)

// Shows that what is said of a check does not depend on how many other scenarios its file has: they are no
// rows of it.
func TestChecksBesideOtherScenarios(t *testing.T) {
	const file = `provider "http" "shop" { base_url = "https://shop.test" }
breaker "std" {
  threshold = 3
  reset     = "30s"
}
retry "linear" "twice" {
  max_retries = 2
  delay       = "1s"
}
gateway "shop" {
  target "main" {
    provider = provider.shop
    breaker  = breaker.std
  }
}
workflow "w" {
  gateway = gateway.shop
  step "http" "get" {
    path  = "/a"
    retry = retry.twice
  }
}
`
	scenario := func(name, condition string) string {
		return "scenario \"" + name + "\" {\n  run = workflow.w\n  on \"get\" {\n    fault \"http_error\" { status_code = 503 }\n    reply { json = { n = 1 } }\n  }\n  expect \"get\" { status = \"success\" }\n  assert \"a\" { condition = " + condition + " }\n}\n"
	}
	for _, condition := range []string{
		`breaker.main.state == "closed"`, `breaker.main.failures < 3`, `metric("scenario_breaker_state") == 0`,
		`step.get.retries <= 2`,
		`step.get.attempts[0].turn == null`, `run.status != "timeout"`, `length(step.get.attempts) <= 5`,
		`try(step.get.retries, 0) <= 2`,
	} {
		alone := compileAt(t, "a.scenario.hcl", file+scenario("s", condition))
		beside := compileAt(t, "a.scenario.hcl", file+scenario("s", condition)+scenario("t", "step.get.retries == 1")+scenario("u", "step.get.json.n == 1"))
		a, b := Run(alone[0], RunOptions{}), Run(beside[0], RunOptions{})
		if len(a.Relaxed) == 0 && a.Verdict == Pass {
			t.Errorf("%s: nothing is said of it", condition)
		}
		if as, bs := fmt.Sprint(a.Relaxed)+problems(a), fmt.Sprint(b.Relaxed)+problems(b); as != bs || a.Verdict != b.Verdict {
			t.Errorf("%s: alone it is\n%s\nbeside others\n%s", condition, as, bs)
		}
	}
}

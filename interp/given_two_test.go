package interp

import (
	"fmt"
	"testing"
)

// Shows that what two steps say of themselves is a check, whatever they are called: no run
// has to make as many attempts of one as of the other, say something else, take longer or
// cost more. So is how much of a step was waiting, and that a step is not cancelled by the
// failure of another that runs beside it.
func TestWhatTwoStepsSayIsAlwaysChecked(t *testing.T) {
	const file = `
provider "openai" "p" { model = "m" }
retry "linear" "twice" { max_retries = 2 }
workflow "w" {
  provider = provider.p
  step "llm" "%[1]s" {
    prompt = "first"
    retry  = retry.twice
  }
  step "llm" "%[2]s" {
    prompt = "second"
    retry  = retry.twice
  }
}
scenario "s" {
  run = workflow.w
  on "%[1]s" {
    fault "http_error" { status_code = 503 }
    reply {
      content  = "one"
      latency  = "1s"
      cost_usd = 0.1
    }
  }
  on "%[2]s" {
    fault "http_error" { status_code = 503 }
    reply {
      content  = "two"
      latency  = "3s"
      cost_usd = 0.9
    }
  }
  expect "run" { status = "success" }
  assert "it" { condition = %[3]s }
}
`
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}, {"draft", "rewrite"}, {"cached", "cold"}, {"first", "second"}, {"pay", "reserve"}, {"search", "fetch"}, {"warm", "cold"}} {
		for _, condition := range []string{
			"length(step.%[1]s.attempts) == length(step.%[2]s.attempts)",
			"step.%[2]s.retries <= step.%[1]s.retries",
			`length(events({ type = "attempt_end", step = "%[1]s" })) == length(events({ type = "attempt_end", step = "%[2]s" }))`,
			`metric("scenario_retries_total") == 2 * step.%[1]s.retries`,
			`metric("scenario_retries_total", { step_id = "%[1]s" }) == metric("scenario_retries_total", { step_id = "%[2]s" })`,
			"step.%[1]s.content != step.%[2]s.content",
			"!strcontains(step.%[1]s.content, step.%[2]s.content)",
			"step.%[1]s.elapsed_ms <= step.%[2]s.elapsed_ms",
			"step.%[1]s.started_ms <= step.%[2]s.ended_ms",
			"step.%[1]s.cost_usd <= 0.5 * run.cost_usd",
			"step.%[2]s.cost_usd >= 0.5 * run.cost_usd",
			"step.%[1]s.cost_usd <= step.%[2]s.cost_usd",
			"step.%[1]s.elapsed_ms >= 2 * step.%[1]s.attempts[0].elapsed_ms",
			"step.%[1]s.attempts[1].elapsed_ms >= step.%[1]s.attempts[0].elapsed_ms",
			`step.%[1]s.status != "cancelled"`,
		} {
			condition = fmt.Sprintf(condition, names[0], names[1])
			r := Run(mustCompile(t, fmt.Sprintf(file, names[0], names[1], condition))[0], RunOptions{})
			if n := countIdle(r); n != 0 {
				t.Errorf("%s: %d marked: %+v", condition, n, r.Relaxed)
			}
		}
	}
}

// Shows that one step of many may cost more than all others together: that it costs no
// more than half is a check.
func TestOneOfManyStepsMayCostTheMost(t *testing.T) {
	steps := []string{"plan", "search", "rerank", "write", "check"}
	file := "provider \"openai\" \"p\" { model = \"m\" }\nworkflow \"w\" {\n provider = provider.p\n"
	answers := ""
	for _, name := range steps {
		file += fmt.Sprintf(" step \"llm\" %q { prompt = %[1]q }\n", name)
		answers += fmt.Sprintf(" on %q {\n  reply {\n   content = \"so\"\n   cost_usd = 0.1\n  }\n }\n", name)
	}
	for _, name := range steps {
		condition := fmt.Sprintf("step.%s.cost_usd <= 0.5 * run.cost_usd", name)
		r := Run(mustCompile(t, fmt.Sprintf("%s}\nscenario \"s\" {\n run = workflow.w\n%s assert \"it\" { condition = %s }\n}\n", file, answers, condition))[0], RunOptions{})
		if n := countIdle(r); n != 0 {
			t.Errorf("%s: %d marked: %+v", condition, n, r.Relaxed)
		}
	}
}

package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows that whatever is said of all attempts of a step that runs several times warns
// where it reads the last pass alone, and that what reads all passes, or one attempt, or a
// step that runs once, does not.
func TestChecksOfTheLastPass(t *testing.T) {
	const source = testWorld + `
workflow "w" {
  provider = provider.primary
  step "loop" "again" {
    max_iterations = %d
    step "llm" "ask" { prompt = "x" }
  }
}
scenario "s" {
  run = workflow.w
  on "again.ask" {
    reply { content = "x" }
  }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		check, hint string
	}{
		{assert(`length(step.again.ask.attempts) == 1`), "flatten(step.again.runs[*].ask.attempts)"},
		{assert(`step.again.ask.retries == 0`), "sum(step.again.runs[*].ask.retries)"},
		{assert(`step.again.ask.delays_ms == []`), "flatten(step.again.runs[*].ask.delays_ms)"},
		{assert(`step.again.ask.cost_usd <= 1`), "sum(step.again.runs[*].ask.cost_usd)"},
		{assert(`jq(step.again.ask, ".attempts | length") == 1`), "flatten(step.again.runs[*].ask.attempts)"},
		{assert(`length(lookup(step.again.ask, "attempts", [])) == 1`), "flatten(step.again.runs[*].ask.attempts)"},
		{`expect "again.ask" { retries = 0 }`, "sum(step.again.runs[*].ask.retries)"},
		{`expect "again.ask" { delays_ms = [] }`, "flatten(step.again.runs[*].ask.delays_ms)"},
		{`invariant "x" { condition = step.again.ask.retries <= 3 }`, "sum(step.again.runs[*].ask.retries)"},
		{assert(`sum(step.again.runs[*].ask.retries) == 0`), ""},
		{assert(`step.again.ask.attempts[0].outcome == "success"`), ""},
		{assert(`jq(step.again.ask, ".content") == "x"`), ""},
		{`expect "again.ask" { content = "x" }`, ""},
	} {
		for _, passes := range []int{1, 2} {
			want := c.hint
			if passes == 1 {
				want = ""
			}
			file, diags := dsl.Parse("test.scenario.hcl", []byte(fmt.Sprintf(source, passes, c.check)))
			if !diags.HasErrors() {
				_, diags = Compile(file, Options{})
			}
			told := ""
			for _, d := range diags {
				told += d.Summary + ": " + d.Detail + "\n"
			}
			if got := strings.Contains(told, "Attempts of the last iteration"); got != (want != "") || !strings.Contains(told, want) || diags.HasErrors() {
				t.Errorf("%s in %d passes: %q, want %q", c.check, passes, told, want)
			}
		}
	}
}

// Shows that what is ruled out of a result of a step in a loop, and what is always to be true
// of it, warns where the last iteration alone is read, and that what is compared with ==, what
// a loop waited for, what is said of every iteration or of the last on purpose, and what a
// later iteration cannot hide does not.
func TestResultsOfTheLastPass(t *testing.T) {
	const source = testWorld + `
workflow "w" {
  provider = provider.api
  step "loop" "poll" {
    %s
    step "http" "get" { path = "/p" }
    step "http" "put" {
      method = "POST"
      path   = "/q"
      json   = { price = step.get.json.price }
    }
  }
  step "http" "end" {
    depends_on = [step.poll]
    path       = "/end"
  }
}
scenario "s" {
  run = workflow.w
  on "poll.get" {
    reply { json = { price = -5 } }
    reply { json = { price = 5 } }
  }
  on "poll.put" {
    reply {
      json = { ok = true }
      %s
    }
  }
  on "end" {
    reply { json = { ok = true } }
  }
  %s
}
`
	const counts, waits, once = "while = loop.index < 2", "while = try(step.get.json.price, 0) < 5", "max_iterations = 1"
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		loop, times, check string
		warns              bool
	}{
		{counts, "times = 2", assert(`step.poll.get.json.price >= 0`), true},
		{counts, "times = 2", assert(`step.poll.put.json.ok && step.poll.get.json.price >= 0`), true},
		{counts, "times = 2", assert(`!(step.poll.get.json.price < 0)`), true},
		{counts, "times = 2", assert(`!strcontains(step.poll.get.body, "secret")`), true},
		{counts, "times = 2", assert(`step.poll.get.json.price != -5`), true},
		{counts, "times = 2", assert(`-5 != step.poll.get.json.price`), true},
		{counts, "times = 2", assert(`[for k, v in step.poll.get.json : k if v < 0] == []`), true},
		{counts, "times = 2", assert(`length([for k, v in step.poll.get.json : k if v < 0]) == 0`), true},
		{counts, "times = 2", assert(`alltrue([for k, v in step.poll.get.json : v == 5])`), true},
		{counts, "times = 2", assert(`step.poll.put.attempts[0].request.json.price >= 0`), true},
		{counts, "times = 2", assert(`step.poll.put.json.ok`), true},
		{counts, "times = 2", assert(`step.poll.put.json.ok == true`), true},
		{"max_iterations = 2", "times = 2", assert(`step.poll.put.json.ok`), true},

		{counts, "times = 2", assert(`step.poll.get.json.price == 5`), false},
		{counts, "times = 2", assert(`step.poll.put.status_code == 200`), false},
		{counts, "times = 2", assert(`strcontains(step.poll.get.body, "5")`), false},
		{counts, "times = 2", assert(`step.poll.get.json.price != null`), false},
		{counts, "times = 2", assert(`step.poll.get.error == null || step.poll.get.json.price >= 0`), false},
		{counts, "times = 2", assert(`step.poll.get.ended_ms <= 5000`), false},
		{counts, "times = 2", assert(`step.poll.get.status != "failed"`), false},
		{counts, "times = 2", assert(`step.poll.iterations <= 2`), false},
		{counts, "times = 2", assert(`step.end.json.ok`), false},
		{counts, "times = 2", assert(`alltrue([for r in step.poll.runs : r.get.json.price >= -5])`), false},
		{counts, "times = 2", assert(`reverse(step.poll.runs)[0].get.json.price >= 0`), false},
		{counts, "times = 2", `expect "poll.get" { json = { price = 5 } }`, false},
		{counts, "times = 2", `invariant "x" { condition = step.poll.get.json.price >= -5 }`, false},
		{counts, "", assert(`step.poll.put.json.ok`), true},
		{counts, "times = 1", assert(`step.poll.put.json.ok`), false}, // a second iteration would have no answer
		{waits, "times = 2", assert(`step.poll.get.json.price >= 5`), false},
		{waits, "times = 2", assert(`step.poll.put.json.ok`), false},
		{waits, "times = 2", assert(`step.poll.put.attempts[0].request.json.price >= 0`), true},
		{once, "times = 2", assert(`step.poll.get.json.price >= 0`), false},
	} {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(fmt.Sprintf(source, c.loop, c.times, c.check)))
		if !diags.HasErrors() {
			_, diags = Compile(file, Options{})
		}
		told := ""
		for _, d := range diags {
			told += d.Summary + ": " + d.Detail + "\n"
		}
		if strings.Contains(told, "Result of the last iteration") != c.warns || diags.HasErrors() {
			t.Errorf("%s with %s, %s: warns is %v: %s", c.check, c.loop, c.times, !c.warns, told)
		}
	}
}

// Shows that what such a warning tells to write counts what was done where a pass left the
// step out: nothing was done then, which is no attempt and no cost.
func TestPassesThatLeaveAStepOut(t *testing.T) {
	const source = `
workflow "w" {
  provider = provider.primary
  step "loop" "again" {
    max_iterations = 3
    step "llm" "ask" {
      prompt = "x"
      when   = loop.index != 1
    }
    step "loop" "inside" {
      max_iterations = 2
      when           = loop.index == 0
      step "llm" "deep" { prompt = "y" }
    }
  }
}
scenario "s" {
  run = workflow.w
  on "again.ask" {
    reply {
      content = "x"
      times   = 2
    }
  }
  on "again.inside.deep" {
    reply {
      content = "y"
      times   = 2
    }
  }
  assert "x" { condition = %s }
}
`
	for condition, holds := range map[string]bool{
		`length(flatten(step.again.runs[*].ask.attempts)) == 2`:              true,
		`length(flatten(step.again.runs[*].ask.attempts)) == 3`:              false,
		`[for r in step.again.runs : length(r.ask.attempts)] == [1, 0, 1]`:   true,
		`sum(step.again.runs[*].ask.retries) == 0`:                           true,
		`sum(step.again.runs[*].ask.cost_usd) == 0`:                          true,
		`flatten(step.again.runs[*].ask.delays_ms) == []`:                    true,
		`length(flatten(step.again.runs[*].inside.deep.attempts)) == 1`:      true,
		`length(flatten(step.again.runs[*].inside.runs)) == 2`:               true,
		`step.again.runs[*].ask.status == ["success", "skipped", "success"]`: true,
		`step.again.runs[*].ask.started_ms == [0, null, 0]`:                  true,
		`[for r in step.again.runs : r.ask.content] == ["x", null, "x"]`:     true,
		`[for r in step.again.runs : length(r.ask.rejections)] == [0, 0, 0]`: true,
	} {
		if r := play(t, fmt.Sprintf(source, condition)); (r.Verdict == Pass) != holds {
			t.Errorf("%s: %s, want %t: %s", condition, r.Verdict, holds, told(r))
		}
	}
}

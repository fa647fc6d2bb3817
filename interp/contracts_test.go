package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a contract which every success meets is told of, and that one is not which an
// answer may break, or which a variable or an input decides.
func TestContractsThatAcceptEverything(t *testing.T) {
	const world = `
variable "strict" { default = false }
provider "openai" "m" { model = "x" }
provider "http" "api" { base_url = "https://api.test" }
retry "linear" "twice" { max_retries = 2 }
workflow "w" {
  inputs   = { lang = "en" }
  provider = provider.m
  step "llm" "a" {
    prompt = "why? ${input.lang} ${var.strict}"
    retry  = retry.twice
    %s
  }
  step "http" "h" {
    provider      = provider.api
    path          = "/x/${step.a.content}"
    %s
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply {
      content    = "because"
      cost_usd   = 0.5
      latency    = "1s"
    }
  }
  on "h" {
    reply { json = { id = 7 } }
  }
  assert "x" { condition = step.h.json.id == 7 }
}
`
	const some = `expect_status = [200, 404]`
	for _, c := range []struct {
		of, condition, more string
		shows               bool
	}{
		{"a", `self.status == "success"`, "", false},
		{"a", `self.error == null`, "", false},
		{"a", `self.status == "success" && self.error == null`, "", false},
		{"a", `self.stop == null`, "", false},
		{"a", `self.usage != null`, "", false},
		{"a", `self.usage.total_tokens >= 0`, "", false},
		{"a", `self.retries <= 2`, "", false},
		{"a", `length(self.attempts) >= 1`, "", false},
		{"a", `try(self.retries, 0) < 3`, "", false},
		{"a", `self.content != null`, "", false}, // an empty answer is ""
		{"a", `self.output != null`, "", false},
		{"a", `self.target == "m"`, "", false},
		{"a", `self.provider == "m"`, "", false},
		{"a", `schemaerror(self.content, { type = "string" }) == null`, "", false},
		{"a", `schemaerror(self.output, { type = "string", description = "an answer" }) == null`, "", false},
		{"h", `self.body != null`, "", false},
		{"h", `self.output != null`, "", false},
		{"h", `self.status_code < 400`, "", false},
		{"h", `self.status_code >= 200 && self.status_code <= 399`, "", false},
		{"h", `self.status_code < 600`, some, false},

		{"a", `self.content != ""`, "", true},
		{"a", `length(self.content) > 3`, "", true},
		{"a", `self.model != null`, "", true}, // a server may not say it
		{"a", `self.usage.total_tokens > 0`, "", true},
		{"a", `schemaerror(self.content, { type = "string", minLength = 1 }) == null`, "", true},
		{"a", `try(jsondecode(self.content).capital, "") != null`, "", true},
		{"h", `self.json != null`, "", true},
		{"h", `can(self.output.id)`, "", true},
		{"h", `!can(self.output.error)`, "", true},
		{"a", `self.usage.total_tokens < 5000`, "", true},
		{"a", `self.retries <= 1`, "", true},
		{"a", `self.cost_usd <= 1`, "", true},
		{"a", `self.elapsed_ms <= 2000`, "", true},
		{"a", `self.error == null && self.content == "because"`, "", true},
		{"a", `!var.strict || self.content == "x"`, "", true},
		{"a", `input.lang != "de" || self.content == "weil"`, "", true},
		{"a", `!can(jsondecode(self.content))`, "", true},
		{"h", `self.status_code < 400`, some, true},
		{"h", `self.status_code == 200`, "", true},
		{"h", `self.json.id == 7`, "", true},
		{"h", `self.json.id > step.a.retries`, "", true},
		{"h", `can(self.json.id)`, "", true},
		{"h", `try(self.json.error, null) == null`, "", true},
	} {
		contract := map[string]string{"h": "", "a": ""}
		contract[c.of] = c.more + "\n validate \"v\" { condition = " + c.condition + " }"
		r := Run(mustCompile(t, fmt.Sprintf(world, contract["a"], contract["h"]))[0], RunOptions{})
		if marked := countIdle(r) == 1 && strings.Contains(r.Relaxed[0].Name, `validate "v"`); marked == c.shows || r.Verdict != Pass {
			t.Errorf("%s: that it shows something is %v: %s %s %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a contract of a step in a loop is told of once, however often the step ran.
func TestContractsAreToldOnce(t *testing.T) {
	r := Run(mustCompile(t, `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "loop" "poll" {
    max_iterations = 3
    while          = true
    step "http" "check" {
      path = "/"
      validate "fine" { condition = self.status == "success" }
    }
  }
}
scenario "s" {
  run = workflow.w
  on "poll.check" {
    reply { status_code = 200 }
  }
  assert "thrice" { condition = step.poll.iterations == 3 }
}
`)[0], RunOptions{})
	if r.Verdict != Pass || countIdle(r) != 1 {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
}

// Shows that a contract which cannot be evaluated says why.
func TestContractsThatCannotBeEvaluated(t *testing.T) {
	r := Run(mustCompile(t, `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "h" {
    path = "/x"
    validate "done" { condition = self.json.state == "done" }
  }
}
scenario "s" {
  run = workflow.w
  on "h" {
    reply { json = { id = 7 } }
  }
  expect "h" { status = "success" }
}
`)[0], RunOptions{})
	if want := `the answer breaks the contract "done" of step "h": self.json has no attribute "state"`; !strings.Contains(told(r), want) {
		t.Errorf("%s\nwant %s", told(r), want)
	}
}

package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// assures runs a scenario and reports whether a text is told of one of its checks.
func assures(t *testing.T, source, text string, told bool) {
	t.Helper()
	r := RunTold(compileAt(t, "a.scenario.hcl", source)[0], RunOptions{})
	if r.Verdict != Pass || slices.ContainsFunc(r.Relaxed, func(p Problem) bool { return strings.Contains(p.Message, text) }) != told {
		t.Errorf("%s\n%s, told %v and not %t:\n%s", source, r.Verdict, r.Relaxed, told, problems(r))
	}
}

// Shows that a check that two steps overlap is told of where they only touch, as steps do that run one after the
// other; and that it is not where they overlap, or where it has to be the instant.
func TestStepsThatOnlyTouch(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
workflow "w" {
  provider = provider.shop
  step "http" "a" { path = "/a" }
  step "http" "b" {
    path       = "/b"
    depends_on = [%s]
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { latency = "2s" }
  }
  on "b" {
    reply { latency = "3s" }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition string
		told      bool
	}{
		{`step.b.started_ms <= step.a.ended_ms && step.a.started_ms <= step.b.ended_ms`, true},
		{`step.a.ended_ms >= step.b.started_ms`, true},
		{`!(step.b.started_ms > step.a.ended_ms || step.a.started_ms > step.b.ended_ms)`, true},
		{`max(step.a.started_ms, step.b.started_ms) <= min(step.a.ended_ms, step.b.ended_ms)`, true},
		{`step.b.attempts[0].started_at_ms <= step.a.attempts[0].ended_at_ms`, true},
		{`step.b.started_ms <= step.a.ended_ms && step.b.started_ms >= step.a.ended_ms`, false},
		{`step.b.started_ms <= step.a.ended_ms && step.a.ended_ms == step.b.started_ms`, false},
		{`step.b.started_ms >= step.a.ended_ms`, false},
		{`step.a.started_ms <= step.a.ended_ms && step.a.status == "success"`, false},
	} {
		assures(t, fmt.Sprintf(source, "step.a", c.condition), "it does not show that the two overlap", c.told)
		if c.told {
			assures(t, fmt.Sprintf(source, "", c.condition), "it does not show that the two overlap", false)
		}
	}
}

// Shows that a part of a condition is told of that compares how many waits are listed with how many retries
// there were.
func TestWaitsCountedByRetries(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
retry "linear" "std" {
  delay       = "0s"
  max_retries = 2
}
workflow "w" {
  provider = provider.shop
  step "http" "a" {
    path  = "/a"
    retry = retry.std
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  assert "x" { condition = step.a.retries == 1 && %s }
}
`
	for condition, told := range map[string]bool{
		`length(step.a.delays_ms) == step.a.retries`: true,
		`step.a.retries == length(step.a.delays_ms)`: true,
		`length(step.a.delays_ms) == 1`:              false,
		`step.a.delays_ms == [0]`:                    false,
	} {
		assures(t, fmt.Sprintf(source, condition), "it compares what says the same thing in two ways", told)
	}
}

// Shows that a check that the step of a tool did not run is told of if no reply asks for the tool, however it is
// written; and that it is not if one does, or asks for a tool that
// nobody offers, or for a check of something else.
func TestToolsThatNoReplyAsksFor(t *testing.T) {
	const source = `provider "openai" "llm" { model = "m-1" }
provider "http" "web" { base_url = "https://web.test" }
workflow "w" {
  output = step.agent.content
  step "http" "read" {
    provider = provider.web
    path     = "/page/${arguments.id}"
  }
  step "http" "delete" {
    provider = provider.web
    method   = "DELETE"
    path     = "/page/${arguments.id}"
  }
  step "http" "later" {
    provider   = provider.web
    path       = "/later"
    when       = step.agent.content == "never"
  }
  step "llm" "agent" {
    provider = provider.llm
    prompt   = "hello"
    tool "read_page" { step = step.read }
    tool "delete_page" { step = step.delete }
  }
}
scenario "s" {
  run = workflow.w
  on "agent" {
    reply { tool_calls = [{ name = "read_page", arguments = { id = "1" } }%s] }
    reply { content = "done" }
  }
  on "read" {
    reply { body = "text" }
  }
  %s
  expect "run" { output = "done" }
  %s
}
`
	const asked, answered = `, { name = "delete_page", arguments = { id = "1" } }`, "on \"delete\" {\n    reply {}\n  }"
	const why = `no reply asks for the tool "delete_page", and the script is the model`
	for check, told := range map[string]bool{
		`assert "x" { condition = step.delete.status == "skipped" }`:                                                     true,
		`assert "x" { condition = step.read.status == "success" && step.delete.attempts == null }`:                       true,
		`assert "x" { condition = !contains([for c in step.agent.tool_calls : c.name], "delete_page") }`:                 true,
		`assert "x" { condition = [for c in step.agent.tool_calls : c if c.name == "delete_page"] == [] }`:               true,
		`expect "delete" { status = "skipped" }`:                                                                         true,
		`assert "x" { condition = step.later.status == "skipped" }`:                                                      false,
		`assert "x" { condition = contains([for c in step.agent.tool_calls : c.name], "read_page") }`:                    false,
		`assert "x" { condition = step.read.attempts[0].request.url != "delete_page" && step.read.status == "success" }`: false,
	} {
		assures(t, fmt.Sprintf(source, "", "", check), why, told)
	}
	const unknown = `, { name = "remove_page", arguments = { id = "1" } }`
	assures(t, fmt.Sprintf(source, unknown, "", `expect "delete" { status = "skipped" }`), why, false)
	for _, check := range []string{`expect "delete" { status = "success" }`, `assert "x" { condition = step.delete.status == "success" }`} {
		assures(t, fmt.Sprintf(source, asked, answered, check), why, false)
	}
}

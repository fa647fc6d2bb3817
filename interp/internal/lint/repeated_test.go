package lint_test

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a scenario is warned of all of whose checks repeat the only replies of its
// scripts, in whatever form, and none that checks more or in which more happens.
func TestChecksThatRepeatTheReply(t *testing.T) {
	const reply = `on "a" {
    reply { content = "x" }
  }`
	const order = `on "a" {
    reply {
      status_code = 201
      json        = { id = 7, of = { name = "x", n = [1, 2] } }
    }
  }`
	for _, c := range []struct {
		script, checks string
		warned         bool
	}{
		{reply, `expect "a" { content = "x" }`, true},
		{reply, "expect \"a\" {\n status = \"success\"\n content = (\"x\")\n}", true},
		{reply, `assert "is" { condition = step.a.content == "x" }`, true},
		{reply, `assert "is" { condition = ("x" == step.a.content) && step.a.content == "x" }`, true},
		{reply, "expect \"a\" { content = \"x\" }\nassert \"is\" { condition = step.a.content == \"x\" }", true},
		{order, `expect "a" { status_code = 201 }`, true},
		{order, `expect "a" { json = { of = { n = [1, 2] } } }`, true},
		{order, `assert "is" { condition = step.a.status_code == 201 }`, true},
		{order + "\n" + strings.ReplaceAll(reply, `"a"`, `"b"`), "expect \"a\" { status_code = 201 }\nexpect \"b\" { content = \"x\" }", true},

		{reply, `expect "a" { status = "success" }`, false}, // that it succeeds
		{reply, `expect "a" { content = "y" }`, false},
		{reply, `expect "b" { content = "x" }`, false},
		{reply, "expect \"a\" {\n content = \"x\"\n retries = 0\n}", false},
		{reply, `assert "is" { condition = step.a.content != "x" }`, false},
		{reply, `assert "is" { condition = step.a.content == "x" && step.a.retries == 0 }`, false},
		{reply, `assert "is" { condition = step.a.content == "x" || step.a.retries == 0 }`, false},
		{reply, "expect \"a\" { content = \"x\" }\nassert \"is\" { condition = length(step.a.attempts) == 1 }", false},
		{reply, "expect \"a\" { content = \"x\" }\nexpect \"run\" { status = \"success\" }", false},
		{reply, "expect \"a\" { content = \"x\" }\ninvariant \"i\" { condition = step.a.retries == 0 }", false},
		{reply, "expect \"a\" { content = \"x\" }\nevent \"e\" {\n at = \"1s\"\n cancel = \"run\"\n}", false},
		{reply, "expect \"a\" { content = \"x\" }\ntolerates {}", false},
		{reply, ``, false},
		{order, `expect "a" { json = { id = 8 } }`, false},
		{order, `expect "a" { json = { other = 7 } }`, false},
		{strings.ReplaceAll(reply, `{ content = "x" }`, "{\n content = \"x\"\n latency = \"1s\"\n}"), `expect "a" { content = "x" }`, false},
		{strings.ReplaceAll(reply, `" }`, "\" }\n    reply { content = \"y\" }"), `expect "a" { content = "x" }`, false},
		{strings.ReplaceAll(reply, `reply`, "fault \"http_error\" {}\n reply"), `expect "a" { content = "x" }`, false},
		{reply + "\n" + strings.ReplaceAll(reply, `"a"`, `"b"`) + "\noutage \"o\" {\n fault \"http_error\" {}\n}", `expect "a" { content = "x" }`, false},
	} {
		source := fmt.Sprintf("workflow \"w\" {\n  step \"llm\" \"a\" {}\n  step \"llm\" \"b\" {}\n}\nscenario \"s\" {\n  run = workflow.w\n  %s\n  %s\n}\n", c.script, c.checks)
		warned := false
		for _, line := range said(t, source, nil) {
			warned = warned || strings.Contains(line, "repeats what its own script answers")
		}
		if warned != c.warned {
			t.Errorf("warned %v, want %v:\n%s\n%s", warned, c.warned, c.script, c.checks)
		}
	}
	for run, warned := range map[string]bool{"run = workflow.w": true, "": false, "run = workflow.v": false} {
		source := "workflow \"w\" {\n  step \"llm\" \"a\" {}\n}\nworkflow \"v\" {\n  tolerates {}\n  step \"llm\" \"a\" {}\n}\nscenario \"s\" {\n  " + run + "\n  " + reply + "\n  expect \"a\" { content = \"x\" }\n}\n"
		if got := strings.Contains(strings.Join(said(t, source, nil), ""), "repeats what its own script answers"); got != warned {
			t.Errorf("%q: warned %v", run, got)
		}
	}
}

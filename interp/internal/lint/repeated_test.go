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
	const agent = `on "a" {
    reply { tool_calls = [{ id = "c1", name = "read", arguments = { path = "x" } }] }
    reply { content = "x" }
  }`
	const named = `[for m in step.a.attempts[1].request.json.messages : try(m.tool_calls[0].function.name, "")%s]`
	for _, c := range []struct {
		script, checks string
		warned         bool
	}{
		{agent, `assert "is" { condition = !contains([for t in step.a.tool_calls : t.name], "delete") }`, true},
		{agent, `assert "is" { condition = step.a.turns <= 3 && step.a.content == "x" }`, true},
		{agent, `assert "is" { condition = !contains(` + fmt.Sprintf(named, "") + `, "delete") }`, true},
		{agent, `assert "is" { condition = !contains(` + fmt.Sprintf(named, ` if m.role == "assistant"`) + `, "delete") }`, true},
		{agent, `assert "is" { condition = !contains(` + fmt.Sprintf(named, ` if m.content != "y"`) + `, "delete") }`, false},
		{agent, `assert "is" { condition = step.a.attempts[1].request.json.messages[2].content == "text" }`, false},
		{agent, `assert "is" { condition = length(step.a.attempts[1].request.json.messages) == 3 }`, false},
		{agent, `assert "is" { condition = [for m in step.a.attempts[1].request.json.messages : m.role] != [] }`, false},
		{strings.ReplaceAll(agent, `tool_calls = [{ id = "c1", name = "read", arguments = { path = "x" } }]`, `content = "y"`), `assert "is" { condition = step.a.turns <= 3 }`, false},
		{strings.ReplaceAll(agent, `reply { content`, "fault \"http_error\" {}\n reply { content"), `assert "is" { condition = step.a.turns <= 3 }`, false},
		{reply, `expect "a" { content = "x" }`, true},
		{reply, "expect \"a\" {\n status = \"success\"\n content = (\"x\")\n}", true},
		{reply, `assert "is" { condition = step.a.content == "x" }`, true},
		{reply, `assert "is" { condition = ("x" == step.a.content) && step.a.content == "x" }`, true},
		{reply, "expect \"a\" { content = \"x\" }\nassert \"is\" { condition = step.a.content == \"x\" }", true},
		{order, `expect "a" { status_code = 201 }`, true},
		{order, `expect "a" { json = { of = { n = [1, 2] } } }`, true},
		{order, `assert "is" { condition = step.a.status_code == 201 }`, true},
		{order + "\n" + strings.ReplaceAll(reply, `"a"`, `"d"`), "expect \"a\" { status_code = 201 }\nexpect \"d\" { content = \"x\" }", true},
		{reply, `assert "is" { condition = strcontains(step.a.content, "x") && length(step.a.content) < 100 }`, true},
		{reply, `assert "is" { condition = alltrue([for c in split("", step.a.content) : c == "x"]) }`, true},
		{reply, `assert "is" { condition = step.a.content == local.l }`, true},
		{reply, "expect \"a\" { content = \"x\" }\nassert \"is\" { condition = step.a.content != \"\" }", true},
		{order, `assert "is" { condition = schemaerror(step.a.json, { type = "object" }) == null }`, true},
		{order, `snapshot "is" { value = step.a.json }`, true},
		{reply, `expect "run" { output = "x" }`, true},
		{reply, `assert "is" { condition = startswith(run.output, "x") }`, true},
		{strings.ReplaceAll(reply, `"a"`, `"b"`), `assert "is" { condition = step.b.content == "x" }`, false}, // it has a contract
		{strings.ReplaceAll(reply, `"a"`, `"c"`), `assert "is" { condition = step.c.output == "x" }`, false},  // its output is computed

		{reply, `expect "a" { status = "success" }`, false}, // that it succeeds
		{reply, `assert "is" { condition = step.a.content == step.b.content }`, false},
		{reply, `assert "is" { condition = step.a.content == events({ type = "run_end" })[0].output }`, false},
		{reply, `expect "run" { status = "success" }`, false},
		{reply, `expect "a" { content = "y" }`, false}, // it does not hold, and says so
		{reply, `assert "is" { condition = "y" == step.a.content }`, false},
		{reply, `expect "b" { content = "x" }`, false},
		{reply, "expect \"a\" {\n content = \"x\"\n retries = 0\n}", false},
		{reply, `assert "is" { condition = step.a.content == "x" && step.a.retries == 0 }`, false},
		{reply, `assert "is" { condition = step.a.content == "x" || step.a.retries == 0 }`, false},
		{reply, "expect \"a\" { content = \"x\" }\nassert \"is\" { condition = length(step.a.attempts) == 1 }", false},
		{reply, "expect \"a\" { content = \"x\" }\nexpect \"run\" { status = \"success\" }", false},
		{reply, "expect \"a\" { content = \"x\" }\ninvariant \"i\" { condition = step.a.retries == 0 }", false},
		{reply, "expect \"a\" { content = \"x\" }\nevent \"e\" {\n at = \"1s\"\n cancel = \"run\"\n}", false},
		{reply, "expect \"a\" { content = \"x\" }\ntolerates {}", false},
		{reply, ``, false},
		{strings.ReplaceAll(reply, `{ content = "x" }`, "{\n content = \"x\"\n latency = \"1s\"\n}"), `expect "a" { content = "x" }`, true}, // nothing waits for it
		{strings.ReplaceAll(reply, `" }`, "\" }\n    reply { content = \"y\" }"), `expect "a" { content = "x" }`, false},
		{strings.ReplaceAll(reply, `reply`, "fault \"http_error\" {}\n reply"), `expect "a" { content = "x" }`, false},
		{reply + "\n" + strings.ReplaceAll(reply, `"a"`, `"b"`) + "\noutage \"o\" {\n fault \"http_error\" {}\n}", `expect "a" { content = "x" }`, false},
	} {
		source := fmt.Sprintf("workflow \"w\" {\n  output = step.a.content\n  step \"llm\" \"a\" {}\n  step \"llm\" \"b\" {\n    validate \"v\" { condition = self.content != null }\n  }\n  step \"llm\" \"c\" { output = upper(self.content) }\n}\nscenario \"s\" {\n  run = workflow.w\n  %s\n  %s\n}\n", c.script, c.checks)
		warned := false
		for _, line := range said(t, source, nil) {
			warned = warned || strings.Contains(line, "reads only what its own script answers")
		}
		if warned != c.warned {
			t.Errorf("warned %v, want %v:\n%s\n%s", warned, c.warned, c.script, c.checks)
		}
	}
	for deadline, warned := range map[string]bool{"": true, `timeout = "2s"`: false} {
		source := "workflow \"w\" {\n  step \"llm\" \"a\" { " + deadline + " }\n}\nscenario \"s\" {\n  run = workflow.w\n  on \"a\" {\n    reply {\n      content = \"x\"\n      latency = \"1s\"\n    }\n  }\n  expect \"a\" { content = \"x\" }\n}\n"
		if got := strings.Contains(strings.Join(said(t, source, nil), ""), "reads only what its own script answers"); got != warned {
			t.Errorf("a late reply where a step has %q: warned %v", deadline, got)
		}
	}
	for run, warned := range map[string]bool{"run = workflow.w": true, "": false, "run = workflow.v": false} {
		source := "workflow \"w\" {\n  step \"llm\" \"a\" {}\n}\nworkflow \"v\" {\n  tolerates {}\n  step \"llm\" \"a\" {}\n}\nscenario \"s\" {\n  " + run + "\n  " + reply + "\n  expect \"a\" { content = \"x\" }\n}\n"
		if got := strings.Contains(strings.Join(said(t, source, nil), ""), "reads only what its own script answers"); got != warned {
			t.Errorf("%q: warned %v", run, got)
		}
	}
}

// Shows that a fault beside the replies that are checked does not matter where it cannot keep their
// steps from running and nothing that is checked reads what becomes of it: one that fires in a sub
// of a fanout, and one of an optional step on which they do not depend.
func TestChecksThatRepeatTheReplyBesideAFault(t *testing.T) {
	const fault = `fault "http_error" {}`
	for _, c := range []struct {
		step, depends, fault, check string
		warned                      bool
	}{
		{"fanout", "depends_on = [step.x]", fault, `expect "a" { content = "x" }`, true},
		{"fanout", `prompt = join(", ", step.x.subs[*].status)`, fault, `expect "run" { output = "x" }`, true},
		{"fanout", "", fault, `assert "is" { condition = strcontains(step.a.content, "x") }`, true},
		{"fanout", "", fault, "expect \"a\" { content = \"x\" }\nexpect \"x.s\" { status = \"failed\" }", false},
		{"fanout", "", fault, "expect \"a\" { content = \"x\" }\nassert \"is\" { condition = step.x.aggregate.failed == 1 }", false},
		{"fanout", "", "fault \"http_error\" { times = 2 }", `expect "a" { content = "x" }`, false}, // the gates say that it is asked twice
		{"fanout", "", fault + "\n    reply { content = \"y\" }", `expect "a" { content = "x" }`, false},
		{"fanout", `when = step.x.status == "success"`, fault, `expect "a" { content = "x" }`, false},
		{"fanout", "", fault, `expect "x.t" { content = "y" }`, false}, // that the other sub goes on
		{"plain", "", fault, `expect "a" { content = "x" }`, false},
		{"required = false", "", fault, `expect "a" { content = "x" }`, true},
		{"required = false", "", fault, `assert "is" { condition = step.a.content == "x" }`, true},
		{"required = false", "", fault, `expect "run" { output = "x" }`, false}, // that the run goes on
		{"required = false", "", fault, `assert "is" { condition = run.output == "x" }`, false},
		{"required = false", "depends_on = [step.x]", fault, `expect "a" { content = "x" }`, false},
		{"required = false", "depends_on = [step.y]", fault, `expect "a" { content = "x" }`, false},
		{"required = true", "", fault, `expect "a" { content = "x" }`, false},
		{"required = false\n fallback = step.a", "", fault, `expect "a" { content = "x" }`, false}, // that it takes its place
		{`on_failure = "continue"`, "", fault, `expect "a" { content = "x" }`, true},
		{`on_failure = "continue"`, "prompt = step.x.content", fault, `expect "a" { content = "x" }`, false},
		{"on_failure = \"fallback\"\n fallback = step.a", "", fault, `expect "a" { content = "x" }`, false},
	} {
		x, at := "step \"llm\" \"x\" {\n"+c.step+"\n}", "x"
		switch c.step {
		case "fanout":
			x, at = "step \"fanout\" \"x\" {\n sub \"s\" { target = workflow.v }\n sub \"t\" { target = workflow.v }\n}", "x.s"
		case "plain":
			x = `step "llm" "x" {}`
		}
		source := fmt.Sprintf("workflow \"v\" {\n step \"llm\" \"one\" {}\n}\nworkflow \"w\" {\n  output = step.a.content\n  step \"llm\" \"a\" {\n %s\n }\n  %s\n  step \"llm\" \"y\" { depends_on = [step.x] }\n}\nscenario \"s\" {\n  run = workflow.w\n  on %q {\n    %s\n  }\n  on \"a\" {\n    reply { content = \"x\" }\n  }\n  on \"x.t\" {\n    reply { content = \"y\" }\n  }\n  %s\n}\n", c.depends, x, at, c.fault, c.check)
		if got := strings.Contains(strings.Join(said(t, source, nil), ""), "reads only what its own script answers"); got != c.warned {
			t.Errorf("warned %v, want %v: %s, %s, %s, %s", got, c.warned, c.step, c.depends, c.fault, c.check)
		}
	}
}

// Replies of several scripts that are compared with each other say nothing of the workflow,
// whatever else the scenario checks.
func TestChecksThatCompareReplies(t *testing.T) {
	const two = `on "a" {
    reply { json = { id = 7 } }
  }
  on "b" {
    fault "http_error" {}
    reply { content = "7" }
  }
  expect "b" { retries = 1 }
  `
	for _, c := range []struct {
		condition string
		warned    bool
	}{
		{`step.a.json.id == step.b.content`, true},
		{`anytrue([for n in [step.a.json.id] : strcontains(step.b.content, n)])`, true},
		{`step.b.retries == 1 && step.a.json.id == step.b.content`, false},
		{`step.a.json.id == 7 && step.b.content == "7"`, false}, // each with what is written
		{`step.a.json.id == step.b.attempts[1].request.json.of`, false},
		{`step.a.json.id == step.c.content`, false},
	} {
		source := "workflow \"w\" {\n  step \"http\" \"a\" {}\n  step \"llm\" \"b\" {}\n  step \"llm\" \"c\" {}\n}\nscenario \"s\" {\n  run = workflow.w\n  " + two + "assert \"is\" { condition = " + c.condition + " }\n}\n"
		if got := strings.Contains(strings.Join(said(t, source, nil), ""), "compares what the scripts of a and b answer with each other"); got != c.warned {
			t.Errorf("%s: warned %v, want %v", c.condition, got, c.warned)
		}
	}
}

// Shows that what a step costs, and the run of one step, is what its only reply says, and that it is
// not where the reply says nothing of it, more happens, or a budget may end the run.
func TestChecksThatRepeatWhatTheReplyCosts(t *testing.T) {
	const both, one = "reply {\n cost_usd = 0.03\n usage = { prompt_tokens = 100 }\n }", "step \"llm\" \"a\" {}"
	for _, c := range []struct {
		steps, script, checks string
		warned                bool
	}{
		{one, both, `assert "is" { condition = run.cost_usd <= 0.05 && run.usage.prompt_tokens <= 500 }`, true},
		{one, both, `assert "is" { condition = step.a.cost_usd <= 0.05 }`, true},
		{one, both, `expect "a" { cost_usd = 0.03 }`, true},
		{one, both, `expect "run" { cost_usd = 0.03 }`, true},
		{one, `reply { cost_usd = 0.03 }`, `assert "is" { condition = run.usage.prompt_tokens <= 500 }`, false},       // counted from the prompt
		{one, `reply { usage = { prompt_tokens = 100 } }`, `assert "is" { condition = run.cost_usd <= 0.05 }`, false}, // by the price of the model
		{one, "fault \"http_error\" {}\n" + both, `assert "is" { condition = run.cost_usd <= 0.05 }`, false},
		{one, both + "\n" + both, `assert "is" { condition = run.cost_usd <= 0.05 }`, false},
		{one, both, `assert "is" { condition = run.cost_usd <= 0.05 && step.a.retries == 0 }`, false},
		{one + "\n step \"llm\" \"b\" {}", both, `assert "is" { condition = run.cost_usd <= 0.05 }`, false},
		{one + "\n budget { usd = 1 }", both, `assert "is" { condition = run.cost_usd <= 0.05 }`, false},
		{"step \"llm\" \"a\" {\n validate \"v\" { condition = self.content != \"\" }\n}", both, `assert "is" { condition = run.cost_usd <= 0.05 }`, false},
	} {
		source := fmt.Sprintf("workflow \"w\" {\n%s\n}\nscenario \"s\" {\n run = workflow.w\n on \"a\" {\n%s\n }\n %s\n}\n", c.steps, c.script, c.checks)
		if warned := strings.Contains(strings.Join(said(t, source, nil), ""), "reads only what its own script answers"); warned != c.warned {
			t.Errorf("warned %v, want %v:\n%s", warned, c.warned, source)
		}
	}
}

package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// fixedWorld has a fanout and steps with and without a retry policy.
const fixedWorld = `
provider "http" "api" { base_url = "https://api.test" }
retry "linear" "twice" { max_retries = 2 }
retry "none" "never" {}
workflow "one" {
  provider = provider.api
  step "http" "ask" { path = "/ask" }
}
workflow "fan" {
  step "fanout" "f" {
    sub "x" { target = workflow.one }
    sub "y" { target = workflow.one }
    %[4]s
  }
}
workflow "plain" {
  provider = provider.api
  step "http" "a" {
    path = "/a"
    %[1]s
  }
}
workflow "guarded" {
  timeout = "30s"
  step "fanout" "f" {
    sub "x" { target = workflow.one }
    sub "y" { target = workflow.one }
  }
}
scenario "s" {
  run = workflow.%[2]s
  on "*" {
    reply { body = "ok" }
  }
  %[3]s
}
`

// Shows that what the file alone decides shows nothing: which subs a fanout has and
// in which order, that it succeeds whatever becomes of them, that a step without a policy
// is tried once. What became of the subs, and what a policy that is there did, show
// something, and so does the success of what something else can end.
func TestWhatTheFileAloneDecides(t *testing.T) {
	const retry, never = "retry = retry.twice", "retry = retry.never"
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" { condition = %s }", condition) }
	for _, c := range []struct {
		more, workflow, check string
		shows                 bool
	}{
		{"", "fan", assert(`[for s in fanout.f.subs : s.id] == ["x", "y"]`), false},
		{"", "fan", assert(`fanout.f.subs[*].id == ["x", "y"]`), false},
		{"", "fan", assert(`fanout.f.subs[0].id == "x"`), false},
		{"", "fan", assert(`length(fanout.f.subs) == 2`), false},
		{"", "fan", assert(`index([for s in fanout.f.subs : s.id], "x") < index([for s in fanout.f.subs : s.id], "y")`), false},
		{"", "fan", assert(`alltrue([for s in fanout.f.subs : s.target == "one"])`), false},
		{"", "fan", assert(`[for name, s in step : name] == ["f"]`), false},
		{"", "fan", assert(`[for e in events({ type = "route" }) : e.step] == ["f.x", "f.y"]`), false},
		{"", "fan", assert(`events({ type = "route" })[*].sub == ["x", "y"]`), false},
		{"", "fan", assert(`sort(events({ type = "route" })[*].step) == ["f.x", "f.y"]`), true},
		{"", "fan", assert(`[for s in fanout.f.subs : s.status] == ["success", "success"]`), true},
		{"", "fan", assert(`[for s in fanout.f.subs : [s.id, s.status]] == [["x", "success"], ["y", "success"]]`), true},
		{"", "fan", assert(`[for s in fanout.f.subs : s.id if s.status == "failed"] == []`), true},
		{"", "fan", assert(`fanout.f.subs[0].status == "success"`), true},
		{"", "fan", assert(`step.f.status == "success"`), false},
		{"", "fan", assert(`step.f.status != "failed"`), false},
		{"", "fan", assert(`step.f.error == null`), false},
		{"", "fan", assert(`fanout.f.status == "success" && run.status == "success"`), false},
		{"", "fan", assert(`!(run.status == "failed")`), false},
		{"", "fan", `expect "f" { status = "success" }`, false},
		{"", "fan", `expect "run" { status = "success" }`, false},
		{"", "fan", assert(`step.f.status == "success" && step.f.x.status == "success"`), true},
		{"", "fan", assert(`step.f.output == "[one] \n\n[one] "`), true},
		{"timeout = \"5s\"", "fan", assert(`step.f.status == "success"`), true},
		{"when = true", "fan", assert(`step.f.status == "success"`), true},
		{"", "guarded", assert(`run.status == "success"`), true},
		{"", "plain", assert(`run.status == "success"`), true},
		{"", "plain", assert(`step.a.retries == 0`), false},
		{"", "plain", assert(`step.a.retries < 1`), false},
		{"", "plain", assert(`step.a.delays_ms == []`), false},
		{"", "plain", assert(`length(step.a.delays_ms) == 0`), false},
		{"", "plain", assert(`events({ type = "retry_wait" }) == []`), false},
		{"", "plain", assert(`metric("scenario_retries_total") == 0`), false},
		{"", "plain", `expect "a" { retries = 0 }`, false},
		{"", "plain", "expect \"a\" {\n retries = 0\n status = \"success\"\n}", true},
		{"", "plain", assert(`length(step.a.attempts) == 1`), true},
		{"", "plain", assert(`step.a.retries == 0 && step.a.status_code == 200`), true},
		{retry, "plain", assert(`step.a.retries == 0`), true},
		{retry, "plain", assert(`step.a.delays_ms == []`), true},
		{retry, "plain", assert(`events({ type = "retry_wait" }) == []`), true},
		{never, "plain", assert(`step.a.retries == 0`), true},
		{never, "plain", assert(`events({ type = "retry_wait" }) == []`), true},
		// The same of steps that it goes through.
		{"", "plain", assert(`alltrue([for s in steps : s.retries == 0])`), false},
		{"", "plain", assert(`max([for s in steps : s.retries]...) == 0`), false},
		{"", "plain", assert(`max(steps[*].retries...) == 0`), false},
		{"", "plain", assert(`[for s in steps : s.name if s.retries > 0] == []`), false},
		{"", "plain", assert(`alltrue([for name, s in step : length(s.delays_ms) == 0])`), false},
		{"", "plain", assert(`sum([for s in steps : s.retries]) < 1`), false},
		{"", "plain", assert(`steps[0].retries == 0`), false},
		{"", "plain", assert(`alltrue([for s in steps : s.retries == 0 && s.status == "success"])`), true},
		{"", "plain", assert(`[for s in steps : s.retries] == [0]`), true},
		{retry, "plain", assert(`alltrue([for s in steps : s.retries == 0])`), true},
		{retry, "plain", assert(`max(steps[*].retries...) == 0`), true},
		{never, "plain", assert(`alltrue([for s in steps : s.retries == 0])`), true},
		// What cannot come to pass is no danger.
		{"", "plain", assert(`run.status != "cancelled"`), false},
		{"", "plain", assert(`run.status != "timeout"`), false},
		{"", "plain", assert(`!contains(["cancelled", "timeout"], run.status)`), false},
		{"", "plain", assert(`!regexmatch("cancelled|timeout", run.status)`), false},
		{"", "plain", assert(`!startswith(run.status, "canc")`), false},
		{"", "plain", assert(`!regexmatch("failed|timeout", run.status)`), true},
		{"", "plain", assert(`step.a.status != "aborted"`), false},
		{"", "plain", assert(`alltrue([for s in steps : s.status != "aborted"])`), false},
		{"", "plain", assert(`[for s in steps : s if s.status == "aborted"] == []`), false},
		{"", "plain", assert(`!(step.a.status == "cancelled")`), false},
		{"", "plain", assert(`step.a.status != "timeout"`), false},
		{"", "plain", assert(`!contains([for s in steps : s.status], "cancelled")`), false},
		{"", "plain", assert(`step.a.status != "failed"`), true},
		{"timeout = \"5s\"", "plain", assert(`step.a.status != "timeout"`), true},
		{"timeout = \"5s\"", "plain", assert(`step.a.status != "cancelled"`), false},
		{"", "guarded", assert(`step.f.x.status != "cancelled"`), true},
		{"", "fan", assert(`step.f.x.status != "cancelled"`), true},
		{"", "plain", assert(`step.a.skipped_reason == null`), false},
		{"when = true", "plain", assert(`step.a.skipped_reason == null`), true},
		{"", "plain", assert(`step.a.replaced_by == null`), false},
		{"", "plain", assert(`step.a.rejections == []`), false},
		{"", "plain", assert(`length(step.a.rejections) == 0`), false},
		{"bulkhead { max_concurrent = 1 }", "plain", assert(`step.a.rejections == []`), true},
		{"", "plain", assert(`run.status != "failed" && run.status != "cancelled"`), true},
		{"", "plain", assert(`run.status != "failed"`), true},
		{"", "plain", assert(`contains(["success", "cancelled"], run.status)`), true},
		{"", "guarded", assert(`run.status != "timeout"`), true},
		{"", "guarded", assert(`step.f.x.status != "aborted"`), true},
		// What stands in for something said of an element that is not there.
		{retry, "plain", assert(`!try(events({ type = "retry_wait" })[0].delay_ms > 5000, false)`), false},
		{retry, "plain", assert(`!try(step.a.delays_ms[0] > 5000, false)`), false},
		{retry, "plain", assert(`!try(step.a.error.kind == "timeout", false)`), true},
		{retry, "plain", assert(`!try(step.a.json.refused == true, false)`), true},
		{retry, "plain", assert(`!try(events({ type = "attempt_end" })[0].outcome == "failure", false)`), true},
	} {
		ofFan, ofStep := c.more, ""
		if c.workflow == "plain" {
			ofFan, ofStep = "", c.more
		}
		r := Run(mustCompile(t, fmt.Sprintf(fixedWorld, ofStep, c.workflow, c.check, ofFan))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s of %s %s: that it shows something is %v; %s: %s %+v", c.check, c.workflow, c.more, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that an ending is no danger where nothing could bring it about, and is where an
// event may, also if it comes too late.
func TestEndingsThatMayCome(t *testing.T) {
	const late = "event \"late\" {\nat = \"1h\"\ncancel = \"run\"\noptional = true\n}\n"
	for event, idle := range map[string]int{"": 1, late: 0} {
		check := event + `assert "x" { condition = run.status != "cancelled" }`
		if r := Run(mustCompile(t, fmt.Sprintf(fixedWorld, "", "plain", check, ""))[0], RunOptions{}); countIdle(r) != idle {
			t.Errorf("%s: %d marked: %s %+v", check, countIdle(r), told(r), r.Relaxed)
		}
	}
}

// Shows that a Retry-After is told of which the policy waits as long for by itself, and
// not one that lengthened a wait of the run.
func TestRetryAfterThatThePolicyHasItself(t *testing.T) {
	const source = `
provider "http" "api" { base_url = "https://api.test" }
retry "linear" "r" {
  max_retries = 2
  delay       = "2s"
  %s
}
workflow "w" {
  provider = provider.api
  step "http" "a" {
    path  = "/a"
    retry = retry.r
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    %s
    reply { body = "ok" }
  }
  %s
}
`
	const waits = `assert "x" { condition = step.a.delays_ms[0] >= 1000 }`
	refusal := func(after string) string {
		return fmt.Sprintf("reply {\n status_code = 429\n headers = { \"Retry-After\" = %q }\n }\n", after)
	}
	for _, c := range []struct {
		policy, script, check string
		told                  int
	}{
		{"", refusal("1"), waits, 1},
		{"", refusal("1"), `expect "a" { delays_ms = [2000] }`, 1},
		{"", refusal("1"), `expect "a" { status = "success" }`, 0},
		{"", refusal("2"), waits, 1},
		{"", refusal("1") + refusal("2"), waits, 2},
		{"", refusal("3"), waits, 0},
		{"", refusal("1") + refusal("3"), waits, 0},
		{"increment = \"5s\"", refusal("3") + refusal("3"), waits, 0},
		{"respect_retry_after = false", refusal("1"), waits, 0},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.policy, c.script, c.check))[0], RunOptions{})
		n := 0
		for p := range slices.Values(r.Relaxed) {
			if p.Kind == plan.KindIgnored && strings.Contains(p.Message, "by itself") {
				n++
			}
		}
		if n != c.told || r.Verdict != Pass {
			t.Errorf("%s %s: told %d times, want %d; %s: %s %+v", c.policy, c.script, n, c.told, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that to rule out faults which the scenario does not inject shows nothing, however
// a check comes to them, and that it does to rule out one that it injects, or to say how
// many attempts there were.
func TestFaultsThatCannotCome(t *testing.T) {
	const (
		none    = `reply { content = "x" }`
		refused = "fault \"http_error\" {\n status_code = 503\n optional = true\n target = \"other\"\n}\n" + none
		outage  = none + "\n}\noutage \"o\" {\n target = \"other\"\n from = \"1h\"\n to = \"2h\"\n optional = true\n fault \"connection_refused\" {}\n"
	)
	for _, c := range []struct {
		script, condition string
		shows             bool
	}{
		{none, `alltrue([for a in step.a.attempts : a.fault == null])`, false},
		{none, `!anytrue([for a in step.a.attempts : a.fault != null])`, false},
		{none, `length([for a in step.a.attempts : a if a.fault == "timeout"]) == 0`, false},
		{none, `step.a.attempts[0].fault == null`, false},
		{none, `!contains(step.a.attempts[*].fault, "timeout")`, false},
		{none, `[for s in steps : s.name if contains(s.attempts[*].fault, "timeout")] == []`, false},
		{none, `alltrue(flatten([for s in steps : [for a in s.attempts : a.fault == null]]))`, false},
		{none, `length([for a in target.one.attempts : a if a.fault != null]) == 0`, false},
		{none, `[for s in spans() : s if s.attributes["mock.fault_type"] != null] == []`, false},
		{none, `spans({ attributes = { "mock.fault_type" = "timeout" } }) == []`, false},
		{none, `[for e in events() : e if e.fault_type == "timeout"] == []`, false},
		{refused, `length([for a in step.a.attempts : a if a.fault == "timeout"]) == 0`, false},
		{refused, `alltrue([for a in step.a.attempts : a.fault == null || a.fault == "http_error"])`, false},
		{refused, `alltrue([for a in step.a.attempts : a.fault == null])`, true},
		{refused, `length([for a in step.a.attempts : a if a.fault == "http_error"]) == 0`, true},
		{refused, `[for s in spans() : s if s.attributes["mock.fault_type"] == "http_error"] == []`, true},
		{outage, `step.a.attempts[0].fault == null`, true},
		{outage, `step.a.attempts[0].fault != "timeout"`, false},
		{none, `length([for a in step.a.attempts : a if a.fault == null]) == 1`, true},
		{none, `[for a in step.a.attempts : a.fault] == [null]`, true},
		{none, `alltrue([for a in step.a.attempts : a.fault == null && a.outcome == "success"])`, true},
		{none, `alltrue([for a in step.a.attempts : a.fault == null]) && step.a.content == "x"`, true},
		{none, `events({ type = "timeout" }) == []`, false},
		{none, `[for e in events() : e if e.type == "timeout"] == []`, false},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(faultWorld, "", c.script, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: %s: that it shows something is %v; %s: %s %+v", c.script, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	// Whatever has a timeout may come to its end.
	for _, timeout := range []string{"timeout = \"5s\"", "attempt_timeout = \"5s\"", "first_byte_timeout = \"5s\""} {
		r := Run(mustCompile(t, fmt.Sprintf(faultWorld, timeout, none, `events({ type = "timeout" }) == []`))[0], RunOptions{})
		if countIdle(r) != 0 || r.Verdict != Pass {
			t.Errorf("%s: %s: %s %+v", timeout, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// faultWorld has two targets, of which the first one answers.
const faultWorld = `
provider "openai" "m" { model = "x" }
gateway "g" {
  target "one" { provider = provider.m }
  target "other" { provider = provider.m }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "a" {
    prompt = "why?"
    %s
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["unfired_fault"]
  on "a" {
    %s
  }
  assert "x" { condition = %s }
}
`

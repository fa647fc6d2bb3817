package interp

import (
	"fmt"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// Shows that what the file gives in the place of something that is not there decides
// nothing, that text around nothing is nothing, that a step that never ran says nothing,
// and that a condition which every value meets is none; each beside one like it that says
// something.
func TestConditionsThatDecideThemselves(t *testing.T) {
	const world = `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "h" { path = "/h" }
  step "http" "never" {
    path = "/n"
    when = step.h.status_code == 404
  }
  step "loop" "l" {
    max_iterations = 3
    while          = false
    step "http" "in" { path = "/in" }
  }
}
scenario "s" {
  run = workflow.w
  on "h" {
    reply { json = { s = "", ok = null, n = 3, yes = true, name = "bob", list = [] } }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition string
		shows     bool
	}{
		// Defaults, in any place.
		{`lookup(step.h.json, "missing", true)`, false},
		{`lookup(step.h.json, "yes", false)`, true},
		{`coalesce(step.h.json.ok, true)`, false},
		{`coalesce(step.h.json.yes, false)`, true},
		{`try(step.h.json.missing.deep, 0) < 5`, false},
		{`try(step.h.json.n, 0) < 5`, true},
		{`lookup(step.h.json, "missing", 0) < 5`, false},
		{`lookup(step.h.json, "n", 0) < 5`, true},
		{`length(lookup(step.h.json, "missing", [])) <= 5`, false},
		{`length(lookup(step.h.json, "missing", [])) == 0`, true},
		{`lower(try(step.h.json.missing, "Fine")) == "fine"`, false},
		{`lower(try(step.h.json.name, "Fine")) == "bob"`, true},
		{`strcontains(lookup(step.h.json, "missing", "fine"), "fine")`, false},
		{`!strcontains(try(step.h.json.missing, "none"), "secret")`, false},
		{`!strcontains(try(step.h.json.name, "none"), "secret")`, true},
		{`try(step.h.error.kind, "none") == "none"`, true},
		{`try(step.h.json.missing, 1) + step.h.json.n == 4`, true},
		{`sum([for s in steps : coalesce(s.retries, 0)]) == 0`, false}, // no step has a policy
		{`sum([for s in steps : length(coalesce(s.attempts, []))]) == 1`, true},
		// Text around nothing.
		{`!strcontains("body: ${step.h.json.s}", "secret")`, false},
		{`!strcontains("body: ${step.h.json.name}", "secret")`, true},
		{`!strcontains("${step.h.json.s}${step.h.json.name}", "secret")`, true},
		{`!strcontains(format("%s!", step.h.json.s), "secret")`, false},
		{`!regexmatch("secret", jsonencode(step.h.json.list))`, false},
		{`length(regexall("secret", "body: ${step.h.json.s}")) == 0`, false},
		{`strcontains("body: ${step.h.json.s}", "body")`, true},
		// A step that never ran.
		{`!strcontains(jsonencode(step.never), "secret")`, false},
		{`!strcontains(jsonencode(step.h.json), "secret")`, true},
		{`step.never.status != "failed"`, false},
		{`step.never.status == "skipped"`, true},
		{`step.h.status != "failed"`, true},
		{`step.l.iterations <= 3`, false},
		{`step.l.iterations == 0`, true},
		// What every value meets.
		{`step.h.status_code < 600`, false},
		{`step.h.status_code >= 100`, false},
		{`step.h.status_code < 500`, true},
		{`within(step.h.status_code, 100, 599)`, false},
		{`!(step.h.status_code == 418)`, true},
		{`!(step.h.status_code == 999)`, false},
		{`step.h.status_code < 598`, true},
		{`contains(["success", "partial", "failed", "timeout", "cancelled"], run.status)`, false},
		{`contains(["success", "partial"], run.status)`, true},
		{`regexmatch("^[a-z]+$", run.status)`, false},
		{`run.status == "success" || run.status == "partial" || run.status == "failed" || run.status == "timeout" || run.status == "cancelled"`, false},
		{`run.status == "success" || run.status == "partial"`, true},
		// What follows a failure, where there was none.
		{`length(events({ type = "retry_wait" })) <= 2`, false},
		{`length(events({ type = "retry_wait" })) == 0`, false}, // no step has a policy
		{`length(events({ type = "step_end" })) <= 4`, true},
		// Two times of a run in which nothing takes any.
		{`step.h.elapsed_ms <= step.l.elapsed_ms`, false},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: that it shows something is %v; %s: %s %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that an equality in can, which is true whether the two are equal or not, is an error
// where it is all of a check, and a warning where more decides; and that can may ask whether
// there is something, or whether that is a number.
func TestConditionsInCan(t *testing.T) {
	for condition, want := range map[string]hcl.DiagnosticSeverity{
		`can(step.a.content == "x")`:                                   hcl.DiagError,
		`(can((step.a.content != "x")))`:                               hcl.DiagError,
		`can(step.a.content == "x" && step.a.retries == 0)`:            hcl.DiagError,
		`!can(step.a.content == "x")`:                                  hcl.DiagWarning,
		`step.a.error != null || can(step.a.error.kind == "timeout")`:  hcl.DiagWarning,
		`can(step.a.output.x < 5) || step.a.content == "x"`:            0,
		`!can(step.a.output.x)`:                                        0,
		`step.a.content == "x" && !can(jsondecode(step.a.content).ok)`: 0,
	} {
		_, diags := compileText(fmt.Sprintf(`
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "because" }
  }
  assert "x" { condition = %s }
  expect "run" { status = "success" }
}
`, condition))
		got := hcl.DiagnosticSeverity(0)
		for _, d := range diags {
			if d.Summary == "Condition in can" {
				got = d.Severity
			} else {
				t.Errorf("%s: %v", condition, d)
			}
		}
		if got != want {
			t.Errorf("%s: severity %d, want %d: %v", condition, got, want, diags)
		}
	}
}

package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// What excuses a run that failed, and what only looks as if it did: the rule is one for runs and for calls.
func TestExcuses(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
%s
variable "yes" { default = true }
scenario "s" {
  %s
  on %q {
    fault "http_error" { status_code = 400 }
  }
  %s
}
`
	for _, c := range []struct {
		check   string // of SUBJECT, which is run or call.c
		excused bool
	}{
		{`expect "NAME" { status = "failed" }`, true},
		{`assert "x" { condition = SUBJECT.status == "failed" }`, true},
		{`assert "x" { condition = "failed" == SUBJECT.status }`, true},
		{`assert "x" { condition = SUBJECT.status != "success" }`, true},
		{`assert "x" { condition = !(SUBJECT.status == "success") }`, true},
		{`assert "x" { condition = SUBJECT.error != null && (SUBJECT.status == "failed" || SUBJECT.status == "timeout") }`, true},
		{`assert "x" { condition = [SUBJECT.status, 1] == ["failed", 1] }`, true},
		{`assert "x" { condition = SUBJECT.status == (1 == 1 ? "failed" : "timeout") }`, true},
		{`invariant "x" { condition = SUBJECT.status == "failed" }`, true},

		{`assert "x" { condition = SUBJECT.status != "timeout" }`, false},
		{`assert "x" { condition = SUBJECT.status != "partial" }`, false},
		{`assert "x" { condition = var.yes || SUBJECT.status == "success" }`, false},
		{`assert "x" { condition = SUBJECT.status == "success" || var.yes == true }`, false},
		{`assert "x" { condition = !(!var.yes && SUBJECT.status == "success") }`, false},
		{`assert "x" { condition = 1 == 2 ? SUBJECT.status == "success" : SUBJECT.error != null }`, false},
		{`assert "x" { condition = contains(["failed"], SUBJECT.status) }`, false},
		{`assert "x" { condition = SUBJECT.error != null }`, false},
		{`assert "x" { condition = SUBJECT.error.kind == "http_status" || var.yes }`, false},
		{`assert "x" { condition = SUBJECT.started_ms == 0 }`, false},
		{`expect "NAME" { elapsed_ms = 0 }`, false},
		{`assert "x" { condition = jsonencode(SUBJECT) != "" }`, false},
		{`snapshot "x" { value = SUBJECT.status }`, false},
	} {
		for _, subject := range []struct{ name, does, script string }{
			{"run", "run = workflow.w", "a"},
			{"call.c", "call \"c\" {\n    target = workflow.w\n  }", "c.a"},
		} {
			check := strings.ReplaceAll(strings.ReplaceAll(c.check, "SUBJECT", subject.name), "NAME", strings.TrimPrefix(subject.name, "call."))
			if subject.name != "run" && (strings.HasPrefix(check, "invariant") || strings.Contains(check, "partial")) {
				continue // what has not begun has no status, and no call is partial
			}
			file := fmt.Sprintf(world, "", subject.does, subject.script, check)
			got := isUnexcused(t, file)
			if got == c.excused {
				t.Errorf("%s\nis excused: %v, want %v", check, !got, c.excused)
			}
		}
	}
	// Neither does what the file says of every run.
	file := fmt.Sprintf(world, `invariant "top" { condition = run.status == "failed" }`, "run = workflow.w", "a", `assert "x" { condition = length(step.a.attempts) == 1 }`)
	if !isUnexcused(t, file) {
		t.Error("an invariant of the file excuses a failing run")
	}
}

// isUnexcused reports whether the file's scenario breaks unexpected_failure.
func isUnexcused(t *testing.T, file string) bool {
	t.Helper()
	for _, p := range Run(mustCompile(t, file)[0], RunOptions{}).Problems {
		if p.Name == plan.GateUnexpected {
			return true
		}
	}
	return false
}

// A scenario has to say what must hold: what an import or its file says of every
// run is not about this one.
func TestChecksOfItsOwn(t *testing.T) {
	const world = `
import = ["std/resilience"]
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
invariant "top" { condition = step.a.retries == 0 }
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "x" }
  }
  %s
}
`
	for check, want := range map[string]bool{
		"": true,
		`assert "x" { condition = step.a.content == "x" }`:    false,
		`invariant "own" { condition = step.a.retries == 0 }`: false,
		`expect "a" { content = "x" }`:                        false,
		`snapshot "x" { value = step.a.content }`:             false,
	} {
		broken := false
		for _, p := range Run(mustCompile(t, fmt.Sprintf(world, check))[0], RunOptions{}).Problems {
			broken = broken || p.Name == plan.GateNoAssertion
		}
		if broken != want {
			t.Errorf("with %q the gate no_assertion is broken: %v, want %v", check, broken, want)
		}
	}
}

package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

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

		{`assert "x" { condition = SUBJECT.status == "failed" || SUBJECT.status == "success" }`, true},
		{`assert "x" { condition = SUBJECT.output == null && SUBJECT.status == "failed" }`, true},
		{`assert "x" { condition = SUBJECT.status == "failed" && SUBJECT.error.kind == "http_status" }`, true},
		{`assert "x" { condition = SUBJECT.error.kind == "http_status" && SUBJECT.status == "failed" }`, true},
		{`assert "x" { condition = alltrue([SUBJECT.elapsed_ms == 0, SUBJECT.status == "failed"]) }`, true},
		{`assert "x" { condition = SUBJECT.error != null && (SUBJECT.status == "failed" || SUBJECT.output != null) }`, true},

		{`assert "x" { condition = SUBJECT.error == null ? SUBJECT.status == "success" : SUBJECT.status == "failed" }`, false},
		{`assert "x" { condition = (SUBJECT.status == "failed") == (SUBJECT.error != null) }`, false},
		{`assert "x" { condition = SUBJECT.status == (SUBJECT.error == null ? "success" : "failed") }`, false},
		{`assert "x" { condition = SUBJECT.error == null || SUBJECT.status == "failed" }`, false},
		{`assert "x" { condition = SUBJECT.status == "failed" || SUBJECT.output != null }`, false},
		{`assert "x" { condition = SUBJECT.status == "failed" || try(SUBJECT.output.ok, false) == true }`, false},
		{`assert "x" { condition = SUBJECT.status == "success" ? SUBJECT.output != null : SUBJECT.error.kind != "timeout" }`, false},
		{`assert "x" { condition = SUBJECT.status == "failed" ? SUBJECT.error.kind == "http_status" : SUBJECT.output != null }`, false},
		{`assert "x" { condition = SUBJECT.status == "failed" || SUBJECT.elapsed_ms > 5000 }`, false},
		{`assert "x" { condition = !(SUBJECT.status == "success" && SUBJECT.output == null) }`, false},

		{`assert "x" { condition = SUBJECT.status != "timeout" }`, false},
		{`assert "x" { condition = SUBJECT.status == "success" || SUBJECT.error != null }`, false},
		{`assert "x" { condition = SUBJECT.status == "failed" || SUBJECT.error != null }`, false},
		{`assert "x" { condition = SUBJECT.status != "success" || SUBJECT.error != null }`, false},
		{`assert "x" { condition = SUBJECT.status == "success" || SUBJECT.status != "timeout" }`, false},
		{`assert "x" { condition = anytrue([SUBJECT.status == "success", SUBJECT.elapsed_ms == 0]) }`, false},
		{`assert "x" { condition = SUBJECT.error == null ? SUBJECT.status == "success" : true }`, false},
		{`invariant "x" { condition = SUBJECT.status == "success" || SUBJECT.error != null }`, false},
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

// Of the calls of one block each that does not succeed has to be asked for.
func TestExcusesOfOneCall(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
actor "desk" {
  handler "ask" {
    workflow = workflow.w
  }
}
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  call "c" {
    target = actor.desk.ask
    at     = ["0s", "1s", "2s"]
  }
  on "actor.desk.ask.a" {
    reply { content = "x" }
    fault "http_error" { status_code = 400 }
    %s
  }
  assert "x" { condition = %s }
}
`
	const one, two = `reply { content = "x" }`, `fault "http_error" { status_code = 400 }`
	for _, c := range []struct {
		last, condition string
		excused         bool
	}{
		{one, `call.c[1].status == "failed"`, true},
		{one, `call.c[1].status == "failed" && call.c[0].status == "success"`, true},
		{one, `call.c[*].status == ["success", "failed", "success"]`, true},
		{one, `[for x in call.c : x.status] == ["success", "failed", "success"]`, true},
		{one, `length([for x in call.c : x if x.status == "failed"]) == 1`, true},
		{one, `anytrue([for x in call.c : x.status == "failed"])`, true},
		{two, `call.c[1].status == "failed" && call.c[2].status == "failed"`, true},
		{two, `length([for x in call.c : x if x.status == "failed"]) == 2`, true},

		{one, `call.c[0].status == "success"`, false},
		{one, `call.c[0].status != "failed"`, false},
		{one, `call.c[0].status == "success" && call.c[2].status == "success"`, false},
		{one, `anytrue([for x in call.c : x.status == "success"])`, false},
		{one, `length([for x in call.c : x if x.status == "success"]) >= 1`, false},
		{two, `call.c[1].status == "failed"`, false},
		{two, `anytrue([for x in call.c : x.status == "failed"])`, false},
		{two, `length([for x in call.c : x if x.status == "failed"]) >= 1`, false},
	} {
		if got := isUnexcused(t, fmt.Sprintf(world, c.last, c.condition)); got == c.excused {
			t.Errorf("%s\nis excused: %v, want %v", c.condition, !got, c.excused)
		}
	}
}

// The end of a program has to be asked for, too, by a condition that would not hold of
// another.
func TestExcusesOfPrograms(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    fault "http_error" {}
  }
  assert "x" { condition = %s }
}
`
	const code, signal = "exit", "signal"
	for _, c := range []struct {
		end, condition string
		excused        bool
	}{
		{code, `sut.exit_code == 3`, true},
		{code, `sut.exit_code != 0`, true},
		{code, `sut.exit_code == 0 || sut.exit_code == 3`, true},
		{code, `run.status == "failed"`, true},
		{signal, `sut.signal == "SIGKILL"`, true},
		{signal, `sut.signal != null`, true},

		{code, `sut.exit_code == 0 || endpoint.llm.status == "failed"`, false},
		{code, `sut.exit_code == 3 || endpoint.llm.status == "failed"`, false},
		{code, `sut.exit_code != 0 || run.status == "success"`, false}, // holds of a program that succeeds, too
		{code, `sut.exit_code == 3 || sut.stdout == "done"`, false},
		{code, `sut.exit_code == 3 && sut.stdout == ""`, true},
		{code, `sut.exit_code == 0 || sut.exit_code != 1`, false},
		{signal, `sut.signal == null || endpoint.llm.status == "failed"`, false},
		{signal, `sut.signal == "SIGKILL" || endpoint.llm.status == "failed"`, false},
	} {
		broken := false
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.condition))
			d.asks(chatURL, chatOf("why?")).End(false)
			end := ProgramEnd{Signal: "SIGKILL"}
			if c.end == code {
				three := 3
				end = ProgramEnd{Code: &three}
			}
			d.run.ProgramEnded(end)
			r, _ := d.run.Finish("failed")
			for _, p := range r.Problems {
				broken = broken || p.Name == plan.GateUnexpected
			}
		})
		if broken == c.excused {
			t.Errorf("%s: %s is excused: %v, want %v", c.end, c.condition, !broken, c.excused)
		}
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
		`assert "x" { condition = step.a.content == "x" }`:          false,
		`invariant "own" { condition = step.a.status != "failed" }`: false,
		`expect "a" { content = "x" }`:                              false,
		`snapshot "x" { value = step.a.content }`:                   false,
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

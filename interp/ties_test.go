package interp

import (
	"fmt"
	"testing"
)

// Shows that an order of steps shows nothing where the file alone gives it, because they
// begin at one instant and neither waits for the other, and something where one waits; and
// that overlaps of what took no time is the same in both.
func TestOrdersThatTheFileGives(t *testing.T) {
	const world = `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "reserve" { path = "/reserve" }
  step "http" "pay" {
    path = "/pay"
    %s
  }
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply {
      status_code = 200
      %s
    }
  }
  on "pay" {
    reply {
      status_code = 201
      latency     = "2s"
    }
  }
  assert "x" { condition = %s }
}
`
	const waits, slow = "depends_on = [step.reserve]", `latency = "2s"`
	for _, c := range []struct {
		after, latency, condition string
		shows                     bool
	}{
		{"", "", `[for s in steps : s.name] == ["reserve", "pay"]`, false},
		{"", slow, `[for s in steps : s.name] == ["reserve", "pay"]`, false},
		{"", slow, `steps[*].name == ["reserve", "pay"]`, false},
		{"", slow, `steps[0].name == "reserve"`, false},
		{"", slow, `index(steps[*].name, "reserve") < index(steps[*].name, "pay")`, false},
		{"", slow, `length(steps) == 2 && steps[*].name == ["reserve", "pay"]`, false},
		{"", slow, `[for e in events({ type = "attempt_start" }) : e.step] == ["reserve", "pay"]`, false},
		{"", "", `[for e in events({ type = "step_end" }) : e.step] == ["reserve", "pay"]`, false},
		{waits, "", `[for s in steps : s.name] == ["reserve", "pay"]`, true},
		{waits, slow, `steps[*].name == ["reserve", "pay"]`, true},
		{waits, slow, `[for e in events({ type = "attempt_start" }) : e.step] == ["reserve", "pay"]`, true},
		{waits, "", `[for e in events({ type = "step_end" }) : e.step] == ["reserve", "pay"]`, true},
		{"", slow, `sort(steps[*].name) == ["pay", "reserve"]`, true},
		{"", slow, `[for s in steps : s.name if s.elapsed_ms == 2000] == ["reserve", "pay"]`, true},
		{"", slow, `[for s in steps : s.elapsed_ms] == [2000, 2000]`, true},
		{"", "", `overlaps(steps) == 0`, false},
		{waits, "", `overlaps(steps) == 0`, false},
		{waits, slow, `overlaps(steps) == 0`, true},
		{"", slow, `overlaps(steps) == 1`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.after, c.latency, c.condition))[0], RunOptions{})
		if shows := r.Verdict == Pass; shows != c.shows || (len(r.Relaxed) == 0) != c.shows {
			t.Errorf("%q, %q, %s: that it shows something is %v: %s", c.after, c.latency, c.condition, shows, told(r))
		}
	}
}

// Shows that a pattern which is not found at the beginning of a text, but in a line of it,
// shows nothing of the lines, and that one which no line matches does.
func TestPatternsOfLines(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "started\nERROR: no tea\n" }
  }
  assert "x" { condition = step.a.status == "success" && %s }
}
`
	for condition, shows := range map[string]bool{
		`!regexmatch("^ERROR", step.a.content)`:        false,
		`!regexmatch("started$", step.a.content)`:      false,
		`!regexmatch("^WARN", step.a.content)`:         true,
		`!regexmatch("coffee", step.a.content)`:        true,
		`regexmatch("(?m)^ERROR", step.a.content)`:     true,
		`!regexmatch("(?m)^ERROR: x", step.a.content)`: true,
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, condition))[0], RunOptions{})
		if (r.Verdict == Pass) != shows {
			t.Errorf("%s: %s: %s", condition, r.Verdict, told(r))
		}
	}
}

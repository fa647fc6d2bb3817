package interp

import (
	"fmt"
	"strings"
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
		{"", slow, `[for e in events() : e.step if e.type == "attempt_start"] == ["reserve", "pay"]`, false},
		{waits, slow, `[for e in events() : e.step if e.type == "attempt_start"] == ["reserve", "pay"]`, true},
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

// Shows that an invariant shows nothing of an order that holds because a step took no time and
// stands first in the file, whatever else the scenario checks, and something where the other
// step waits for it, where it took time, or where it holds in both orders.
func TestInvariantsThatTheOrderOfTheFileKeeps(t *testing.T) {
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
      json = { ok = true }
      %s
    }
  }
  on "pay" {
    reply {
      status_code = 201
      latency     = "2s"
    }
  }
  invariant "x" { condition = %s }
  %s
}
`
	const waits, slow, more = "depends_on = [step.reserve]", `latency = "2s"`, `expect "pay" { status_code = 201 }`
	const (
		asked   = `length(step.pay.attempts) == 0 || step.reserve.status == "success"`
		ended   = `step.pay.status != "success" || step.reserve.status == "success"`
		output  = `step.pay.output == null || step.reserve.output != null`
		instant = `step.pay.started_ms == null || step.pay.started_ms >= step.reserve.ended_ms`
		either  = `step.pay.status != "success" || step.pay.status_code == 201`
	)
	for _, c := range []struct {
		after, latency, condition string
		shows                     bool
	}{
		{"", "", asked, false},
		{"", "", instant, false},
		{waits, "", asked, true},
		{waits, slow, asked, true},
		{waits, slow, instant, true},
		{"", "", either, true},
		{"", "", ended, true}, // paying takes time, in which it is reserved in any order
		{waits, "", output, true},
	} {
		for _, other := range []string{"", more} {
			r := Run(mustCompile(t, fmt.Sprintf(world, c.after, c.latency, c.condition, other))[0], RunOptions{})
			if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != (c.shows || other != "") {
				t.Errorf("%q, %q, %s, %q: that it shows something is %v: %s %s %+v", c.after, c.latency, c.condition, other, c.shows, r.Verdict, told(r), r.Relaxed)
			}
		}
	}
	fast := strings.Replace(world, `latency     = "2s"`, "", 1)
	for _, condition := range []string{asked, output} {
		for _, after := range []string{"", waits} {
			r := Run(mustCompile(t, fmt.Sprintf(fast, after, "", condition, more))[0], RunOptions{})
			if (countIdle(r) == 0) != (after != "") || r.Verdict != Pass {
				t.Errorf("%q, %s: %s %s %+v", after, condition, r.Verdict, told(r), r.Relaxed)
			}
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

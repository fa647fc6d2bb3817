package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A check that speaks of the elements of lists says 0 of 0 where they are empty,
// and a scenario that checks nothing else checks nothing.
func TestChecksOverNothing(t *testing.T) {
	const world = `
import = ["std/resilience"]
provider "openai" "m" { model = "x" }
retry "linear" "r" { max_retries = 2 }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    retry  = retry.r
  }
  step "llm" "never" {
    prompt = "why?"
    when   = step.a.content == "go"
  }
  step "loop" "rounds" {
    max_iterations = 3
    while          = false
    step "llm" "again" { prompt = "why?" }
  }
}
variable "strict" { default = false }
variable "lax" { default = true }
locals { strict = false }
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "x" }
  }
  %s
}
`
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" { condition = %s }", condition) }
	none, some := "step.a.delays_ms", "step.a.attempts"
	for _, c := range []struct {
		checks  string
		nothing int // checks that hold of 0 of 0
		passes  bool
	}{
		{assert("alltrue([for d in " + none + " : d < 10])"), 1, false},
		{assert("!anytrue([for d in " + none + " : d > 10])"), 1, false},
		{assert("overlaps([step.a]) == 0"), 1, false},
		{assert("overlaps([step.a, step.a]) == 0"), 1, false}, // it took no time
		{assert("(alltrue([for d in " + none + " : d < 10])) && !anytrue([for d in " + none + " : d > 10])"), 1, false},
		{assert("alltrue([for d in " + none + " : d < 10]) || step.a.content == \"y\""), 1, false},
		{assert("alltrue([for a in " + some + " : alltrue([for c in a.response.chunks : c != \"\"])])"), 1, false},
		{assert("alltrue([for e in events({ type = \"retry_wait\" }) : e.delay_ns < 10])"), 1, false},
		{assert("alltrue([for d in "+none+" : d < 10])") + "\n" + strings.Replace(assert("!anytrue([for d in "+none+" : d > 10])"), `"x"`, `"y"`, 1), 2, false},
		{`invariant "x" { condition = alltrue([for d in step.a.delays_ms : d < 10]) }`, 1, false},

		// What no call had is not told apart.
		{assert("length(distinct([for a in " + some + " : a.idempotency_key])) == 1"), 1, false},
		{assert("length(distinct([for a in " + some + " : lookup(a.request.headers, \"idempotency-key\", \"\")])) <= 1"), 1, false},
		{assert("length(distinct([for a in " + some + " : a.target])) == 1"), 1, false}, // one attempt has one target

		// A step that never ran has nothing to compare.
		{assert("step.never.content != \"secret\""), 1, false},
		{assert("step.never.error == null"), 1, false},
		{assert("step.never.content != \"secret\" && step.never.error == null"), 1, false},
		{assert("step.rounds.again.content != \"secret\""), 1, false},
		{"expect \"never\" { error = null }", 1, false},
		{assert("step.never.content != \"secret\" && step.never.status == \"skipped\""), 0, true},
		{assert("step.never.status == \"skipped\""), 0, true},
		{assert("step.never.attempts == null"), 0, true},
		{assert("step.a.error == null"), 0, true},
		{assert("step.a.error == null && step.never.error == null"), 0, true},
		{assert("step.a.content != \"secret\""), 0, true},
		{"expect \"never\" { skipped_reason = \"when is false\" }", 0, true},
		{"expect \"a\" { error = null }", 0, true},

		// The file decides alone.
		{assert("!var.strict || step.a.content == \"y\""), 1, false},
		{assert("local.strict ? step.a.content == \"y\" : true"), 1, false},
		{assert("var.lax || events({}) == []"), 1, false},
		{assert("step.a.content == \"x\" || var.strict"), 0, true},
		{assert("length(events({ type = \"attempt_start\" })) == 1 && !var.strict"), 0, true},
		{`invariant "x" { condition = !var.strict || step.a.content == "y" }`, 1, false},

		{assert("alltrue([for a in " + some + " : a.outcome == \"success\"])"), 0, true},
		{assert("alltrue([for d in " + none + " : d < 10]) && step.a.content == \"x\""), 0, true},
		{assert("alltrue([for d in " + none + " : d < 10]) || step.a.content == \"x\""), 0, true},
		{assert("length(" + none + ") == 0 && alltrue([for d in " + none + " : d < 10])"), 0, true},
		{assert("alltrue([for s in steps : alltrue([for a in s.attempts : a.n == 1]) && alltrue([for d in s.delays_ms : d < 10]) if s.attempts != null])"), 0, true},
		{assert(none + " == []"), 0, true},
		{assert("alltrue([for d in "+none+" : d < 10])") + "\nexpect \"a\" { content = \"x\" }", 1, true},
		{assert("alltrue([for d in "+none+" : d < 10])") + "\ninvariant \"y\" { condition = step.a.content == \"x\" }", 1, true},
		{`invariant "x" { condition = alltrue([for a in step.a.attempts : a.n == 1]) }`, 0, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.checks))[0], RunOptions{})
		var nothing, gate int
		for _, p := range r.Relaxed {
			if p.Kind == KindNothing && strings.Contains(p.Message, "0 of 0") || p.Kind == KindIdle && !strings.Contains(p.Message, "0 of 0") {
				nothing++
			}
		}
		for _, p := range r.Problems {
			if p.Name != plan.GateNoAssertion {
				t.Errorf("%s\nfails: %s", c.checks, p.Message)
			}
			gate++
		}
		if nothing != c.nothing || (gate == 0) != c.passes || (r.Verdict == Pass) != c.passes {
			t.Errorf("%s\nsays %d times 0 of 0, with %d broken gates and the verdict %s; want %d, and that it passes is %v", c.checks, nothing, gate, r.Verdict, c.nothing, c.passes)
		}
		if i := slices.IndexFunc(r.Relaxed, func(p Problem) bool { return p.Kind == KindNothing }); i >= 0 && r.Relaxed[i].Tells() != "0 of 0" {
			t.Errorf("a report says %q of it", r.Relaxed[i].Tells())
		}
	}
}

// oneAnswer is a step that is answered at once, with a check to be filled in.
const oneAnswer = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "x" }
  }
  %s
}
`

// The operand of a condition that fails says of how many it speaks.
func TestQuantifierOverNothingIsShown(t *testing.T) {
	r := Run(mustCompile(t, fmt.Sprintf(oneAnswer, `assert "x" { condition = alltrue([for d in step.a.delays_ms : d < 10]) && step.a.content == "y" }`))[0], RunOptions{})
	if len(r.Problems) != 1 || len(r.Problems[0].Operands) == 0 || r.Problems[0].Operands[0].Value != "true (0 of 0)" {
		t.Errorf("problems are %+v", r.Problems)
	}
}

// An invariant that was broken does not also hold over nothing.
func TestBrokenInvariantShowsSomething(t *testing.T) {
	for name, condition := range map[string]string{
		"quantifier": "alltrue([for a in step.a.attempts : a.n > 1])",
		"own choice": "step.a.status == null || step.a.content == \"y\"",
		"negation":   "!(step.a.status == \"success\" && step.a.content == \"x\")",
	} {
		t.Run(name, func(t *testing.T) {
			r := Run(mustCompile(t, fmt.Sprintf(oneAnswer, "invariant \"x\" { condition = "+condition+" }"))[0], RunOptions{})
			if len(r.Problems) != 1 || r.Problems[0].Kind != "invariant" || len(r.Relaxed) > 0 {
				t.Errorf("problems are %+v, and beside them %+v", r.Problems, r.Relaxed)
			}
		})
	}
}

// An invariant that held at first and cannot be evaluated in the end says so: it is an
// error if its condition could not be evaluated whatever were there in place of null. Else
// it waits: one of the scenario is broken, and of one of the file, which is for other
// scenarios as well, the report tells. What an event, a span or a series lacks is
// null where it is read by name, as in assertions.
func TestInvariantThatCannotBeEvaluatedInTheEnd(t *testing.T) {
	const (
		holds = iota
		waits
		broken
		fails
	)
	for condition, want := range map[string]int{
		`length([for a in step.a.attempts : a if length([for k, v in a : k if v == "tls_error"]) > 0]) == 0`:              broken,
		`alltrue([for a in step.a.attempts : tonumber(a.target) == 1])`:                                                   broken,
		`alltrue([for a in step.a.attempts : a.error == null || a.error.kind != "timeout"])`:                              holds,
		`length([for a in step.a.attempts : a if a.error.kind == "timeout"]) == 0`:                                        waits,
		`alltrue([for a in step.a.attempts : a.fault == "timeout" || tonumber(a.provider) == 1])`:                         waits,
		`alltrue([for a in step.a.attempts : a.status_code < 500 && upper(a.error.kind) != "TIMEOUT"])`:                   waits,
		`length([for e in events({ type = "step_end" }) : e if e.skipped_reason != null]) == 0`:                           holds,
		`length([for e in events({ type = "step_end" }) : e if e.skipped_reason == null]) == 0`:                           fails,
		`length([for e in events() : e if e.step == "a" && e.kind == "timeout"]) == 0`:                                    holds,
		`alltrue([for e in events() : e.type != "attempt_end" || e.kind == null])`:                                        holds,
		`alltrue([for e in events() : e.step == null || !can(e.skipped_reason)])`:                                         holds,
		`alltrue([for e in events() : e.step == null || lookup(e, "skipped_reason", "none") == "none"])`:                  holds,
		`alltrue([for s in spans() : s.attributes["error.type"] == null])`:                                                holds,
		`alltrue([for e in flatten(spans()[*].events) : e.attributes.skipped_reason == null])`:                            holds,
		`alltrue([for m in metrics("gen_ai.client.operation.duration") : m.labels["error.type"] == null])`:                holds,
		`length([for m in metrics("gen_ai.client.operation.duration") : m if m.labels["error.type"] == null]) == 0`:       fails,
		`alltrue([for e in events({ type = "step_end" }) : length(keys(e)) < 20 || e.skipped_reason == "when is false"])`: holds,
		`alltrue([for e in events({ type = "step_end" }) : e.skipped_reason == null || can(e.skipped_reason)])`:           broken,
	} {
		r := Run(mustCompile(t, fmt.Sprintf(oneAnswer, `expect "a" { content = "x" }
  invariant "x" { condition = `+condition+` }`))[0], RunOptions{})
		got := holds
		switch {
		case len(r.Problems) == 1 && strings.Contains(r.Problems[0].Message, "could be evaluated at first, and not in the end"):
			got = broken
		case len(r.Problems) == 1 && strings.Contains(r.Problems[0].Message, "the condition does not hold"):
			got = fails
		case len(r.Problems) == 1 && strings.Contains(r.Problems[0].Message, "it held at first, and could not be evaluated in the end"):
			got = waits
		}
		if got == waits {
			source := fmt.Sprintf(oneAnswer, `expect "a" { content = "x" }`) + "\ninvariant \"x\" {\n condition = " + condition + "\n}\n"
			if r := Run(mustCompile(t, source)[0], RunOptions{}); r.Verdict != Pass || len(r.Relaxed) != 1 || !strings.Contains(r.Relaxed[0].Message, "could not be evaluated in the end") {
				t.Errorf("%s of the file: %s: %+v %+v", condition, r.Verdict, r.Problems, r.Relaxed)
			}
		}
		if got != want || len(r.Problems) > 1 || got == holds && len(r.Relaxed) > 0 {
			t.Errorf("%s: it is %d, want %d: %+v %+v", condition, got, want, r.Problems, r.Relaxed)
		}
	}
}

// What is null for a condition that reads it by name is nowhere else: a snapshot and an
// assertion beside it see events as they are in the trace.
func TestWhatEventsLackIsNullWhereItIsRead(t *testing.T) {
	r := Run(mustCompile(t, fmt.Sprintf(oneAnswer, `
  assert "read" { condition = [for e in events() : e.type if e.stop == "terminal"] == [] && events({ type = "step_end" })[0].skipped_reason == null }
  assert "kind" { condition = [for e in events() : e.type if e.skipped_reason == "when is false"] == [] && !strcontains(jsonencode(spans()[*].attributes), "skipped_reason") }
  assert "whole" { condition = alltrue([for e in events() : !contains(keys(e), "skipped_reason") && !can(e.stop)]) }`))[0], RunOptions{})
	if len(r.Problems) > 0 {
		t.Errorf("problems are %+v", r.Problems)
	}
}

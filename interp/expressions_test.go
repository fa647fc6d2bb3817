package interp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An expression that cannot be evaluated while the run goes on fails its step,
// says which attribute of which step and why, and passes on like any failure.
func TestFailingExpressions(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"an argument", `step "llm" "b" { prompt = jsondecode(step.a.output).name }`},
		{"a condition", `step "value" "b" {
    value = 1
    when  = jsondecode(step.a.output)
  }`},
		{"a condition that is null", `step "value" "b" {
    value = 1
    when  = jsondecode("null")
  }`},
		{"a condition that is a text", `step "value" "b" {
    value = 1
    when  = step.a.output
  }`},
		{"an output", `step "value" "b" {
    value  = 1
    output = self.output.missing
  }`},
		{"a value of another type", `step "wait" "b" { for = step.a.output }`},
		{"a header that is no text", `step "http" "b" {
    provider = provider.api
    path     = "/"
    headers  = { x = [step.a.output] }
  }`},
		{"a url that is none", `step "http" "b" {
    provider = provider.api
    url      = "http://[${step.a.output}"
  }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustPass(t, testWorld+`
workflow "w" {
  provider = provider.primary
  step "value" "a" { value = "no json" }
  `+c.src+`
  step "value" "c" {
    value      = 1
    depends_on = [step.b]
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["broken_expression"]
  expect "run" {
    status = "failed"
    error  = { kind = "validation", step = "b", mode = "AGENT_VALIDATION", retryable = false }
  }
  expect "b" {
    status     = "failed"
    elapsed_ms = 0
  }
  expect "c" { skipped_reason = "upstream failure: b" }
}`)
		})
	}
}

// A mistake in an expression does not satisfy a scenario that expects its run
// to fail, wherever in a workflow it stands: the gate says where the mistake is.
func TestBrokenExpressionIsAGate(t *testing.T) {
	const mistake = `step.a.output.shelf.number`
	inner := "workflow \"inner\" {\n  inputs = { x = null }\n  output = input.x.shelf.number\n  step \"value\" \"d\" { value = 1 }\n}\n"
	for where, c := range map[string]struct{ more, work, says string }{
		"a value":                  {work: "step \"value\" \"b\" { value = HERE }", says: `"value" of step "b"`},
		"a condition of a step":    {work: "step \"value\" \"b\" {\n    value = 1\n    when = HERE == 1\n  }", says: `"when" of step "b"`},
		"a condition of a loop":    {work: "step \"loop\" \"b\" {\n    while = HERE == 1\n    step \"value\" \"c\" { value = 1 }\n  }", says: `"while" of step "b"`},
		"the output of a step":     {work: "step \"value\" \"b\" {\n    value = 1\n    output = HERE\n  }", says: `"output" of step "b"`},
		"the wait of a step":       {work: "step \"wait\" \"b\" { for = HERE }", says: `"for" of step "b"`},
		"inputs of a workflow":     {more: inner, work: "step \"workflow\" \"b\" {\n    run = workflow.inner\n    inputs = { x = HERE }\n  }", says: `"inputs" of step "b"`},
		"the output of a workflow": {work: "output = HERE", says: `the output of workflow "w"`},
		"the output of one inside": {more: inner, work: "step \"workflow\" \"b\" {\n    run = workflow.inner\n    inputs = { x = step.a.output }\n  }", says: `the output of workflow "inner"`},
	} {
		source := c.more + "workflow \"w\" {\n  step \"value\" \"a\" { value = jsondecode(\"{}\") }\n  " + strings.ReplaceAll(c.work, "HERE", mistake) + "\n}\nscenario \"s\" {\n  run = workflow.w\n  expect \"run\" { status = \"failed\" }\n}"
		r := play(t, source)
		mustFail(t, r, "gate", "broken_expression", c.says, "hint:")
		line := r.Problems[0].Range.Start.Line
		if lines := strings.Split(testWorld+source, "\n"); !strings.Contains(lines[line-1], "shelf.number") {
			t.Errorf("%s: it points at %q", where, lines[line-1])
		}
	}
}

// A value that is larger than any answer ends its step. Steps that double what
// they read would else double themselves out of any memory.
func TestComputedValuesAreBounded(t *testing.T) {
	r := play(t, `
workflow "w" {
  step "value" "kilo" { value = [for n in range(1000) : "0123456789012345678901234567890123456789"] }
  step "value" "mega" { value = [for n in range(1000) : step.kilo.output] }
  step "value" "more" { value = [step.mega.output, step.mega.output] }
}
scenario "s" {
  run = workflow.w
  expect "run" { status = "failed" }
  expect "mega" { status = "success" }
}`)
	mustFail(t, r, "gate", "broken_expression", `"value" of step "more"`, "more than 64 MiB")
}

// A condition that reads the run as a whole, and may hold however that ended,
// does not expect a run that fails.
func TestWholeRunExpectsNoFailure(t *testing.T) {
	const failing = `
workflow "w" {
  provider = provider.primary
  step "llm" "ask" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {}
  }
  assert "about the run" { condition = CONDITION }
}`
	mustFail(t, play(t, strings.Replace(failing, "CONDITION", `jsonencode(run) != ""`, 1)), "run", "unexpected_failure")
	if r := play(t, strings.Replace(failing, "CONDITION", `run.status == "failed"`, 1)); r.Verdict != Pass {
		t.Error(told(r))
	}
}

// A mistake in what an actor answers does not satisfy a scenario that expects
// the call to fail.
func TestBrokenReturnIsAGate(t *testing.T) {
	r := play(t, `
actor "health" {
  handler "trigger" {
    return = arguments.kg
  }
}
scenario "s" {
  call "c" {
    target    = actor.health.trigger
    arguments = { lb = 176 }
  }
  expect "c" { status = "failed" }
}`)
	mustFail(t, r, "gate", "broken_expression", `the return of actor.health.trigger`, `no attribute "kg"`, "hint:")
	if got := r.Problems[0].Range.Start.Line - strings.Count(testWorld, "\n"); got != 4 {
		t.Errorf("it points at line %d", got)
	}
}

// A workflow's output that cannot be evaluated is no success: the run says so.
func TestFailingOutput(t *testing.T) {
	mustPass(t, `
workflow "w" {
  output = jsondecode(step.a.output)
  step "value" "a" { value = "no json" }
}
scenario "s" {
  run   = workflow.w
  allow = ["broken_expression"]
  expect "run" {
    status = "failed"
    output = null
    error  = { kind = "validation" }
  }
}`)
}

// A condition that is null, unknown or no condition fails and shows the
// operand; comparing what can never be equal fails, too, where the types show
// only at the end, but never on a side that decides nothing.
func TestConditions(t *testing.T) {
	const world = `
workflow "w" {
  step "value" "number" { value = 5 }
  step "value" "text" { value = "5" }
  step "value" "list" { value = [1, { a = 2 }] }
  step "value" "nothing" {
    value = 1
    when  = step.number.output == 6
  }
}
`
	for _, c := range []struct {
		name, condition string
		phrases         []string // none: it holds
	}{
		{"null", `step.nothing.output`, []string{"null, neither true nor false", "step.nothing.output = null"}},
		{"null is not greater", `step.nothing.elapsed_ms > 3`, []string{"cannot be evaluated", "step.nothing.elapsed_ms = null"}},
		{"a part of null", `step.number.error.kind == "timeout"`, []string{"cannot be evaluated", `step.number.error is null, and has no attribute "kind"`}},
		{"null equals null", `step.number.error == null && step.nothing.output == null`, nil},
		{"null is not five", `step.nothing.output != 5 && step.nothing.status == "skipped"`, nil},
		{"a text is no condition", `step.text.output`, []string{"neither true nor false"}},
		{"a number and a text", `step.number.output == step.text.output`, []string{"can never be equal", "5 is a number", `"5" is a string`}},
		{"also unequal", `step.number.output != step.text.output`, []string{"can never be equal"}},
		{"also in a not", `!(step.number.output == step.text.output)`, []string{"can never be equal"}},
		{"a list and a number", `step.list.output == 1`, []string{"can never be equal"}},
		{"a list and a list", `step.list.output == [1, { a = 2 }]`, nil},
		{"or stops at what holds", `step.number.output == 5 || step.number.output == "five"`, nil},
		{"and stops at what does not", `!(step.number.output == 6 && step.number.output == "six")`, nil},
		{"but not before", `step.number.output == 6 || step.number.output == "five"`, []string{"can never be equal"}},
		{"a choice looks at the branch it takes", `step.number.output == 5 ? step.text.output == "5" : step.text.output == 5`, nil},
		{"and at no other", `step.number.output == 5 ? step.text.output == 5 : true`, []string{"can never be equal"}},
		{"try and can", `try(step.number.error.kind, "none") == "none" && !can(step.number.error.kind)`, nil},
		{"an index beyond the end", `step.list.output[2] == 1`, []string{"cannot be evaluated: step.list.output has 2 elements"}},
		{"or saves from what is null", `step.number.status == "success" && (step.number.error == null || step.number.error.kind == "timeout")`, nil},
		{"and saves, too", `step.number.status == "success" && !(step.number.error != null && step.number.error.kind == "timeout")`, nil},
		{"a difference is shown", `step.list.output == [1, { a = 3 }]`, []string{"does not hold", "2", "3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, world+`
scenario "s" {
  run = workflow.w
  assert "it" { condition = `+c.condition+` }
}`)
			if c.phrases == nil {
				if r.Verdict != Pass {
					t.Errorf("it does not hold:\n%s", told(r))
				}
				return
			}
			mustFail(t, r, "assert", "it", c.phrases...)
		})
	}
}

// Shows that of a condition that cannot be evaluated the part that fails is told by
// the message, and neither it nor what is around it with the same words again.
func TestFailingPartIsToldOnce(t *testing.T) {
	r := play(t, `
workflow "w" {
  step "value" "number" { value = 5 }
  step "value" "text" { value = "5" }
}
scenario "s" {
  run = workflow.w
  assert "it" { condition = length(distinct([step.number.error.kind, step.text.output])) == 2 }
}`)
	mustFail(t, r, "assert", "it", "cannot be evaluated", `step.number.error is null, and has no attribute "kind".`)
	want := []Operand{{Text: "step.text.output", Value: `"5"`}}
	if diff := cmp.Diff(want, r.Problems[0].Operands); diff != "" {
		t.Error(diff)
	}
}

// A message of one's own stands beside the operands; one that cannot be
// evaluated gives way to the usual words.
func TestErrorMessage(t *testing.T) {
	const world = `
workflow "w" {
  step "value" "a" { value = "x" }
}
scenario "s" {
  run = workflow.w
  assert "it" {
    condition     = step.a.output == "y"
    error_message = MESSAGE
  }
}`
	mustFail(t, play(t, replaced(world, `"the step says ${step.a.output}"`)), "assert", "it", "the step says x", "step.a.output = \"x\"")
	mustFail(t, play(t, replaced(world, `"code ${step.a.error.status_code}"`)), "assert", "it", "does not hold")
}

// An expectation is a partial match that shows the fields that differ, also
// those of a step that never ran.
func TestExpectations(t *testing.T) {
	const world = `
workflow "w" {
  step "value" "a" { value = { x = 1, y = { z = [1, 2] } } }
  step "value" "b" {
    value = 1
    when  = step.a.output.x == 2
  }
}
scenario "s" {
  run = workflow.w
  expect MESSAGE
}`
	for _, c := range []struct {
		expect  string
		address string
		phrases []string
	}{
		{`"a" { output = { y = { z = [1, 2] } } }`, "", nil},
		{`"a" { output = { y = { z = [1, 3] } } }`, "a", []string{"output.y.z[1]", "2", "3"}},
		{`"a" { output = { w = 1 } }`, "a", []string{"output.w"}},
		{`"a" { error = null }`, "", nil},
		{`"a" { error = { kind = "timeout" } }`, "a", []string{"null"}},
		{`"b" {
    status   = "skipped"
    output   = null
    elapsed_ms = null
  }`, "", nil},
		{`"b" { output = 1 }`, "b", []string{"null"}},
		{`"run" { status = "failed" }`, "run", []string{`"success"`, `"failed"`}},
	} {
		r := play(t, replaced(world, c.expect))
		if c.phrases == nil {
			if r.Verdict != Pass {
				t.Errorf("expect %s:\n%s", c.expect, told(r))
			}
			continue
		}
		mustFail(t, r, "expect", c.address, c.phrases...)
	}
}

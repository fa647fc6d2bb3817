package interp

import (
	"fmt"
	"testing"
)

// Shows that a block whose for_each is empty whatever is given is warned of, be it a whole
// scenario, a bench, or a part of one, and one that is meant to be empty at times is not.
func TestBlocksThatAreNeverGenerated(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  output   = { answer = step.ask.content }
  step "llm" "ask" { prompt = "why?" }
}
scenario "other" {
  run = workflow.w
  on "ask" {
    reply { content = "x" }
  }
  expect "ask" { content = "x" }
}
%s
`
	const scenario = `
dynamic "scenario" {
  for_each = %s
  labels   = [scenario.value]
  content {
    run = workflow.w
    on "ask" {
      reply { content = scenario.value }
    }
    expect "ask" { content = scenario.value }
  }
}
`
	const bench = `
dynamic "bench" {
  for_each = %s
  labels   = [bench.value]
  content {
    cases = [{ id = "a", input = {} }]
    sut { run = workflow.w }
    rubric { passed = output.answer == "x" }
  }
}
`
	const gate = `
bench "b" {
  cases = [{ id = "a", input = {} }]
  sut { run = workflow.w }
  rubric { passed = output.answer == "x" }
  dynamic "gate" {
    for_each = %s
    labels   = [gate.value]
    content { min_passed = 1 }
  }
}
`
	for _, block := range []string{scenario, bench, gate} {
		for each, warned := range map[string]bool{`[]`: true, `["a"]`: false, `true ? [] : ["a"]`: false} {
			_, diags := compileText(fmt.Sprintf(world, fmt.Sprintf(block, each)))
			found := false
			for _, d := range diags {
				found = found || d.Summary == "Block that is never generated"
			}
			if found != warned || diags.HasErrors() {
				t.Errorf("%s of %s: warned %t, want %t: %v", block, each, found, warned, diags)
			}
		}
	}
}

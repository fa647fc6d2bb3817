package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows that whatever is said of all attempts of a step that runs several times warns
// where it reads the last pass alone, and that what reads all passes, or one attempt, or a
// step that runs once, does not.
func TestChecksOfTheLastPass(t *testing.T) {
	const source = testWorld + `
workflow "w" {
  provider = provider.primary
  step "loop" "again" {
    max_iterations = %d
    step "llm" "ask" { prompt = "x" }
  }
}
scenario "s" {
  run = workflow.w
  on "again.ask" {
    reply { content = "x" }
  }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		check, hint string
	}{
		{assert(`length(step.again.ask.attempts) == 1`), "flatten(step.again.runs[*].ask.attempts)"},
		{assert(`step.again.ask.retries == 0`), "sum(step.again.runs[*].ask.retries)"},
		{assert(`step.again.ask.delays_ms == []`), "flatten(step.again.runs[*].ask.delays_ms)"},
		{assert(`step.again.ask.cost_usd <= 1`), "sum(step.again.runs[*].ask.cost_usd)"},
		{assert(`jq(step.again.ask, ".attempts | length") == 1`), "flatten(step.again.runs[*].ask.attempts)"},
		{assert(`length(lookup(step.again.ask, "attempts", [])) == 1`), "flatten(step.again.runs[*].ask.attempts)"},
		{`expect "again.ask" { retries = 0 }`, "sum(step.again.runs[*].ask.retries)"},
		{`expect "again.ask" { delays_ms = [] }`, "flatten(step.again.runs[*].ask.delays_ms)"},
		{`invariant "x" { condition = step.again.ask.retries <= 3 }`, "sum(step.again.runs[*].ask.retries)"},
		{assert(`sum(step.again.runs[*].ask.retries) == 0`), ""},
		{assert(`step.again.ask.attempts[0].outcome == "success"`), ""},
		{assert(`jq(step.again.ask, ".content") == "x"`), ""},
		{`expect "again.ask" { content = "x" }`, ""},
	} {
		for _, passes := range []int{1, 2} {
			want := c.hint
			if passes == 1 {
				want = ""
			}
			file, diags := dsl.Parse("test.scenario.hcl", []byte(fmt.Sprintf(source, passes, c.check)))
			if !diags.HasErrors() {
				_, diags = Compile(file, Options{})
			}
			told := ""
			for _, d := range diags {
				told += d.Summary + ": " + d.Detail + "\n"
			}
			if got := strings.Contains(told, "Attempts of the last iteration"); got != (want != "") || !strings.Contains(told, want) || diags.HasErrors() {
				t.Errorf("%s in %d passes: %q, want %q", c.check, passes, told, want)
			}
		}
	}
}

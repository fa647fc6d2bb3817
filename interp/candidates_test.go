package interp

import (
	"fmt"
	"testing"
)

// Shows that a check which allows each target that a classifier may send a text to shows nothing, as a
// whole or as a part beside the number of entries, and one that leaves some out does, or reads what
// else an entry says; so does one of a step that need not be reached.
func TestChecksThatAllowAllCandidates(t *testing.T) {
	const file = `
provider "openai" "llm" { model = "gpt-4o" }
classifier "desk" {
  candidates = ["billing", "tech"]
  fallback   = "%[3]s"
}
workflow "route" {
  provider = provider.llm
  inputs   = { text = "Where is it?" }
  step "llm" "before" { prompt = "hello" }
  step "classify" "where" {
    with = classifier.desk
    text = input.text
    %[2]s
  }
}
scenario "s" {
  run = workflow.route
  on "before" {
    reply { content = "hi" }
  }
  on "where" {
    reply {
      content  = %[5]q
      optional = %[4]v
    }
  }
  expect "where" { outcome = %[6]q }
  assert "it" { condition = %[1]s }
}
`
	for _, c := range []struct {
		condition, step, fallback string
		optional, answered        bool
		marked                    bool
	}{
		{condition: `contains(["billing", "tech"], step.where.entries[0].target)`, marked: true},
		{condition: `contains(["tech", "billing"], classify.where.entries[0].target)`, marked: true},
		{condition: `contains(["billing", "tech", "person"], step.where.entries[0].target)`, fallback: "person", marked: true},
		{condition: `step.where.entries[0].target == "billing" || step.where.entries[0].target == "tech"`, marked: true},
		{condition: `alltrue([for e in step.where.entries : contains(["billing", "tech"], e.target)])`, marked: true},
		{condition: `length(step.where.entries) >= 1`, marked: true},
		{condition: `length(step.where.entries) == 1 && contains(["billing", "tech"], step.where.entries[0].target)`, marked: true},
		{condition: `1 == length(step.where.entries) && contains(["billing", "tech"], step.where.entries[0].target)`, marked: true},
		{condition: `contains(["billing", "tech"], step.where.entries[0].target)`, step: "depends_on = [step.before]", marked: true}, // its reply has to be used
		{condition: `contains(["billing", "tech"], step.where.entries[0].target)`, answered: true, marked: true},

		{condition: `contains(["billing", "tech"], step.where.entries[0].target)`, fallback: "person", answered: true}, // it understood
		{condition: `contains(["billing", "tech"], step.where.entries[0].target)`, step: "depends_on = [step.before]", optional: true},
		{condition: `contains(["billing", "tech"], step.where.entries[0].target)`, step: "when = step.before.content == \"hi\"", optional: true},
		{condition: `contains(["person", "tech"], step.where.entries[0].target)`, fallback: "person"},
		{condition: `contains(["billing"], step.where.entries[0].target)`},
		{condition: `step.where.entries[0].target == "billing"`},
		{condition: `alltrue([for e in step.where.entries : e.target == "billing"])`},
		{condition: `alltrue([for e in step.where.entries : contains(["billing", "tech"], e.target) && e.prompt == "Where is it?"])`},
		{condition: `length(step.where.entries) == 1`},
		{condition: `length(step.where.entries) <= 2`},
		{condition: `length(step.where.entries) == 1 && step.where.entries[0].target == "billing"`},
		{condition: `contains(["billing", "tech"], step.where.entries[0].target) && step.where.entries[0].prompt == "Where is it?"`},
		{condition: `contains(["billing", "tech"], step.where.entries[0].target) && length(step.where.attempts) == 1`},
		{condition: `contains(["billing", "tech"], step.where.entries[0].target) && length(step.where.entries) == length(step.where.attempts)`},
	} {
		if c.fallback == "" {
			c.fallback = "billing"
		}
		content, outcome := "billing, I think", "invalid_json"
		if c.answered {
			content, outcome = `[{"target":"tech","prompt":"Where is it?","segment":{"rationale":"a device"}}]`, "ok"
		}
		r := Run(compileWith(t, "test.scenario.hcl", fmt.Sprintf(file, c.condition, c.step, c.fallback, c.optional, content, outcome), nil)[0], RunOptions{})
		if n := countIdle(r); r.Verdict != Pass || (n > 0) != c.marked {
			t.Errorf("%+v: %s with %d marks: %v %v", c, r.Verdict, n, r.Problems, r.Relaxed)
		}
	}
}

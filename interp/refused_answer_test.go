package interp

import (
	"fmt"
	"strings"
	"testing"
)

// classified is a scenario with one answer of a classifier, and what is checked of it.
const classified = `
provider "openai" "any" { model = "m" }
classifier "sw" {
  fallback   = "general"
  candidates = ["health", "general"]
}
workflow "w" {
  provider = provider.any
  step "classify" "where" {
    with = classifier.sw
    text = "I weigh 80 kg"
  }
}
scenario "s" {
  run = workflow.w
  on "where" {
    reply { content = %q }
  }
  %s
}
`

// Shows that a check which the fallback of a classifier meets shows nothing of an
// answer that was refused and names the same target; and that such a check of a
// refused answer is one where it says so, or where the answer names no fallback.
func TestAnswersThatTheFallbackStandsIn(t *testing.T) {
	const good, fenced = `[{"target": "general", "prompt": "x", "segment": {}}]`, "```json\n[{\"target\": \"general\", \"prompt\": \"x\", \"segment\": {}}]\n```"
	for _, c := range []struct {
		answer, check string
		shows         bool
	}{
		{good, `expect "where" { entries = [{ target = "general" }] }`, true},
		{fenced, `expect "where" { entries = [{ target = "general" }] }`, false},
		{fenced, `assert "x" { condition = step.where.entries[0].target == "general" }`, false},
		{fenced, `assert "x" { condition = alltrue([for e in step.where.entries : e.target == "general"]) }`, false},
		{fenced, `assert "x" { condition = contains([for e in step.where.output : e.target], "general") }`, false},
		{fenced, "expect \"where\" {\n    entries = [{ target = \"general\" }]\n    outcome = \"invalid_json\"\n  }", true},
		{fenced, `assert "x" { condition = step.where.entries[0].target == "general" && step.where.outcome == "invalid_json" }`, true},
		{`[{"target": "general", "prompt": "x", "segments": {}}]`, `assert "x" { condition = step.where.entries[0].target == "general" }`, false},
		{"I do not know.", `assert "x" { condition = step.where.entries[0].target == "general" }`, true},
		{`[{"target": "garden", "prompt": "x", "segment": {}}]`, `expect "where" { entries = [{ target = "general" }] }`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(classified, c.answer, c.check))[0], RunOptions{})
		if marked := len(r.Relaxed) > 0; marked == c.shows || (r.Verdict == Pass) != c.shows || marked && !strings.Contains(r.Relaxed[0].Message, "was refused (invalid_") {
			t.Errorf("%s\n%s: %s: %+v", c.answer, c.check, told(r), r.Relaxed)
		}
	}
}

// Shows that a check of what a classifier made of an answer shows less if the answer names a target and was
// refused before that was looked at, and nothing says why it was.
func TestAnswersRefusedBeforeTheirTarget(t *testing.T) {
	const expected, made = `expect "where" { entries = [{ target = "general" }] }`, `[{"target": "garden", "prompt": "x", "segment": {}}]`
	for _, c := range []struct{ answer, check, want string }{
		{"```json\n" + made + "\n```", expected, "refused as invalid_json before"},
		{made + "]", `assert "x" { condition = step.where.entries[0].target == "general" }`, "refused as invalid_json before"},
		{made + "]", `assert "x" { condition = alltrue([for e in step.where.output : e.target == "general"]) }`, "refused as invalid_json before"},
		{`[{"target": "garden", "prompt": "x"}]`, expected, "refused as invalid_keys before"},
		{`{"target": "garden", "prompt": "x", "segment": {}}`, expected, "refused as invalid_payload before"},
		{`[{"target": "garden", "prompt": 7, "segment": {}}]`, expected, "refused as invalid_types before"},

		{made, expected, ""},
		{"I do not know.", expected, ""},
		{made + "]", "expect \"where\" {\n    entries = [{ target = \"general\" }]\n    outcome = \"invalid_json\"\n  }", ""},
		{made + "]", expected + "\n  assert \"why\" { condition = step.where.outcome == \"invalid_json\" }", ""},
		{made + "]", `assert "asked" { condition = strcontains(step.where.attempts[0].request.body, "80 kg") }`, ""},
		{`[{"target": "health", "prompt": "x", "segment": {}}]`, `expect "where" { entries = [{ target = "health" }] }`, ""},
	} {
		r := RunTold(mustCompile(t, fmt.Sprintf(classified, c.answer, c.check))[0], RunOptions{})
		got := ""
		for _, p := range r.Relaxed {
			if p.Kind == KindElsewhere {
				got += p.Message
			}
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\n%s: %q, want %q", c.answer, c.check, got, c.want)
		}
	}
}

package lint_test

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that what looks in a string of the file for what the run said is warned of
// in each function that looks for something, and the right order in none; and that
// a check that a statement lacks something says so of its case.
func TestLooksInTheWrongPlace(t *testing.T) {
	for condition, begins := range map[string]string{
		`!strcontains("sorry", step.v.output)`:                                                      "strcontains looks for",
		`!startswith("sorry", lower(step.v.output))`:                                                "startswith looks for",
		`!endswith("sorry", run.error.message)`:                                                     "endswith looks for",
		`!word("disk full", step.v.output)`:                                                         "word looks for",
		`!regexmatch(step.v.output, "^a")`:                                                          "regexmatch looks for",
		`regexall(step.v.output, "ab") == []`:                                                       "regexall looks for",
		`length(split(step.v.output, "ab")) == 1`:                                                   "split looks for",
		`trimprefix("ab", step.v.output) == "ab"`:                                                   "trimprefix looks for",
		`!strcontains(step.v.output, "sorry")`:                                                      "",
		`!strcontains("sorry", var.word)`:                                                           "",
		`alltrue([for w in ["a", "b"] : !strcontains("ab", w)])`:                                    "",
		`!regexmatch("^a", step.v.output)`:                                                          "",
		`length(split(",", step.v.output)) == 1`:                                                    "",
		`!startswith(step.q.attempts[0].request.statement, "DROP")`:                                 "This holds also of a statement",
		`[for a in step.q.attempts : a if strcontains(a.request.statement, "drop")] == []`:          "This holds also of a statement",
		`length([for a in step.q.attempts : a if strcontains(a.request.statement, "drop")]) == 0`:   "This holds also of a statement",
		`!anytrue([for a in step.q.attempts : strcontains(a.request.statement, "drop")])`:           "This holds also of a statement",
		`length([for a in step.q.attempts : a if strcontains(a.request.statement, "insert")]) == 1`: "",
		`startswith(step.q.attempts[0].request.statement, "select")`:                                "",
		`!strcontains(lower(step.q.attempts[0].request.statement), "drop")`:                         "",
		`!strcontains(step.q.attempts[0].request.statement, "$1")`:                                  "",
	} {
		got := said(t, "scenario \"s\" {\n run = workflow.w\n assert \"x\" { condition = "+condition+" }\n}\nworkflow \"w\" {\n step \"value\" \"v\" { value = \"x\" }\n}\n", nil)
		if begins == "" {
			want(t, got)
		} else {
			want(t, got, "3 "+begins)
		}
	}
}

// Shows that a budget in dollars and tools are warned of where no reply of the file
// has a price or calls one, and not where a reply does, or where who answers is not
// known.
func TestWhatNoAnswerComesTo(t *testing.T) {
	const world = `
workflow "w" {
  budget { usd = 1 }
  step "loop" "rounds" {
    max_iterations = 2
    step "llm" "ask" {
      prompt = "x"
      tool "weather" { output = "sunny" }
      tool "time" { output = "noon" }
    }
  }
}
scenario "s" {
  run = workflow.w
%s
}
`
	const budget, tools = "3 No reply in this file has a cost_usd", "8 No reply in this file calls a tool of step \"ask\" (weather, time)"
	for script, warns := range map[string][]string{
		`on "rounds.ask" { reply { content = "x" } }`:                                                {budget, tools},
		"on \"rounds.ask\" {\n reply {\n content = \"x\"\n cost_usd = 0.1\n }\n }":                   {tools},
		`on "rounds.ask" { reply { tool_calls = [{ name = "time", arguments = {} }] } }`:             {budget},
		`on "rounds.ask" { reply { tool_calls = [{ name = each.key, arguments = {} }] } }`:           {budget},
		`on "rounds.ask" { reply { tool_calls = [{ name = "tome", arguments = {} }] } }`:             {budget},
		`on "rounds.ask" { reply { tool_calls = [{ name = "x", arguments = { name = "time" } }] } }`: {budget},
		`cassette { path = "a.yaml" }`:                                                               nil,
		`sut { command = ["x"] }`:                                                                    nil,
	} {
		script = strings.ReplaceAll(strings.ReplaceAll(script, "{ reply", "{\n reply"), "} }", "}\n }")
		script = strings.ReplaceAll(script, "}] }\n", "}] }\n")
		want(t, said(t, fmt.Sprintf(world, script), nil), warns...)
	}
}

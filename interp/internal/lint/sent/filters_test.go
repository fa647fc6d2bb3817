package sent_test

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a filter of an answer is warned of where a check reads what it leaves and no reply has
// anything that it leaves out; not where some scenario has, where it is not written out what replies
// have, where no check reads it, and where the filter depends on more than the element.
func TestFiltersThatLeaveNothingOut(t *testing.T) {
	const file = `workflow "w" {
  inputs = { kind = "order" }
  output = %s
  step "http" "list" { path = "/events" }
  step "value" "ids" { value = [for e in step.list.json.events : e.id if e.kind == "order"] }
  step "llm" "sum" { prompt = "Of ${jsonencode([for e in step.list.json.events : e.id if startswith(e.kind, "o")])}" }
}
scenario "s" {
  run = workflow.w
  %s
  on "list" {
    reply { json = %s }
  }
  %s
}
`
	const (
		orders = `{ events = [{ id = 1, kind = "order" }, { id = 2, kind = "order" }] }`
		mixed  = `{ events = [{ id = 1, kind = "order" }, { id = 2, kind = "note" }] }`
		output = `expect "run" { output = [1, 2] }`
		value  = "step.ids.output"
		direct = `[for e in step.list.json.events : e.id if e.kind == "order"]`
		of     = "Of step.list.json.events only those are taken of which "
		other  = "\nscenario \"t\" {\n  run = workflow.w\n  on \"list\" {\n    reply { json = " + mixed + " }\n  }\n"
	)
	for _, c := range []struct {
		output, more, json, check, lines string
	}{
		{value, "", orders, output, "5"},
		{value, "", orders, `assert "a" { condition = length(step.ids.output) == 2 }`, "5"},
		{direct, "", orders, output, "3"},
		{direct, "", orders, `assert "a" { condition = run.output[0] == 1 }`, "3"},
		{value, "", orders, `assert "a" { condition = strcontains(step.sum.attempts[0].request.body, "1") }`, "6"},
		{direct, "", mixed, output, ""},
		{direct, "", `{ events = [] }`, output, ""},
		{direct, "", `{ events = null }`, output, ""},
		{direct, "", `{ events = [{ id = 1, kind = "order" }, { id = 2, kind = each.key }] }`, output, ""},
		{direct, "", orders, output + "\n}" + other + output, ""},
		{direct, "", orders, `assert "a" { condition = step.list.status == "success" }`, ""},
		{direct, "cassette { path = \"c.yaml\" }", orders, output, ""},
		{"[for e in step.list.json.events : e.id if e.kind == input.kind]", "", orders, output, ""},
		{"[for e in step.list.json.events : e.id if length([for k in [e.kind] : k]) == 1]", "", orders, output, ""},
		{"[for e in step.list.json.events : e.id if e.size > 2]", "", orders, output, ""},
		{"[for e in step.list.json.events : e.id]", "", orders, output, ""},
		{"[for e in [1, 2] : e if e > 0]", "", orders, output, ""},
	} {
		got := said(t, fmt.Sprintf(file, c.output, c.more, c.json, c.check))
		var lines []string
		for line := range strings.Lines(got) {
			if at, text, _ := strings.Cut(line, " "); strings.HasPrefix(text, of) {
				lines = append(lines, at)
			}
		}
		if told := strings.Join(lines, " "); told != c.lines {
			t.Errorf("%+v: in line %q, want %q: %s", c, told, c.lines, got)
		}
	}
}

package interp

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// Shows that a check which asks for something that no value is equal to shows nothing,
// however it is asked for: an object with fewer attributes than what is there, a text
// with the line break at the end of its file, and what a function never writes, said by
// a local, a variable, a row or a function, or is refused. Its twin, which a run could break, shows something.
func TestChecksOfWhatIsNeverEqual(t *testing.T) {
	const source = `
provider "http" "api" { base_url = "https://api.test" }
locals {
  event  = { type = "attempt_end" }
  needle = "\"a\": 1"
  tight  = "\"a\":2"
  both   = ["\"a\": 1", "\"b\": 1"]
  none   = 0
}
variable "spaced" {
  type    = string
  default = "\"a\": 1"
}
workflow "w" {
  provider = provider.api
  step "http" "a" { path = "/a" }
  step "http" "b" { path = "/b" }
}
scenario "s" {
  for_each = { one = { needle = "\"a\": 1", tight = "\"a\":2" } }
  run      = workflow.w
  on "a" {
    reply { json = { a = 1, items = [{ id = 1, name = "x" }, { id = 2, name = "y" }] } }
  }
  on "b" {
    reply { body = "first\nhello there" }
  }
  assert "x" {
    condition = %s
  }
}
`
	for _, c := range []struct {
		condition string
		shows     bool
	}{
		// Objects with fewer attributes.
		{`!contains(events(), { type = "attempt_end" })`, false},
		{`!contains(events(), { type = "fault" })`, false},
		{`!contains(events({ step = "a" }), local.event)`, false},
		{`!contains([for e in events() : e], { type = "attempt_end" })`, false},
		{`[for e in events() : e if contains([local.event], e)] == []`, false},
		{`!anytrue([for e in events() : contains([local.event, { type = "fault" }], e)])`, false},
		{`[for i in step.a.json.items : i if contains([{ id = 1 }], i)] == []`, false},
		{`[for i in step.a.json.items : i if contains([{ id = 3, name = "z" }], i)] == []`, true},
		{`[for i in step.a.json.items : i if contains([{ id = 1, name = "x" }], i)] != []`, true},
		{`!can(index(events(), { type = "attempt_end" }))`, false},
		{`!contains(step.a.attempts, { outcome = "failure" })`, false},
		{`!contains(step.a.json.items, { id = 3 })`, false},
		{`length(setintersection(step.a.json.items, [{ id = 3 }])) == 0`, false},
		{`step.a.attempts[0] != { outcome = "failure" }`, false},
		{`step.a.json.items != [{ id = 1 }, { id = 2 }]`, false},
		{`alltrue([for e in events() : e != { type = "fault" }])`, false},
		{`[for e in events() : e if e == { type = "attempt_end" }] == []`, false},
		{`step.a.status == "success" && !contains(events(), { type = "fault" })`, false},
		{`!contains([for e in events() : { type = e.type }], { type = "failure" })`, true},
		{`!contains(step.a.json.items, { id = 3, name = "x" })`, true},
		{`step.a.json.items[0] != { id = 3, name = "x" }`, true},
		{`step.a.json.items == [{ id = 1, name = "x" }, { id = 2, name = "y" }]`, true},
		{`contains(step.a.json.items, { id = 1, name = "x" })`, true},
		{`[for e in events() : e if e.type == "step_end" && e.status == "failed"] == []`, true},
		{`events({ type = "attempt_end", outcome = "failure" }) == []`, true},
		// The line break at the end of a file, or of a text on lines of its own.
		{`step.b.body != file("greeting.txt")`, false},
		{`!(file("greeting.txt") == step.b.body)`, false},
		{`!strcontains(step.b.body, file("greeting.txt"))`, false},
		{`!contains([for s in steps : s.output], file("greeting.txt"))`, false},
		{"step.b.body != <<-EOT\n  hello\n  EOT\n", false},
		{`step.b.body != chomp(file("greeting.txt"))`, true},
		{`!strcontains(step.b.body, trimspace(file("other.txt")))`, true},
		{`step.b.body != "hello\n"`, true},
		{`!strcontains(step.b.body, format("%s\n", "hello"))`, true},
		// What a function never writes, by another name.
		{`!strcontains(jsonencode(step.a.json), local.needle)`, false},
		{`!strcontains(jsonencode(step.a.json), var.spaced)`, false},
		{`!strcontains(jsonencode(step.a.json), each.value.needle)`, false},
		{`!strcontains(jsonencode(step.a.json), format("\"%s\": 1", "a"))`, false},
		{`!strcontains(jsonencode(step.a.json), "${local.needle},")`, false},
		{`!contains(local.both, jsonencode(step.a.json))`, false},
		{`!strcontains(lower(jsonencode(step.a.json)), local.needle)`, false},
		{`alltrue([for n in local.both : !strcontains(jsonencode(step.a.json), n)])`, false},
		{`!anytrue([for n in ["\"a\": 1", "\"b\": 1"] : strcontains(jsonencode(step.a.json), n)])`, false},
		{`!strcontains("got ${jsonencode(step.a.json)}", local.needle)`, false},
		{`length(step.a.json.items) >= local.none`, false},
		{`trimspace(step.b.body) != file("greeting.txt")`, false},
		{`!strcontains(jsonencode(step.a.json), local.tight)`, true},
		{`!strcontains(jsonencode(step.a.json), each.value.tight)`, true},
		{`!strcontains("got ${jsonencode(step.a.json)}", local.tight)`, true},
		{`!strcontains("got ${jsonencode(step.a.json)}", "\"a\": 1 ${step.b.status}")`, true},
		{`alltrue([for n in [local.needle, local.tight] : !strcontains(jsonencode(step.a.json), n)])`, true},
		{`!strcontains(upper(jsonencode(step.a.json)), "TRUE")`, true},
		{`length(step.a.json.items) > local.none`, true},
	} {
		files := fstest.MapFS{
			"t.scenario.hcl": {Data: []byte(fmt.Sprintf(source, c.condition))},
			"greeting.txt":   {Data: []byte("hello\n")},
			"other.txt":      {Data: []byte("goodbye\n")},
		}
		file, diags := dsl.Parse("t.scenario.hcl", files["t.scenario.hcl"].Data)
		if diags.HasErrors() {
			t.Fatalf("%s: %v", c.condition, diags)
		}
		compiled, diags := Compile(file, Options{Files: stdlib.Files{FS: files}})
		if diags.HasErrors() {
			if c.shows || !slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool { return d.Summary == "Constant condition" }) {
				t.Errorf("%s: %v", c.condition, diags)
			}
			continue // refused
		}
		r := Run(compiled.Plans[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: that it shows something is %v; %s: %s %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

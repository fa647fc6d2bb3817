package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/language"
)

// Whatever a dynamic block can generate, it says where it generates nothing, and
// not where the file says when it does.
func TestWhatIsNeverGenerated(t *testing.T) {
	tops := 0
	for _, top := range language.File().Blocks {
		if top.Type == "variable" || top.Type == "locals" {
			continue
		}
		tops++
		neverGenerated(t, top.Type, "%s\nscenario \"s\" {\n  run = workflow.w\n  expect \"a\" { content = \"x\" }\n}\n")
	}
	inner := 0
	for _, b := range language.File().Block("scenario").Blocks {
		inner++
		neverGenerated(t, b.Type, "scenario \"s\" {\n  run = workflow.w\n  %s\n  expect \"a\" { content = \"x\" }\n}\n")
	}
	if tops < 5 || inner < 10 {
		t.Errorf("%d blocks of files and %d of scenarios: too few", tops, inner)
	}
}

func neverGenerated(t *testing.T, typ, place string) {
	t.Helper()
	const around = "provider \"openai\" \"m\" { model = \"x\" }\nworkflow \"w\" {\n  provider = provider.m\n  step \"llm\" \"a\" { prompt = \"why?\" }\n}\n"
	for each, want := range map[string]bool{
		`[]`: true, `{}`: true, `fileset("no-such-folder/*.json")`: true, `[for x in [1] : x if x > 1]`: true,
		`true ? [] : [1]`: false,
	} {
		dynamic := fmt.Sprintf("dynamic %q {\n  for_each = %s\n  content {}\n}\n", typ, each)
		_, diags := tryCompile("never.scenario.hcl", around+fmt.Sprintf(place, dynamic))
		got := false
		for _, d := range diags {
			got = got || d.Summary == "Block that is never generated"
		}
		if got != want {
			t.Errorf("%s over %s: warned %v, want %v: %v", typ, each, got, want, diags)
		}
	}
}

// The rows that the dynamic blocks of a scenario are generated from, in the next two tests.
const generatingRows = `
variable "full" { default = false }
locals {
  full = var.full
  kept = ["retries", "waits"]
}
scenario "s" {
  for_each = {
    one = { want = { retry = 2 }, list = [], on = false }
    two = { want = { retry = 0, elapsed = 1 }, list = [], on = false }
  }
  run = workflow.w
  on "a" {
    reply { content = "${each.key} ${length(each.value.want)} ${length(each.value.list)} ${each.value.on}" }
  }
  %s
  assert "asked once" { condition = length(step.a.attempts) == 1 }
}
`

// neverWarned are the lines of a file on which it is said that a block is never generated, each
// with the beginning of what is said. Nothing may be wrong with the file.
func neverWarned(t *testing.T, source string) (said []string) {
	t.Helper()
	const around = "provider \"openai\" \"m\" { model = \"x\" }\nworkflow \"w\" {\n  provider = provider.m\n  step \"llm\" \"a\" { prompt = \"why?\" }\n}\n"
	_, diags := tryCompile("never.scenario.hcl", around+source)
	if diags.HasErrors() {
		t.Error(diags)
	}
	for _, d := range diags {
		if d.Summary == "Block that is never generated" {
			begin, _, _ := strings.Cut(d.Detail, ",")
			said = append(said, fmt.Sprintf("%s: %s", lineOf(around+source, d.Subject.Start.Line), begin))
		}
	}
	return said
}

func lineOf(source string, n int) string { return strings.TrimSpace(strings.Split(source, "\n")[n-1]) }

// A dynamic block that generates nothing in any instance of its scenario says so once, and one
// that does in some says nothing. Where a variable chooses, another run may have it.
func TestWhatNoInstanceGenerates(t *testing.T) {
	for each, empty := range map[string]bool{
		`{ for k, v in each.value.want : k => v if contains(["retries", "waits"], k) }`: true,
		`{ for k, v in each.value.want : k => v if contains(local.kept, k) }`:           true,
		`{ for k, v in each.value.want : k => v if k == "retry" }`:                      false,
		`{ for k, v in each.value.want : k => v if k == "elapsed" }`:                    false, // in the second row alone
		`each.value.list`:                                      true,
		`lookup(each.value, "lists", [])`:                      true,
		`each.key == "three" ? ["x"] : []`:                     true,
		`(each.value.on ? ["x"] : [])`:                         true,
		`each.key == "one" ? ["x"] : []`:                       false, // in the first row alone
		`each.key == "two" ? ["x"] : []`:                       false,
		`contains(local.kept, each.key) ? [1] : []`:            true,
		`var.full && each.value.on ? ["x"] : []`:               false,
		`local.full && each.value.on ? [1] : []`:               false,
		`local.full ? keys(each.value.want) : []`:              false,
		`{ for k, v in each.value.want : k => v if var.full }`: true, // as one outside of instances is
	} {
		line := "for_each = " + each
		got := neverWarned(t, fmt.Sprintf(generatingRows, "dynamic \"assert\" {\n    "+line+"\n    labels   = [\"${assert.key}\"]\n    content { condition = step.a.content != \"x${assert.key}\" }\n  }"))
		var want []string
		if empty {
			want = []string{line + ": The for_each is empty in every instance"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", each, got, want)
		}
	}
}

// The same goes for every type of block in a scenario, and for each block in the content of
// another one: what counts is all that it is written out for.
func TestWhatNothingGenerates(t *testing.T) {
	inner := 0
	for _, b := range language.File().Block("scenario").Blocks {
		inner++
		got := neverWarned(t, fmt.Sprintf(generatingRows, fmt.Sprintf("dynamic %q {\n    for_each = each.value.list\n    content {}\n  }", b.Type)))
		if want := []string{"for_each = each.value.list: The for_each is empty in every instance"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", b.Type, got, want)
		}
	}
	if inner < 10 {
		t.Errorf("%d blocks of scenarios: too few", inner)
	}
	const nested = `
scenario "s" {
  run = workflow.w
  dynamic "on" {
    for_each = { a = { faults = [%s], replies = ["x"] } }
    labels   = [on.key]
    content {
      dynamic "fault" {
        for_each = on.value.faults
        labels   = [fault.value]
        content {}
      }
      dynamic "reply" {
        for_each = on.value.replies
        content { content = reply.value }
      }
    }
  }
  expect "run" { status = %q }
}`
	if got, want := neverWarned(t, fmt.Sprintf(nested, "", "success")), []string{"for_each = on.value.faults: The for_each is empty for every element of the dynamic block around it"}; !slices.Equal(got, want) {
		t.Errorf("nested: %q, want %q", got, want)
	}
	if got := neverWarned(t, fmt.Sprintf(nested, `"timeout"`, "failed")); got != nil {
		t.Errorf("nested, with a fault: %q", got)
	}
	// What is not written out at all is the mistake of what is around it.
	if got := neverWarned(t, fmt.Sprintf(generatingRows, "dynamic \"on\" {\n    for_each = each.value.list\n    labels = [on.value]\n    content {\n dynamic \"fault\" {\n for_each = on.value\n labels = [\"timeout\"]\n content {}\n }\n }\n }")); len(got) != 1 {
		t.Errorf("in what is not there: %q", got)
	}
}

// Which scenarios are run makes no difference: one row of several is not all of them.
func TestWhatOtherInstancesGenerate(t *testing.T) {
	src := `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  for_each = { one = [], two = ["x"] }
  run = workflow.w
  dynamic "on" {
    for_each = each.value
    labels   = ["a"]
    content {
      reply { content = on.value }
    }
  }
  expect "run" { status = each.key == "one" ? "failed" : "success" }
}`
	file, diags := dsl.Parse("rows.scenario.hcl", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, diags = Compile(file, Options{Wanted: func(p *Plan) bool { return p.Name == "s[one]" }})
	for _, d := range diags {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
}

package mutate

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows what is taken for an expression that has a part of it, and that each such mutant is a file with the same lines.
func TestParts(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"one([for v in distinct(x) : v if v > 1])", "one([for v in distinct(x) : v if v > 1]) → x[0]; one([for v in distinct(x) : v if v > 1]) → the last of x"},
		{"one([for v in x : v.id if v.on])", "one([for v in x : v.id if v.on]) → [for v in x : v.id][0]; one([for v in x : v.id if v.on]) → the last of [for v in x : v.id]"},
		{"[for v in x : v if v > 1][0]", "[for v in x : v if v > 1][0] → the last of x"},
		{"sort([for v in x : v if v > 1])[0]", "sort([for v in x : v if v > 1])[0] → x[0]; sort([for v in x : v if v > 1])[0] → the last of x"},
		{"[for v in x : v if v > 1][2].a", "[for v in x : v if v > 1][2] → x[0]; [for v in x : v if v > 1][2] → the last of x"},
		{"[for v, l in { for v in x : v => v... } : v if length(l) > 1][0]", "[for v, l in { for v in x : v => v... }… → x[0]; [for v, l in { for v in x : v => v... }… → the last of x"},
		{"one([for k, l in { for v in x : v.id => v... } : k if length(l) > 1])", "one([for k, l in { for v in x : v.id =>… → [for v in x : v.id][0]; one([for k, l in { for v in x : v.id =>… → the last of [for v in x : v.id]"},
		{"max([for v in x : v if v > 1]...)", "max([for v in x : v if v > 1]...) → x[0]; max([for v in x : v if v > 1]...) → the last of x"},
		{`lower(trimspace(replace(x, "a", "b")))`, `lower(trimspace(replace(x, "a", "b"))) → replace(x, "a", "b"); lower(trimspace(replace(x, "a", "b"))) → x; trimspace(replace(x, "a", "b")) → x`},
		{`lower(concat(x, y)[0])`, "concat(x, y) → y"},
		{`upper(join("", x))`, `upper(join("", x)) → x; join("", x) → the first only`},
		{"reverse(sort(x))", ""},
		{"one(x)", ""},
		{"x[0]", ""},
		{"sort(x)[0]", ""},
		{"values(merge({ for e in x : e.at => e }, { for e in y : e.at => e }))", "values(merge({ for e in x : e.at => e }… → the lists one after the other"},
		{"keys(merge({ for e in x : e.at => e if e.on }, y))", "keys(merge({ for e in x : e.at => e if … → the lists one after the other"},
		{"values({ for e in x : e.at => e.b })", "values({ for e in x : e.at => e.b }) → a list as it comes: [for e in x : e.b]"},
		{"keys({ for e in x : e.at => e.b })", "keys({ for e in x : e.at => e.b }) → a list as it comes: [for e in x : e.at]"},
		{"length({ for e in x : e.at => e.b })", "{ for e in x : e.at => e.b } → a list as it comes: [for e in x : e.b]"},
		{"[for e in { for e in x : e.at => e } : e.b]", "{ for e in x : e.at => e } → a list as it comes: [for e in x : e]"},
		{"[for k, e in { for e in x : e.at => e } : [k, e]]", ""},
		{"values({ for e in x : e.at => e.b... })", ""},
		{"values(merge(x, y))", ""},
		{"[for a in x : a.id if !contains(y, a.id)]", "[for a in x : a.id if !contains(y, a.id… → if its place >= length(y)"},
		{"[for a in x : a.id if contains(y, a.id)]", "[for a in x : a.id if contains(y, a.id)] → if its place < length(y)"},
		{"[for a in x : a.id if contains(a.all, y)]", ""},
		{"jsondecode(x).a.b", `jsondecode(x).a.b → what stands behind "b" in the text`},
		{"jsondecode(x)", ""},
		{"jsondecode(step.a.content).b", ""},
		{`regex("^a", x)`, ""},
		{`regex("a", x)`, `regex("a", x) → the last match`},
		{"csvdecode(x)", "csvdecode(x) → split at lines and commas"},
		{"concat(x, y)", "concat(x, y) → y"},
		{"setunion(x, y, z)", "setunion(x, y, z) → concat(x, y, z)"},
		{"split(\",\", x)", "split(\",\", x) → [x]"},
		{"sum([1, 2])", ""},
		{"word(x, \"a\", \"b\")", ""},
		{"one([for v in step.a.output : v\n    if v == step.b.output\n    ])", "one([for v in step.a.output : v if v ==… → step.a.output[0]; one([for v in step.a.output : v if v ==… → the last of step.a.output"},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"b\" {\n    value = " + c.value + "\n  }\n}\n"
		var want []string
		for _, w := range strings.Split(c.want, "; ") {
			if w != "" {
				want = append(want, "step.b value: "+w)
			}
		}
		if got := changesOf(t, text, partial); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		for _, m := range u.mutants([]string{partial}) {
			if _, diags := dsl.Parse("a.scenario.hcl", m.Text()); diags.HasErrors() || strings.Count(string(m.Text()), "\n") != strings.Count(text, "\n") {
				t.Errorf("%s: %s: %s\n%s", c.value, m.Change, diags, m.Text())
			}
			if strings.Contains(c.value, "step.b.output") && !strings.Contains(string(m.Text()), "step.b.output") {
				t.Errorf("%s: %s: it waits for fewer steps:\n%s", c.value, m.Change, m.Text())
			}
		}
	}
}

// A part whose value has another type is neither listed nor counted: that something is red then says nothing about
// what checks look at.
func TestPartsThatDoNotFit(t *testing.T) {
	const text = provided + `
workflow "w" {
  provider = provider.api
  step "http" "a" { path = "/" }
  step "value" "words" { value = split(",", step.a.body) }
  step "value" "first" { value = one([for e in [[1, 2], "a", [3, 4]] : e if length(e) == 1]) }
  step "value" "all" { value = flatten([["a"], "b"]) }
  step "http" "b" {
    method = "POST"
    path   = "/"
    json   = { n = sum([for e in step.words.output : 1]), all = element(step.words.output, 1) }
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { body = "x,y" }
  }
  on "b" {
    reply { json = {} }
  }
  assert "all" {
    condition = step.words.output == ["x", "y"] && step.first.output == "a" && step.all.output == ["a", "b"] && step.b.attempts[0].request.json == { n = 2, all = "y" }
  }
}
`
	r := mutated(t, map[string]string{"a.scenario.hcl": text}, "", Options{Only: []string{partial}})
	var got []string
	for _, m := range r.Mutants {
		got = append(got, m.Change+" "+string(m.Verdict))
	}
	want := []string{`value: split(",", step.a.body) → [step.a.body] killed`, "json: sum([for e in step.words.output : 1]) → the first only killed", "json: element(step.words.output, 1) → (step.words.output)[0] killed"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// What no mutant changes is told of: a function of an expression, and one of a program of jq, wherever the program stands.
func TestUnchangedIsTold(t *testing.T) {
	const text = `
locals {
  program = "to_entries | length"
  words   = ["a"]
}
provider "openai" "m" {}
workflow "w" {
  inputs = { a = null }
  step "value" "b" { value = length(keys(input.a)) }
  step "value" "c" { value = jq(input.a, local.program) }
  step "value" "d" { value = jq(input.a, "[.x | strftime(\"%Y\"), (.y | ascii_downcase)]") }
  step "value" "e" { value = [for x in [input.a.y] : sort(x) if length(x) > 2] }
  step "value" "f" { value = regexmatch("^a+$", input.a.y) && contains(local.words, input.a.y) }
  step "value" "g" { value = tonumber(join("", split("-", "4-2"))) }
  step "value" "h" { value = jq(input.a, "reduce .z[] as $x (0; . + $x)") }
  step "value" "i" { value = jq(input.a, "reduce .z[] as $x ({}; .[$x] = 1)") }
  step "value" "k" { value = trimspace(jsonencode(input.a)) }
  step "llm" "l" {
    provider = provider.m
    prompt   = "What is ${jsonencode(input.a)}?"
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { a = { x = 0, y = "a", z = ["p"] } }
  allow  = ["broken_expression", "unexpected_failure"]
  assert "it ran" { condition = step.b.output == 3 }
}
`
	texts := map[string]string{"a.scenario.hcl": text}
	r := mutated(t, texts, "", Options{})
	want := []string{"jsonencode() in step.k", "keys() in step.b", "length of jq in local.program", "length() in step.b", "reduce of jq in step.h", "strftime of jq in step.d", "to_entries of jq in local.program", "trimspace() in step.k"}
	if !slices.Equal(r.Unchanged, want) {
		t.Errorf("told are %q, not %q", r.Unchanged, want)
	}
	if got := r.NotChanged(); !strings.HasPrefix(got, "not changed: jsonencode() in step.k, keys() in step.b, length of jq in local.program, ") {
		t.Errorf("it is told as %q", got)
	}
	if r := mutated(t, texts, "", Options{Only: []string{"retry"}}); len(r.Unchanged) > 0 {
		t.Errorf("told are %q where one operator is used", r.Unchanged)
	}
}

package mutate

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// A list that contains looks into gets each value that a scenario gives in the place of what is looked for, and no other one.
func TestWiderLists(t *testing.T) {
	const scenarios = `
scenario "s" {
  run    = workflow.w
  inputs = { role = "auditor", n = 7, people = [{ job = "cook" }, { job = "owner" }], key = "a-text-that-is-longer-than-a-word", sign = "a\"b" }
  on "plan" {
    reply { json = { role = "guest", plan = "gold" } }
  }
  on "other" {
    reply { json = { plan = "tin" } }
  }
  expect "plan" { json = { plan = "none" } }
}
scenario "again" {
  run    = workflow.w
  inputs = { role = "auditor" }
}
scenario "owner" {
  run    = workflow.w
  inputs = { role = "owner" }
}
`
	for _, c := range []struct{ value, locals, want string }{
		{`contains(["owner"], input.role)`, "", `step.s value: "auditor" added to ["owner"]`},
		{`!contains(["auditor"], input.role)`, "", `step.s value: "owner" added to ["auditor"]`},
		{`contains(local.roles, input.role)`, `roles = ["owner"]`, `step.s value: "auditor" added to local.roles`},
		{`contains(concat(local.roles, ["x"]), input.role)`, `roles = toset(["owner"])`, `step.s value: "auditor" added to concat(local.roles, ["x"])`},
		{`contains(["tin", "lead"], step.plan.json.plan)`, "", `step.s value: "gold" added to ["tin", "lead"]`},
		{`[for p in input.people : contains(["owner"], p.job)]`, "", `step.s value: "cook" added to ["owner"]`},
		{`contains([1], input.n)`, "", "step.s value: 7 added to [1]"},
		{`contains(["1"], input.n)`, "", ""},
		{`contains(["x"], input.key)`, "", ""},
		{`contains(["x"], input.sign)`, "", ""},
		{`contains(["owner", step.a.output], input.role)`, "", ""},
		{`contains(input.people, input.role)`, "", ""},
		{`contains(["owner"], lower(input.role))`, "", ""},
		{`contains(["owner"], local.roles)`, `roles = "x"`, ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = " + c.value + "\n  }\n}\nlocals {\n  " + c.locals + "\n}\n" + scenarios
		var got []string
		for _, change := range changesOf(t, text, "data") {
			if strings.Contains(change, " added to ") {
				got = append(got, change)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), c.want)
		}
	}
}

// A role that a scenario gives shows nothing as long as something else refuses it, too.
func TestWiderListIsUnshown(t *testing.T) {
	const text = `
workflow "remove" {
  inputs = { role = null, approved = null }
  step "value" "drop" {
    when  = contains(["owner", "admin"], input.role) && input.approved
    value = 1
  }
}
scenario "owner" {
  run    = workflow.remove
  inputs = { role = "owner", approved = true }
  expect "drop" { status = "success" }
}
scenario "auditor" {
  run    = workflow.remove
  inputs = { role = "auditor", approved = APPROVED }
  expect "drop" { status = "skipped" }
}
`
	for approved, want := range map[string]string{"false": "unshown", "true": `killed "auditor" by expect drop`} {
		r := mutated(t, map[string]string{"a.scenario.hcl": strings.ReplaceAll(text, "APPROVED", approved)}, "", Options{Only: []string{"data"}})
		if change := `step.drop when: "auditor" added to ["owner", "admin"]: ` + want; !slices.Contains(verdicts(r), change) {
			t.Errorf("approved = %s: got\n%s\nwant %s", approved, strings.Join(verdicts(r), "\n"), change)
		}
	}
}

// Arguments of merge are left out and swapped, where that may make a difference, and defaults are others.
func TestMergesAndDefaults(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`merge(input.a, input.b)`, "merge(input.a, input.b) → input.a; input.a left out of merge; input.a and input.b swapped in merge"},
		{`merge({ a = 1 }, local.b, input.c)`, "merge({ a = 1 }, local.b, input.c) → { a = 1 }; { a = 1 } left out of merge; local.b left out of merge; local.b and input.c swapped in merge; input.c left out of merge"},
		{`merge({ b = 1 }, local.b)`, "merge({ b = 1 }, local.b) → { b = 1 }; { b = 1 } left out of merge; { b = 1 } and local.b swapped in merge"},
		{`merge(input.list...)`, ""},
		{`lookup(input.a, "b", 3)`, "default of lookup: 3 → 3000; default of lookup: 3 → 0"},
		{`lookup(input.a, "b", 0)`, "default of lookup: 0 → 1000000"},
		{`lookup(input.a, "b", input.c)`, ""},
		{`try(input.a, false)`, "try(input.a, false) → input.a; default of try: false → true"},
		{`coalesce(input.a, "")`, `coalesce(input.a, "") → input.a; default of coalesce: "" → "x"`},
		{`try(input.a, "k-1")`, "try(input.a, \"k-1\") → input.a; default of try: another text"},
		{`try(input.a, null)`, "try(input.a, null) → input.a"},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = " + c.value + "\n  }\n}\nlocals {\n  b = { b = 2 }\n}\n"
		got := changesOf(t, text, "computation")
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], "step.s value: ")
		}
		want := c.want
		if strings.HasPrefix(c.value, "merge(input.a") || strings.HasPrefix(c.value, "merge({") {
			slices.Sort(got)
			parts := strings.Split(want, "; ")
			slices.Sort(parts)
			want = strings.Join(parts, "; ")
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), want)
		}
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		for _, m := range u.mutants([]string{"computation"}) {
			if _, diags := dsl.Parse("a.scenario.hcl", m.Text()); diags.HasErrors() {
				t.Errorf("%s: %s: %v", c.value, m.Change, diags)
			}
		}
	}
}

// A default that no scenario comes to is counted with the call that it stands in.
func TestDefaultsAreToldOnce(t *testing.T) {
	const text = `
workflow "w" {
  inputs = { a = { b = 1 } }
  step "value" "a" { value = [try(input.a.b, 3), lookup(input.a, "b", 3)] }
}
scenario "s" {
  run = workflow.w
  expect "a" { output = [1, 1] }
}
`
	r := mutated(t, map[string]string{"a.scenario.hcl": text}, "", Options{Only: []string{"computation"}})
	var b strings.Builder
	if err := WriteText(&b, r, Options{}, 0); err != nil {
		t.Fatal(err)
	}
	want := `unshown   step.a: value: try(input.a.b, 3) → input.a.b  a.scenario.hcl:4
          no scenario has data that shows it, nor 2 other changes of it
unshown   step.a: value: default of lookup: 3 → 3000  a.scenario.hcl:4
          no scenario has data that shows it, nor another change of it
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// An entry of retry_on is left out, and the failures are added that scenarios inject where the policy is used.
func TestEntriesOfRetryOn(t *testing.T) {
	const text = `
retry "linear" "r" {
  retry_on = LIST
}
workflow "w" {
  step "http" "a" { retry = retry.r }
  step "http" "b" {}
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" { status_code = 504 }
    fault "timeout" {}
    fault "connection_reset" {}
    reply { status_code = 404 }
    reply { status_code = 201 }
  }
  on "b" {
    fault "http_error" { status_code = 500 }
  }
}
`
	for list, want := range map[string]string{
		`["429", "5xx"]`:           `["429", "5xx"] dropped; "429" left out; "5xx" left out; "timeout" added; "connection.reset" added; "404" added`,
		`[504, "connection"]`:      `[504, "connection"] dropped; 504 left out; "connection" left out; "timeout" added; "404" added`,
		`["timeout"]`:              `["timeout"] dropped; "504" added; "connection.reset" added; "404" added`,
		"[\n    \"timeout\",\n  ]": `[ "timeout", ] dropped; "504" added; "connection.reset" added; "404" added`,
		`["timeout", "FLAKY"]`:     `["timeout", "FLAKY"] dropped; "timeout" left out; "FLAKY" left out`,
		`[]`:                       "", `local.list`: "local.list dropped",
	} {
		file := strings.Replace(text, "LIST", list, 1)
		got := changesOf(t, file, "retry_on")
		for i := range got {
			got[i] = strings.TrimPrefix(strings.TrimPrefix(got[i], "retry.r retry_on"), ":")[1:]
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", list, strings.Join(got, "\n  "), want)
		}
		u := &unit{path: "a.scenario.hcl", source: []byte(file)}
		for _, m := range u.mutants([]string{"retry_on"}) {
			if _, diags := dsl.Parse("a.scenario.hcl", m.Text()); diags.HasErrors() || strings.Count(string(m.Text()), "\n") != strings.Count(file, "\n") {
				t.Errorf("%s: %s: %v\n%s", list, m.Change, diags, m.Text())
			}
		}
	}
}

// Shows what is swapped where the first counts that there is.
func TestSwapped(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"coalesce(input.a, input.b, 3)", "input.a and input.b swapped in coalesce"},
		{"coalesce(input.a, 3)", ""},
		{"coalesce(input.a, input.a)", ""},
		{"coalesce(input.a...)", ""},
		{"try(input.a.x, input.b.x)", "input.a.x and input.b.x swapped in try"},
		{"try(step.x.json.a, step.x.json.b)", ""},
		{"coalesce(step.x.json.a, step.x.json.b)", "step.x.json.a and step.x.json.b swapped in coalesce"},
		{"coalesce(step.x.json.a, step.y.json.a)", "step.x.json.a and step.y.json.a swapped in coalesce"},
		{"coalesce(step.x.json.a, step.often.json.a)", ""},
		{"input.a != null ? input.a : input.b", "input.a and input.b swapped in the choice"},
		{"input.a == null ? input.b : input.a", "input.a and input.b swapped in the choice"},
		{`input.a != "" ? input.a : input.b`, "input.a and input.b swapped in the choice"},
		{"input.a != null ? input.b : input.a", ""},
		{"input.a != null ? input.a : 3", ""},
		{"input.a > 3 ? input.a : input.b", ""},
		{"max(input.a, input.b)", ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"often\" {\n    when  = input.c\n    value = 1\n  }\n  step \"value\" \"s\" {\n    value = " + c.value + "\n  }\n}\n"
		got := ""
		for _, m := range changesOf(t, text, "computation") {
			if strings.Contains(m, "swapped") {
				got += strings.TrimPrefix(m, "step.s value: ")
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.value, got, c.want)
		}
	}
}

package mutate

import (
	"slices"
	"strings"
	"testing"
)

// Each keyword of a schema that refuses something is left out, and each limit moved, wherever the schema is written.
func TestSchemasAreWeakened(t *testing.T) {
	const step = "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = schemaerror(x, SCHEMA)\n  }\n}\n"
	for _, c := range []struct{ name, schema, locals, want string }{
		{"an object", `{ type = "integer", title = "n", minimum = 1, exclusiveMaximum = 9 }`, "",
			`step.s value: type "integer" → "number"; step.s value: minimum 1 left out; step.s value: minimum 1 → 0; step.s value: minimum 1 → 2; step.s value: exclusiveMaximum 9 left out; step.s value: exclusiveMaximum 9 → 10; step.s value: exclusiveMaximum 9 → 8`},
		{"names and members", "{\n required = [\"a\", \"b\"]\n properties = { a = { enum = [1, 2] }, b = {} }\n additionalProperties = false\n}", "",
			`step.s value: required ["a", "b"] left out; step.s value: required "a" left out; step.s value: required "b" left out; step.s value: properties.a.enum [1, 2] left out; step.s value: additionalProperties false left out`},
		{"what refuses nothing", `{ description = "x", additionalProperties = true, minLength = 0, uniqueItems = false, properties = { type = {} } }`, "", ""},
		{"lengths and counts", `{ minLength = 1, maxItems = 2, uniqueItems = true }`, "",
			`step.s value: minLength 1 left out; step.s value: minLength 1 → 2; step.s value: maxItems 2 left out; step.s value: maxItems 2 → 3; step.s value: maxItems 2 → 1; step.s value: uniqueItems true left out`},
		{"other numbers", `{ minimum = 0.5 }`, "", `step.s value: minimum 0.5 left out; step.s value: minimum → exclusiveMinimum`},
		{"below other keywords", `{ items = { allOf = [{ const = 1 }, { not = { const = 2 } }] } }`, "",
			`step.s value: items.allOf [{ const = 1 }, { not = { const = 2 } }] left out; step.s value: items.allOf.0 left out; step.s value: items.allOf.1 left out; step.s value: items.allOf.0.const 1 left out; step.s value: items.allOf.1.not { const = 2 } left out`},
		{"a pattern", `{ pattern = "^a\\.b" }`, "",
			`step.s value: pattern "^a\\.b" left out; step.s value: pattern: ^ left out in ^a\.b; step.s value: pattern: \. → . in ^a\.b`},
		{"locals", "local.all", "one = { format = \"date\" }\n all = { properties = { a = local.one } }\n other = { format = \"date\" }",
			`local.one properties.a.format "date" left out`},
		{"a member of a local", "local.all[\"a\"]", "all = { a = { const = 1 }, b = { const = 2 } }", `local.all a.const 1 left out`},
		{"each element", "s) || anytrue([for s in local.all : schemaerror(x, s) == null]", "all = [{ const = 1 }, { const = 2 }]", `local.all const 1 left out; local.all const 2 left out`},
		{"a choice", "y ? { const = 1 } : (local.all)", "all = { const = 2 }", `step.s value: const 1 left out; local.all const 2 left out`},
		{"JSON", `"{\"minimum\": 0.5, \"format\": \"date\"}"`, "",
			`step.s value: minimum 0.5 left out; step.s value: minimum → exclusiveMinimum; step.s value: format "date" left out`},
		{"JSON in a local", "jsondecode(local.text)", "text = <<-EOT\n    {\n      \"format\": \"date\",\n      \"const\": 1\n    }\n  EOT", `local.text format "date" left out; local.text const 1 left out`},
		{"what is written as JSON", `jsonencode({ const = 1 })`, "", `step.s value: const 1 left out`},
		{"a text that is none", `"no schema"`, "", ""},
		{"what is read only by a check", "x", "all = { const = 1 }\n}\nscenario \"s\" {\n assert \"a\" { condition = schemaerror(x, local.all) == null }", ""},
	} {
		text := strings.Replace(step, "SCHEMA", c.schema, 1)
		if c.locals != "" {
			text += "locals {\n  " + c.locals + "\n}\n"
		}
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "; ")
		}
		if got := changesOf(t, text, "schema"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.name, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// A schema in a file is changed there, with each scenario that reads it, and what lies within a keyword that no data
// shows is counted in its line.
func TestSchemasOfFiles(t *testing.T) {
	const world = `
locals { order = jsondecode(file("order.json")) }
workflow "w" {
  inputs = { n = 3 }
  step "value" "a" { value = schemaerror({ n = input.n }, local.order) == null }
}
`
	const scenario = "import = [\"./deep/_world.scenario.hcl\"]\nscenario \"NAME\" {\n  run = workflow.w\n  inputs = { n = N }\n  expect \"a\" { output = WANT }\n}\n"
	of := func(name, n, want string) string {
		return strings.NewReplacer("NAME", name, "N", n, "WANT", want).Replace(scenario)
	}
	texts := map[string]string{
		"deep/_world.scenario.hcl": world,
		"deep/order.json":          "{\n  \"properties\": {\n    \"n\": {\"maximum\": 3, \"minimum\": 1}\n  },\n  \"required\": [\"n\"]\n}\n",
		"a.scenario.hcl":           of("three", "3", "true"), "b.scenario.hcl": of("nine", "9", "false"),
	}
	compile := compilerOf(texts)
	var hosts []*Host
	for _, path := range []string{"a.scenario.hcl", "b.scenario.hcl"} {
		f := compile(path, nil)
		if f.Failed() {
			t.Fatal(f.Diags)
		}
		hosts = append(hosts, &Host{File: f, Plans: f.Plans})
	}
	o := Options{Compile: compile, Only: []string{"schema"}, Read: func(path string) ([]byte, error) { return []byte(texts[path]), nil }}
	r := Run(hosts, o)
	want := []string{
		`file "order.json" properties.n.maximum 3 left out: killed "nine" by expect a`,
		`file "order.json" properties.n.maximum 3 → 4: unshown`,
		`file "order.json" properties.n.maximum 3 → 2: killed "three" by expect a`,
		`file "order.json" properties.n.minimum 1 left out: unshown`,
		`file "order.json" properties.n.minimum 1 → 0: unshown`,
		`file "order.json" properties.n.minimum 1 → 2: unshown`,
		`file "order.json" required ["n"] left out: unshown`,
	}
	if got := verdicts(r); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var b strings.Builder
	if err := WriteText(&b, r, o, 0); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"minimum 1 left out  deep/order.json:3\n          no scenario has data that shows it, nor 2 other changes of it\n", "unshown       5 "} {
		if !strings.Contains(b.String(), said) {
			t.Errorf("%q is not said:\n%s", said, b.String())
		}
	}
	if strings.Contains(b.String(), "minimum 1 → 0") {
		t.Errorf("what lies within another change is listed:\n%s", b.String())
	}
	o.Read = nil
	if r := Run(hosts, o); len(r.Mutants) > 0 {
		t.Errorf("without a reader of files: %q", verdicts(r))
	}
}

// A program of jq is changed where it is written, and what is made of it is another program of jq.
func TestProgramsOfJQ(t *testing.T) {
	for _, c := range []struct{ value, locals, want string }{
		{`jq(x, ".a | not")`, "", "step.s value: `not` left out"},
		{`jq(x, ".[\"a\"] // 1")`, "", "step.s value: `\"a\"` → `\"\"`; step.s value: `// 1` left out; step.s value: `1` → `2`"},
		{`jq(x, local.all.p)`, "all = { p = \".a | not\" }", "local.all p: `not` left out"},
		{`jq(x, local.p)`, "p = <<-EOT\n    .a\n      | not\n  EOT", "local.p `not` left out"},
		{`jq(x, "${y}")`, "", ""},
		{`jq(x, ".a |")`, "", ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = " + c.value + "\n  }\n}\nlocals {\n  " + c.locals + "\n}\n"
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "; ")
		}
		if got := changesOf(t, text, "jq"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

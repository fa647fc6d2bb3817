package mutate

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Each keyword of a schema that refuses something is left out, and each limit moved, wherever the schema is written.
func TestSchemasAreWeakened(t *testing.T) {
	const step = "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = schemaerror(x, SCHEMA)\n  }\n}\n"
	for _, c := range []struct{ name, schema, locals, want string }{
		{
			"an object", `{ type = "integer", title = "n", minimum = 1, exclusiveMaximum = 9 }`, "",
			`step.s value: type "integer" → "number"; step.s value: minimum 1 left out; step.s value: minimum 1 → 0; step.s value: minimum 1 → 2; step.s value: exclusiveMaximum 9 left out; step.s value: exclusiveMaximum 9 → 10; step.s value: exclusiveMaximum 9 → 8`,
		},
		{
			"names and members", "{\n required = [\"a\", \"b\"]\n properties = { a = { enum = [1, 2] }, b = {} }\n additionalProperties = false\n}", "",
			`step.s value: required ["a", "b"] left out; step.s value: required "a" left out; step.s value: required "b" left out; step.s value: properties.a.enum [1, 2] left out; step.s value: additionalProperties false left out`,
		},
		{"what refuses nothing", `{ description = "x", additionalProperties = true, minLength = 0, uniqueItems = false, properties = { type = {} } }`, "", ""},
		{"commas at the end", "{\n const = 1,\n format = \"date\",\n}", "", `step.s value: const 1 left out; step.s value: format "date" left out`},
		{
			"lengths and counts", `{ minLength = 1, maxItems = 2, uniqueItems = true }`, "",
			`step.s value: minLength 1 left out; step.s value: minLength 1 → 2; step.s value: maxItems 2 left out; step.s value: maxItems 2 → 3; step.s value: maxItems 2 → 1; step.s value: uniqueItems true left out`,
		},
		{"other numbers", `{ minimum = 0.5 }`, "", `step.s value: minimum 0.5 left out; step.s value: minimum → exclusiveMinimum`},
		{
			"below other keywords", `{ items = { allOf = [{ const = 1 }, { not = { const = 2 } }] } }`, "",
			`step.s value: items.allOf [{ const = 1 }, { not = { const = 2 } }] left out; step.s value: items.allOf.0 left out; step.s value: items.allOf.1 left out; step.s value: items.allOf.0.const 1 left out; step.s value: items.allOf.1.not { const = 2 } left out`,
		},
		{
			"a pattern", `{ pattern = "^a\\.b" }`, "",
			`step.s value: pattern "^a\\.b" left out; step.s value: pattern: ^ left out in ^a\.b; step.s value: pattern: \. → . in ^a\.b`,
		},
		{
			"locals", "local.all", "one = { format = \"date\" }\n all = { properties = { a = local.one } }\n other = { format = \"date\" }",
			`local.one properties.a.format "date" left out`,
		},
		{"a member of a local", "local.all[\"a\"]", "all = { a = { const = 1 }, b = { const = 2 } }", `local.all a.const 1 left out`},
		{"each element", "s) || anytrue([for s in local.all : schemaerror(x, s) == null]", "all = [{ const = 1 }, { const = 2 }]", `local.all const 1 left out; local.all const 2 left out`},
		{"a choice", "y ? { const = 1 } : (local.all)", "all = { const = 2 }", `step.s value: const 1 left out; local.all const 2 left out`},
		{
			"JSON", `"{\"minimum\": 0.5, \"format\": \"date\"}"`, "",
			`step.s value: minimum 0.5 left out; step.s value: minimum → exclusiveMinimum; step.s value: format "date" left out`,
		},
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
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		for _, m := range u.mutants([]string{"schema"}) {
			if _, diags := dsl.Parse("a.scenario.hcl", m.Text()); diags.HasErrors() {
				t.Errorf("%s: %s: %v in\n%s", c.name, m.Change, diags, m.Text())
			}
			if lines := strings.Count(string(m.Text()), "\n"); lines != strings.Count(text, "\n") {
				t.Errorf("%s: %s: another number of lines in\n%s", c.name, m.Change, m.Text())
			}
		}
	}
}

// What is told to a model keeps its types, and the entries of a classifier get any.
func TestSchemasThatAreTold(t *testing.T) {
	const text = `
workflow "w" {
  step "llm" "a" {
    tools           = [{ name = "t", parameters = { type = "object", required = ["x"] } }]
    response_format = { type = "json_schema", json_schema = { name = "n", schema = local.answer } }
    tool "u" {
      parameters = { type = "object", properties = { y = { type = "integer", minimum = 0.5 } } }
      output     = 1
    }
  }
}
classifier "c" {
  fallback   = "a"
  candidates = ["a", "b"]
  schema = { target = "string", urgent = "bool", note = "any" }
}
locals {
  answer = { type = "object", additionalProperties = false }
  unread = a && b
}
`
	want := []string{
		`step.a tools: parameters.required ["x"] left out`, `step.a tool.u parameters: properties.y.minimum 0.5 left out`, `step.a tool.u parameters: properties.y.minimum → exclusiveMinimum`,
		`local.answer additionalProperties false left out`, `classifier.c schema: urgent "bool" → "any"`,
	}
	if _, diags := dsl.Parse("a.scenario.hcl", []byte(text)); diags.HasErrors() {
		t.Fatal(diags)
	}
	got := changesOf(t, text, "schema", "condition")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
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

// Entries of what a program looks through are left out, without telling what may be a secret, and numbers and flags of its locals are others, but for those
// that have changes of their own.
func TestTables(t *testing.T) {
	for _, c := range []struct{ value, locals, want string }{
		{`contains(["a", "b"], x)`, "", `step.s value: "a" left out of ["a", "b"]; step.s value: "b" left out of ["a", "b"]`},
		{`contains(["a", step.b.output], x)`, "", ""},
		{`contains(local.words, x)`, `words = ["a", "b"]`, `local.words "a" left out; local.words "b" left out`},
		{`contains(local.keys, x)`, `keys = ["sk-7f", "buy now"]`, `local.keys 0 left out; local.keys "buy now" left out`},
		{`contains(local.words, x)`, `words = ["a"]`, ""},
		{`local.of[x]`, `of = { a = 1, b = { c = false } }`, `local.of a left out; local.of b left out; local.of a: 1 → 2; local.of b.c: false → true`},
		{`[for k, v in local.of : v.w]`, `of = [{ w = 1.5 }, { w = -2 }]`, `local.of 0 left out; local.of 1 left out; local.of 0.w: 1.5 → 0.75; local.of 1.w: -2 → -1`},
		{`local.of[x]`, `of = { a = "x", b = "y", c = "y" }`, `local.of a left out; local.of a: the value of b; local.of b left out; local.of c left out`},
		{`lookup(local.of, x, "z")`, `of = { a = "x", b = "sk-7" }`, `local.of a left out; local.of a: the value of b; local.of b left out; local.of b: the value of a`},
		{`regexmatch("(${join("|", local.words)})", x)`, `words = ["a", "b"]`, `local.words "a" left out; local.words "b" left out`},
		{`setintersection(keys(x), local.words)`, `words = ["a", "b"]`, `local.words "a" left out; local.words "b" left out`},
		{`merge(local.of, x)`, `of = { a = "x", b = "y" }`, `local.of a left out; local.of a: the value of b; local.of b left out; local.of b: the value of a`},
		{`length(local.words)`, `words = ["a", "b"]`, `local.words "a" left out; local.words "b" left out`},
		{`upper(local.text)`, `text = "x"`, ""},
		{`local.of.a`, `of = { a = 1, b = "x" }`, `local.of a: 1 → 2`},
		{`x < local.most`, `most = 3`, `local.most 3 → 4`},
		{`local.text`, `text = "x"`, ""},
		{`x`, `most = 3`, ""},
		{`schemaerror(x, local.of)`, `of = { properties = { a = { minimum = 1 } } }`, ""},
		{`schemaerror(x, local.of)`, "of = { properties = { a = local.one } }\n  one = { minimum = 1 }", ""},
		{`regexmatch(local.of.p, x) && local.of.n == 1`, `of = { p = "^a", n = 1 }`, `local.of n: 1 → 2`},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = " + c.value + "\n  }\n}\nlocals {\n  " + c.locals + "\n}\n"
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "; ")
		}
		if got := changesOf(t, text, "data"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// A file that the program decodes has the changes of data, and one that is a schema has those of schemas alone.
func TestFilesOfData(t *testing.T) {
	texts := map[string]string{
		"a.scenario.hcl": `
workflow "w" {
  step "value" "a" {
    value = [[for r in jsondecode(file("rules.json")) : r.max], schemaerror(1, jsondecode(file("schema.json"))), split("\n", file("words.txt"))[0]]
  }
}
scenario "s" {
  run = workflow.w
  assert "all" { condition = step.a.output[0] == [3, 4] }
}
`,
		"rules.json": "[{\"max\": 3},\n {\"max\": 4}]\n", "schema.json": "{\"maximum\": 0}\n", "words.txt": "free\nprize\n",
	}
	f := compilerOf(texts)("a.scenario.hcl", nil)
	if f.Failed() {
		t.Fatal(f.Diags)
	}
	o := Options{Compile: compilerOf(texts), Only: []string{"data"}, Read: func(path string) ([]byte, error) { return []byte(texts[path]), nil }}
	got := verdicts(Run([]*Host{{File: f, Plans: f.Plans}}, o))
	want := []string{
		`file "rules.json" ` + "`[0] {\"max\": 3}` left out" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[0].max 3` left out" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[1] {\"max\": 4}` left out" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[0].max 3` → `4`" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[0].max 3` → `2`" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[1].max 4` left out" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[1].max 4` → `5`" + `: killed "s" by assert all`,
		`file "rules.json" ` + "`[1].max 4` → `3`" + `: killed "s" by assert all`,
		`file "words.txt" ` + "`free` left out" + `: survived "s"`,
		`file "words.txt" ` + "`prize` left out" + `: unshown`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a check reads as well is changed once, by the operator "value".
func TestSharedNumbersAreChangedOnce(t *testing.T) {
	const text = `
locals { most = 3 }
workflow "w" {
  step "value" "a" { value = 2 < local.most }
}
scenario "s" {
  run = workflow.w
  assert "a" { condition = step.a.output == (2 < local.most) }
}
`
	r := mutated(t, map[string]string{"a.scenario.hcl": text}, "", Options{Only: []string{"value", "data"}})
	if want := []string{`local.most 3 → 4, and a check reads it, too: unshown`}; !slices.Equal(verdicts(r), want) {
		t.Errorf("got %q, want %q", verdicts(r), want)
	}
}

func TestParses(t *testing.T) {
	for changed, want := range map[string]bool{".b": true, ".a |": false, " .a ": false} {
		if got := parses(".a", changed); got != want {
			t.Errorf("%q: %t, want %t", changed, got, want)
		}
	}
}

// A long table of patterns has a bounded number of changes, which are of all of it.
func TestLongTablesAreBounded(t *testing.T) {
	text := "workflow \"w\" {\n  step \"value\" \"s\" {\n    value = [for p in local.ps : regexmatch(p, x)]\n  }\n}\nlocals {\n  ps = [\n" + strings.Repeat("    \"^(aa|bb)$\",\n", 1000) + "  ]\n}\n"
	u := &unit{path: "a.scenario.hcl", source: []byte(text)}
	for operator, most := range map[string]int{"related": variantsMax, "data": tableMax} {
		list := u.mutants([]string{operator})
		if len(list) != most || list[0].Line > 50 || list[len(list)-1].Line < 950 {
			t.Errorf("%s: %d changes from line %d to %d", operator, len(list), list[0].Line, list[len(list)-1].Line)
		}
	}
}

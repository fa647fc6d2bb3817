package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// changesOf are what the mutants of an operator change, in the order in which they stand.
func changesOf(t *testing.T, text string, only ...string) []string {
	t.Helper()
	u := &unit{path: "a.scenario.hcl", source: []byte(text)}
	var list []string
	for _, m := range u.mutants(only) {
		list = append(list, m.Declaration+" "+m.Change)
	}
	return list
}

// Each part of an expression that can be left out is one mutant, and what is written that
// says nothing about data, or that hardly any data tells, is none.
func TestExpressionsAreWeakened(t *testing.T) {
	cases := []struct{ attr, want string }{
		{`when = step.b.json.ok && step.b.json.n < 50`, "when: step.b.json.ok && … left out; when: … && step.b.json.n < 50 left out; when: step.b.json.n < 50 → <= 50"},
		{`when = x && y && z`, "when: x && … left out; when: … && y left out; when: … && z left out"},
		{`when = x && (y || z)`, "when: x && … left out; when: … && (y || z) left out; when: y || … left out; when: … || z left out"},
		{`value = { a = [x ? 1 : 2] }`, "value: x → always true; value: x → always false"},
		{`value = "a %{if x}b%{endif}"`, "value: x → always true; value: x → always false"},
		{`value = [for y in x : y if y.on]`, "value: if y.on left out"},
		{`value = 3 >= x`, "value: 3 >= x → > x"},
		{`value = x > 0.5`, ""},
		{`value = x == 3`, ""},
		{`value = x.status_code >= 500`, "value: x.status_code >= 500 → x.status_code >= 400"},
		{`value = 400 > x.status`, "value: 400 > x.status → 500 > x.status"},
		{`value = x.status_code == 500`, ""},
		{`value = x.status_code > 3`, ""},
		{`value = { a = tonumber(x), b = try(tobool(y), false) }`, "value: tonumber(x) → x; value: tobool(y) → y; value: try(tobool(y), false) → tobool(y); value: default of try: false → true"},
		{`value = { a = tonumber(x) + 1, b = "a ${tostring(y)}", c = z[tonumber(x)], d = length(tostring(x)), e = sum([tonumber(x)]) }`, ""},
		{`value = tostring(x) == y`, "value: tostring(x) → x"},
		{`value = { a = x ? tostring(y) : "", b = [for z in y : tonumber(z)] }`, "value: x → always true; value: x → always false; value: tostring(y) → y; value: tonumber(z) → z"},
		{`value = { a = jsonencode(x) }`, "value: jsonencode(x) → x; value: jsonencode(x) → twice"},
		{`value = jsondecode(x)`, "value: jsondecode(x) → x"},
		{`while = loop.index == 0 || x`, "while: … || x left out"},
		{`while = loop.index == 0 && x`, "while: loop.index == 0 && … left out; while: … && x left out"},
		{`value = slice(x, 0, min(3, y))`, "value: slice(x, 0, min(3, y)) → x; value: min(3, y) → 3; value: min(3, y) → y"},
		{`value = "${try(x, "a")} ${trimspace(y)} ${join(",", sort(z))}"`, `value: try(x, "a") → x; value: default of try: another text; value: sort(z) → z`},
		{`value = max(x...)`, ""},
		{`value = max(y, x...)`, "value: max(y, x...) → y"},
		{`value = length(x)`, ""},
		{`value = sum([for y in x : floor(y.a * 0.19)])`, "value: floor(y.a * 0.19) of each → of the sum; value: floor(y.a * 0.19) → y.a * 0.19"},
		{`value = sum([for y in x : ceil(y) / 100 if y > 0.5])`, "value: if y > 0.5 left out; value: ceil(y) of each → of the sum; value: ceil(y) → y"},
		{`value = sum([for y in x : floor(y) * z])`, "value: floor(y) → y"},
		{`value = sum([for y in x : abs(y)])`, "value: abs(y) → y"},
		{`value = sum({ for y in x : y => floor(y) })`, "value: floor(y) → y"},
		{`value = max([for y in x : floor(y)]...)`, "value: floor(y) → y"},
		{`value = sum([for y in x : y.a * y.w]) / sum([for y in x : y.w])`, "value: the weight y.w left out of the mean"},
		{`value = (sum([for y in x : y.w * y.a if y.on])) / sum([for y in x : y.w if y.on])`, "value: if y.on left out; value: if y.on left out; value: the weight y.w left out of the mean"},
		{`value = sum([for y in x : y.a * y.w]) / sum([for y in x : y.v])`, ""},
		{`value = sum([for y in x : y.a * y.w]) / sum([for y in z : y.w])`, ""},
		{`value = sum([for y in x : y.a]) / length(x)`, ""},
	}
	for _, c := range cases {
		within := "step \"value\" \"a\" {\n    %s\n  }"
		switch name, _, _ := strings.Cut(c.attr, " "); name {
		case "when":
			within = "step \"value\" \"a\" {\n    %s\n    value = 1\n  }"
		case "while":
			within = "step \"loop\" \"a\" {\n    %s\n    step \"value\" \"b\" { value = 1 }\n  }"
		}
		text := "workflow \"w\" {\n  " + fmt.Sprintf(within, c.attr) + "\n}\n"
		var want []string
		for _, w := range strings.Split(c.want, "; ") {
			if w != "" {
				want = append(want, "step.a "+w)
			}
		}
		if got := changesOf(t, text, "condition", "computation"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.attr, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// Operators of arithmetic and operands are changed one after the other, the same operation on elements twice as a
// whole as well, and a percentage is taken for an amount.
func TestArithmetic(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"x + y", "x left out of x + y; y left out of x + y; x + y → - y"},
		{"x - y", "x - y → + y"},
		{"x / y", "x / y → * y"},
		{"x % y", "x % y → * y"},
		{"x + y + 1", "1 left out of x + y + 1; x + y + 1 → - 1; x left out of x + y; y left out of x + y; x + y → - y"},
		{"x && y", ""},
		{"x == y", ""},
		{`"a ${x}"`, ""},
		{"x * (100 - p) / 100", "x * (100 - p) / 100 → * 100; … * (100 - p) / 100 → … - p; x left out of x * (100 - p); (100 - p) left out of x * (100 - p); x * (100 - p) → / (100 - p); 100 - p → + p"},
		{"(1 + p / 100) * x", "(1 + p / 100) left out of (1 + p / 100) * x; x left out of (1 + p / 100) * x; (1 + p / 100) * x → / x; … * (1 + p / 100) → … + p; 1 left out of 1 + p / 100; p / 100 left out of 1 + p / 100; 1 + p / 100 → - p / 100; p / 100 → * 100"},
		{"x * (100 - 15) / 100", "x * (100 - 15) / 100 → * 100; x left out of x * (100 - 15); (100 - 15) left out of x * (100 - 15); x * (100 - 15) → / (100 - 15); 100 - 15 → + 15"},
		{"x * (1 - share)", "x left out of x * (1 - share); (1 - share) left out of x * (1 - share); x * (1 - share) → / (1 - share); 1 - share → + share"},
		{"[for q in x : q if q.a - q.b == min([for y in x : y.a - y.b]...)]", "q.a - q.b → + q.b; y.a - y.b → + y.b; q.a - q.b → + q.b, 2 times"},
		{"[x.a - x.b, x.a - x.b]", "x.a - x.b → + x.b; x.a - x.b → + x.b"},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"a\" {\n    value = " + c.value + "\n  }\n}\n"
		var want []string
		for _, w := range strings.Split(c.want, "; ") {
			if w != "" {
				want = append(want, "step.a value: "+w)
			}
		}
		if got := changesOf(t, text, "arithmetic"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
}

// A chain of conditions has as many mutants as it has conditions, and a mutant keeps of its
// text no more than what is changed, so that large files can be mutated.
func TestMutantsGrowWithTheFile(t *testing.T) {
	const n = 400
	text := "workflow \"w\" {\n  step \"value\" \"a\" {\n    value = x" + strings.Repeat(" && x", n-1) + "\n  }\n}\n"
	u := &unit{path: "a.scenario.hcl", source: []byte(text)}
	list := u.mutants(nil)
	if len(list) != n {
		t.Errorf("%d conditions have %d mutants", n, len(list))
	}
	for _, m := range list {
		if len(m.with)+m.to-m.from > 100 {
			t.Fatalf("%s keeps %d bytes for %d", m.Change, len(m.with), m.to-m.from)
		}
	}
}

// Of mutants about data no more are tried than was asked for, in all files together; all
// others are, and how many were left is noted. The first file does not have them all.
func TestDataIsBounded(t *testing.T) {
	texts := map[string]string{"a.scenario.hcl": refund, "b.scenario.hcl": refund}
	for most, want := range map[int][3]int{0: {6, 2, 0}, 2: {2, 2, 4}, 4: {4, 2, 2}, 6: {6, 2, 0}} {
		r := mutated(t, texts, "", Options{Data: most, Only: []string{"when", "condition"}})
		data, files := 0, map[string]bool{}
		for _, m := range r.Mutants {
			if m.Data {
				data++
				files[m.File] = true
			}
		}
		if len(files) != 2 {
			t.Errorf("at most %d: those about data are all of %v", most, files)
		}
		if got := [3]int{data, len(r.Mutants) - data, r.Left}; got != want {
			t.Errorf("at most %d: about data, others and left %v, want %v", most, got, want)
		}
	}
}

// refund has conditions that no scenario tells apart: what says no is the score, too.
const refund = provided + `
workflow "refund" {
  provider = provider.api
  step "http" "approval" { path = "/approval" }
  step "http" "pay" {
    path = "/pay"
    when = step.approval.json.ok && step.approval.json.score < 50
  }
}
scenario "yes" {
  run = workflow.refund
  on "approval" {
    reply { json = { ok = true, score = 12 } }
  }
  on "pay" {
    reply {}
  }
  expect "pay" { status = "success" }
}
scenario "no" {
  run = workflow.refund
  on "approval" {
    reply { json = { ok = false, score = 71 } }
  }
  expect "pay" { status = "skipped" }
}
`

// What only other data shows is unshown, under no runs with faults and under many, and has
// no part in the score; with the data that was missing it is killed.
func TestUnshown(t *testing.T) {
	for _, runs := range []int{0, 200} {
		texts := map[string]string{"a.scenario.hcl": refund}
		r := mutated(t, texts, "", Options{K: 1, Runs: runs, Only: []string{"when", "condition"}})
		want := []string{
			`step.pay when step.approval.json.ok && step.approval.… → always: killed "no"`,
			`step.pay when: step.approval.json.ok && … left out: unshown`,
			`step.pay when: … && step.approval.json.score < 50 left out: unshown`,
			`step.pay when: step.approval.json.score < 50 → <= 50: unshown`,
		}
		got := verdicts(r)
		for i := range got { // what is red first is another test's subject
			got[i], _, _ = strings.Cut(got[i], " by ")
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if killed, of := r.Score(); killed != 1 || of != 1 {
			t.Errorf("score %d of %d, want 1 of 1", killed, of)
		}
		var b strings.Builder
		if err := WriteText(&b, r, Options{K: 1, Runs: runs}, 0); err != nil {
			t.Fatal(err)
		}
		for _, said := range []string{"unshown   step.pay: when: step.approval.json.ok && … left out  a.scenario.hcl:8\n          no scenario has data that shows it\n", "unshown       3  (no scenario has data that shows them)\n"} {
			if !strings.Contains(b.String(), said) {
				t.Errorf("%q is not said:\n%s", said, b.String())
			}
		}
	}
	missing := refund
	for i, row := range []string{"ok = false, score = 12", "ok = true, score = 71", "ok = true, score = 50"} {
		missing += fmt.Sprintf("scenario \"no, %d\" {\n  run = workflow.refund\n  on \"approval\" {\n    reply { json = { %s } }\n  }\n  expect \"pay\" { status = \"skipped\" }\n}\n", i, row)
	}
	r := mutated(t, map[string]string{"a.scenario.hcl": missing}, "", Options{Only: []string{"condition"}})
	if n := r.Count(Killed); n != 3 {
		t.Errorf("with the data %d are killed, want 3: %q", n, verdicts(r))
	}
}

// priced reads a local and a file on both sides, one through another local, and others on
// one side alone.
const priced = `
locals {
  discount = 0.1
  rest     = 1 - local.discount
  prompts  = { system = file("texts/rules.txt") }
  url      = "https://api.example"
  order    = "o-7"
}
provider "http" "api" { base_url = local.url }
workflow "w" {
  provider = provider.api
  step "http" "order" {
    method = "POST"
    path   = "/orders"
    json   = { cents = 2000 * local.rest, rules = local.prompts.system, more = file("more.txt") }
  }
}
`

const checked = `
import = ["./deep/_world.scenario.hcl"]
scenario "s" {
  run = workflow.w
  on "order" {
    reply {}
  }
  assert "what is sent" {
    condition = step.order.attempts[0].request.json == { cents = 2000 * (1 - local.discount), rules = file("deep/texts/rules.txt"), more = "more" } && local.order != ""
  }
}
`

// A value that both the program and a check read is changed, also where one reads it through
// another local, and where they stand in two files; one that only one of them reads is not.
func TestSharedValues(t *testing.T) {
	texts := map[string]string{
		"deep/_world.scenario.hcl": priced, "a.scenario.hcl": checked,
		"deep/texts/rules.txt": "Be kind.\nGive no advice.\n\n", "deep/more.txt": "more",
	}
	compile := compilerOf(texts)
	h := &Host{File: compile("a.scenario.hcl", nil)}
	if h.Failed() {
		t.Fatal(h.Diags)
	}
	h.Plans = h.File.Plans
	read := func(path string) ([]byte, error) { return []byte(texts[path]), nil }
	run := func(o Options) []string {
		o.Compile, o.Only = compile, []string{"value"}
		r := Run([]*Host{h}, o)
		for _, m := range r.Mutants {
			if m.Verdict == Survived && m.Difference.Assert == "" {
				t.Errorf("%s: no assertion sees it: %s", m.Declaration, m.Difference)
			}
		}
		return verdicts(r)
	}
	want := []string{
		`local.discount 0.1 → 0.05, and a check reads it, too: survived "s"`,
		`file "rules.txt" "Give no advice." left out, and a check reads the file, too: survived "s"`,
	}
	if got := run(Options{Read: read}); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := run(Options{}); !slices.Equal(got, want[:1]) {
		t.Errorf("without a reader of files: got\n%s", strings.Join(got, "\n"))
	}
	texts["deep/texts/rules.txt"] = "Be kind.\n"
	compile = compilerOf(texts)
	h.File = compile("a.scenario.hcl", nil)
	h.Plans = h.File.Plans
	if got, want := run(Options{Read: read})[1], `file "rules.txt" another text, and a check reads the file, too: survived "s"`; got != want {
		t.Errorf("of one line: got %s, want %s", got, want)
	}
}

// A text of locals may be a secret, so that no mutant tells it.
func TestTextsOfLocalsAreNotTold(t *testing.T) {
	const text = `
locals {
  key   = "sk-7"
  lines = <<-EOT
    sk-8 ${local.key}
    more
  EOT
  after = -2
}
workflow "w" {
  step "value" "a" { value = [local.lines, local.after] }
}
scenario "s" {
  run = workflow.w
  assert "all" { condition = step.a.output == [local.lines, local.after] }
}
`
	var got []string
	for _, v := range verdicts(mutated(t, map[string]string{"a.scenario.hcl": text}, "", Options{Only: []string{"value"}})) {
		got = append(got, v)
		if strings.Contains(v, "sk-") {
			t.Errorf("%q tells a text", v)
		}
	}
	want := []string{
		`local.key another text, and a check reads it, too: survived "s"`,
		`local.lines another text, and a check reads it, too: survived "s"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

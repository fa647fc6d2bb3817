package interp

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// locals compiles a file of nothing but locals.
func locals(t *testing.T, text string, o Options) hcl.Diagnostics {
	t.Helper()
	file, diags := dsl.Parse("budget.scenario.hcl", []byte("locals {\n"+text+"\n}\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, diags = Compile(file, o)
	return diags
}

// doubled is a chain of n locals, each made of the one before, twice.
func doubled(n int, first, each string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "x0 = %s\n", first)
	for i := range n {
		fmt.Fprintf(&b, "x%d = %s\n", i+1, strings.ReplaceAll(each, "IT", fmt.Sprintf("local.x%d", i)))
	}
	return b.String()
}

// squared squares a number n times in loops within each other.
func squared(n int, last string) string {
	expr := strings.ReplaceAll(last, "IT", fmt.Sprintf("v%d", n))
	for i := range n {
		before := fmt.Sprintf("v%d", n-i-1)
		expr = fmt.Sprintf("[for v%d in [%s * %s] : %s]", n-i, before, before, expr)
	}
	return fmt.Sprintf("[for v0 in [1e300] : %s]", expr)
}

// Shows that a few lines cannot make the check of a file endless or eat the
// memory of a machine: each of these is refused at its place, by the budget of
// all that is computed or by a function that knows how large its result would
// be. Without the bounds this test does not end.
func TestWhatIsComputedHasABudget(t *testing.T) {
	big := strings.Repeat("x", 15<<20)
	files := stdlib.Files{FS: fstest.MapFS{
		"big.txt":   {Data: []byte(big)},
		"lines.txt": {Data: []byte(strings.Repeat("\n", 1<<20))},
		"deep.json": {Data: []byte(strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000))},
		"flat.json": {Data: []byte("[" + strings.Repeat("[],", 1_000_000) + "0]")},
		"c.csv":     {Data: []byte("a\n" + strings.Repeat("1\n", 2_000_000))},
		"head.csv":  {Data: []byte(strings.Repeat("x", 50_000) + "\n" + strings.Repeat("1\n", 200_000))},
	}}
	const budget = "Too much to compute"
	for text, want := range map[string]string{
		doubled(22, "[1, 2]", "[IT, IT]"):                                                                                                                                            budget,
		doubled(40, "[1, 2]", "[IT, IT]"):                                                                                                                                            budget,
		doubled(40, "{ a = 1 }", "{ a = IT, b = IT }"):                                                                                                                               budget,
		doubled(40, `"abcdefghij"`, `"${IT}${IT}"`):                                                                                                                                  budget,
		doubled(40, "[1, 2]", "concat(IT, IT)"):                                                                                                                                      budget,
		"x = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]]":                                                                                   budget,
		"x = try([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]], 0)":                                                                           budget,
		"x = [for a in range(1000) : 1 if length([for b in range(1000) : 1 if length([for c in range(1000) : c]) > 2]) > 2]":                                                         budget,
		`x = "%{for a in range(1000)}%{for b in range(1000)}%{for c in range(1000)}${a}%{endfor}%{endfor}%{endfor}"`:                                                                 budget,
		"y = [for i in range(1000) : { a = i }]\nx = [for i in range(1000) : [for j in range(1000) : local.y[*].a]]":                                                                 budget,
		"big = flatten([for a in range(400) : [for b in range(400) : a * 1000 + b]])\nx = [for i in range(1000) : contains(local.big, -1)]":                                          budget,
		"big = flatten([for a in range(400) : [for b in range(400) : a * 1000 + b]])\ny = [for c in local.big : c]\nx = [for i in range(1000) : local.big == local.y]":               budget,
		"big = flatten([for a in range(400) : [for b in range(400) : a * 1000 + b]])\ny = [for c in local.big : \"${c}\"]\nx = [for i in range(1000) : i > 5 ? local.big : local.y]": budget,
		"x = [for i in range(1000) : bca(range(1000), 0.95, 50000, 1)]":                                                                                                              budget,
		`x = [for i in range(1000) : [for j in range(100) : jq(i, "[range(100000)] | length")]]`:                                                                                     budget,
		"big = flatten([for a in range(300) : [for b in range(300) : a * 300 + b]])\nx = true ? local.big : slice(local.big, 0, 80000)":                                              budget,
		"big = flatten([for a in range(300) : [for b in range(300) : a * 300 + b]])\nx = false ? local.big : [for a in range(300) : [a]]":                                            budget,
		"x = { for a in range(1000) : \"k${a}\" => [for b in range(100) : a / 7 + b] }\ny = [for i in range(9) : jsonencode(local.x)]":                                               budget,
		`x = jq("x", "reduce range(40) as $i (.; . + .)")`:                                                                                                                           "more than 16 MiB",
		`x = jq("x", "reduce range(40) as $i (.; \"\\(.)\\(.)\")")`:                                                                                                                  "more than 16 MiB",
		`x = jq("x", "reduce range(40) as $i ({a: .}; .a += .a)")`:                                                                                                                   "more than 16 MiB",
		`x = jq("x", "reduce range(40) as $i (.; [., .] | add)")`:                                                                                                                    "more than 16 MiB",
		`x = jq("x", "reduce range(40) as $i (.; [., .] | join(\"-\"))")`:                                                                                                            "more than 16 MiB",
		`x = jq("x", "reduce range(40) as $i ([.]; . + .)")`:                                                                                                                         "more than 16 MiB",
		`x = jq("x", "reduce range(99) as $i (.; @base64)")`:                                                                                                                         "more than 16 MiB",
		`x = jq(9, "reduce range(40) as $i (.; . * .)")`:                                                                                                                             "more than 16 MiB",
		`x = jq(1, "[range(100000)] as $a | [$a[] | $a] | flatten | length")`:                                                                                                        "more than 16 MiB",
		`x = jq(1, "[[range(100000)]] + [range(100000) | []] | transpose | length")`:                                                                                                 "more than 16 MiB",
		`x = [for i in range(1000) : file("big.txt")]`:                                                                                                                               budget,
		`x = "` + strings.Repeat(`${file("big.txt")}`, 20) + `"`:                                                                                                                     budget,
		`x = jsondecode(file("deep.json"))`:                                                                                                                                          "nests deeper than",
		`x = jsondecode(file("flat.json"))`:                                                                                                                                          "1,000,000 values",
		`x = csvdecode(file("c.csv"))`:                                                                                                                                               "1,000,000 cells",
		`x = csvdecode(file("head.csv"))`:                                                                                                                                            budget,
		"x = " + squared(18, `upper(IT)`):                                                                                                                                            budget,
		"x = " + squared(18, `format("%d", IT)`):                                                                                                                                     budget,
		`x = format("%-1000000000s", "a")`:                                                                                                                                           "width or precision",
		`x = format("%[1]s%[1]s", file("big.txt"))`:                                                                                                                                  "longer than 16 MiB",
		`x = indent(1000, file("lines.txt"))`:                                                                                                                                        "longer than 16 MiB",
		`x = join(file("big.txt"), ["a", "b", "c"])`:                                                                                                                                 "longer than 16 MiB",
		`x = format("%1000000d", 1)`:                                                                                                                                                 "width or precision",
		`x = format("` + strings.Repeat("%9999d", 2000) + `", ` + strings.Repeat("1, ", 1999) + `1)`:                                                                                 "longer than 16 MiB",
		`x = replace(file("big.txt"), "x", "yyyyyyyy")`:                                                                                                                              "longer than 16 MiB",
		`x = regexall("", file("big.txt"))`:                                                                                                                                          "matches",
		`x = split("", file("big.txt"))`:                                                                                                                                             "1,000,000 parts",
	} {
		if testing.Short() && (strings.Count(text, "range(1000)") > 2 && !strings.HasPrefix(text, "x = try") || strings.Contains(text, "range(400)") || strings.Contains(text, "jq(i")) {
			continue // the same a million times
		}
		said := ""
		for _, d := range locals(t, text, Options{Files: files}) {
			said += d.Summary + ": " + d.Detail + "\n"
			if d.Subject == nil || d.Subject.Start.Line < 2 {
				t.Errorf("%.80s: no place: %s", text, d)
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%.80s: %q does not say %q", text, said, want)
		}
	}
}

// Shows that what people write is far below the budget.
func TestWhatIsWrittenFitsTheBudget(t *testing.T) {
	for _, text := range []string{
		"x = [for a in range(300) : [for b in range(300) : a * b]]",
		doubled(10, "[1, 2]", "[IT, IT]"),
		"x = { for a in range(1000) : \"k${a}\" => a }\ny = [for a in range(1000) : lookup(local.x, \"k${a}\", 0)]",
		doubled(3000, "1", "IT + 1"),
		"x = [for a in range(300) : jq(a, \". + 1\")]",
		"x = [for a in range(500) : contains(range(900), a)]",
		"x = flatten([for a in range(300) : [for b in range(300) : \"k${a * 300 + b}\"]])\ny = join(\",\", local.x)\nz = zipmap(local.x, local.x)",
		"x = [for a in range(1000) : a]\ny = true ? local.x : []\nz = [for a in range(100) : local.x == local.y]",
		"x = [for a in range(20) : bca(range(1000), 0.95, 2000, a)]",
	} {
		if diags := locals(t, text, Options{}); diags.HasErrors() {
			t.Errorf("%.80s: %s", text, diags)
		}
	}
}

// Shows that the end of the context ends an evaluation, and says so.
func TestContextEndsAnEvaluation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	diags := locals(t, "x = [for a in range(10) : a]", Options{Context: ctx})
	if !diags.HasErrors() || diags[0].Summary != "Interrupted" {
		t.Errorf("said: %v", diags)
	}
}

// Shows that a file is read once, however often an expression asks for it.
func TestFilesAreReadOnce(t *testing.T) {
	opened := &countingFS{MapFS: fstest.MapFS{"a.txt": {Data: []byte("a")}}}
	if diags := locals(t, `x = [for i in range(100) : file("a.txt")]`, Options{Files: stdlib.Files{FS: opened}}); diags.HasErrors() {
		t.Fatal(diags)
	}
	if opened.n != 1 {
		t.Errorf("opened %d times", opened.n)
	}
}

type countingFS struct {
	fstest.MapFS
	n int
}

func (f *countingFS) Open(name string) (fs.File, error) {
	f.n++
	return f.MapFS.Open(name)
}

// Shows that what the instances of a block read, convert, encode and compare is
// counted, also where the answer of a comparison is only looked at, and that a
// file which took too much says so once and is not valid.
func TestWhatInstancesReadHasABudget(t *testing.T) {
	const file = `
locals {
  much = flatten([for a in range(300) : [for b in range(300) : a * 300 + b]])
  same = [for x in local.much : x]
}
workflow "w" {
  inputs = { l = [] }
  step "value" "one" { value = 1 }
}
scenario "s" {
  for_each = toset([for i in range(300) : "k${i}"])
  run      = workflow.w
  INPUTS
  expect "run" { status = "success" }
  assert "a" { condition = CONDITION }
}
`
	for name, c := range map[string]struct{ inputs, condition string }{
		"converted": {"inputs = { l = local.much }", "step.one.output == 1"},
		"encoded":   {"inputs = { l = jsonencode(local.much) }", "step.one.output == 1"},
		"compared":  {"", "run.status == \"success\" || local.much != local.same"},
		"chosen":    {"inputs = { l = [(each.key == \"k1\" ? local.much : local.same)[1]] }", "step.one.output == 1"},
	} {
		if testing.Short() && name != "compared" {
			continue
		}
		diags := diagnose("instances.scenario.hcl", []byte(strings.NewReplacer("INPUTS", c.inputs, "CONDITION", c.condition).Replace(file)))
		if !diags.HasErrors() || diags[0].Summary != "Too much to compute" || len(diags) > 5 {
			t.Errorf("%s: %d diagnostics: %.300v", name, len(diags), diags)
		}
	}
}

// Shows that to compile a condition over written elements for each row of a table takes
// memory in proportion to what is written: eight times as many elements no more than
// twelve times as much.
func TestRowsOverWrittenElements(t *testing.T) {
	for name, element := range map[string]string{"strings": "\"w%d\"", "objects": "{ id = \"w%d\" }", "lists": "[\"w%d\", 1]"} {
		built := func(n int) uint64 {
			list := make([]string, n)
			for i := range list {
				list[i] = fmt.Sprintf(element, i)
			}
			source := fmt.Sprintf(`
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "a" { path = "/a" }
}
scenario "s" {
  for_each = { for n in range(10) : "row ${n}" => n }
  run      = workflow.w
  on "a" {
    reply { body = tostring(each.value) }
  }
  assert "x" { condition = alltrue([for n in [%s] : step.a.body != jsonencode(n)]) }
}
`, strings.Join(list, ", "))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			plans := mustCompile(t, source)
			runtime.ReadMemStats(&after)
			if len(plans) != 10 {
				t.Fatalf("%d plans", len(plans))
			}
			return after.TotalAlloc - before.TotalAlloc
		}
		if few, many := built(400), built(3200); many > 12*few {
			t.Errorf("%s: 400 take %d bytes, 3200 take %d", name, few, many)
		}
	}
}

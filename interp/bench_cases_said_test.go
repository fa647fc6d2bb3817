package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/stdlib"
)

// compileBench compiles a bench with some cases, beside a file cases.jsonl of a text.
func compileBench(t *testing.T, cases, lines string) (*Suite, string) {
	t.Helper()
	src := fmt.Sprintf("bench \"b\" {\n  cases = %s\n  sut {\n    command = [\"./answer\"]\n  }\n  rubric {\n    passed = output.answer == \"a\"\n  }\n}\n", cases)
	file, diags := dsl.Parse("test.scenario.hcl", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	suite, diags := Compile(file, Options{Files: stdlib.Files{FS: fstest.MapFS{"cases.jsonl": {Data: []byte(lines)}}}})
	return suite, diags.Error()
}

// Shows that a bench without cases is told what a pattern is relative to where it has one, and
// not otherwise.
func TestBenchWithoutCases(t *testing.T) {
	for cases, pattern := range map[string]bool{
		`fileset("none/*.json")`:             true,
		`concat([], fileset("none/*.json"))`: true,
		`[]`:                                 false,
		`[for x in [] : x]`:                  false,
	} {
		suite, said := compileBench(t, cases, "")
		if suite == nil || len(suite.Benches) != 1 {
			t.Fatal(cases, said)
		}
		why := suite.Benches[0].Unscorable()
		if !strings.Contains(why, `"b" has no cases`) || strings.Contains(why, "matches no file") != pattern {
			t.Errorf("%s: %s", cases, why)
		}
	}
}

// Shows that a line of cases that is no JSON is told with the column of a character, whatever
// stands before it, and with whole characters.
func TestLineOfCasesThatIsNoJSON(t *testing.T) {
	for line, want := range map[string]string{
		`{"id": "a" "input": 1}`:          `In column 12: a comma is missing before '"'`,
		`{"id": "äöü" "grüßgrüßgrüß": 1}`: `In column 14: a comma is missing before '"'`,
		`{"é": é}`:   `In column 7: no value begins with 'é'`,
		`x`:          `In column 1: no value begins with 'x'`,
		`{"id": "a"`: `The text ends before its JSON does`,
	} {
		if _, said := compileBench(t, `["cases.jsonl"]`, line+"\n"); !strings.Contains(said, "Line 1 of cases.jsonl is no JSON object. "+want) {
			t.Errorf("%s: %s, want %s", line, said, want)
		}
	}
}

// Shows that a bench is warned of whose cases say which answer they expect, by each of the
// names under which a report shows that, while nothing that scores reads it.
func TestExpectedAnswersThatNobodyReads(t *testing.T) {
	const summary = "Expected answer that nobody reads"
	for _, name := range bench.Expected() {
		for _, c := range []struct {
			cases, rubric string
			warned        bool
		}{
			{`[{ id = "a", %s = "x" }]`, `passed = output.answer == case.input.%s`, false},
			{`[{ id = "a", %s = "x" }]`, `passed = output.answer == case.input["%s"]`, false},
			{`[{ id = "a", %s = "x" }]`, `score = similarity(output.answer, lookup(case.input, "%s", ""))`, false},
			{`[{ id = "a", %s = "x" }]`, `passed = output == merge(case.input, {})`, false},
			{`[{ id = "a", input = { q = 1, %s = "x" } }]`, "passed = output.ok\nfailure_mode \"wrong\" {\n when = output.answer != case.input.%s\n}", false},
			{`[{ id = "a", %s = "x" }]`, `command = ["./score"]`, false},
			{`[{ id = "a", %s = null }]`, `passed = output.ok`, false},
			{`[{ id = "a", other = "x" }]`, `passed = output.ok`, false},

			{`[{ id = "a", %s = "x" }]`, `passed = output.ok`, true},
			{`[{ id = "b" }, { id = "a", q = 1, %s = "x" }]`, `passed = output.ok && case.id != "c"`, true},
			{`[{ id = "a", input = { q = 1, %s = "x" } }]`, `passed = output.answer == case.input.q`, true},
			{`["cases.jsonl"]`, `passed = output.ok`, true},
			{`[{ id = "a", %s = "x" }]`, "passed = output.ok\ncost_usd = length(case.input.%s)", true},
			{`[{ id = "a", %s = "x" }]`, "passed = output.ok\nfailure_mode \"wrong\" {\n when = !output.ok\n detail = case.input.%s\n}", true},
			{`[{ id = "a", %s = "x" }]`, ``, true},
		} {
			named := strings.NewReplacer("%s", name)
			rubric := ""
			if c.rubric != "" {
				rubric = "  rubric {\n    " + named.Replace(c.rubric) + "\n  }\n"
			}
			src := "taxonomy \"own\" {\n  mode \"wrong\" {}\n}\nbench \"b\" {\n  taxonomy = taxonomy.own\n  cases = " + named.Replace(c.cases) + "\n  sut {\n    command = [\"./answer\"]\n  }\n" + rubric + "}\n"
			file, diags := dsl.Parse("test.scenario.hcl", []byte(src))
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			_, diags = Compile(file, Options{Files: stdlib.Files{FS: fstest.MapFS{"cases.jsonl": {Data: fmt.Appendf(nil, "{\"id\": \"a\", %q: 1}\n", name)}}}})
			if diags.HasErrors() {
				t.Fatalf("%s: %s", src, diags)
			}
			warned := slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool {
				return d.Summary == summary && d.Severity == hcl.DiagWarning && strings.Contains(d.Detail, name)
			})
			if warned != c.warned {
				t.Errorf("%s\nwarned %v, want %v: %s", src, warned, c.warned, diags)
			}
		}
	}
}

package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario/dsl"
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

package report

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

func ctrfSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("testdata/ctrf.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func ctrfOf(t *testing.T, all []Entry, change func(*Summary)) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(written(t, CTRF, all, change)), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// Shows that the document is one of the schema, whatever names and answers
// hold, and that its counts add up.
func TestCTRFSchema(t *testing.T) {
	schema := ctrfSchema(t)
	for name, all := range suites() {
		doc := ctrfOf(t, all, incompleteSuite)
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		results := doc["results"].(map[string]any)
		summary := results["summary"].(map[string]any)
		n := float64(len(results["tests"].([]any)))
		if n != float64(len(all)+1) || summary["tests"] != n || summary["passed"].(float64)+summary["failed"].(float64)+summary["skipped"].(float64) != n {
			t.Errorf("%s: %v for %d entries", name, summary, len(all))
		}
	}
}

// Shows that the schema of the test refuses what the format does.
func TestCTRFSchemaFindsOffenders(t *testing.T) {
	schema := ctrfSchema(t)
	for what, breakIt := range map[string]func(doc, test map[string]any){
		"status":      func(_, test map[string]any) { test["status"] = "errored" },
		"duration":    func(_, test map[string]any) { test["duration"] = 1.5 },
		"name":        func(_, test map[string]any) { delete(test, "name") },
		"unknown key": func(_, test map[string]any) { test["wall_ms"] = 1 },
		"format":      func(doc, _ map[string]any) { doc["reportFormat"] = "ctrf" },
	} {
		doc := ctrfOf(t, entries(), nil)
		breakIt(doc, doc["results"].(map[string]any)["tests"].([]any)[0].(map[string]any))
		if schema.Validate(doc) == nil {
			t.Errorf("a wrong %s is not found", what)
		}
	}
}

// Shows what a test says: times in whole virtual milliseconds from where the
// clock begins, the file and line, what failed, and the steps by their outcome.
func TestCTRF(t *testing.T) {
	doc := ctrfOf(t, entries(), nil)
	test := doc["results"].(map[string]any)["tests"].([]any)[1].(map[string]any)
	if stdout := test["stdout"].([]any); len(stdout) != 4 {
		t.Errorf("stdout %q", stdout)
	}
	delete(test, "stdout")
	full := test["trace"].(string)
	delete(test, "trace")
	if !strings.Contains(full, "[1]: 2000, want 1000\nit waits too long\ngate") {
		t.Errorf("trace %q", full)
	}
	want := map[string]any{
		"name": "two", "status": "failed", "rawStatus": "fail", "duration": 61001.0, "start": 946684800000.0, "stop": 946684861001.0,
		"suite": []any{"a.scenario.hcl"}, "filePath": "a.scenario.hcl", "line": 1.0,
		"message": "assert \"backs off\": it waits too long\ngate \"no_assertion\": nothing is <checked>",
		"snippet": "3 │     condition = [\n4 │       for a in step.answer.attempts : a.at_ms\n5 │     ] == [0, 1000, 3000]",
		"steps":   []any{map[string]any{"name": "answer", "status": "passed", "extra": map[string]any{"status": "success", "ended_ms": 2000.0}}},
	}
	if diff := cmp.Diff(want, test); diff != "" {
		t.Error(diff)
	}
}

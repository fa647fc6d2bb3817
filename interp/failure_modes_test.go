package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/failure"
)

// failureModes are the scenarios about failure modes by their file, without its
// ending.
func failureModes(t *testing.T) map[string][]string {
	t.Helper()
	names := map[string][]string{}
	for _, path := range suiteFiles(t) {
		if filepath.Base(filepath.Dir(path)) != "failure-modes" {
			continue
		}
		file := strings.TrimSuffix(filepath.Base(path), ".scenario.hcl")
		for _, p := range compileFile(t, path) {
			names[file] = append(names[file], p.Name)
		}
	}
	return names
}

// The page about failure modes is whole: rows CU1 to CU12 each name files that
// have scenarios of that row, and no scenario stands in a file that its row does
// not name.
func TestFailureModesTable(t *testing.T) {
	page, err := os.ReadFile("../docs/conformance/failure-modes.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (CU\d+) \|.*$`).FindAllStringSubmatch(string(page), -1) {
		rows[row[1]] = row[0]
	}
	scenarios := failureModes(t)
	for n := 1; n <= 12; n++ {
		row := rows[fmt.Sprintf("CU%d", n)]
		linked := regexp.MustCompile(`scenarios/failure-modes/(\w+)\.scenario\.hcl`).FindAllStringSubmatch(row, -1)
		if len(linked) == 0 {
			t.Errorf("row CU%d names no file: %q", n, row)
		}
		for _, link := range linked {
			about := fmt.Sprintf("CU%d ", n)
			if !slices.ContainsFunc(scenarios[link[1]], func(name string) bool { return strings.HasPrefix(name, about) }) {
				t.Errorf("%s has no scenario of row %s", link[1], about)
			}
		}
	}
	for file, names := range scenarios {
		if !strings.Contains(string(page), "failure-modes/"+file+".scenario.hcl") {
			t.Errorf("the page does not name %s", file)
		}
		for _, name := range names {
			if row := rows[strings.SplitN(name, " ", 2)[0]]; row == "" {
				t.Errorf("%s: scenario %q is of no row", file, name)
			}
		}
	}
}

// Every mode of the decision matrix has its scenario, and so has every test that
// the document names, every example of detection and every policy of its table.
func TestFailureModesWhole(t *testing.T) {
	scenarios := failureModes(t)
	want := map[string][]string{
		"modes":     {"CU1 test_failure_mode_classification"},
		"retry":     {"CU5 test_exponential_backoff_delays", "CU6 test_retry_executor_success_after_retry"},
		"partial":   {"CU4 test_partial_result_completion_ratio", "CU4 test_partial_result_not_recoverable"},
		"detection": nil, "propagation": nil,
	}
	instances := func(file, name string, keys ...string) {
		for _, key := range keys {
			want[file] = append(want[file], fmt.Sprintf("%s[%s]", name, key))
		}
	}
	if n := len(failure.Modes()); n != 25 {
		t.Errorf("%d modes, want 25", n)
	}
	for _, m := range failure.Modes() {
		instances("modes", "CU1 the matrix", m.Code)
	}
	instances("modes", "CU1 test_failure_mode_terminal", "POLICY_SECURITY", "POLICY_BUDGET", "SYSTEM_CRASH", "USER_CANCELLED")
	instances("retry", "CU6 test_retry_policy_respects_mode", "SYSTEM_NETWORK", "POLICY_SECURITY")
	instances("retry", "CU6 test_retry_executor_terminal_failure", "as_it_is_written", "with_its_mode")
	instances("retry", "CU5 the waits of a policy", "base", "four", "fixed", "fail_fast", "factory")
	instances("detection", "CU2 the examples of from_exception", "network", "timeout", "validation", "rate_limit", "circuit")
	instances("propagation", "CU7 the strategy of a workflow", "fail_fast", "continue", "retry", "fallback")
	for file, names := range want {
		for _, name := range names {
			if !slices.Contains(scenarios[file], name) {
				t.Errorf("%s has no scenario %q", file, name)
			}
		}
	}
}

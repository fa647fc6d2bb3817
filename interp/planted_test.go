package interp

import (
	"os"
	"strings"
	"testing"
)

// A wrong number in an expectation is found: each of these scenarios fails
// when one value is changed, for that reason alone, and its neighbours pass.
func TestPlantedFault(t *testing.T) {
	for _, c := range []struct{ file, scenario, right, wrong, kind string }{
		{"first", "two server errors, then an answer", "[0, 1000, 3000]", "[0, 1000, 3001]", "assert"},
		{"faults/kinds", "test_mock_fault_timeout_raises_timeout_error", "elapsed_ms = 5000", "elapsed_ms = 4999", "expect"},
		{"vectors/breaker", "V22 threshold 3, reset 10: open at 2, half open and closed at 12", "[0, 1000, 2000, 3000, 11900]", "[0, 1000, 2000, 3000, 12000]", "assert"},
		{"vectors/workflow", "V41 two a minute with a burst of two: four calls are dialled at 0, 0, 30, 60", `["four", 60000]`, `["four", 45000]`, "assert"},
		{"policies/budget", "tokens: a retry is paid, too", "total_tokens = 100", "total_tokens = 50", "expect"},
		{"cassettes/replay", "the same without its latency", "elapsed_ms = 2000", "elapsed_ms = 0", "expect"},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			path := suiteDir + "/" + c.file + ".scenario.hcl"
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(source), c.right); n != 1 {
				t.Fatalf("%q stands %d times in the file, once is expected", c.right, n)
			}
			for _, p := range compileAt(t, path, strings.Replace(string(source), c.right, c.wrong, 1)) {
				r := Run(p, RunOptions{})
				switch {
				case p.Name != c.scenario && r.Verdict != Pass:
					complain(t, r)
				case p.Name == c.scenario && (r.Verdict != Fail || len(r.Problems) != 1 || r.Problems[0].Kind != c.kind):
					t.Errorf("the verdict is %s with %v; it must fail with one %s", r.Verdict, r.Problems, c.kind)
				}
			}
		})
	}
}

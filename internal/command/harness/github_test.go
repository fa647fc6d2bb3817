package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that what several commands add to the summary of a step stays below what
// GitHub shows, and that the counts of a suite are added as long as they fit.
func TestStepSummaryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	s := &stepSummary{&cli.App{Stderr: &strings.Builder{}}, path}
	summary := "## scenario: fail\n\ncounts\n\n### fail: x\n\n" + strings.Repeat("y", 400<<10) + "\n"
	for range 6000 {
		if n, err := s.Write([]byte(summary)); n != len(summary) || err != nil {
			t.Fatal(n, err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) > 1<<20 || len(got) < 1<<20-200 {
		t.Errorf("the summary has %d bytes", len(got))
	}
	if n := strings.Count(string(got), "### fail"); n != 2 {
		t.Errorf("%d suites are there in full", n)
	}
	if n := strings.Count(string(got), "no room for more"); n < 100 || strings.Count(string(got), "## scenario: fail\n\ncounts") != n+2 {
		t.Errorf("%d suites are counted", n)
	}
}

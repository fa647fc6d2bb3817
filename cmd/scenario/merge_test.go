package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
)

// Shows, on all scenarios of the repository, that what the shards of a suite
// write is enough for every report of the whole suite, byte for byte: for what
// passed, and, with every third scenario made to fail, for all that is shown of
// what did not.
func TestMergedReportsAreThoseOfTheSuite(t *testing.T) {
	scenarios, err := filepath.Abs(filepath.Join(repository, "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	call := func(stdout string, want cli.ExitCode, args ...string) {
		t.Helper()
		a, end := surroundings(someFail)
		got := end(execute(a, args))
		if got.code != int(want) {
			t.Fatalf("%q ends with %d, not %d:\n%s", args, got.code, want, got.stderr)
		}
		if err := os.WriteFile(stdout, []byte(got.stdout), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kinds := append(harness.FormatNames(), "trace")
	reports := func(prefix string) (args []string) {
		for _, name := range harness.FormatNames() {
			args = append(args, "--report", fmt.Sprintf("%s=%s.%s", name, prefix, name))
		}
		return append(args, "--trace-out", prefix+".trace")
	}
	call("whole.out", cli.ExitFailed, append(reports("whole"), "test", scenarios)...)
	merge := append(reports("merged"), "merge")
	for i := 1; i <= 3; i++ {
		call("shard.out", cli.ExitFailed, "test", scenarios, "--shard", fmt.Sprintf("%d/3", i), "--report", fmt.Sprintf("merge=%d.part", i))
		merge = append(merge, fmt.Sprintf("%d.part", i))
	}
	call("merged.out", cli.ExitFailed, merge...)
	for _, kind := range kinds {
		want, got := readText(t, "whole."+kind), readText(t, "merged."+kind)
		if got != want {
			at := firstDifference(want, got)
			t.Errorf("%s differs at byte %d:\n%.300s\nwant\n%.300s", kind, at, got[max(0, at-100):], want[max(0, at-100):])
		}
	}
	if got, want := readText(t, "merged.out"), readText(t, "whole.json"); got != want {
		t.Errorf("standard output differs from --report json at byte %d", firstDifference(want, got))
	}
}

// someFail runs a scenario, and says of every third one that it failed.
func someFail(p *interp.Plan) *interp.Result {
	r := interp.Run(p, interp.RunOptions{})
	if len(p.Name)%3 == 0 && r.Verdict == interp.Pass {
		problem := interp.Problem{Kind: "assert", Name: "made up", Message: "it is", Operands: []interp.Operand{{Text: "1", Value: "2"}}, Diff: "1, want 2"}
		problem.Range.Filename, problem.Range.Start.Line, problem.Range.End.Line = p.File, p.Line, p.Line+2
		r.Verdict, r.Problems = interp.Fail, []interp.Problem{problem}
	}
	return r
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// firstDifference is the first byte in which two texts differ.
func firstDifference(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

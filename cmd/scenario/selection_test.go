package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
)

// Shows that a scenario which is selected alone has the recording that answers
// its bench, and that the recording is not opened where nobody selected plays it.
func TestSelectionOfABench(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "scenarios", "bench"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	test := func(args ...string) int {
		a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
		return end(execute(a, append([]string{"test", "triage.scenario.hcl"}, args...))).code
	}
	if code := test("--run", "six of eight"); code != 0 {
		t.Errorf("alone it ends with %d", code)
	}
	if err := os.WriteFile("triage.yaml", []byte("no cassette"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := test("--run", "a script in the place"); code != 0 {
		t.Errorf("without need of the recording it ends with %d", code)
	}
	if code := test("--run", "six of eight"); code != int(cli.ExitCassette) {
		t.Errorf("with a broken recording it ends with %d", code)
	}
	if code := test(); code != int(cli.ExitCassette) {
		t.Errorf("all with a broken recording end with %d", code)
	}
}

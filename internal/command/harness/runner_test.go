package harness

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// Shows that a scenario which was left out behind a failure counts as not run
// where that failure was then interrupted, and is not taken for one that ran.
func TestShuffleLeavesOut(t *testing.T) {
	var out strings.Builder
	a := &cli.App{Stdout: &out, Stderr: io.Discard, Env: func(string) (string, bool) { return "", false }}
	h := a.WatchHalt(0)
	defer h.Release()
	r := &Runner{
		app: a, Jobs: []Job{{Plan: &interp.Plan{Name: "left out", File: "f"}}}, reporter: report.Text(a.Stdout, report.Options{Verbose: true}),
		halt: h, progress: &cli.Progress{}, Turns: []int{0}, failFast: true, limit: time.Second,
	}
	r.emit(0, nil, pool.Finished)
	if err := r.reporter.Close(r.summary); err != nil {
		t.Fatal(err)
	}
	if r.dropped != 1 || !strings.Contains(out.String(), "before this scenario began") {
		t.Errorf("%d were dropped:\n%s", r.dropped, &out)
	}
}

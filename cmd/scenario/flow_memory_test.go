package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/report/merge"
)

// Shows that of a large suite nothing is kept of a scenario that was reported,
// whatever the reports show of it: its events are many times its text.
func TestReportedResultsAreForgotten(t *testing.T) {
	const files, last = 120, 3*120 - 1
	t.Run("many files", func(t *testing.T) {
		writeSuite(t, files, -1)
		// At most those of the 32 files that are read ahead of the reports, whatever is slow.
		reportedAreForgotten(t, last, 110)
	})
	t.Run("one file", func(t *testing.T) {
		t.Chdir(t.TempDir())
		writeLargeFile(t, "a", last+1, -1)
		// At most those that one worker is ahead of the reports.
		reportedAreForgotten(t, last, 20)
	})
}

// reportedAreForgotten runs the suite of the working directory, and counts which results are
// still held when the last of its scenarios ends.
func reportedAreForgotten(t *testing.T, last, most int) {
	t.Helper()
	var mu sync.Mutex
	var all []weak.Pointer[interp.Result]
	alive := 0
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		r := interp.Run(p, interp.RunOptions{})
		mu.Lock()
		defer mu.Unlock()
		if len(all) == last {
			runtime.GC()
			for _, w := range all {
				if w.Value() != nil {
					alive++
				}
			}
		}
		all = append(all, weak.Make(r))
		return r
	})
	a.Keep = 0
	dir := t.TempDir()
	args := []string{"test", "--no-cache", "--parallel", "1"}
	for _, kind := range []string{"html", "junit", "merge", "ctrf", "tap", "markdown"} {
		args = append(args, "--report", kind+"="+filepath.Join(dir, kind))
	}
	if ended := end(execute(a, args)); ended.code != 0 || len(all) != last+1 {
		t.Fatalf("%d were run\n%s%s", len(all), ended.stdout, ended.stderr)
	}
	if alive > most {
		t.Errorf("of %d results that were reported %d are still held", last, alive)
	}
}

// forgetful is a report that keeps nothing, and counts which of its results are still held
// when the last one comes.
type forgetful struct {
	last, alive int
	all         []weak.Pointer[interp.Result]
}

func (f *forgetful) Add(e report.Entry) error {
	if len(f.all) == f.last {
		runtime.GC()
		for _, w := range f.all {
			if w.Value() != nil {
				f.alive++
			}
		}
	}
	f.all = append(f.all, weak.Make(e.Result))
	return nil
}

func (f *forgetful) Invalid(report.Diagnostic) error { return nil }

func (f *forgetful) Close(report.Summary) error { return nil }

// Shows that a merge reads one result at a time, however many there are: what it holds of
// all is where their lines are.
func TestMergedResultsAreForgotten(t *testing.T) {
	const files, last = 120, 3*120 - 1
	writeSuite(t, files, -1)
	part := filepath.Join(t.TempDir(), "part")
	a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
	if ended := end(execute(a, []string{"test", "--no-cache", "--report", "merge=" + part})); ended.code != 0 {
		t.Fatal(ended)
	}
	file, err := os.Open(part)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	shard, err := merge.ReadShard(part, file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := merge.Join([]*merge.Shard{shard})
	if err != nil {
		t.Fatal(err)
	}
	f := &forgetful{last: last}
	if _, err := whole.Report(f, io.Discard); err != nil || len(f.all) != last+1 {
		t.Fatalf("%d were merged: %v", len(f.all), err)
	}
	if f.alive > 1 { // the one before, at most
		t.Errorf("of %d results that were merged %d are still held", last, f.alive)
	}
}

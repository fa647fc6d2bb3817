package main

import (
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that of a large suite nothing is kept of a scenario that was reported,
// whatever the reports show of it: its events are many times its text.
func TestReportedResultsAreForgotten(t *testing.T) {
	const files, last = 120, 3*120 - 1
	writeSuite(t, files, -1)
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
	if alive > 110 { // at most those of the 32 files that are read ahead of the reports, whatever is slow
		t.Errorf("of %d results that were reported %d are still held", last, alive)
	}
}

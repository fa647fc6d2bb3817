package collect

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/interp/bench"
)

// spooled is a spool with the lines of units from the first on.
func spooled(t *testing.T, lines ...string) *Spool {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	s := &Spool{file: f, at: make([]span, len(lines))}
	s.moved = sync.NewCond(&s.mu)
	t.Cleanup(s.Close)
	for i, line := range lines {
		s.take(delivered{subject: job.ResultSubject("r", i+1), text: line})
	}
	return s
}

// Shows that what there is to look at of a trial is read from the file when somebody looks at
// it, each time, and that a report is known to be incomplete of which something could not be
// read.
func TestTrialIsReadWhenItIsLookedAt(t *testing.T) {
	lines := make([]string, 2)
	for i := range lines {
		line, err := job.Trial{Record: bench.Record{Case: "c", Trial: i + 1, Result: bench.Trial{Kept: &bench.Kept{Output: bench.Excerpt{Text: fmt.Sprintf(`{"n":%d}`, i)}}}}}.Line()
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(line)
	}
	l := &list{number: 1, file: "b.scenario.hcl", name: "b", cases: map[string]*tried{"c": {units: []int32{1, 2, 3}}}}
	e := &Entries{spool: spooled(t, lines[0], lines[1], "{")}
	for i := range lines {
		trial, ran, err := e.trial(t.Context(), l, i+1)
		if err != nil || !ran || trial.Kept != nil {
			t.Fatalf("ran: %v, in memory: %v, %v", ran, trial.Kept, err)
		}
		for range 2 {
			if got, want := trial.Look().Output.Text, fmt.Sprintf(`{"n":%d}`, i); got != want {
				t.Errorf("it is %s, want %s", got, want)
			}
		}
		if i == 1 {
			_ = e.spool.file.Close()
			if trial.Look() != nil || e.Err() == nil {
				t.Errorf("what cannot be read: %v", e.Err())
			}
		}
	}
	const which = `the result of case "c", trial 2 of "b" (b.scenario.hcl)`
	for what, e := range map[string]*Entries{which + " is damaged: ": {spool: spooled(t, lines[0], "{")}, which + ": read ": e} {
		if _, _, err := e.trial(t.Context(), l, 2); err == nil || !strings.HasPrefix(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

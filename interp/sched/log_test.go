package sched

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A journal is what the tasks of a test did, with the time in seconds.
type journal struct {
	s     *Scheduler
	lines []string
}

func (j *journal) add(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf("%v ", j.s.Elapsed().Seconds())+fmt.Sprintf(format, args...))
}

func (j *journal) want(t *testing.T, lines ...string) {
	t.Helper()
	if diff := cmp.Diff(lines, j.lines); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
}

// play runs main on a virtual clock and returns the journal; the run must
// succeed.
func play(t *testing.T, main func(ctx context.Context, s *Scheduler, j *journal)) *journal {
	t.Helper()
	s := New()
	j := &journal{s: s}
	if err := s.Run(func(ctx context.Context) { main(ctx, s, j) }); err != nil {
		t.Fatalf("Run: %v", err)
	}
	return j
}

// noLeak fails the test if it ends with more goroutines than it had. One that
// has nothing left to do but end gets the turns for it, and does not count: it
// has no stack any more, however long the machine takes to be rid of it.
func noLeak(t *testing.T) {
	t.Helper()
	before := stacks()
	t.Cleanup(func() {
		for i := range 10_000 {
			if runtime.NumGoroutine() <= before || i%1_000 == 999 && stacks() <= before {
				return
			}
			runtime.Gosched()
		}
		dump := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after:\n%s", before, stacks(), dump[:runtime.Stack(dump, true)])
	})
}

const second = time.Second

//go:build unix

package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/mutate/program"
)

// Shows that the end of the time ends the run that is under way, and that its mutant was not tried then.
func TestEndOfTheTimeInARun(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "x=17\n[ $x = 17 ] || { echo begun > \"$FIFO\"; read -r nothing < \"$FIFO\"; }\necho done\n",
	})
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	x.options.Starts.Environment = append(x.options.Starts.Environment, "FIFO="+fifo)
	x.options.Only, x.options.Limit = []string{"number"}, time.Hour
	over := make(chan time.Time)
	x.options.After = func(d time.Duration) <-chan time.Time {
		if d == time.Hour {
			return over
		}
		return nil
	}
	go func() {
		f, err := os.Open(fifo) // until the changed program has begun
		if err == nil {
			defer f.Close()
			_, _ = f.Read(make([]byte, 6))
		}
		close(over)
	}()
	r, text := x.run(t)
	if n := r.Count(program.Killed); n > 0 || !r.Late || r.Tried() == len(r.Mutants) || !strings.Contains(text, "not tried") {
		t.Errorf("%d are killed, of those that were ended before their time:\n%s", n, text)
	}
}

// Shows that once the time is over the scenarios that were not run as they are are not run at all.
func TestEndOfTheTimeBefore(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "echo run >> \"$COUNTED\"\nx=17\necho done\n",
	})
	x.options.Limit = time.Nanosecond
	r, text := x.run(t)
	if x.count() != 2 || r.Scenarios != 1 || !r.Late || r.Tried() != 0 || len(r.Mutants) == 0 {
		t.Errorf("%d runs of %d scenarios:\n%s", x.count(), r.Scenarios, text)
	}
}

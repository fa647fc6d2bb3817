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

// Shows that once the time is over nothing is run, and that the report says that nothing is known then.
func TestEndOfTheTimeBefore(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "echo run >> \"$COUNTED\"\nx=17\necho done\n",
	})
	x.options.Limit = time.Nanosecond
	r, text := x.run(t)
	if x.count() != 0 || r.Scenarios != 0 || !r.Late || !r.Unknown || r.Interrupted || len(r.Mutants) > 0 {
		t.Errorf("%d runs of %d scenarios:\n%s", x.count(), r.Scenarios, text)
	}
	x.options.Limit, x.options.Spent = time.Hour, time.Hour // it began before that
	if r, text = x.run(t); x.count() != 0 || !r.Unknown {
		t.Errorf("%d runs of %d scenarios:\n%s", x.count(), r.Scenarios, text)
	}
}

// Shows that the end of the time ends the first run of the program as it is, and the command that builds it, with what
// they have started.
func TestEndOfTheTimeInWhatIsFirst(t *testing.T) {
	for _, build := range []bool{false, true} {
		hangs := "sh -c 'echo begun > \"$FIFO\"; read -r nothing < \"$FIFO\"'\n"
		x := try(t, map[string]string{"a.scenario.hcl": two("app.sh"), "app.sh": hangs, "build.sh": hangs})
		fifo := filepath.Join(t.TempDir(), "fifo")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Skip(err)
		}
		x.options.Starts.Environment = append(x.options.Starts.Environment, "FIFO="+fifo)
		if build {
			x.options.Build = []string{"sh", "build.sh"}
		}
		over := make(chan time.Time)
		x.options.Limit = time.Hour
		x.options.After = func(d time.Duration) <-chan time.Time {
			if d == time.Hour {
				return over
			}
			return nil
		}
		go func() {
			f, err := os.Open(fifo) // until it has begun
			if err == nil {
				defer f.Close()
				_, _ = f.Read(make([]byte, 6))
			}
			close(over)
		}()
		if r, text := x.run(t); !r.Unknown || r.Interrupted || r.Scenarios != 0 || len(r.Mutants) > 0 {
			t.Errorf("with a build: %t: %d scenarios are known:\n%s", build, r.Scenarios, text)
		}
	}
}

// Shows that no changes are made of files once the time is over.
func TestEndOfTheTimeBeforeTheChanges(t *testing.T) {
	x := try(t, map[string]string{
		"a.scenario.hcl": two("app.sh"),
		"app.sh":         "echo run >> \"$COUNTED\"\nx=17\necho done\n",
	})
	x.options.Limit = time.Hour
	begin := time.Unix(0, 0)
	x.options.Now = func() time.Time {
		if x.count() >= 2*2 {
			return begin.Add(2 * time.Hour)
		}
		return begin
	}
	if r, text := x.run(t); len(r.Mutants) > 0 || !r.Late || r.Unknown || r.Scenarios != 2 {
		t.Errorf("%d changes, %d scenarios:\n%s", len(r.Mutants), r.Scenarios, text)
	}
}

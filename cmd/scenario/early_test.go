package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// writeSuite makes a directory of valid files with three scenarios each, of which the
// second one fails in the file bad, and the third one breaks an allowed gate.
func writeSuite(t *testing.T, files, bad int) {
	t.Helper()
	t.Chdir(t.TempDir())
	for i := range files {
		var b strings.Builder
		b.WriteString("workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n")
		for n := range 3 {
			want := 1
			if i == bad && n == 1 {
				want = 2
			}
			check := fmt.Sprintf("expect \"v\" { output = %d }", want)
			if n == 2 {
				check = `allow = ["no_assertion"]`
			}
			fmt.Fprintf(&b, "scenario \"%d-%d\" {\n  run = workflow.w\n  %s\n}\n", i, n, check)
		}
		if err := os.WriteFile(fmt.Sprintf("f%02d%s", i, suite.Suffix), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// writeLargeFile adds a file of so many scenarios, of which bad fails.
func writeLargeFile(t *testing.T, name string, scenarios, bad int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n")
	for i := range scenarios {
		want := 1
		if i == bad {
			want = 2
		}
		fmt.Fprintf(&b, "scenario \"%d-%d\" {\n  run = workflow.w\n  expect \"v\" { output = %d }\n}\n", i, i%3, want)
	}
	if err := os.WriteFile(name+suite.Suffix, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// keeping runs a command with the real engine and so much room for compiled
// files, and returns how it ended with what it traced.
func keeping(t *testing.T, keep int64, args ...string) (played, string) {
	t.Helper()
	os.Remove("t")
	a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
	a.Keep = keep
	got := end(execute(a, append([]string{"test"}, args...)))
	traced, _ := os.ReadFile("t")
	got.stdout = wallMS.ReplaceAllString(got.stdout, "")
	return got, string(traced)
}

// Shows that nobody can tell whether files were kept compiled or run at once:
// results, traces, messages and exit codes are the same bytes with room for
// all files, for some, and for none. One file has so many scenarios that it waits for its
// turn, and fails in the middle.
func TestEarlyRunsAreInvisible(t *testing.T) {
	writeSuite(t, 8, 5)
	writeLargeFile(t, "f03x", 110, 60)
	calls := [][]string{
		{},
		{"-v"},
		{"-q"},
		{"--json"},
		{"--trace-out", "t"},
		{"--trace-out", "chrome=t"},
		{"--trace-out", "otlp=t"},
		{"--fail-fast", "-v", "--trace-out", "t"},
		{"--shard", "2/3", "--json"},
		{"--run", "-1$", "--skip", "^3", "--trace-out", "t", "--count", "2"},
		{"--parallel", "1", "--json"},
		{"--parallel", "4", "--json"},
		{"--fail-fast", "--parallel", "4", "--json"},
		{"--strict", "--report", "html=-"},
		{"--list"},
		{"--run", "none"},
	}
	for _, f := range report.Formats() {
		calls = append(calls, []string{"--report", f.Name + "=-"})
	}
	for _, args := range calls {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			all, allTraced := keeping(t, 1<<30, args...)
			if all.stdout == "" && all.stderr == "" {
				t.Fatal("nothing was said")
			}
			for _, room := range []int64{0, 1200} {
				got, traced := keeping(t, room, args...)
				if got != all || traced != allTraced {
					t.Errorf("with room for %d bytes:\n%+v\nwith room for all:\n%+v\nequal traces: %v", room, got, all, traced == allTraced)
				}
			}
		})
	}
}

// Shows that a suite which stays compiled is checked as a whole before anything is
// reported, and that of one which is reported while it is read an invalid file stops
// what comes behind it, and nothing before it: the same whatever runs at one time.
// Reports say that they are not complete, and what is wrong.
func TestInvalidFileInFlow(t *testing.T) {
	writeSuite(t, 4, -1)
	if err := os.WriteFile("f01x"+suite.Suffix, []byte("scenario {"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, traced := keeping(t, 1<<30, "--trace-out", "t"); got.code != 3 || got.stdout != "" || traced != "" {
		t.Errorf("exit code %d, standard output %q, trace %q", got.code, got.stdout, traced)
	}
	for _, parallel := range []string{"1", "2", "8"} {
		got, traced := keeping(t, 0, "-q", "--trace-out", "t", "--report", "tap=r", "--parallel", parallel)
		got.check(t, 3, "6 passed, 0 failed, 0 errored, 0 skipped (virtual 0s)\n", "f01x.scenario.hcl is invalid: it was not run, and neither were 2 files behind it")
		if n := strings.Count(traced, "\"type\":\"run_start\""); n != 6 {
			t.Errorf("%d runs are in the trace, want those of 2 files: 6\n%s", n, traced)
		}
		written, _ := os.ReadFile("r")
		if want := "Bail out!"; !strings.Contains(string(written), want) || strings.Count(string(written), "\nok ") != 6 {
			t.Errorf("the report has not 6 results and %q:\n%s", want, written)
		}
	}
}

// Shows that results are written while later files are not even read: of 40 files at
// most those that may wait for one before them have run when the first is told.
func TestResultsFlow(t *testing.T) {
	writeSuite(t, 40, -1)
	a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
	a.Keep = 0
	var before []int
	out := a.Stdout
	a.Stdout = writerFunc(func(p []byte) (int, error) {
		n := 0
		for i := range 40 {
			if _, err := os.Stat(fmt.Sprintf("read%02d", i)); err == nil {
				n++
			}
		}
		before = append(before, n)
		return out.Write(p)
	})
	a.Play = func(p *interp.Plan, o interp.RunOptions) *interp.Result {
		_ = os.WriteFile("read"+p.File[1:3], nil, 0o666)
		return interp.Run(p, o)
	}
	// One worker is at most 16 results ahead.
	if got := end(execute(a, []string{"test", "--parallel", "1"})); got.code != 0 {
		t.Fatalf("exit code %d\n%s", got.code, got.stderr)
	}
	if len(before) < 40 || before[0] > 20 {
		t.Errorf("the first of %d writes came after %d of 40 files", len(before), before[0])
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Shows that --list runs nothing, wherever the files went.
func TestListRunsNothing(t *testing.T) {
	writeSuite(t, 3, -1)
	for _, keep := range []int64{0, 1 << 30} {
		a, end := surroundings(func(p *interp.Plan) *interp.Result {
			t.Errorf("%q was run", p.Name)
			return passed(p)
		})
		a.Keep = keep
		if got := end(execute(a, []string{"test", "--list"})); got.code != 0 || strings.Count(got.stdout, "\n") != 9 {
			t.Errorf("exit code %d\n%s", got.code, got.stdout)
		}
	}
}

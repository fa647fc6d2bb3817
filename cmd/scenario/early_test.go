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
// all files, for some, and for none.
func TestEarlyRunsAreInvisible(t *testing.T) {
	writeSuite(t, 8, 5)
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

// Shows that an invalid file at the end of a suite stops it even where files
// before it have run already: nothing of them is reported or written.
func TestEarlyRunsWaitForAllFiles(t *testing.T) {
	writeSuite(t, 4, -1)
	if err := os.WriteFile("z"+suite.Suffix, []byte("scenario {"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, traced := keeping(t, 0, "--trace-out", "t")
	if got.code != 3 || got.stdout != "" || traced != "" {
		t.Errorf("exit code %d, standard output %q, trace %q", got.code, got.stdout, traced)
	}
}

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

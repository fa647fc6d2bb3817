//go:build unix

package benches

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// A foreseen bench is a suite with one bench whose program notes each of its starts.
type foreseenBench struct {
	t   *testing.T
	dir string
	// starts is the file in which it notes them, outside of the suite.
	starts string
}

func newForeseenBench(t *testing.T) *foreseenBench {
	t.Helper()
	f := &foreseenBench{t, t.TempDir(), filepath.Join(t.TempDir(), "starts")}
	f.program("good")
	f.write("b.scenario.hcl", `
bench "b" {
  cases = ["cases.jsonl"]
  sut { command = ["sh", "./agent.sh", case.id, tostring(case.input.n)] }
  rubric { passed = output.n == case.input.n && output.ok }
}
`)
	f.cases(1)
	return f
}

func (f *foreseenBench) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

// program is the program, under test: a bad one fails two cases, one of them without
// an answer.
func (f *foreseenBench) program(kind string) {
	text := "echo $1 >> " + f.starts + "\n"
	if kind == "bad" {
		text += "test $1 = d && exit 3\nok=true; test $1 = b && ok=false\n"
	} else {
		text += "ok=true\n"
	}
	f.write("agent.sh", text+`echo "{\"n\": $2, \"ok\": $ok, \"cost_usd\": 0.01}"`+"\n")
}

func (f *foreseenBench) cases(n int) {
	var b strings.Builder
	for i, id := range []string{"a", "b", "c", "d"} {
		fmt.Fprintf(&b, "{\"id\": %q, \"n\": %d}\n", id, i*n)
	}
	f.write("cases.jsonl", b.String())
}

// call runs the command and returns what it prints and how many programs it started.
func (f *foreseenBench) call(args ...string) (stdout string, started int, err error) {
	f.t.Helper()
	os.Remove(f.starts)
	var out, errs bytes.Buffer
	env := func(string) (string, bool) { return "", false }
	cmd := BenchCommand(&cli.App{Stdout: &out, Stderr: &errs, Env: env, After: time.After})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{f.dir}, args...))
	err = cmd.Execute()
	text, _ := os.ReadFile(f.starts)
	return out.String() + errs.String(), bytes.Count(text, []byte("\n")), err
}

var (
	allTrials = regexp.MustCompile(`at a time: ([0-9]+) trials?\n`)
	someToRun = regexp.MustCompile(`(?:kept from before|for all of them), ([0-9]+) to run`)
	priced    = regexp.MustCompile(`cost: about \$([0-9.]+)`)
)

// foreseen is how many trials --dry-run says would run.
func foreseen(t *testing.T, said string) int {
	t.Helper()
	m := someToRun.FindStringSubmatch(said)
	if m == nil {
		m = allTrials.FindStringSubmatch(said)
	}
	if m == nil {
		t.Fatalf("--dry-run says nothing of trials: %s", said)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// Shows that --dry-run says of every mix of flags, whatever the log and the cache have
// and whatever has changed since, how many trials the run then starts, and starts none;
// and that --resume finds all of a run that came to its end, whoever answered it.
func TestDryRunSaysWhatRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	steps := 60
	if testing.Short() {
		steps = 24
	}
	f := newForeseenBench(t)
	ran, kept := 0, 0
	for step := range steps {
		what := ""
		switch r.IntN(7) {
		case 0:
			f.program("bad")
			what = "bad program"
		case 1:
			f.program("good")
			what = "good program"
		case 2:
			f.cases(1 + r.IntN(2))
			what = "other cases"
		case 3:
			what = "no log"
			logs, _ := filepath.Glob(filepath.Join(f.dir, ".scenario/bench/b-*.jsonl"))
			for _, log := range logs {
				os.Remove(log)
			}
		}
		var flags []string
		whole := true
		for _, flag := range []struct {
			args  []string
			of    int
			whole bool
		}{{[]string{"--resume"}, 2, true}, {[]string{"--cache"}, 2, true}, {[]string{"--last-failed"}, 5, false}, {[]string{"--limit", "2"}, 5, false}, {[]string{"--case", "^[ad]$"}, 5, false}, {[]string{"--trials", "2"}, 3, true}} {
			if r.IntN(flag.of) == 0 {
				flags, whole = append(flags, flag.args...), whole && flag.whole
			}
		}
		if r.IntN(6) == 0 {
			flags, whole = []string{"--rescore", "last"}, false
		}
		at := fmt.Sprintf("step %d, %s, %q", step, what, flags)
		said, started, dryErr := f.call(append(flags, "--dry-run")...)
		if started != 0 {
			t.Fatalf("%s: --dry-run starts %d programs", at, started)
		}
		out, started, err := f.call(flags...)
		if dryErr != nil || started == 0 && strings.Contains(out, "--last-failed: ") {
			if err == nil || dryErr == nil || err.Error() != dryErr.Error() {
				t.Fatalf("%s: --dry-run ends with %v, and the run with %v", at, dryErr, err)
			}
			continue
		}
		if n := foreseen(t, said); n != started {
			t.Fatalf("%s: --dry-run says %d, and %d run\n%s\n%s", at, n, started, said, out)
		}
		if m := priced.FindStringSubmatch(said); m != nil && started > 0 {
			ran++
		}
		if strings.Contains(out, "kept from before") {
			kept++
		}
		if whole {
			again := []string{"--resume", "--dry-run"}
			if strings.Contains(at, "--trials") {
				again = append(again, "--trials", "2")
			}
			if said, _, err := f.call(again...); err != nil || foreseen(t, said) != 0 {
				t.Fatalf("%s: the log does not have all of the run: %v\n%s", at, err, said)
			}
		}
	}
	if ran < steps/6 || kept < steps/6 {
		t.Errorf("%d runs had a price and %d kept something: too few to show anything", ran, kept)
	}
}

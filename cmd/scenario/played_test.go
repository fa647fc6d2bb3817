package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// world is a file of four scenarios, named 1 to 4.
func world(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString("workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n")
	for i := range 4 {
		fmt.Fprintf(&b, "scenario \"%d\" {\n  run = workflow.w\n  expect \"v\" { output = 1 }\n}\n", i+1)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("w"+suite.Suffix, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// played is how a command ended whose scenarios were run by play.
type played struct {
	code           int
	stdout, stderr string
}

func play(run func(*interp.Plan) *interp.Result, args ...string) played {
	a, end := surroundings(run)
	return end(execute(a, args))
}

// surroundings is a command with an empty environment, and what collects how
// it ended.
func surroundings(run func(*interp.Plan) *interp.Result) (*cli.App, func(cli.ExitCode) played) {
	var stdout, stderr bytes.Buffer
	a := &cli.App{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, After: time.After, Keep: harness.KeepSource}
	a.Env = func(string) (string, bool) { return "", false }
	a.Play = func(p *interp.Plan, _ interp.RunOptions) *interp.Result { return run(p) }
	return a, func(code cli.ExitCode) played { return played{int(code), stdout.String(), stderr.String()} }
}

func passed(p *interp.Plan) *interp.Result {
	r := interp.Run(p, interp.RunOptions{})
	r.Verdict, r.Virtual = interp.Pass, 0
	r.Checks, r.Problems, r.Relaxed, r.Events = 0, nil, nil, nil
	return r
}

func (p played) check(t *testing.T, code int, stdout string, stderr ...string) {
	t.Helper()
	if p.code != code {
		t.Errorf("exit code %d, want %d", p.code, code)
	}
	if p.stdout != stdout {
		t.Errorf("standard output is\n%s\nwant\n%s", p.stdout, stdout)
	}
	for _, want := range stderr {
		if !strings.Contains(p.stderr, want) {
			t.Errorf("standard error lacks %q:\n%s", want, p.stderr)
		}
	}
}

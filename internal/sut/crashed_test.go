package sut_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// crashing, in the environment, is what makes this test the program: it says that and ends with
// status 1.
const crashing = "SUT_TEST_CRASHES"

// Shows that a scenario which passes although its program ended by an exception that it did not
// catch, or a thread of one that succeeded did, is warned of, unless it reads what the program wrote,
// or that ended otherwise.
func TestProgramThatCrashes(t *testing.T) {
	if said := os.Getenv(crashing); said != "" {
		fmt.Fprint(os.Stderr, said)
		if strings.Contains(said, "went on") {
			os.Exit(0)
		}
		os.Exit(1)
	}
	const traceback = "Traceback (most recent call last):\n  File \"/a.py\", line 3, in <module>\nHTTPError: HTTP Error 402\n"
	for name, c := range map[string]struct {
		said, condition string
		warned          bool
	}{
		"status alone":         {traceback, `sut.exit_code == 1`, true},
		"what it says":         {traceback, `sut.exit_code == 1 && strcontains(sut.stderr, "402")`, false},
		"what it says else":    {traceback, `sut.exit_code == 1 && sut.stdout == ""`, false},
		"what it must not say": {traceback, `sut.exit_code == 1 && !strcontains(sut.stdout, "paid")`, true},
		"what it may say":      {traceback, `sut.exit_code == 1 && (sut.stdout == "" || sut.stderr != "")`, false},
		"an error":             {"declined\n", `sut.exit_code == 1`, false},
		"a thread":             {"Exception in thread Thread-1 (work):\n" + traceback + "went on\n", `sut.exit_code == 0`, true},
		"a thread, read":       {"Exception in thread Thread-1 (work):\n" + traceback + "went on\n", `sut.exit_code == 0 && sut.stdout == ""`, false},
		"one that was logged, as the command is no shell": {traceback + "went on\n", `sut.exit_code == 0`, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir() + "/a.scenario.hcl"
			status := "failed"
			if strings.Contains(c.said, "went on") {
				status = "success"
			}
			text := fmt.Sprintf("scenario \"s\" {\n  sut {}\n  expect \"run\" { status = %q }\n  assert \"x\" { condition = %s }\n}\n", status, c.condition)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			r := sut.Play(planOf(t, path), sut.Options{
				Command: []string{self, "-test.run=^TestProgramThatCrashes$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), crashing+"="+c.said),
			})
			if warned := strings.Contains(fmt.Sprint(r.Warnings), ": HTTPError: HTTP Error 402"); r.Verdict != interp.Pass || warned != c.warned {
				t.Errorf("%s %v, warned %t: %q", r.Verdict, r.Problems, warned, r.Warnings)
			}
		})
	}
}

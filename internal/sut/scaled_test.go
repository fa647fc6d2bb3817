package sut_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// played runs a scenario with these words in its sut block, and a command.
func played(t *testing.T, words, checks string, command ...string) *sut.Run {
	t.Helper()
	path := t.TempDir() + "/a.scenario.hcl"
	text := "provider \"openai\" \"llm\" {}\n\nscenario \"s\" {\n  sut {\n" + words + "\n  }\n" + checks + "\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return sut.Play(planOf(t, path), sut.Options{Command: command, WorkingDir: t.TempDir(), Environment: os.Environ()})
}

// Shows that a limit which the file gives is on the clock of the run, as at is: what would
// be over after an hour ends before a program does that takes a minute.
func TestTimesOfScaledRuns(t *testing.T) {
	r := played(t, "time_scale = 36000\ntimeout = \"1h\"", `expect "run" { status = "failed" }`, "sleep", "60")
	var broken []string
	for _, p := range r.Problems {
		broken = append(broken, p.Name+": "+p.Message)
	}
	const want = "not_done: after 1h0m0s (100ms of real time, with time_scale = 36000), the program had not ended."
	if !slices.ContainsFunc(broken, func(s string) bool { return strings.HasPrefix(s, want) }) {
		t.Errorf("%s after %s: %q, want %q", r.Verdict, r.Elapsed, broken, want)
	}
}

// Shows that the limit is real time where the file gives none: a program that takes half
// a second has its time, of which a scale of 1000 would leave 60 ms.
func TestDefaultLimitIsRealTime(t *testing.T) {
	if r := played(t, "time_scale = 1000", `expect "run" { status = "success" }`, "sleep", "0.5"); r.Verdict != interp.Pass {
		t.Errorf("%s after %s: %+v", r.Verdict, r.Elapsed, r.Problems)
	}
}

// Shows that stop_timeout is real time: a program that takes half a second to end when it
// is asked to would be killed before that, after 200 ms.
func TestScaledRunsStopInRealTime(t *testing.T) {
	r := played(t, `    time_scale   = 100
    stop_timeout = "20s"
    until        = endpoint.llm.attempts == []
    ready { log = "up" }`, `  assert "it said goodbye" { condition = strcontains(sut.stdout, "bye") }`,
		"sh", "-c", `trap "sleep 0.5; echo bye; exit 0" TERM; echo up; while :; do sleep 0.05; done`)
	if r.Verdict != interp.Pass {
		t.Errorf("%s after %s: %+v", r.Verdict, r.Elapsed, r.Problems)
	}
}

// Shows that ready and settle are real time, however fast the run is: of a hundredth of
// them nothing would be left. The program is a real one, and only too short a time fails.
func TestScaledRunsSettleInRealTime(t *testing.T) {
	for words, want := range map[string]struct {
		verdict interp.Verdict
		said    string
	}{
		`settle = "800ms"`: {verdict: interp.Pass},
		"ready {\n      log     = \"never\"\n      timeout = \"800ms\"\n    }": {verdict: interp.Error, said: "within 800ms"},
	} {
		path := t.TempDir() + "/a.scenario.hcl"
		text := `provider "openai" "llm" {}

scenario "s" {
  sut {
    time_scale = 100
    timeout    = "1h"
    ` + words + `
  }
  expect "run" { status = "success" }
}
`
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		program := []string{"true"}
		if want.said != "" {
			program = []string{"sleep", "50"}
		}
		r := sut.Play(planOf(t, path), sut.Options{Command: program, WorkingDir: t.TempDir(), Environment: os.Environ()})
		if r.Verdict != want.verdict || r.Elapsed < 800*time.Millisecond {
			t.Errorf("%s: %s after %s: %+v", words, r.Verdict, r.Elapsed, r.Problems)
		}
		if want.said != "" && (len(r.Problems) == 0 || !strings.Contains(r.Problems[0].Message, want.said)) {
			t.Errorf("%s: %+v", words, r.Problems)
		}
	}
}

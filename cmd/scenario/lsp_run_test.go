package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// Shows what an editor is told of a scenario that it runs: the text that is not saved,
// all instances of a block, and what did not hold with its values; and that a scenario
// which needs a program starts none.
func TestRunInEditor(t *testing.T) {
	t.Chdir(t.TempDir())
	a := &cli.App{Env: noEnv, Play: interp.Run, After: time.After}
	path, err := filepath.Abs("a" + suite.Suffix)
	if err != nil {
		t.Fatal(err)
	}
	text := `workflow "w" {
  step "value" "v" { value = 1 }
}
scenario "good" {
  run = workflow.w
  expect "v" { output = 1 }
}
scenario "bad" {
  run = workflow.w
  assert "two" { condition = step.v.output == 2 }
}
scenario "many" {
  for_each = toset(["1", "2"])
  run      = workflow.w
  assert "each" { condition = step.v.output == tonumber(each.key) }
}
scenario "later" {
  run  = workflow.w
  skip = "not yet"
  expect "v" { output = 1 }
}
provider "openai" "llm" {}
scenario "program" {
  sut { command = ["touch", "started"] }
  on "llm" {
    reply { content = "x" }
  }
  assert "x" { condition = sut.exit_code == 0 }
}
`
	open := func(asked string) ([]byte, bool) { return []byte(text), filepath.Base(asked) == filepath.Base(path) }
	for name, want := range map[string]struct{ word, note, problem string }{
		"good":    {"passed", "", ""},
		"bad":     {"failed", "", "step.v.output = 1"},
		"many":    {"failed", "1 of 2 passed", "each.key"},
		"later":   {"skipped", "not yet", ""},
		"program": {"not run", "scenario exec", ""},
	} {
		v, err := runInEditor(a, t.Context(), &suite.Variables{}, path, name, open)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v.Word != want.word || !strings.Contains(v.Note, want.note) || (len(v.Problems) > 0) != (want.problem != "") {
			t.Errorf("%s: %+v", name, v)
		}
		for _, p := range v.Problems {
			if !strings.Contains(p.Detail, want.problem) || p.Subject == nil || p.Subject.Start.Line < 8 {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	if _, err := os.Stat("started"); err == nil {
		t.Error("a program was started")
	}
	got, err := explainInEditor(a, t.Context(), &suite.Variables{}, path, "bad", open)
	if err != nil || !strings.Contains(got, "step v") && !strings.Contains(got, "v") {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := explainInEditor(a, t.Context(), &suite.Variables{}, path, "program", open); err == nil || !strings.Contains(err.Error(), "not run here") {
		t.Errorf("%v", err)
	}
	text = "scenario {"
	if _, err := runInEditor(a, t.Context(), &suite.Variables{}, path, "good", open); err == nil || !strings.Contains(err.Error(), "invalid") {
		t.Errorf("%v", err)
	}
}

// Shows that a run in an editor ends at its limit.
func TestRunInEditorEnds(t *testing.T) {
	t.Chdir(t.TempDir())
	limit := make(chan time.Time, 1)
	limit <- time.Time{}
	a := &cli.App{Env: noEnv, After: func(time.Duration) <-chan time.Time { return limit }}
	a.Play = func(p *interp.Plan, o interp.RunOptions) *interp.Result {
		<-o.Done
		return interp.Run(p, o)
	}
	path, err := filepath.Abs("a" + suite.Suffix)
	if err != nil {
		t.Fatal(err)
	}
	open := func(string) ([]byte, bool) { return []byte(strings.ReplaceAll(one, "%s", "1")), true }
	if _, err := runInEditor(a, t.Context(), &suite.Variables{}, path, "s", open); err == nil || !strings.Contains(err.Error(), "was ended before it was over") {
		t.Errorf("%v", err)
	}
}

package sut_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

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
    timeout    = "100s"
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

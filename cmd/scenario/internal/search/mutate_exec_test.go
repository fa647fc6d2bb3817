package search

import (
	"io"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/mutate/program"
	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows that of the changes of a line only secrets are hidden: what names a variable is none, and what stands behind a
// secret that was cut stays closed.
func TestShown(t *testing.T) {
	const clean = "await fetch(url, { method: \"POST\", headers: { \"Content-Type\": \"application/json\", Authorization: \"Bearer \" + process.env.OPENAI_API_KEY } });\n"
	a := &cli.App{Stdout: io.Discard, Stderr: io.Discard}
	err := a.Hiding(func(a *cli.App) error {
		x := &programMutation{App: a}
		of := &program.Source{Path: "ask.mjs", Shown: "ask.mjs", Text: []byte(clean)}
		hidden := 0
		for _, m := range source.Mutants(of.Path, of.Text) {
			if a.Hidden(m.Change) != m.Change {
				hidden++
			}
			got := x.shown(&program.Mutant{Mutant: m, Of: of}, a.Hidden(clean))
			if a.Hidden(got) != got || strings.Contains(got, "REDACTED") || a.Hidden(m.Change) == m.Change && got != m.Change {
				t.Errorf("%s is shown as %s", m.Change, got)
			}
		}
		if hidden == 0 {
			t.Error("no change has a part that looks like a secret")
		}
		of.Text = []byte(strings.Replace(clean, "\"Bearer \" + process.env.OPENAI_API_KEY", "\"Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e\"", 1))
		for _, m := range source.Mutants(of.Path, of.Text) {
			if got := x.shown(&program.Mutant{Mutant: m, Of: of}, a.Hidden(string(of.Text))); strings.Contains(got, "sk-live") {
				t.Errorf("%s is shown", got)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

package mutate

import (
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Shows that what several things have together is given to each of them, that no scenario notices it where only the
// first of them ends it, and that one does where a later one takes a part of it.
func TestScope(t *testing.T) {
	worlds, err := txtar.ParseFile("testdata/scope.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for name, what := range map[string]string{
		"loops":    "workflow.order step.check, then step.send → both in one loop",
		"barrier":  "workflow.ci step.builds, then step.tests → each sub waits for its own",
		"deadline": `workflow.report timeout "30s" of all → of each step`,
		"budget":   "workflow.question budget of all → of each workflow",
		"lock":     `actor.desk lock "line" of all → of each handler`,
		"retry":    "step.booking retry retry.std of all → of each step",
	} {
		for _, later := range []string{"", ", later"} {
			i := slices.IndexFunc(worlds.Files, func(f txtar.File) bool { return f.Name == name+later })
			if i < 0 {
				continue
			}
			r := mutated(t, map[string]string{"a.scenario.hcl": string(worlds.Files[i].Data)}, "", Options{Only: []string{ofEach}})
			var got []string
			for _, m := range r.Mutants {
				got = append(got, m.Declaration+" "+m.Change)
				if noticed := m.Verdict == Killed; noticed != (later != "") || !noticed && m.Verdict != Survived && m.Verdict != Unseen {
					t.Errorf("%s: %s: %s %s %s", name+later, m.Change, m.Verdict, m.Check, m.Why)
				}
			}
			if !slices.Equal(got, []string{what}) {
				t.Errorf("%s: %q, want %q", name+later, got, what)
			}
		}
	}
}

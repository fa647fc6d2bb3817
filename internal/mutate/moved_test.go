package mutate

import (
	"slices"
	"strings"
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

// Shows that what each of several has for itself is one for all, that no scenario notices it where they never meet, and
// that one does where they do.
func TestJoint(t *testing.T) {
	worlds, err := txtar.ParseFile("testdata/joint.txtar")
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][2]string{
		"gateways": {ofEach, "gateway.beta gateway.beta → gateway.acme, one for both"},
		"locks":    {ofEach, `actor.bank lock "savings" → "checking", one for both`},
		"pages":    {ofEach, `step.pages timeout "10s" of each step → of all`},
		"lists":    {"related", "step.get when: contains(step.index.json[input.tenant],… → contains(flatten(try(values(step.index.…"},
	}
	for _, f := range worlds.Files {
		name, together := strings.CutSuffix(f.Name, ", together")
		r := mutated(t, map[string]string{"a.scenario.hcl": string(f.Data)}, "", Options{Only: []string{of[name][0]}})
		var got []string
		for _, m := range r.Mutants {
			got = append(got, m.Declaration+" "+m.Change)
			if noticed := m.Verdict == Killed; noticed != together || !noticed && m.Verdict != Survived && m.Verdict != Unshown {
				t.Errorf("%s: %s: %s %s %s", f.Name, m.Change, m.Verdict, m.Check, m.Why)
			}
		}
		if !slices.Equal(got, []string{of[name][1]}) {
			t.Errorf("%s: %q, want %q", f.Name, got, of[name][1])
		}
	}
}

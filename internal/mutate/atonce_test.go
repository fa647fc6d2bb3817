package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// atOnceIn are the mutants of several parts of a file, of which all single ones are taken to be killed.
func atOnceIn(text string) []*Mutant {
	u := &unit{path: "a.scenario.hcl", source: []byte(text)}
	list := u.mutants(nil)
	for _, m := range list {
		m.Verdict = Killed
	}
	return (&runner{Options: &Options{}}).atOnce(u, list)
}

// What has one name in common is left out at once, and what has none is not.
func TestAtOnce(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  step \"value\" \"a\" { value = upper(input.code) }\n  step \"value\" \"b\" { value = trimprefix(input.code, \"x\") }\n", "step.a value: upper(input.code) → input.code, and in line 3 step.b: value: trimprefix(input.code, \"x\") → input.code"},
		{"  step \"value\" \"a\" { value = upper(input.code) }\n  step \"value\" \"b\" { value = trimprefix(input.name, \"x\") }\n", ""},
		{"  step \"value\" \"a\" { value = [floor(local.x), abs(local.x)] }\n", "step.a value: floor(local.x) → local.x, and value: abs(local.x) → local.x"},
		{"  step \"value\" \"a\" { value = floor(abs(local.x)) }\n", ""},
		{"  step \"value\" \"a\" { value = [for e in input.rows : floor(e.cents)] }\n  step \"value\" \"b\" { value = [for e in input.items : ceil(e.cents)] }\n", "step.a value: floor(e.cents) → e.cents, and in line 3 step.b: value: ceil(e.cents) → e.cents"},
		{"  step \"value\" \"a\" { value = [floor(step.x.output), upper(step.y.output)] }\n", "step.a value: floor(step.x.output) → step.x.output, and value: upper(step.y.output) → step.y.output"},
	} {
		var got []string
		for _, m := range atOnceIn("workflow \"w\" {\n" + c.text + "}\n") {
			got = append(got, m.Declaration+" "+m.Change)
			if strings.Count(string(m.Text()), "\n") != strings.Count("workflow \"w\" {\n"+c.text+"}\n", "\n") {
				t.Errorf("%s: lines are moved:\n%s", m.Change, m.Text())
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.text, strings.Join(got, "\n  "), c.want)
		}
	}
}

// There is one for four single mutants, and no more than are told of.
func TestAtOnceIsBounded(t *testing.T) {
	for _, c := range []struct{ steps, most int }{{2, 1}, {8, 4}, {400, mostAtOnce}} {
		var b strings.Builder
		for i := range c.steps {
			fmt.Fprintf(&b, "  step \"value\" \"s%d\" { value = [upper(input.n%d), floor(local.m%d)] }\n", i, i/4, i/4)
		}
		if got := len(atOnceIn("workflow \"w\" {\n" + b.String() + "}\n")); got == 0 || got > c.most {
			t.Errorf("%d steps: %d mutants, want at most %d", c.steps, got, c.most)
		}
	}
}

// Of several that go unnoticed those of the fewest parts are told of, and of those that are noticed none is.
func TestNews(t *testing.T) {
	a, b, c := &Mutant{}, &Mutant{}, &Mutant{}
	all := &Mutant{Verdict: Survived, parts: []*Mutant{a, b, c}}
	two := &Mutant{Verdict: Unshown, parts: []*Mutant{a, c}}
	other := &Mutant{Verdict: Killed, parts: []*Mutant{a, b}}
	if got := news([]*Mutant{all, two, other}); !slices.Equal(got, []*Mutant{two}) {
		t.Errorf("got %d", len(got))
	}
	if got := news([]*Mutant{all, other}); !slices.Equal(got, []*Mutant{all}) {
		t.Errorf("got %d", len(got))
	}
}

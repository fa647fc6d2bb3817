package mutate

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scenario-lang/scenario/suite"
)

// compilerOf compiles files of a suite that is a map of texts.
func compilerOf(texts map[string]string) func(string, map[string][]byte) *suite.File {
	files := fstest.MapFS{}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return func(path string, changed map[string][]byte) *suite.File {
		l := suite.Loader{Source: suite.FS(files), Placeholder: func(string) bool { return true }}
		defer l.Close()
		l.Unsaved = func(path string) ([]byte, bool) {
			text, ok := changed[path]
			return text, ok
		}
		return l.Load(path)
	}
}

// mutated tries the mutants of files. Of their scenarios those count whose names begin
// like that.
func mutated(t testing.TB, texts map[string]string, names string, o Options) *Report {
	t.Helper()
	o.Compile = compilerOf(texts)
	var hosts []*Host
	for _, name := range sorted(texts) {
		f := o.Compile(name, nil)
		if f.Failed() {
			t.Error(o.Only, name, f.Diags, f.Crash)
			return &Report{}
		}
		h := &Host{File: f}
		for _, p := range f.Plans {
			if strings.HasPrefix(p.Name, names) {
				h.Plans = append(h.Plans, p)
			}
		}
		hosts = append(hosts, h)
	}
	r := Run(hosts, o)
	for _, b := range r.Broken {
		t.Errorf("%s: %q does not pass by itself: %+v", o.Only, b.Plan.Name, b.Problems)
	}
	return r
}

func sorted(texts map[string]string) []string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

const provided = "provider \"http\" \"api\" { base_url = \"https://api.example\" }\n"

// Shows for every operator that its mutants are killed by a scenario that looks at what
// they weaken, and survive one that meets it and does not look.
func TestOperators(t *testing.T) {
	worlds, err := txtar.ParseFile("testdata/operators.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range worlds.Files {
		names = append(names, f.Name)
		texts := map[string]string{"a.scenario.hcl": provided + string(f.Data)}
		o := Options{Only: []string{f.Name}}
		if f.Name == several { // of single mutants that were killed
			o.Only = append(o.Only, "computation")
		}
		strong, weak := mutated(t, texts, "strong", o), mutated(t, texts, "weak", o)
		for _, r := range []*Report{strong, weak} {
			r.Mutants = slices.DeleteFunc(r.Mutants, func(m *Mutant) bool { return m.Operator != f.Name })
		}
		if f.Name == several {
			if len(strong.Mutants) > 0 || len(weak.Mutants) == 0 {
				t.Errorf("%s: %d mutants where they are noticed, %d where they are not", f.Name, len(strong.Mutants), len(weak.Mutants))
			}
		} else if len(strong.Mutants) == 0 {
			t.Errorf("%s: no mutants", f.Name)
		}
		for _, m := range strong.Mutants {
			if m.Verdict != Killed {
				t.Errorf("%s: strong: %s %s: %s %s", f.Name, m.Declaration, m.Change, m.Verdict, m.Why)
			}
		}
		for _, m := range weak.Mutants {
			if m.Verdict != Survived {
				t.Errorf("%s: weak: %s %s: %s %s %s", f.Name, m.Declaration, m.Change, m.Verdict, m.Check, m.Why)
			} else if m.Difference.Assert == "" {
				t.Errorf("%s: weak: %s %s: no assertion sees it: %s", f.Name, m.Declaration, m.Change, m.Difference)
			}
		}
	}
	for _, op := range Operators() {
		if !slices.Contains(names, op.Name) {
			t.Errorf("no world for the operator %s", op.Name)
		}
	}
}

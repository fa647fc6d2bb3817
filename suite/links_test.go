package suite

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// linkedTree is a suite with directories that are reached by links.
func linkedTree(t *testing.T) (files func(pattern string) string) {
	t.Helper()
	dir := t.TempDir()
	home := filepath.Join(dir, "suite", "in")
	for _, name := range []string{"in/cases/a.json", "in/cases/b/c.json", "more/d.json", "more/sub/e.json", "x/f.json", "y/g.json", ".git/h.json"} {
		write(t, filepath.Join(dir, "suite", filepath.FromSlash(name)), "{}")
	}
	write(t, filepath.Join(dir, "outside", "i.json"), "{}")
	write(t, filepath.Join(dir, "suite", "go.mod"), "module x")
	for path, to := range map[string]string{
		"in/cases/linked": "../../more", "in/cases/twice": "../../more", "in/cases/again": ".", "in/cases/up": "..",
		"in/cases/near": "b", "in/cases/out": "../../../outside", "in/cases/git": "../../.git", "in/cases/gone": "nowhere",
		"x/y": "../y", "y/x": "../x", "x/z": "../y", "y/z": "../x", "x/w": "../y", "y/w": "../x", "in/cases/one.json": "a.json",
	} {
		link(t, to, filepath.Join(dir, "suite", filepath.FromSlash(path)))
	}
	l := &Loader{Source: Disk()}
	t.Cleanup(l.Close)
	found := l.files(filepath.Join(home, "a.scenario.hcl"))
	return func(pattern string) string {
		v, err := stdlib.FileFunctions(found)["fileset"].Call([]cty.Value{cty.StringVal(pattern)})
		if err != nil {
			return err.Error()
		}
		var names []string
		for it := v.ElementIterator(); it.Next(); {
			_, name := it.Element()
			names = append(names, name.AsString())
		}
		return strings.Join(names, " ")
	}
}

// Shows that a pattern finds files behind links to directories of the suite, each once and
// by the path without links where it has one, and nothing outside of it or behind a name
// that begins with a dot; links that lead in a circle end.
func TestFilesBehindLinks(t *testing.T) {
	files := linkedTree(t)
	for pattern, want := range map[string]string{
		"cases/**/*.json":     "cases/a.json cases/b/c.json cases/linked/d.json cases/linked/sub/e.json cases/one.json",
		"cases/*/*.json":      "cases/b/c.json cases/linked/d.json",
		"cases/near/*.json":   "cases/near/c.json",
		"cases/linked/*.json": "cases/linked/d.json",
		"cases/l*":            "",
		"cases/*.json":        "cases/a.json cases/one.json",
		"../x/**/*.json":      "../x/f.json ../x/w/g.json",
		"../**/g.json":        "../y/g.json",
		"cases/out/*.json":    `"cases/out" cannot be read: it leaves the suite root, the nearest parent with .git or go.mod, else the working directory`,
	} {
		if got := files(pattern); got != want && !(strings.Contains(want, "cannot be read") && strings.Contains(got, "leaves the suite root")) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

// Shows that what was read is known by every path that led to it, as one of them may come
// to lead elsewhere, and that the links on these paths are known.
func TestReadsKnowLinks(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module x")
	write(t, filepath.Join(dir, "v1", "x.txt"), "1")
	link(t, "v1", filepath.Join(dir, "latest"))
	write(t, filepath.Join(dir, "a.scenario.hcl"), reading(`"${file("latest/x.txt")}${file("v1/x.txt")}${join("", fileset("**/*.txt"))}"`))
	source := Disk()
	l := &Loader{Source: source, Reads: NewReads(source)}
	defer l.Close()
	if f := l.Load(filepath.Join(dir, "a.scenario.hcl")); f.Failed() {
		t.Fatal(f.Diags)
	}
	real := source.Real(dir)
	under := func(path string) string { return filepath.Join(real, filepath.FromSlash(path)) }
	paths := l.Reads.Of(filepath.Join(dir, "a.scenario.hcl"))
	for _, want := range []string{"latest/x.txt", "v1/x.txt", "latest", "v1"} {
		if !slices.Contains(paths, under(want)) {
			t.Errorf("%s is not among %q", want, paths)
		}
	}
	if links := l.Reads.Links(); !maps.Equal(links, map[string]string{under("latest"): under("v1")}) {
		t.Errorf("links %q", links)
	}
	if all := l.Reads.All(); slices.Contains(all, under("latest/x.txt")) || !slices.Contains(all, under("v1/x.txt")) {
		t.Errorf("real names %q", all)
	}
	for _, path := range []string{"v1/x.txt", "v1/new.txt"} {
		if len(l.Reads.Concerned([]string{under(path)})) != 1 {
			t.Errorf("%s concerns nobody", path)
		}
	}
}

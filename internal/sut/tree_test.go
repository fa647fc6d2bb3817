package sut

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes files below a directory, empty ones.
func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Shows what of a directory is listed: all in order but what git keeps, of the program's own neither libraries nor
// what is hidden, unless the directory itself is such a one, and through a link to it.
func TestTree(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.py", "a/c.py", "a/node_modules/x.js", ".git/config", ".venv/d.py", "vendor/e.go", ".env")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir // not every system lets everybody make one
	}
	for _, c := range []struct {
		at   string
		own  bool
		want string
	}{
		{dir, true, ". .env a a/c.py b.py"},
		{dir, false, ". .env .venv .venv/d.py a a/c.py a/node_modules a/node_modules/x.js b.py vendor vendor/e.go"},
		{link, true, ". .env a a/c.py b.py"},
		{filepath.Join(dir, "vendor"), true, ". e.go"},
	} {
		got := treeOf(c.at, c.own)
		var names []string
		for _, p := range got.places {
			name, err := filepath.Rel(c.at, p.path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(name))
		}
		if said := strings.Join(names, " "); said != c.want || !got.whole {
			t.Errorf("%s, own %v: %q, whole %v, want %q", c.at, c.own, said, got.whole, c.want)
		}
	}
	for _, name := range []string{"none", "b.py"} {
		if got := treeOf(filepath.Join(dir, name), true); got.whole || len(got.places) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Shows that no more places of a directory are listed than there is room for, and that it is told where that is
// not all.
func TestTreeBound(t *testing.T) {
	dir := t.TempDir()
	for i := range placesMost/2 - 2 { // with the three directories there is room for one more
		write(t, dir, fmt.Sprint("a/", i), fmt.Sprint("b/", i))
	}
	for _, c := range []struct {
		more  string
		whole bool
	}{{"z", true}, {"b/z", false}} {
		write(t, dir, c.more)
		if got := treeOf(dir, true); len(got.places) != placesMost || got.whole != c.whole {
			t.Errorf("with %s: %d places, whole %v", c.more, len(got.places), got.whole)
		}
	}
}

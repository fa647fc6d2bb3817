package program

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// never says that a copy is not to end.
func never() bool { return false }

// lay writes files into a directory; a text that begins with -> is where a link leads.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if goal, ok := strings.CutPrefix(text, "->"); ok {
			if err := os.Symlink(goal, path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// laid is all that a directory has, without following links.
func laid(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			all[rel] = "dir"
		case d.Type()&fs.ModeSymlink != 0:
			goal, err := os.Readlink(path)
			all[rel] = "->" + goal
			return err
		default:
			text, err := os.ReadFile(path)
			all[rel] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Shows that a copy has what the program needs, that a run changes nothing of what was written, and that the next one
// begins with what the first began with.
func TestCopies(t *testing.T) {
	of, at := t.TempDir(), t.TempDir()
	lay(t, of, map[string]string{
		"app.py": "print()", "data/orders.json": "[]", "data/seed/a": "1", "empty/.keep": "", "latest": "->data/orders.json",
		"node_modules/lib/index.js": "x", "__pycache__/app.pyc": "old", ".git/HEAD": "ref", ".env": "A=1",
	})
	if err := os.Chmod(filepath.Join(of, "app.py"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := laid(t, of)
	tr, err := copyTree(of, at, never)
	if err != nil {
		t.Fatal(err)
	}
	first := laid(t, at)
	want := maps.Clone(before)
	maps.DeleteFunc(want, func(name, _ string) bool {
		return strings.HasPrefix(name, "node_modules/") || strings.HasPrefix(name, "__pycache__") || strings.HasPrefix(name, ".git")
	})
	want["node_modules"] = "->" + filepath.Join(of, "node_modules")
	if !maps.Equal(first, want) {
		t.Errorf("copied: %v, not %v", first, want)
	}
	if info, err := os.Stat(filepath.Join(at, "app.py")); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("a program that may be started: %v %v", info.Mode(), err)
	}

	// Everything that a run may do to its directory.
	write := func(name, text string) {
		lay(t, at, map[string]string{name: text})
	}
	write("data/orders.json", "[1]")
	write("data/new/deep/b", "2")
	write("__pycache__/app.pyc", "new")
	write("kept/__pycache__/x.pyc", "new")
	for _, name := range []string{"data/seed", "latest", "node_modules"} {
		if err := os.RemoveAll(filepath.Join(at, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	write("latest", "a file in the place of a link")
	// The same size, at another time.
	write(".env", "A=2")
	if err := os.Chtimes(filepath.Join(at, ".env"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	list, err := tr.restore(nil)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, w := range list {
		if w.gone {
			w.text = "(gone)"
		}
		told = append(told, w.path+"="+w.text)
	}
	wrote := []string{".env=A=2", "data/new/deep/b=2", "data/orders.json=[1]", "data/seed/a=(gone)", "latest=a file in the place of a link", "node_modules=(gone)"}
	if !slices.Equal(told, wrote) {
		t.Errorf("written: %q, not %q", told, wrote)
	}
	if again := laid(t, at); !maps.Equal(again, first) {
		t.Errorf("after a run: %v, not %v", again, first)
	}
	if list, err := tr.restore(nil); err != nil || len(list) > 0 {
		t.Errorf("after nothing: %v %v", list, err)
	}
	if after := laid(t, of); !maps.Equal(after, before) {
		t.Errorf("what was copied: %v, not %v", after, before)
	}
}

// Shows that a directory in which temporary files lie is copied once.
func TestCopyInItself(t *testing.T) {
	of := t.TempDir()
	lay(t, of, map[string]string{"app.py": "print()", "tmp/" + copies + "1/app.py": "print()", "tmp/" + copies + "2/.keep": ""})
	at := filepath.Join(of, "tmp", copies+"3")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := copyTree(of, at, never); err != nil {
		t.Fatal(err)
	}
	if got := laid(t, at); !maps.Equal(got, map[string]string{"app.py": "print()", "tmp": "dir"}) {
		t.Errorf("copied: %v", got)
	}
}

// Shows that a file whose time was set back after it was written is found and made what it was.
func TestTimeIsSetBack(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the system does not tell when a file was changed")
	}
	of, at := t.TempDir(), t.TempDir()
	lay(t, of, map[string]string{"state.txt": "1"})
	tr, err := copyTree(of, at, never)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // what was restored is as what was copied
		state := filepath.Join(at, "state.txt")
		was, err := os.Stat(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(state, []byte("2"), 0o600), os.Chtimes(state, time.Time{}, was.ModTime())); err != nil {
			t.Fatal(err)
		}
		list, err := tr.restore(nil)
		if err != nil || len(list) != 1 || list[0].text != "2" {
			t.Errorf("written: %v, %v", list, err)
		}
		if got := laid(t, at); !maps.Equal(got, map[string]string{"state.txt": "1"}) {
			t.Errorf("restored: %v", got)
		}
		if list, err = tr.restore(nil); err != nil || len(list) != 0 {
			t.Errorf("written once more: %v, %v", list, err)
		}
	}
}

// Shows that a directory with too much in it is refused.
func TestCopyIsBounded(t *testing.T) {
	of := t.TempDir()
	f, err := os.Create(filepath.Join(of, "large"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(mostBytes + 1); err != nil {
		t.Fatal(err)
	}
	if _, err := copyTree(of, t.TempDir(), never); err == nil || !strings.Contains(err.Error(), "256 MiB") {
		t.Errorf("too large: %v", err)
	}
}

// Shows which directory has all of a program.
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{
		"shop/go.mod": "", "shop/cmd/agent/main.go": "", "shop/scenarios/a.scenario.hcl": "",
		"plain/.git/HEAD": "", "plain/tests/a": "", "plain/src/b": "", "go.mod": "",
	})
	at := func(names ...string) (list []string) {
		for _, name := range names {
			list = append(list, filepath.Join(dir, filepath.FromSlash(name)))
		}
		return list
	}
	for _, row := range []struct {
		of   []string
		want string
	}{
		{at("shop/scenarios"), "shop"},
		{at("shop/scenarios", "shop/cmd/agent"), "shop"},
		{at("plain/tests", "plain/src"), "plain"},
		{at("plain/tests"), "plain/tests"},
		{at("plain/tests", "plain/tests/deep"), "plain/tests"},
		{at("shop/cmd", "plain/src"), ""},
	} {
		if got := Root(row.of); got != filepath.Join(dir, filepath.FromSlash(row.want)) {
			t.Errorf("%v: %s", row.of, got)
		}
	}
}

// Shows which files are changed.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{
		"app.py": "x = 1\n", "lib/util.py": "y = 2\n", "run": "#!/bin/sh\necho\n", "test_app.py": "z = 1\n", "lib/util_test.py": "z = 1\n",
		"web/a.test.js": "x", "node_modules/a/index.js": "x", ".venv/b.py": "x", "a.scenario.hcl": "", "data.json": "{}", "README.md": "x", "lib/binary.py": "\x00",
	})
	names := func(patterns ...string) (list []string) {
		sources, err := Sources(dir, patterns, nil, filepath.Base)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sources {
			list = append(list, s.Path)
		}
		return list
	}
	for _, row := range []struct {
		patterns, want []string
	}{
		{nil, []string{"app.py", "lib/util.py", "run"}},
		{[]string{"lib"}, []string{"lib/util.py", "lib/util_test.py"}},
		{[]string{"./lib/util.py"}, []string{"lib/util.py"}},
		{[]string{"*.py"}, []string{"app.py", "lib/util.py", "lib/util_test.py", "test_app.py"}},
		{[]string{"data.json"}, []string{"data.json"}},
		{[]string{"none"}, nil},
	} {
		if got := names(row.patterns...); !slices.Equal(got, row.want) {
			t.Errorf("%v: %v, not %v", row.patterns, got, row.want)
		}
	}
}

// Shows that links of a copy lead into it where they led into what was copied, and else to where they led.
func TestLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	of, at := filepath.Join(dir, "app"), filepath.Join(dir, "copies", "deep", "app")
	lay(t, dir, map[string]string{
		"app/data/a": "1", "shared/b": "2", "app/inside": "->data/a", "app/deep/inside": "->../data/a", "app/outside": "->../shared/b",
		"app/deep/outside": "->../../shared", "app/absolute": "->" + filepath.Join(of, "data", "a"), "app/elsewhere": "->" + filepath.Join(dir, "shared", "b"),
		"app/nowhere": "->gone",
	})
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := copyTree(of, at, never); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"data": "dir", "deep": "dir", "data/a": "1", "inside": "->data/a", "deep/inside": "->../data/a", "outside": "->" + filepath.Join(dir, "shared", "b"),
		"deep/outside": "->" + filepath.Join(dir, "shared"), "absolute": "->" + filepath.Join(at, "data", "a"), "elsewhere": "->" + filepath.Join(dir, "shared", "b"),
		"nowhere": "->gone",
	}
	if got := laid(t, at); !maps.Equal(got, want) {
		t.Errorf("copied: %v, not %v", got, want)
	}
}

// Shows that what a build writes is not taken for something that the program writes.
func TestBuilt(t *testing.T) {
	of, at := t.TempDir(), t.TempDir()
	lay(t, of, map[string]string{"main.go": "x", "bin/old": "1", "made": "1", "cleaned": "1", "both": "1"})
	tr, err := copyTree(of, at, never)
	if err != nil {
		t.Fatal(err)
	}
	first := laid(t, at)
	write := func(text string, names ...string) {
		for _, name := range names {
			lay(t, at, map[string]string{name: text})
		}
	}
	write("built, and longer", "bin/app", "bin/old", "made", "both")
	if err := os.Remove(filepath.Join(at, "cleaned")); err != nil {
		t.Fatal(err)
	}
	before, err := tr.now()
	if err != nil {
		t.Fatal(err)
	}
	write("run", "both", "log", "App.class")
	if err := os.Remove(filepath.Join(at, "made")); err != nil {
		t.Fatal(err)
	}
	list, err := tr.restore(before)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, w := range list {
		told = append(told, w.path)
	}
	if want := []string{"both", "log", "made"}; !slices.Equal(told, want) {
		t.Errorf("written: %q, not %q", told, want)
	}
	if again := laid(t, at); !maps.Equal(again, first) {
		t.Errorf("after a run: %v, not %v", again, first)
	}
}

// Shows that a process that is about to die leaves no copy behind, also where somebody writes to it at that moment.
func TestSweep(t *testing.T) {
	of, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	lay(t, of, map[string]string{"app.sh": "echo", "data/a": "1"})
	s := &suite{options: &Options{Root: of}}
	w, err := s.worker()
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(w.tree.at) != filepath.Base(of) {
		t.Errorf("the copy of %s has the name %s", of, w.tree.at)
	}
	// A program in a directory can make files in it whatever name that has, until it is removed.
	inside, err := os.OpenRoot(w.tree.at)
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	stop := make(chan struct{})
	var writers, begun sync.WaitGroup
	for n := range 4 {
		begun.Add(1)
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if f, err := inside.Create(strconv.Itoa(n*50 + i%50)); err == nil {
					f.Close()
				}
				if i == 100 {
					begun.Done()
				}
			}
		})
	}
	begun.Wait()
	Sweep()
	close(stop)
	writers.Wait()
	if left := laid(t, tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	w.close()
}

// Shows that a copy ends when everything is to end, and is removed.
func TestCopyIsEnded(t *testing.T) {
	of, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	lay(t, of, map[string]string{"app.sh": "echo"})
	if _, err := copyTree(of, t.TempDir(), func() bool { return true }); !errors.Is(err, errOver) {
		t.Errorf("the error is %v", err)
	}
	done := make(chan struct{})
	close(done)
	r, err := Run(nil, Options{Root: of, Done: done})
	if err != nil || !r.Interrupted {
		t.Errorf("it is %+v, %v", r, err)
	}
	if left := laid(t, tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

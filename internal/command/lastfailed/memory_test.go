package lastfailed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Shows that a memory with and without a directory knows the same: what failed, what
// is new beside a failure, and nothing of what passed.
func TestMemory(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "failed"), ""} {
		m := Open(dir)
		again := func() *Memory {
			m.Close("root")
			if dir != "" {
				m = Open(dir)
			}
			return m
		}
		if m.Ran("root") || m.Failed("f", "a") {
			t.Error("something is known at first")
		}
		all := []string{"a", "b"}
		m.Ended("f", "a", all, false)
		m.Ended("f", "b", all, true)
		m.Ended("g", "a", all, true)
		if again(); !m.Ran("root") || !m.Failed("f", "a") || m.Failed("f", "b") || !m.Failed("f", "new") || m.Failed("g", "a") || m.Failed("g", "new") {
			t.Errorf("in %q after a failure: %+v", dir, m.files["f"])
		}
		m.Ended("f", "c", []string{"c", "b"}, false) // a has a new name
		if again(); !m.Failed("f", "c") || m.Failed("f", "b") {
			t.Errorf("in %q after a new name: %+v", dir, m.files["f"])
		}
		m.Ended("f", "c", []string{"c", "b"}, true)
		if again(); m.Failed("f", "c") || m.Failed("f", "new") {
			t.Errorf("in %q after all passed: %+v", dir, m.files["f"])
		}
	}
}

// Shows that a directory does not grow without bound, and that calls at one time, such
// as shards, lose nothing of each other.
func TestManyFailures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "failed")
	var wg sync.WaitGroup
	all := make([]string, 64)
	for i := range all {
		all[i] = fmt.Sprint(i)
	}
	for shard := range 4 {
		wg.Go(func() {
			m := Open(dir)
			for i := shard; i < len(all); i += 4 {
				m.Ended("f", all[i], all, i%8 < 4)
			}
			m.Close("root")
		})
	}
	wg.Wait()
	m := Open(dir)
	for i, name := range all {
		if m.Failed("f", name) != (i%8 >= 4) {
			t.Errorf("%s: failed %v", name, m.Failed("f", name))
		}
	}
	for i := range filesMax + 100 {
		m.Ended(fmt.Sprint("many", i), "a", []string{"a"}, false)
	}
	m.Close("root")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > filesMax {
		t.Errorf("%d entries: %v", len(entries), err)
	}
}

// Shows that of many failures of a file each is one line and no more: the list of all its
// scenarios is written once, and again where it is gone or they are others.
func TestListIsWrittenOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "failed")
	m, all := Open(dir), []string{"a", "b", "c"}
	names := func() string {
		found, _ := filepath.Glob(filepath.Join(dir, "*", list))
		if len(found) != 1 {
			t.Fatalf("lists: %q", found)
		}
		return found[0]
	}
	m.Ended("f", "a", all, false)
	path := names()
	if err := os.WriteFile(path, []byte(`["mine"]`), 0o600); err != nil {
		t.Fatal(err)
	}
	said := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if m.Ended("f", "b", all, false); said() != `["mine"]` {
		t.Errorf("written again: %s", said())
	}
	if os.Remove(path) != nil {
		t.Fatal("not removed")
	}
	if m.Ended("f", "c", all, false); said() != `["a","b","c"]` {
		t.Errorf("after it was gone: %s", said())
	}
	if m.Ended("f", "b", []string{"b", "d"}, false); said() != `["b","d"]` {
		t.Errorf("of others: %s", said())
	}
	if m = Open(dir); !m.Failed("f", "b") || m.Failed("f", "d") || !m.Failed("f", "new") {
		t.Error("another call knows something else")
	}
}

// Shows that of a file whose list is too long nothing is written, and that it is asked for once.
func TestListIsTooLong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "failed")
	m, all := Open(dir), []string{strings.Repeat("\x01", listMax/6), "b"} // which JSON writes with six bytes each
	for _, name := range all {
		m.Ended("f", name, all, false)
	}
	if f := m.files["f"]; !f.tooLong || !m.Failed("f", "b") {
		t.Errorf("too long %v", f.tooLong)
	}
	if lists, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(lists) > 0 {
		t.Errorf("written: %q", lists)
	}
	if m.Ended("f", "b", []string{"b"}, false); m.files["f"].tooLong || !Open(dir).Failed("f", "b") {
		t.Error("a shorter list is not written")
	}
}

// Shows that a failure is not lost with the name of its file: a scenario of the same name
// is run wherever it stands now, one that nobody finds is told of, and a call that runs
// everything forgets it.
func TestRenamedFile(t *testing.T) {
	root := t.TempDir()
	dir, old := filepath.Join(t.TempDir(), "failed"), filepath.Join(root, "old.scenario.hcl")
	now := filepath.Join(root, "new.scenario.hcl")
	write := func(path string) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(old)
	m := Open(dir)
	m.Ended(old, "a", []string{"a", "b"}, false)
	m.Ended(old, "b", []string{"a", "b"}, true)
	m.Close(root)
	if m = Open(dir); m.Failed(now, "a") || len(m.Lost(root)) != 0 {
		t.Error("something moved while the file is there")
	}
	if err := os.Rename(old, now); err != nil {
		t.Fatal(err)
	}
	if m = Open(dir); len(m.Lost(root)) != 1 || !m.Failed(now, "a") || m.Failed(now, "b") || len(m.Lost(root)) != 0 || len(m.Lost(t.TempDir())) != 0 {
		t.Errorf("after a new name of the file: lost %q", m.Lost(root))
	}
	m.Ended(now, "a", []string{"a", "b"}, true)
	if m = Open(dir); m.Failed(now, "a") || len(m.Lost(root)) != 0 {
		t.Error("what passed under its new name is still known")
	}
	write(old)
	m.Ended(old, "a", []string{"a"}, false)
	if os.Remove(old) != nil {
		t.Fatal("not removed")
	}
	if m = Open(dir); len(m.Lost(root)) != 1 {
		t.Error("a file that is no more is not told of")
	}
	m.Forget(root)
	if m = Open(dir); len(m.Lost(root)) != 0 {
		t.Error("it is not forgotten")
	}
}

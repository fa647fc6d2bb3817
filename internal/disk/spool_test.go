package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is kept comes back whole and in order, however much it is, twice.
func TestSpool(t *testing.T) {
	for _, size := range []int{0, 10, spoolMemory, spoolMemory + 1, 5*spoolMemory + 7} {
		dir := t.TempDir()
		s := NewSpool(dir)
		defer s.Close()
		for round, size := range []int{size, size - size/3} {
			var want bytes.Buffer
			for want.Len() < size {
				piece := strings.Repeat(string(rune('a'+want.Len()%26)), min(size-want.Len(), 100_003))
				want.WriteString(piece)
				if _, err := s.Write([]byte(piece)); err != nil {
					t.Fatal(err)
				}
			}
			if len(s.held) > spoolMemory {
				t.Errorf("%d bytes are held in memory", len(s.held))
			}
			var got bytes.Buffer
			if n, err := s.WriteTo(&got); err != nil || n != int64(size) {
				t.Errorf("WriteTo of %d bytes = %d, %v", size, n, err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("round %d: %d bytes came back otherwise", round, size)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s is left of %d bytes", left[0].Name(), size)
		}
	}
}

// A folder takes the place of an older one of its kind when it is complete, and
// never of anything else.
func TestFolder(t *testing.T) {
	const start = "<page>"
	path := filepath.Join(t.TempDir(), "r.pages")
	write := func(names ...string) *Folder {
		f := NewFolder(path, start)
		for _, n := range names {
			if err := f.Write(n, []byte(start+n)); err != nil {
				t.Fatal(err)
			}
		}
		return f
	}
	expect := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, dir := range []string{path, filepath.Dir(path)} {
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				if e.Name() != "r.pages" {
					got = append(got, e.Name())
				}
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: there are %q, want %q", what, got, want)
		}
	}
	commit := func(f *Folder) {
		t.Helper()
		if err := f.Commit(); err != nil {
			t.Error(err)
		}
		f.Discard()
	}

	commit(write("1", "2", "3"))
	expect("the first", "1", "2", "3")
	write("1", "4").Discard()
	expect("after one that was taken back", "1", "2", "3")
	commit(write("1"))
	expect("after a smaller one", "1")
	commit(write())
	expect("after an empty one")
	if Exists(path) {
		t.Error("an empty folder is left")
	}

	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "notes"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := write("1")
	if f.Free() || f.Commit() == nil {
		t.Error("a directory of something else was replaced")
	}
	f.Discard()
	expect("something else", "notes")
}

package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/suite"
)

// packed is an archive as somebody else may have written it.
func packed(t *testing.T, entries ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, h := range entries {
		h.Mode = 0o644
		if h.Typeflag == tar.TypeReg {
			h.Size = 4
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write([]byte("text")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Shows that a program can be run where it is unpacked, and that what is none stays so.
func TestModes(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	b := NewBuilder()
	modes := map[string]os.FileMode{"program.sh": 0o755, "mine.sh": 0o700, "text.txt": 0o644, "secret.txt": 0o600, "fixed.txt": 0o444}
	for name, mode := range modes {
		path := filepath.Join(from, name)
		if err := os.WriteFile(path, []byte("text"), mode); err != nil {
			t.Fatal(err)
		}
		if err := b.Add(path); err != nil {
			t.Fatal(err)
		}
	}
	data, digest, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := Unpack(data, digest, to); err != nil {
		t.Fatal(err)
	}
	for name, mode := range modes {
		info, err := os.Stat(suite.MirrorPath(to, filepath.Join(from, name)))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := info.Mode().Perm(), mode|0o200; got != want { // its owner can remove it
			t.Errorf("%s has the mode %o, want %o", name, got, want)
		}
	}
}

// Shows that files come out as they went in, that equal files make equal bundles in
// whatever order they were added, and that unpacking twice is no error.
func TestBundle(t *testing.T) {
	from := t.TempDir()
	for name, text := range map[string]string{"a.txt": "a", "b/c.txt": "c", ".hidden": "x"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pack := func(paths ...string) (data []byte, digest string) {
		b := NewBuilder()
		for _, path := range paths {
			if err := b.Add(filepath.Join(from, path)); err != nil {
				t.Fatal(err)
			}
		}
		data, digest, err := b.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return data, digest
	}
	data, digest := pack("a.txt", "b", "missing")
	if _, other := pack("b", "a.txt"); other != digest {
		t.Error("another order makes another bundle")
	}
	dir := filepath.Join(t.TempDir(), digest)
	for range 2 {
		if err := Unpack(data, digest, dir); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"a.txt": "a", "b/c.txt": "c", ".hidden": ""} {
		text, _ := os.ReadFile(filepath.Join(dir, below(filepath.Join(from, name))))
		if string(text) != want {
			t.Errorf("%s is %q, want %q", name, text, want)
		}
	}
}

// Shows that a bundle which is not the one that was asked for is not unpacked, and that
// whatever names and links one has, nothing is written outside its directory and
// nothing of it stays.
func TestBundleOfAnother(t *testing.T) {
	good := packed(t, tar.Header{Name: "a.txt", Typeflag: tar.TypeReg})
	for _, c := range []struct {
		name, digest string
		data         []byte
		said         string
	}{
		{"another digest", strings.Repeat("0", 64), good, "damaged"},
		{"cut", "", good[:len(good)/2], "unexpected EOF"},
		{"no archive", "", []byte("text"), ""},
		{"upwards", "", packed(t, tar.Header{Name: "../outside.txt", Typeflag: tar.TypeReg}), "escapes"},
		{"absolute", "", packed(t, tar.Header{Name: "/outside.txt", Typeflag: tar.TypeReg}), ""},
		{"through a link", "", packed(t, tar.Header{Name: "up", Typeflag: tar.TypeSymlink, Linkname: "../.."}, tar.Header{Name: "up/outside.txt", Typeflag: tar.TypeReg}), "escapes"},
		{"the same twice", "", packed(t, tar.Header{Name: "a.txt", Typeflag: tar.TypeReg}, tar.Header{Name: "a.txt", Typeflag: tar.TypeReg}), "exists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.digest == "" {
				c.digest = Digest(c.data)
			}
			root := t.TempDir()
			dir := filepath.Join(root, "bundles", "one")
			err := Unpack(c.data, c.digest, dir)
			if err == nil || !strings.Contains(err.Error(), c.said) {
				t.Errorf("the error is %v, want one that says %q", err, c.said)
			}
			left, _ := filepath.Glob(filepath.Join(root, "bundles", "*"))
			if _, there := os.Stat(filepath.Join(root, "outside.txt")); there == nil || len(left) > 0 {
				t.Errorf("what is left: %v, and outside: %v", left, there == nil)
			}
		})
	}
}

// Shows that a link to a directory comes out as one, and that what was added by a path
// through it does not stand in its way.
func TestBundleOfLinks(t *testing.T) {
	from := t.TempDir()
	src, linked := filepath.Join(from, "src"), filepath.Join(from, "linked")
	if err := os.MkdirAll(src, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(src, "a.txt"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("src", linked); err != nil {
		t.Skip("this system has no links:", err)
	}
	b := NewBuilder()
	for _, dir := range []string{linked, src} {
		if err := b.Add(filepath.Join(dir, "a.txt")); err != nil {
			t.Fatal(err)
		}
	}
	b.Link(linked, src)
	data, digest, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), digest)
	if err := Unpack(data, digest, to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(to, below(linked), "a.txt")); string(text) != "a" {
		t.Errorf("%q, %v", text, err)
	}
	if got, err := os.Readlink(filepath.Join(to, below(linked))); got != "src" {
		t.Errorf("the link leads to %q, %v", got, err)
	}
}

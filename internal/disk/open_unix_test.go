//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Shows that files and directories are opened, also behind links, and that
// everything else is refused by what it is, in a directory and in a file system
// alike.
func TestOpenRefusesWhatIsIrregular(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(in("file"), []byte("text"), 0o600), os.Mkdir(in("dir"), 0o700), os.Symlink("file", in("link")),
		syscall.Mkfifo(in("pipe"), 0o600), os.Symlink("pipe", in("link to a pipe")), os.Symlink("/dev/null", in("device")),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	short, err := os.MkdirTemp("", "s") // the name of a socket may not be long
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	l, err := net.Listen("unix", filepath.Join(short, "s"))
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	if err := os.Symlink(filepath.Join(short, "s"), in("socket")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Irregular{
		"file": "", "dir": "", "link": "", "pipe": "a pipe", "link to a pipe": "a pipe", "device": "a device", "socket": "a socket",
	} {
		f, err := Open(in(name))
		check(t, "Open "+name, f, err, want)
		g, err := OpenFS(os.DirFS(dir), name)
		check(t, "OpenFS "+name, g, err, want)
		g, err = RegularFS(os.DirFS(dir)).Open(name)
		check(t, "RegularFS "+name, g, err, want)
	}
	if _, err := Open(in("absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is absent gives %v", err)
	}
}

func check(t *testing.T, what string, f fs.File, err error, want Irregular) {
	t.Helper()
	var got Irregular
	errors.As(err, &got)
	if got != want || (want == "") != (err == nil) {
		t.Errorf("%s gives %v, want %q", what, err, want)
	}
	if err == nil {
		f.Close()
	}
}

// Shows that a pipe is written where somebody reads it, and is refused where nobody does: opening it does not wait.
func TestCreateDoesNotWaitForAReader(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Create(pipe, 0o600); err == nil || !strings.Contains(err.Error(), "a pipe that nobody reads") {
		t.Errorf("without a reader: %v", err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	a, err := Create(pipe, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, writing := a.WriteString("text")
	if err := errors.Join(writing, a.Commit()); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 8)
	if n, err := reader.Read(got); string(got[:n]) != "text" {
		t.Errorf("it has %q, %v", got[:n], err)
	}
}

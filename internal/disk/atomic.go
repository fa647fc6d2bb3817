package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// An Atomic file is written under another name beside its own and takes its
// place only when it is complete: a reader never sees half of it. What is
// there and no regular file, such as a device or a pipe, is written directly. A pipe
// that nobody reads is refused: opening it would wait for a reader.
type Atomic struct {
	*bufio.Writer
	f    *os.File
	path string // "" once it is in place, or written directly
}

// Create begins a file. Its mode and owner are those of the file it
// replaces, else perm as the process's mask allows. A link is followed. What
// is marked as read-only is not replaced, although its directory would allow
// it.
func Create(path string, perm fs.FileMode) (*Atomic, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	old, err := os.Stat(path)
	exists := err == nil
	if exists && old.IsDir() {
		return nil, fmt.Errorf("%s is a directory", filepath.ToSlash(path))
	}
	if exists && !old.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY|noWait, 0)
		if err != nil && old.Mode()&fs.ModeNamedPipe != 0 {
			err = fmt.Errorf("is it a pipe that nobody reads? Start what reads it first: %w", Cause(err))
		}
		return &Atomic{bufio.NewWriter(f), f, ""}, err
	}
	if exists {
		if err := writable(path, old); err != nil {
			return nil, err
		}
	}
	f, err := createNextTo(path, perm)
	if err != nil {
		return nil, err
	}
	if exists {
		err := keepOwner(f, old)
		if err == nil {
			err = f.Chmod(old.Mode().Perm())
		}
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, fmt.Errorf("it cannot keep its owner and mode: %w", Cause(err))
		}
	}
	return &Atomic{bufio.NewWriterSize(f, 64<<10), f, path}, nil
}

// CreateBelow is [Create] in a directory that is made where there is none.
func CreateBelow(path string, perm fs.FileMode) (*Atomic, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return Create(path, perm)
}

// writable refuses a file that may not be written. The mode is looked at as
// well, as root may write everything and did not mean to.
func writable(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 {
		return errors.New("the file is read-only")
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// createNextTo creates a file of an unused name in the directory of path.
func createNextTo(path string, perm fs.FileMode) (*os.File, error) {
	var f *os.File
	dir, base := filepath.Split(path)
	_, err := nameNextTo(dir, base, func(name string) (err error) {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		return err
	})
	return f, err
}

// nameNextTo tries names that begin with a point until create takes one, and
// returns it.
func nameNextTo(dir, base string, create func(name string) error) (string, error) {
	for n := 0; ; n++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d.%d", base, os.Getpid(), n))
		if err := create(name); err == nil || !os.IsExist(err) || n > 100 {
			return name, err
		}
	}
}

// unfinished is how files are called that are not in their place yet: those of
// [nameNextTo], and those that have no name where the system allows it.
var unfinished = pattern.New(`^\..+\.[0-9]+\.[0-9]+$|^\.scenario[.-]`)

// Unfinished reports whether a name is that of a file which a command has not put in its
// place yet, or never will as it was killed.
func Unfinished(name string) bool { return unfinished().MatchString(name) }

// Replaces reports whether the file takes a place when it is complete. What is
// written directly, such as a device, does not.
func (a *Atomic) Replaces() bool { return a.path != "" }

// Commit puts the file in its place.
func (a *Atomic) Commit() error {
	err := a.Flush()
	if closing := a.f.Close(); err == nil {
		err = closing
	}
	if a.path == "" {
		return err
	}
	if err == nil {
		err = os.Rename(a.f.Name(), a.path)
	}
	if err != nil {
		os.Remove(a.f.Name())
	}
	a.path = ""
	return err
}

// Discard takes back what [Atomic.Commit] has not put in place.
func (a *Atomic) Discard() {
	if a.path != "" {
		a.f.Close()
		os.Remove(a.f.Name())
		a.path = ""
	}
}

// Write replaces a file by data.
func Write(path string, data []byte, perm fs.FileMode) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

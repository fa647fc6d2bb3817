package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/disk"
)

// Mirror is a file system whose copy lies below the directory root: what was
// /a/b there is root/a/b here. Relative paths are seen from cwd, a path
// there. Nothing outside of root is read, and nothing is written.
func Mirror(root, cwd string) *Source {
	return &Source{system: mirrorSystem{root: disk.Real(root), cwd: filepath.Clean(cwd)}}
}

// mirrorSystem has the names of another file system.
type mirrorSystem struct{ root, cwd string }

// MirrorPath is where the file of an absolute path lies in a mirror.
func MirrorPath(root, path string) string {
	return filepath.Join(root, strings.TrimPrefix(filepath.Clean(path), filepath.VolumeName(path)))
}

func (s mirrorSystem) abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.cwd, name)
}

// at is where the copy of a file lies.
func (s mirrorSystem) at(name string) string { return MirrorPath(s.root, s.abs(name)) }

func (s mirrorSystem) open(name string) (fs.File, error)          { return disk.Open(s.at(name)) }
func (s mirrorSystem) stat(name string) (fs.FileInfo, error)      { return os.Stat(s.at(name)) }
func (s mirrorSystem) lstat(name string) (fs.FileInfo, error)     { return os.Lstat(s.at(name)) }
func (s mirrorSystem) readDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(s.at(name)) }
func (s mirrorSystem) readLink(name string) (string, error)       { return os.Readlink(s.at(name)) }

// real takes what a link leads to outside of the mirror for a file of that name
// inside, which there is not.
func (s mirrorSystem) real(name string) string {
	below, err := filepath.Rel(s.root, disk.Real(s.at(name)))
	if err != nil || !filepath.IsLocal(below) {
		return s.abs(name)
	}
	return filepath.VolumeName(s.cwd) + string(filepath.Separator) + below
}

func (s mirrorSystem) cassette(name string) (*cassette.Cassette, error) {
	return cassette.Load(filepath.ToSlash(s.at(name)))
}

func (s mirrorSystem) shorten(name string) string {
	name = filepath.Clean(name)
	if !filepath.IsAbs(name) {
		return name
	}
	if rel, err := filepath.Rel(s.cwd, name); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

func (s mirrorSystem) sub(dir string) (fs.FS, io.Closer, error) { return osSystem{}.sub(s.at(dir)) }

func (s mirrorSystem) write(name string, _ []byte) error {
	return fmt.Errorf("%s: a mirror is only read: %w", filepath.ToSlash(name), errors.ErrUnsupported)
}

package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/disk"
)

// A system is what a [Source] needs of a file system. Names are paths as the
// operating system writes them.
type system interface {
	open(name string) (fs.File, error)
	stat(name string) (fs.FileInfo, error)
	lstat(name string) (fs.FileInfo, error)
	readDir(name string) ([]fs.DirEntry, error)
	readLink(name string) (string, error)
	// cassette loads the recording of that name.
	cassette(name string) (*cassette.Cassette, error)
	// real is the one name of a path, links followed as far as it exists.
	real(name string) string
	// shorten writes a path as people read it.
	shorten(name string) string
	// sub is what is below a directory, by its real name. Nothing outside can
	// be reached through it. The caller closes it, where there is something to
	// close.
	sub(dir string) (fs.FS, io.Closer, error)
	// write replaces a file as a whole, and makes its directories.
	write(name string, data []byte) error
}

// osSystem is the disk, seen from the working directory.
type osSystem struct{}

func (osSystem) open(name string) (fs.File, error)          { return disk.Open(name) }
func (osSystem) stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osSystem) lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }
func (osSystem) readDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osSystem) readLink(name string) (string, error)       { return os.Readlink(name) }
func (osSystem) real(name string) string                    { return disk.Real(name) }

func (osSystem) cassette(name string) (*cassette.Cassette, error) {
	return cassette.Load(filepath.ToSlash(name))
}

// shorten makes a path relative to the working directory where it lies inside.
func (osSystem) shorten(name string) string {
	name = filepath.Clean(name)
	if !filepath.IsAbs(name) {
		return name
	}
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, name); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return name
}

func (osSystem) sub(dir string) (fs.FS, io.Closer, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	return disk.RegularFS(root.FS()), root, nil
}

func (osSystem) write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := disk.Write(name, data, 0o666); err != nil {
		return fmt.Errorf("%s: %w", filepath.ToSlash(name), err)
	}
	return nil
}

// fsSystem is an fs.FS, whose root is the working directory.
type fsSystem struct{ fs.FS }

// inFS is a name as an fs.FS takes it.
func inFS(name string) string { return path.Clean(filepath.ToSlash(name)) }

func (s fsSystem) open(name string) (fs.File, error)          { return disk.OpenFS(s.FS, inFS(name)) }
func (s fsSystem) stat(name string) (fs.FileInfo, error)      { return fs.Stat(s.FS, inFS(name)) }
func (s fsSystem) lstat(name string) (fs.FileInfo, error)     { return fs.Lstat(s.FS, inFS(name)) }
func (s fsSystem) readDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(s.FS, inFS(name)) }

func (s fsSystem) readLink(name string) (string, error) { return fs.ReadLink(s.FS, inFS(name)) }
func (s fsSystem) shorten(name string) string           { return filepath.Clean(name) }

func (s fsSystem) cassette(name string) (*cassette.Cassette, error) {
	return cassette.LoadFS(s.FS, inFS(name))
}

// linkMax is how many links lead to a file at most.
const linkMax = 32

// real follows links element by element. A link that leaves the file system is
// taken for a file: what it leads to has no name here.
func (s fsSystem) real(name string) string {
	done, left := ".", strings.Split(inFS(name), "/")
	for links := 0; len(left) > 0; {
		next := path.Join(done, left[0])
		left = left[1:]
		to, err := fs.ReadLink(s.FS, next)
		if err != nil || links == linkMax {
			done = next
			continue
		}
		links++
		to = path.Join(path.Dir(next), filepath.ToSlash(to))
		if path.IsAbs(to) || !fs.ValidPath(to) {
			done = next
			continue
		}
		done, left = ".", append(strings.Split(to, "/"), left...)
	}
	return filepath.FromSlash(done)
}

func (s fsSystem) sub(dir string) (fs.FS, io.Closer, error) {
	if !fs.ValidPath(inFS(dir)) {
		return nil, nil, errors.New("not below the root")
	}
	below, err := fs.Sub(s.FS, inFS(dir))
	if err != nil {
		return nil, nil, err
	}
	return disk.RegularFS(below), nil, nil
}

func (s fsSystem) write(name string, _ []byte) error {
	return fmt.Errorf("%s: an fs.FS is only read: %w", inFS(name), errors.ErrUnsupported)
}

package disk

import (
	"io/fs"
	"os"
)

// An Irregular is what a path leads to and is neither a file nor a directory:
// nothing may ever come from it, or it may never end.
type Irregular string

func (what Irregular) Error() string {
	return "it is " + string(what) + ", and only regular files are read"
}

// Open opens a file for reading, links followed. What is not regular is refused
// with an [Irregular], without waiting for whoever is at its other end. A
// directory is opened: reading it says what it is.
func Open(path string) (*os.File, error) {
	if err := Regular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	// Something else may have taken its place since.
	info, err := f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Regular refuses a path to something irregular. What is not there, and what
// nobody may look at, is left to whoever opens it.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return regular(path, info)
}

func regular(path string, info fs.FileInfo) error {
	what := Irregular("")
	switch m := info.Mode(); {
	case m.IsRegular(), m.IsDir():
		return nil
	case m&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case m&fs.ModeSocket != 0:
		what = "a socket"
	case m&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "no regular file"
	}
	return &fs.PathError{Op: "open", Path: path, Err: what}
}

// OpenFS is [Open] for a file of a file system.
func OpenFS(fsys fs.FS, name string) (fs.File, error) {
	if info, err := fs.Stat(fsys, name); err == nil {
		if err := regular(name, info); err != nil {
			return nil, err
		}
	}
	return fsys.Open(name)
}

// RegularFS is a file system that opens files as [OpenFS] does.
func RegularFS(fsys fs.FS) fs.FS { return regularFS{fsys} }

type regularFS struct{ fsys fs.FS }

func (r regularFS) Open(name string) (fs.File, error)          { return OpenFS(r.fsys, name) }
func (r regularFS) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(r.fsys, name) }
func (r regularFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.fsys, name) }

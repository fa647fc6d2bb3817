package overlay

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// An FS is a file system with files of its own before those of another. Names are
// paths as an fs.FS has them; the files must not change while it is in use.
type FS struct {
	Below fs.FS
	Files map[string]string
}

// Open implements fs.FS.
func (o FS) Open(name string) (fs.File, error) {
	if text, ok := o.Files[name]; ok {
		return &overlaid{Reader: strings.NewReader(text), info: overlaidInfo{path.Base(name), int64(len(text)), 0o444}}, nil
	}
	entries, err := o.ReadDir(name)
	if err != nil || !o.adds(name) {
		return o.Below.Open(name)
	}
	return &overlaid{Reader: strings.NewReader(""), info: overlaidInfo{path.Base(name), 0, fs.ModeDir | 0o555}, entries: entries}, nil
}

// adds reports whether a directory has files that only the overlay has.
func (o FS) adds(dir string) bool {
	for name := range o.Files {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// ReadDir implements fs.ReadDirFS.
func (o FS) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.Below, dir)
	if err != nil && !(o.adds(dir) && errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	entries = slices.Clone(entries)
	for name, text := range o.Files {
		rest := name
		if dir != "." {
			var inside bool
			if rest, inside = strings.CutPrefix(name, dir+"/"); !inside {
				continue
			}
		}
		first, _, deeper := strings.Cut(rest, "/")
		info := overlaidInfo{first, int64(len(text)), 0o444}
		if deeper {
			info = overlaidInfo{first, 0, fs.ModeDir | 0o555}
		}
		at := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == first })
		if at < 0 {
			entries = append(entries, fs.FileInfoToDirEntry(info))
		} else {
			entries[at] = fs.FileInfoToDirEntry(info)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Lstat implements fs.ReadLinkFS.
func (o FS) Lstat(name string) (fs.FileInfo, error) {
	if _, ok := o.Files[name]; ok {
		return fs.Stat(o, name)
	}
	if info, err := fs.Lstat(o.Below, name); err == nil || !o.adds(name) {
		return info, err
	}
	return fs.Stat(o, name)
}

// ReadLink implements fs.ReadLinkFS.
func (o FS) ReadLink(name string) (string, error) {
	if _, ok := o.Files[name]; ok {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return fs.ReadLink(o.Below, name)
}

// overlaid is an open file of the overlay, or a directory with some.
type overlaid struct {
	*strings.Reader
	info    overlaidInfo
	entries []fs.DirEntry
}

func (f *overlaid) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *overlaid) Close() error               { return nil }

// ReadDir implements fs.ReadDirFile.
func (f *overlaid) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(f.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.entries) {
		n = len(f.entries)
	}
	some := f.entries[:n]
	f.entries = f.entries[n:]
	return some, nil
}

type overlaidInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i overlaidInfo) Name() string       { return i.name }
func (i overlaidInfo) Size() int64        { return i.size }
func (i overlaidInfo) Mode() fs.FileMode  { return i.mode }
func (i overlaidInfo) ModTime() time.Time { return time.Time{} }
func (i overlaidInfo) IsDir() bool        { return i.mode.IsDir() }
func (i overlaidInfo) Sys() any           { return nil }

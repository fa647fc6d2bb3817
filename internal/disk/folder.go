package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// A Folder is a directory of files that are put in place together: until
// Commit, what was there before is unchanged. It is made when the first file
// is written.
type Folder struct {
	path, start string
	temp        string // where the files are until then, "" while there is none
}

// NewFolder is a folder that is to be at path and whose files all begin with
// start, by which an older one is known again.
func NewFolder(path, start string) *Folder { return &Folder{path: path, start: start} }

// Free reports whether the place can be taken: nothing is there, or an older
// folder of the kind.
func (f *Folder) Free() bool {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return os.IsNotExist(err)
	}
	if info, err := os.Lstat(f.path); err != nil || !info.IsDir() {
		return false
	}
	for _, e := range entries {
		name := filepath.Join(f.path, e.Name())
		if !e.Type().IsRegular() {
			return false
		}
		if start, err := Read(name, int64(len(f.start))-1); err != nil || !strings.HasPrefix(string(start), f.start) {
			return false
		}
	}
	return true
}

// Write adds a file.
func (f *Folder) Write(name string, data []byte) error {
	if f.temp == "" {
		temp, err := makeNextTo(f.path)
		if err != nil {
			return err
		}
		f.temp = temp
	}
	return os.WriteFile(filepath.Join(f.temp, name), data, 0o666)
}

// Commit puts the files in place of those of an older folder, or removes that
// one where there are none. Without a free place nothing is changed.
func (f *Folder) Commit() error {
	if !f.Free() {
		return &os.PathError{Op: "replace", Path: f.path, Err: os.ErrExist}
	}
	if err := os.RemoveAll(f.path); err != nil || f.temp == "" {
		return err
	}
	if err := os.Rename(f.temp, f.path); err != nil {
		return err
	}
	f.temp = ""
	return nil
}

// Discard takes back what [Folder.Commit] has not put in place.
func (f *Folder) Discard() {
	if f.temp != "" {
		os.RemoveAll(f.temp)
		f.temp = ""
	}
}

// makeNextTo makes a directory of an unused name beside path.
func makeNextTo(path string) (string, error) {
	dir, base := filepath.Split(path)
	return nameNextTo(dir, base, func(name string) error { return os.Mkdir(name, 0o777) })
}

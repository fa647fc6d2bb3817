package lastfailed

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/disk"
)

// list is the file that names the scenarios of one with a failure, and pathName the file
// that says where that one was.
const (
	list     = "scenarios.json"
	pathName = "path"
)

// listMax is how many bytes the list of a file's scenarios has at most.
const listMax = 4 << 20

// A file is what is known of a scenario file. It is not there where nothing of it
// failed.
type file struct {
	path string
	// found are those of failed that have been asked for under another path.
	found map[string]bool
	// failed are the names of what did not pass, hashed, and known those of all
	// scenarios that there were, nil where that is not known.
	failed, known map[string]bool
	// notes are what this call and others have written down of it.
	notes notes
	// all are the scenarios that the file has now, once something of it has ended; told says
	// that their list is written, and tooLong that it never is.
	all           []string
	told, tooLong bool
}

// in is a file of which something is kept in a directory, or nothing where that is "".
func in(dir, path string) *file {
	return &file{path: path, failed: map[string]bool{}, found: map[string]bool{}, notes: notes{dir: dir}}
}

// load reads what is known of a file.
func (f *file) load() {
	f.notes.load()
	f.failed = f.notes.failures()
	var known []string
	if data, err := disk.Read(filepath.Join(f.notes.dir, list), listMax); err == nil && json.Unmarshal(data, &known) == nil {
		f.known = namesOf(known)
	}
}

// namesOf are names, hashed.
func namesOf(all []string) map[string]bool {
	names := make(map[string]bool, len(all))
	for _, name := range all {
		names[hashed(name)] = true
	}
	return names
}

// keep writes down a failure. That it cannot be written is no failure of anything.
func (f *file) keep(failed string) {
	if f.failed[failed] = true; f.notes.dir == "" {
		return
	}
	for range keepTries {
		if f.tooLong || f.written(failed) {
			return
		}
	}
}

// keepTries is how often a failure is written down: another call may remove the
// directory that looks empty to it.
const keepTries = 5

// written writes down a failure, and reports whether it is there now.
func (f *file) written(failed string) bool {
	dir := f.notes.dir
	if !f.told && os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	names := filepath.Join(dir, list)
	if !f.told {
		data, err := json.Marshal(f.all)
		if f.tooLong = err != nil || len(data) > listMax; f.tooLong || disk.Write(filepath.Join(dir, pathName), []byte(f.path), 0o600) != nil || disk.Write(names, data, 0o600) != nil {
			return false
		}
	}
	f.told = f.notes.write(failed, true) && disk.Exists(names)
	return f.told
}

// drop forgets a failure.
func (f *file) drop(failed string) {
	if delete(f.failed, failed); f.notes.dir != "" {
		f.notes.write(failed, false)
	}
}

// prune forgets failures of scenarios that the file does not have any more. It does so
// once for what the file has now: of many that fail each would ask for all.
func (f *file) prune(all []string) {
	if len(all) > 0 && len(f.all) == len(all) && &f.all[0] == &all[0] || f.all != nil && slices.Equal(f.all, all) {
		return
	}
	f.all, f.known, f.told, f.tooLong = all, namesOf(all), false, false
	for name := range f.failed {
		if !f.known[name] {
			f.drop(name)
		}
	}
}

// tidy removes a file of which nothing failed any more.
func (f *file) tidy() {
	if len(f.failed) > 0 {
		return
	}
	if f.told = false; f.notes.dir == "" || !f.notes.remove() {
		return
	}
	dir := f.notes.dir
	entries, err := os.ReadDir(dir)
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != list && e.Name() != pathName }) {
		return
	}
	_ = os.Remove(filepath.Join(dir, list))
	_ = os.Remove(filepath.Join(dir, pathName))
	_ = os.Remove(dir) // another call may have put something into it
}

// below reports whether the file was below a directory.
func (f *file) below(root string) bool {
	return strings.HasPrefix(f.path, disk.Real(root)+string(filepath.Separator))
}

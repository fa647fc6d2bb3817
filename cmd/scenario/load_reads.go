package main

import (
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp"
)

// reads remembers which files on disk each scenario file was compiled from, to
// know what a change of one of them concerns. A nil one remembers nothing. It
// is safe for concurrent use.
type reads struct {
	mu sync.Mutex
	// by maps a scenario file to the absolute names of what it read, or tried
	// to: what is not there yet may come.
	by map[string]map[string]bool
}

func newReads() *reads { return &reads{by: map[string]map[string]bool{}} }

// begin forgets what a scenario file read before.
func (r *reads) begin(file string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.by[file] = map[string]bool{}
}

// note remembers that a scenario file read a path.
func (r *reads) note(file, path string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by[file] == nil {
		r.by[file] = map[string]bool{}
	}
	r.by[file][resolved(path)] = true
}

// watch has the options of a scenario file note what is read through them.
func (r *reads) watch(file string, o *interp.Options) {
	note := func(written string) { r.note(file, filepath.Join(filepath.Dir(file), filepath.FromSlash(written))) }
	load, read := o.LoadCassette, o.ReadSnapshot
	o.LoadCassette = func(written string) (*cassette.Cassette, error) {
		note(written)
		return load(written)
	}
	o.ReadSnapshot = func(written string) ([]byte, error) {
		note(written)
		return read(written)
	}
}

// concerned returns the scenario files that read one of the paths, or a
// directory that one of them is directly in, sorted.
func (r *reads) concerned(paths []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var files []string
	for file, read := range r.by {
		if slices.ContainsFunc(paths, func(p string) bool { return read[p] || read[filepath.Dir(p)] }) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// directories are those that have to be watched to see a change of anything
// that was read, sorted.
func (r *reads) directories() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[string]bool{}
	for _, read := range r.by {
		for p := range read {
			seen[filepath.Dir(p)] = true
			if isDir(p) {
				seen[p] = true
			}
		}
	}
	return sortedKeys(seen)
}

// watchedFS notes what is opened below a suite root.
type watchedFS struct {
	fs.FS
	note func(name string)
}

func (w watchedFS) Open(name string) (fs.File, error) {
	w.note(name)
	return w.FS.Open(name)
}

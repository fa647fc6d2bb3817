package suite

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
)

// Reads remembers which files each scenario file was compiled from, to know what
// a change of one of them concerns. A nil one remembers nothing. It is safe for
// concurrent use.
type Reads struct {
	source *Source
	mu     sync.Mutex
	// by maps a scenario file to the paths that it read, or tried to, each with its real
	// name: what is not there yet may come, and a link may come to lead elsewhere.
	by map[string]map[string]string
}

// NewReads remembers files of a source.
func NewReads(s *Source) *Reads { return &Reads{source: s, by: map[string]map[string]string{}} }

// begin forgets what a scenario file read before.
func (r *Reads) begin(file string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.by[file] = map[string]string{}
}

// note remembers that a scenario file read a path.
func (r *Reads) note(file, path string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by[file] == nil {
		r.by[file] = map[string]string{}
	}
	r.by[file][path] = r.source.system.real(path)
}

// watch has the options of a scenario file note what is read through them.
func (r *Reads) watch(file string, o *interp.Options) {
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

// Of are the paths that a scenario file read beside itself, or tried to, sorted.
func (r *Reads) Of(file string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.by[file]))
}

// Concerned returns the scenario files that read one of the paths, which are real names,
// or a directory that one of them is directly in, sorted.
func (r *Reads) Concerned(paths []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	concerns := map[string]bool{}
	for _, p := range paths {
		concerns[p], concerns[filepath.Dir(p)] = true, true
	}
	var files []string
	for file, read := range r.by {
		for _, real := range read {
			if concerns[real] {
				files = append(files, file)
				break
			}
		}
	}
	slices.Sort(files)
	return files
}

// All are the real names of everything that was read, or was tried to be, sorted.
func (r *Reads) All() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[string]bool{}
	for _, read := range r.by {
		for _, real := range read {
			seen[real] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Links are the links to directories on the disk through which something was read, each
// with the real name of what it leads to.
func (r *Reads) Links() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	links := map[string]string{}
	for file, read := range r.by {
		root := r.source.Root(file)
		for path := range read {
			if !filepath.IsAbs(path) {
				path = filepath.Join(r.source.system.real("."), path)
			}
			_, on := disk.Follow(root, path)
			maps.Copy(links, on)
		}
	}
	return links
}

// Directories are those that have to be watched to see a change of anything
// that was read, sorted.
func (r *Reads) Directories() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[string]bool{}
	for _, read := range r.by {
		for _, real := range read {
			seen[filepath.Dir(real)] = true
			if r.source.isDir(real) {
				seen[real] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
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

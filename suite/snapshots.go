package suite

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// maxSnapshot bounds the record of one snapshot.
const maxSnapshot = 64 << 20

// snapshots reads the records of one scenario file.
func (s *Source) snapshots(file string) func(string) ([]byte, error) {
	return func(written string) ([]byte, error) {
		path, err := s.Resolve(file, written)
		if err != nil {
			return nil, err
		}
		data, err := s.read(path, maxSnapshot)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s cannot be read: %w", filepath.ToSlash(path), cause(err))
		case len(data) > maxSnapshot:
			return nil, fmt.Errorf("%s has more than %d MiB", filepath.ToSlash(path), maxSnapshot>>20)
		}
		return data, nil
	}
}

// A Settled is a result after the values of its snapshots were recorded.
type Settled struct {
	// Result is what is left: a pass where nothing else was wrong.
	Result *interp.Result
	// Written are the records that were written, in order.
	Written []WrittenSnapshot
	// Refused says that nothing was, because the scenario fails otherwise: its
	// values are not what anyone wants recorded.
	Refused bool
}

// A WrittenSnapshot is the record of one snapshot.
type WrittenSnapshot struct {
	Path string
	// Changed says that there was another one before.
	Changed bool
}

// Record writes the values of a result's snapshots that differ from their
// records. With an error it says what was written before; an fs.FS cannot be
// written to.
func (s *Source) Record(r *interp.Result) (Settled, error) {
	var changed []interp.Snapshot
	complete := true
	for _, snap := range r.Snapshots {
		if !snap.Same {
			changed = append(changed, snap)
			complete = complete && snap.Value != nil
		}
	}
	out := Settled{Result: r}
	switch {
	case len(changed) == 0:
		return out, nil
	case len(changed) != len(r.Problems) || !complete:
		out.Refused = true
		return out, nil
	}
	for _, snap := range changed {
		path, err := s.record(r.Plan.File, snap)
		if err != nil {
			return out, fmt.Errorf("cannot record a snapshot: %w", err)
		}
		out.Written = append(out.Written, WrittenSnapshot{filepath.ToSlash(path), snap.Recorded})
	}
	settled := *r
	settled.Problems, settled.Verdict = nil, interp.Pass
	out.Result = &settled
	return out, nil
}

// record writes one value.
func (s *Source) record(file string, snap interp.Snapshot) (string, error) {
	path, err := s.Resolve(file, snap.Path)
	if err != nil {
		return "", err
	}
	return path, s.system.write(path, snap.Value)
}

// UnusedSnapshots are records that no scenario of the files compares anything
// with. Whoever renamed a scenario by mistake wants them back.
func (s *Source) UnusedSnapshots(files []*File) []string {
	used, kept := map[string]bool{}, map[string]bool{}
	var dirs []string
	for _, f := range files {
		dir := filepath.Dir(f.Path)
		has, seen := kept[dir]
		if !seen {
			_, err := s.system.lstat(filepath.Join(dir, "snapshots"))
			has = err == nil
			kept[dir] = has
		}
		if !has {
			continue
		}
		for _, p := range f.Plans {
			for _, name := range p.Snapshots {
				used[filepath.Join(dir, filepath.FromSlash(name))] = true
			}
		}
		dirs = append(dirs, filepath.Join(dir, filepath.FromSlash(interp.SnapshotDir(f.Path))))
		if !seen {
			dirs = append(dirs, s.orphans(dir)...)
		}
	}
	var unused []string
	for _, dir := range dirs {
		s.walk(dir, func(path string) {
			if strings.HasSuffix(path, ".golden") && !used[path] {
				unused = append(unused, filepath.ToSlash(path))
			}
		})
	}
	return unused
}

// walk tells of the files at a path and below it, in the order of their names.
// What cannot be read has none.
func (s *Source) walk(path string, each func(file string)) {
	info, err := s.system.lstat(path)
	switch {
	case err != nil:
	case info.IsDir():
		entries, _ := s.system.readDir(path)
		for _, e := range entries {
			s.walk(filepath.Join(path, e.Name()), each)
		}
	default:
		each(path)
	}
}

// orphans are directories of records whose scenario file is gone.
func (s *Source) orphans(dir string) []string {
	siblings, _ := s.system.readDir(dir)
	owned := map[string]bool{}
	for _, f := range siblings {
		if IsScenario(f.Name()) {
			owned[filepath.Join(dir, filepath.FromSlash(interp.SnapshotDir(f.Name())))] = true
		}
	}
	entries, _ := s.system.readDir(filepath.Join(dir, "snapshots"))
	var list []string
	for _, e := range entries {
		if path := filepath.Join(dir, "snapshots", e.Name()); !owned[path] {
			list = append(list, path)
		}
	}
	return list
}

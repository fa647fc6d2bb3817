package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// maxSnapshot bounds the record of one snapshot.
const maxSnapshot = 64 << 20

// snapshots reads the records of one scenario file.
func snapshots(file, root string) func(string) ([]byte, error) {
	return func(written string) ([]byte, error) {
		path, err := besides(file, root, written)
		if err != nil {
			return nil, err
		}
		data, err := readLimited(path, maxSnapshot)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s cannot be read: %w", filepath.ToSlash(path), cause(err))
		case len(data) > maxSnapshot:
			return nil, fmt.Errorf("%s has more than %d MiB", filepath.ToSlash(path), maxSnapshot>>20)
		}
		return data, nil
	}
}

// mayUpdate refuses to record snapshots where nobody looks at them.
func (a *app) mayUpdate() error {
	if ci, _ := a.env("CI"); ci != "" && ci != "false" && ci != "0" {
		return usagef("run it on your own machine, read what changed, and commit it", "--update is refused because CI is %q in the environment: what a build records for itself, it cannot fail to find again", ci)
	}
	return nil
}

// A snapshotWriter records the values of snapshots.
type snapshotWriter struct {
	app    *app
	places *locator
	quiet  bool
}

// settle records the values of a scenario that differ from their records. The
// scenario passes then, where nothing else is wrong with it; where something
// is, its values are not what anyone wants recorded.
func (w *snapshotWriter) settle(r *interp.Result) (*interp.Result, error) {
	var changed []interp.Snapshot
	differ, complete := 0, true
	for _, s := range r.Snapshots {
		if s.Same {
			continue
		}
		differ++
		changed = append(changed, s)
		complete = complete && s.Value != nil
	}
	switch {
	case differ == 0:
		return r, nil
	case differ != len(r.Problems) || !complete:
		fmt.Fprintf(w.app.stderr, "%s:%d: no snapshot of %q is recorded, because the scenario fails otherwise\n", r.Plan.File, r.Plan.Line, r.Plan.Name)
		return r, nil
	}
	for _, s := range changed {
		if err := w.write(r.Plan.File, s); err != nil {
			return r, fmt.Errorf("cannot record a snapshot: %w", err)
		}
	}
	settled := *r
	settled.Problems, settled.Verdict = nil, interp.Pass
	return &settled, nil
}

func (w *snapshotWriter) write(file string, s interp.Snapshot) error {
	path, err := besides(file, w.places.root(file), s.Path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := writeFileAtomic(path, s.Value, 0o666); err != nil {
		return fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	if !w.quiet {
		done := "recorded"
		if s.Recorded {
			done = "changed"
		}
		fmt.Fprintf(w.app.stderr, "%s %s\n", done, filepath.ToSlash(path))
	}
	return nil
}

// warnUnused names records that no scenario of the files compares anything
// with. They stay: whoever renamed a scenario by mistake wants them back.
func (w *snapshotWriter) warnUnused(files []*loaded) {
	used, dirs := map[string]bool{}, map[string]bool{}
	var roots []string
	for _, f := range files {
		dir := filepath.Dir(f.path)
		for _, p := range f.plans {
			for _, s := range p.Snapshots {
				used[filepath.Join(dir, filepath.FromSlash(s))] = true
			}
		}
		roots = append(roots, filepath.Join(dir, filepath.FromSlash(interp.SnapshotDir(f.path))))
		if !dirs[dir] {
			dirs[dir] = true
			roots = append(roots, orphans(dir)...)
		}
	}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".golden") && !used[path] {
				fmt.Fprintf(w.app.stderr, "warning: %s belongs to no snapshot; delete it if none was renamed\n", filepath.ToSlash(path))
			}
			return nil // a directory that cannot be read has nothing to warn about
		})
	}
}

// orphans are directories of records whose scenario file is gone.
func orphans(dir string) []string {
	siblings, _ := os.ReadDir(dir)
	owned := map[string]bool{}
	for _, f := range siblings {
		if isScenario(f.Name()) {
			owned[filepath.Join(dir, filepath.FromSlash(interp.SnapshotDir(f.Name())))] = true
		}
	}
	entries, _ := os.ReadDir(filepath.Join(dir, "snapshots"))
	var list []string
	for _, e := range entries {
		if path := filepath.Join(dir, "snapshots", e.Name()); !owned[path] {
			list = append(list, path)
		}
	}
	return list
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Shows that the next worker of a machine removes what one that was killed has left, and
// nothing else: not the files of one that lives, not a directory that is not known to be
// one of a worker, nor what a link leads to.
func TestFilesOfAKilledWorker(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	url := local(t)
	dirs := func() []string {
		found, err := filepath.Glob(filepath.Join(tmp, "scenario-dist-*", ownerFile))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	dead := process(t, "worker", "--queue", url)
	eventually(t, "it has a directory", func() bool { return len(dirs()) == 1 })
	of := dirs()[0]
	kill(dead)
	if !slices.Contains(dirs(), of) {
		t.Fatal("a killed worker has removed its files")
	}
	elsewhere := t.TempDir()
	for _, path := range []string{filepath.Join(tmp, "scenario-dist-mine", "notes"), filepath.Join(elsewhere, ownerFile), filepath.Join(tmp, "other", ownerFile)} {
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, nil, 0o600) != nil {
			t.Fatal("cannot write ", path)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(tmp, "scenario-dist-link")); err != nil {
		t.Fatal(err)
	}
	process(t, "worker", "--queue", url)
	process(t, "worker", "--queue", url)
	eventually(t, "the files of the dead one are gone", func() bool { return !slices.Contains(dirs(), of) })
	if _, err := os.Stat(filepath.Dir(of)); !os.IsNotExist(err) {
		t.Errorf("its directory is still there: %v", err)
	}
	eventually(t, "both that live have theirs", func() bool { return len(dirs()) == 3 }) // the link has one, too
	removeDead(tmp)
	if n := len(dirs()); n != 3 {
		t.Errorf("%d directories are left of 3", n)
	}
	for _, path := range []string{filepath.Join(tmp, "scenario-dist-mine", "notes"), filepath.Join(elsewhere, ownerFile), filepath.Join(tmp, "other", ownerFile)} {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("what is no worker's is gone: %v", err)
		}
	}
}

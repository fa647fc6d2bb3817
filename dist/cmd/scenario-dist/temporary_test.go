package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Shows that a worker removes the files of a run once that is over or forgotten, and goes on
// with the next one.
func TestFilesOfALongLivedWorker(t *testing.T) {
	url, state := local(t), t.TempDir()
	started, release := holding(t, "")
	files := func() []string {
		found, err := filepath.Glob(filepath.Join(state, inState, "scenario-dist-*", "bundles", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	worker := process(t, "worker", "--queue", url, "--state", state)
	_, r := submitted(t, url)
	eventually(t, "a trial begins", func() bool { return len(lines(started)) == 1 })
	if n := len(files()); n != 1 {
		t.Errorf("there are %d bundles while it runs", n)
	}
	if code, out, errs := calledWithin(t, soon, nil, "forget", r.ID, "--queue", url); code != 0 {
		t.Fatalf("forget: exit code %d\n%s%s", code, out, errs)
	}
	eventually(t, "the files of a run that is forgotten are gone", func() bool { return len(files()) == 0 })
	release()
	for _, id := range []string{"c0", "c1"} {
		if code, out, errs := called(t, nil, "submit", "--queue", url, "--case", id, "--timeout", "1m"); code != 0 {
			t.Fatalf("exit code %d\n%s%s", code, out, errs)
		}
		eventually(t, "the files of a run that is over are gone", func() bool { return len(files()) == 0 })
	}
	_ = worker.Process.Signal(os.Interrupt)
	_ = worker.Wait()
	if left, err := filepath.Glob(filepath.Join(state, inState, "*")); err != nil || len(left) > 0 {
		t.Errorf("the worker leaves %q: %v", left, err)
	}
}

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

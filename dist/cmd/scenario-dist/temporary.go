package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// ownerFile is locked in a temporary directory as long as its process lives.
const ownerFile = "owner"

// temporaryDir is a directory in another one for the files of this process, and what removes
// it. Those of processes that were killed are removed first.
func temporaryDir(in string) (string, func(), error) {
	removeDead(in)
	dir, err := os.MkdirTemp(in, "scenario-dist-*")
	if err != nil {
		return "", nil, err
	}
	owner, err := owned(dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = owner.Close()
	}, nil
}

// owned locks a directory for this process. The file has its name only once it is locked,
// so that nobody takes the directory for one of a process that has ended.
func owned(dir string) (*os.File, error) {
	begun := filepath.Join(dir, "new")
	f, err := os.OpenFile(begun, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(cli.Lock(f), os.Rename(begun, filepath.Join(dir, ownerFile))); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// removeDead removes the temporary directories of this user whose processes have ended
// without doing so.
func removeDead(in string) {
	dirs, _ := filepath.Glob(filepath.Join(in, "scenario-dist-*")) // the pattern is a good one
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !mine(info) {
			continue
		}
		path := filepath.Join(dir, ownerFile)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || !mine(info) {
			continue
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if cli.Lock(f) == nil {
			_ = os.RemoveAll(dir)
		}
		f.Close()
	}
}

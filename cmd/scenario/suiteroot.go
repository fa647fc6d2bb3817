package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// suiteRoot is the directory that nothing a scenario file in home may leave
// (language.md §2): the nearest parent with .git or go.mod, else the working
// directory, else, for a file outside of that, home itself. Links in home are
// resolved already.
func suiteRoot(home string) string {
	for dir := home; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) || exists(filepath.Join(dir, "go.mod")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if cwd := resolved("."); within(cwd, home) {
		return cwd
	}
	return home
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// within reports whether a resolved path lies in a resolved directory, or is
// it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// besides turns a path as a scenario file writes it into one that can be
// opened, or says why it may not be.
func besides(file, root, written string) (string, error) {
	if filepath.IsAbs(filepath.FromSlash(written)) {
		return "", fmt.Errorf("%s is an absolute path, which means nothing on another machine\nhint: write it relative to the scenario file", written)
	}
	path := filepath.Join(filepath.Dir(file), filepath.FromSlash(written))
	if !within(root, resolved(path)) {
		return "", fmt.Errorf("%s leaves the suite root, the nearest parent with .git or go.mod, else the working directory\nhint: move the file into the suite", written)
	}
	return path, nil
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
)

// imports opens what one scenario file imports, and what that imports in turn.
// A path is relative to the file that it stands in; none leaves the suite root
// of the scenario file.
func (l *loader) imports(file string) dsl.Opener {
	root := l.places.root(file)
	// One file has one name here, however many links lead to it.
	names := map[string]string{l.places.real(file): file}
	return func(from, written string) (string, []byte, error) {
		path, err := importable(from, root, written)
		if err != nil {
			return "", nil, err
		}
		l.reads.note(file, path)
		real := l.places.real(path)
		if names[real] == "" {
			names[real] = filepath.ToSlash(path)
		}
		src, err := l.read(path)
		if err != nil {
			return "", nil, unreadable(from, written, path, err)
		}
		return names[real], src, nil
	}
}

// importable turns an import into a path that can be opened, or says why there
// is none.
func importable(from, root, written string) (string, error) {
	path, err := besides(from, root, written)
	switch {
	case err != nil:
		return "", err
	case isScenario(written):
		return path, nil
	case isDirectory(path):
		return "", fmt.Errorf("%s is a directory\nhint: name one file of it; a file is imported, not a directory", written)
	}
	return "", fmt.Errorf("%s is no scenario file: their names end in %s", written, suffix)
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// unreadable says why an import of the file from cannot be read.
func unreadable(from, written, path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be read: %w", written, cause(err))
	}
	meant := ""
	entries, _ := os.ReadDir(filepath.Dir(path))
	var siblings []string
	for _, e := range entries {
		if isScenario(e.Name()) && e.Name() != filepath.Base(from) {
			siblings = append(siblings, e.Name())
		}
	}
	if name := dsl.Suggest(filepath.Base(path), siblings); name != "" {
		meant = fmt.Sprintf(" Did you mean %q?", strings.TrimSuffix(written, filepath.Base(path))+name)
	}
	return fmt.Errorf("there is no file %s.%s\nhint: the path is relative to the file that it stands in", filepath.ToSlash(path), meant)
}

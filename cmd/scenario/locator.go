package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// A locator finds out where files really are. It remembers directories, as a
// suite has many files in few of them. It is safe for concurrent use; its zero
// value knows nothing yet.
type locator struct {
	mu    sync.Mutex
	dirs  map[string]string
	roots map[string]string
}

// real is the one absolute name of a file, links followed as far as the path
// exists.
func (l *locator) real(path string) string {
	base := filepath.Base(path)
	if base == "." || base == ".." {
		return resolved(path)
	}
	name := filepath.Join(l.remember(&l.dirs, filepath.Dir(path), resolved), base)
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return resolved(name)
	}
	return name
}

// root is the suite root of a file.
func (l *locator) root(file string) string {
	return l.remember(&l.roots, filepath.Dir(l.real(file)), suiteRoot)
}

// remember is find(dir), asked for once.
func (l *locator) remember(known *map[string]string, dir string, find func(string) string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found, ok := (*known)[dir]; ok {
		return found
	}
	if *known == nil {
		*known = map[string]string{}
	}
	(*known)[dir] = find(dir)
	return (*known)[dir]
}

// resolved is the one absolute name of a path, links followed as far as it
// exists.
func resolved(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(resolved(parent), filepath.Base(abs))
	}
	return abs
}

package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Real is the one absolute name of a path, links followed as far as it exists.
func Real(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(Real(parent), filepath.Base(abs))
	}
	return abs
}

// Exists reports whether a path leads to something, be it a broken link.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsDir reports whether a path leads to a directory.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Follow is where an absolute path leads through links to directories below a root, which
// is a real name, and those links with the real names of what they lead to. A path that
// leads out of the root is returned as it is.
func Follow(root, path string) (place string, links map[string]string) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path, nil
	}
	links, place = map[string]string{}, root
	for name := range strings.SplitSeq(rel, string(filepath.Separator)) {
		next := filepath.Join(place, name)
		if info, err := os.Lstat(next); err == nil && info.Mode()&fs.ModeSymlink != 0 && IsDir(next) {
			real := Real(next)
			if in, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(in) {
				return path, nil
			}
			links[next], next = real, real
		}
		place = next
	}
	return place, links
}

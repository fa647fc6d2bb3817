package disk

import (
	"os"
	"path/filepath"
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

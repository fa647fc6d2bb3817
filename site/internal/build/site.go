package build

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Site is what is built from where.
type Site struct {
	// Root is the repository, Out the directory that is written.
	Root, Out string
	// Engine says that the engine of the playground is built.
	Engine bool
	Log    io.Writer
}

// marker is in every directory that was written here, so that no other one is removed.
const marker = ".scenario-site"

// Write makes the site anew.
func (s *Site) Write() error {
	entries, err := os.ReadDir(s.Out)
	if err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(s.Out, marker)); err != nil {
			return fmt.Errorf("%s is a directory that holds something else: name another one, or remove it", s.Out)
		}
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(s.Out); err != nil {
		return err
	}
	if err := s.file(marker, nil); err != nil {
		return err
	}
	examples, err := s.playground()
	if err != nil {
		return err
	}
	return s.pages(examples)
}

// file writes one file of the site.
func (s *Site) file(name string, text []byte) error {
	path := filepath.Join(s.Out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}

package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// Link adds to a file what it imports, and what that imports in turn. A path is
// relative to the file that it stands in; none leaves the suite root of the
// file that is linked.
func (l *Loader) Link(file *dsl.File) (*dsl.File, hcl.Diagnostics) {
	return dsl.Link(file, l.opener(file.Path))
}

// opener opens what one scenario file imports.
func (l *Loader) opener(file string) dsl.Opener {
	// One file has one name here, however many links lead to it.
	names := map[string]string{l.Source.Real(file): file}
	return func(from, written string) (string, []byte, error) {
		path, err := l.Source.importable(file, from, written)
		if err != nil {
			return "", nil, err
		}
		l.Reads.note(file, path)
		real := l.Source.Real(path)
		if names[real] == "" {
			names[real] = filepath.ToSlash(path)
		}
		src, err := l.read(path)
		if err != nil {
			return "", nil, l.Source.unreadable(from, written, path, err)
		}
		return names[real], src, nil
	}
}

// importable turns an import that stands in from into a path that can be
// opened, or says why there is none.
func (s *Source) importable(file, from, written string) (string, error) {
	path, err := s.resolveBelow(s.Root(file), from, written)
	switch {
	case err != nil:
		return "", err
	case IsScenario(written):
		return path, nil
	case s.isDir(path):
		return "", fmt.Errorf("%s is a directory\nhint: name one file of it; a file is imported, not a directory", written)
	}
	if _, err := s.system.stat(path + Suffix); err == nil {
		return "", fmt.Errorf("%s is no scenario file: its name ends in %s. Did you mean %q?", written, Suffix, written+Suffix)
	}
	meant := ""
	if near := module(written); near != "" {
		meant = fmt.Sprintf(". Did you mean %q?", near)
	}
	return "", fmt.Errorf("%s is no scenario file: their names end in %s%s", written, Suffix, meant)
}

// module is the file of the standard library that an import was probably meant to name,
// with its prefix left out or mistyped; "" where none is near.
func module(written string) string {
	names := stdlib.ModuleNames()
	if slices.Contains(names, stdlib.ModulePrefix+written) {
		return stdlib.ModulePrefix + written
	}
	return dsl.Suggest(written, names)
}

// unreadable says why an import of the file from cannot be read.
func (s *Source) unreadable(from, written, path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be read: %w", written, cause(err))
	}
	meant := ""
	if name := s.sibling(path, func(name string) bool { return IsScenario(name) && name != filepath.Base(from) }); name != "" {
		meant = fmt.Sprintf(" Did you mean %q?", strings.TrimSuffix(written, filepath.Base(path))+name)
	} else {
		meant = s.meant(s.Root(from), from, written)
	}
	return fmt.Errorf("there is no file %s.%s\nhint: the path is relative to the file that it stands in", filepath.ToSlash(path), meant)
}

// meant asks after the file that a path which leads nowhere probably means, "" where there
// is none below the root.
func (s *Source) meant(root, from, written string) string {
	dir, err := filepath.Rel(root, s.Real(filepath.Dir(from)))
	if err != nil || !filepath.IsLocal(dir) {
		return ""
	}
	near := stdlib.Nearby(filepath.ToSlash(dir), filepath.ToSlash(written), func(path string) bool {
		info, err := s.system.stat(filepath.Join(root, filepath.FromSlash(path)))
		return err == nil && info.Mode().IsRegular()
	})
	if near == "" {
		return ""
	}
	if strings.HasPrefix(written, "./") && !strings.HasPrefix(near, "../") {
		near = "./" + near
	}
	return fmt.Sprintf(" Did you mean %q?", near)
}

// sibling is the name of the file in the directory of path that was probably meant, of
// those that fit, "" where none is near. The suffix that all scenario files share makes no
// two of them alike.
func (s *Source) sibling(path string, fits func(name string) bool) string {
	entries, _ := s.system.readDir(filepath.Dir(path))
	name, suffix := strings.CutSuffix(filepath.Base(path), Suffix)
	var names []string
	for _, e := range entries {
		if e.IsDir() || !fits(e.Name()) {
			continue
		}
		if own, same := strings.CutSuffix(e.Name(), Suffix); same == suffix {
			names = append(names, own)
		}
	}
	near := dsl.Suggest(name, names)
	if near != "" && suffix {
		near += Suffix
	}
	return near
}

package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/data"
	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// mostSources bounds the files of code that are changed, and mostText how large a file is that is looked at.
const (
	mostSources = 500
	mostText    = 16 << 20
)

// A Source is a file of the program.
type Source struct {
	// Path is that below the directory that is copied, with slashes, and Shown as people know it.
	Path, Shown string
	Text        []byte
	// Data says that it is no code: rules, limits, a prompt. Quiet says of such a file that the code does not name
	// it, so that nothing is said where nothing reads it.
	Data, Quiet bool
	// Not says why nothing in it is changed, "" where something is.
	Not string
}

// roots are the files by which one sees that a directory has all of a program.
var roots = []string{"go.mod", "package.json", "pyproject.toml", "setup.py", "Gemfile", "pom.xml", "build.gradle", "build.gradle.kts"}

// Root is the directory that has all of some others, and all of the program that these belong to: the nearest above
// them with a file such as go.mod or package.json, or else the one that they have in common. They are absolute.
func Root(dirs []string) string {
	root := filepath.Clean(dirs[0])
	for _, dir := range dirs[1:] {
		for !contains(root, dir) && filepath.Dir(root) != root {
			root = filepath.Dir(root)
		}
	}
	home, _ := os.UserHomeDir()
	for at := root; filepath.Dir(at) != at && at != home; at = filepath.Dir(at) {
		if slices.ContainsFunc(roots, func(name string) bool { _, err := os.Stat(filepath.Join(at, name)); return err == nil }) {
			return at
		}
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			break // what lies above is of something else
		}
	}
	return root
}

// contains reports whether a path lies in a directory, or is that.
func contains(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Sources are the files of a directory that match one of some patterns, in order: those in a language that is known,
// data that these or some words name, and code of which nothing is changed. Without patterns they are all but tests. A
// pattern matches a path below the directory, a file's name, or all that lies below a directory.
func Sources(root string, patterns, words []string, shown func(string) string) (list []Source, err error) {
	var files []Source
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) && name != root {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(linked, d.Name()) || slices.Contains(remade, d.Name()) || slices.Contains(others, d.Name())):
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasSuffix(rel, ".hcl"):
			return nil
		case len(patterns) == 0 && isTest(rel), len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, rel) }):
			return nil
		}
		s, err := sourceAt(name, rel, d)
		if err != nil || s == nil {
			return err
		}
		s.Shown = shown(name)
		if s.Data {
			files = append(files, *s)
			return nil
		}
		if len(list) == mostSources {
			return fmt.Errorf("%w: %s has more than %d source files", ErrTooLarge, root, mostSources)
		}
		list = append(list, *s)
		return nil
	})
	if err != nil {
		return list, err
	}
	if len(patterns) == 0 {
		files = named(files, list, words)
	}
	for i := range files { // of a whole directory not all is read
		files[i].Quiet = files[i].Quiet || len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return path.Base(filepath.ToSlash(p)) == path.Base(files[i].Path) })
	}
	files = files[:min(len(files), mostNamed)]
	for _, f := range files {
		s, err := dataAt(root, f)
		if err != nil {
			return nil, err
		}
		if s != nil {
			list = append(list, *s)
		}
	}
	return list, nil
}

// sourceAt is a file, nil for what is neither code nor data. The text of data is not read yet: there may be much that
// nothing names.
func sourceAt(name, rel string, d fs.DirEntry) (*Source, error) {
	s := &Source{Path: rel, Data: data.Named(rel)}
	if s.Data && path.Ext(rel) != "" {
		return s, nil
	}
	if !s.Data && !source.Known(rel, nil) && unknown(rel, nil) == "" {
		return nil, nil
	}
	text, err := textOf(name)
	if err != nil || text == nil {
		return nil, err
	}
	language := unknown(rel, text)
	switch {
	case source.Known(rel, text):
		s.Data = false
		if bytes.IndexByte(text, 0) >= 0 {
			return nil, nil
		}
		s.Not = illegible(rel, text)
	case language != "":
		s.Data, s.Not = false, language
	}
	s.Text = text
	return s, nil
}

// dataAt is a file of data with its text, nil where it has none.
func dataAt(root string, s Source) (*Source, error) {
	name := filepath.Join(root, filepath.FromSlash(s.Path))
	if info, err := os.Stat(name); err == nil && info.Size() > data.Limit {
		s.Not = tooLarge
		return &s, nil
	}
	text, err := textOf(name)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	s.Text = text
	switch {
	case bytes.IndexByte(text, 0) >= 0:
		s.Not = "it is no text"
	case !data.Known(s.Path, text):
		return nil, nil
	}
	return &s, nil
}

// textOf is what a file has, nil where the program cannot read it either, and of what is larger than is looked at.
func textOf(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > mostText {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if text == nil {
		text = []byte{}
	}
	return text, err
}

// others are directories of what is not the program's own, or is made of it.
var others = []string{"vendor", "dist", "build", "target", "testdata", "site-packages"}

// isTest reports whether a file has tests of the program and none of it.
func isTest(rel string) bool {
	base := path.Base(rel)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, part := range strings.Split(path.Dir(rel), "/") {
		if part == "__tests__" {
			return true
		}
	}
	return strings.HasSuffix(stem, "_test") || strings.HasPrefix(base, "test_") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") ||
		strings.HasSuffix(stem, "_spec") || base == "conftest.py" || strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(stem, ".min") || strings.HasSuffix(stem, ".pb") || strings.HasSuffix(stem, "_pb2")
}

// matches reports whether a pattern of --source is about a path.
func matches(pattern, rel string) bool {
	pattern = strings.TrimPrefix(strings.TrimSuffix(filepath.ToSlash(pattern), "/"), "./")
	for _, name := range []string{rel, path.Base(rel)} {
		if ok, err := path.Match(pattern, name); err == nil && ok {
			return true
		}
	}
	return strings.HasPrefix(rel, pattern+"/")
}

// IsSource reports whether a file is there and of a language that is known.
func IsSource(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return false
	}
	text, err := os.ReadFile(name)
	return err == nil && source.Known(name, text)
}

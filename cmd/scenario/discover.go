package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
)

// suffix is how the names of scenario files end.
const suffix = ".scenario.hcl"

// discover finds the scenario files that paths name, in the order of their
// names, each once however many paths lead to it. A directory is searched
// recursively without what is hidden (language.md §2); no path at all is the
// working directory. Links to files are followed, links to directories only
// where they are named.
func (l *locator) discover(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var found []string
	for _, p := range paths {
		if p == "" {
			return nil, usagef("is a variable of the shell not set? Without a path the working directory is searched", "a path is empty")
		}
		p = shorten(p)
		info, err := os.Stat(p)
		switch {
		case err != nil:
			return nil, noSuchPath(p, err)
		case info.IsDir():
			if err := search(p, isScenario, &found); err != nil {
				return nil, err
			}
		case !strings.HasSuffix(p, suffix):
			return nil, usagef("rename it to "+renamed(p)+", or name a directory", "%s is no scenario file: their names end in %s", filepath.ToSlash(p), suffix)
		default:
			found = append(found, filepath.ToSlash(p))
		}
	}
	slices.Sort(found)
	return l.unique(found), nil
}

// nothingFound says where scenario files were looked for.
func nothingFound(paths []string) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	return &exitError{
		exitNothing, fmt.Sprintf("no scenario files in %s", strings.Join(paths, ", ")),
		fmt.Sprintf("directories are searched for *%s; names that begin with _ or . and node_modules are skipped", suffix),
	}
}

// shorten writes a path as people read it: relative to the working directory
// where it lies inside, without detours.
func shorten(p string) string {
	p = filepath.Clean(p)
	if !filepath.IsAbs(p) {
		return p
	}
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, p); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return p
}

func isScenario(name string) bool { return strings.HasSuffix(name, suffix) }

// search adds the wanted files below a directory, without what is hidden.
func search(dir string, want func(name string) bool, found *[]string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return usagef("", "cannot search %s: %s", filepath.ToSlash(dir), cause(err))
	}
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		switch {
		case strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || name == "node_modules":
		case e.IsDir():
			if err := search(path, want, found); err != nil {
				return err
			}
		case want(name) && !special(e, path):
			*found = append(*found, filepath.ToSlash(path))
		}
	}
	return nil
}

// special reports what bears the name of a file and is none: a link to a
// directory, a pipe from which nothing may ever come, a device.
func special(e fs.DirEntry, path string) bool {
	kind := e.Type()
	if kind&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			return false // reading it says why
		}
		kind = info.Mode()
	}
	return !kind.IsRegular()
}

// unique drops later names of a file that is in the list already.
func (l *locator) unique(files []string) []string {
	seen := make(map[string]bool, len(files))
	return slices.DeleteFunc(files, func(f string) bool {
		key := l.real(f)
		again := seen[key]
		seen[key] = true
		return again
	})
}

func noSuchPath(p string, err error) error {
	shown := filepath.ToSlash(p)
	if !errors.Is(err, fs.ErrNotExist) {
		return usagef("", "cannot read %s: %s", shown, cause(err))
	}
	dir, name := filepath.Split(p)
	if dir == "" {
		dir = "."
	}
	var siblings []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		siblings = append(siblings, e.Name())
	}
	hint := "name a directory or a *" + suffix + " file; without a path the working directory is searched"
	if meant := dsl.Suggest(name, siblings); meant != "" {
		hint = "did you mean " + filepath.ToSlash(filepath.Join(dir, meant)) + "?"
	}
	return usagef(hint, "there is no file or directory %s", shown)
}

// renamed is a file's name with the right ending in place of its own.
func renamed(p string) string {
	p = filepath.ToSlash(p)
	for _, end := range []string{".hcl", ".scenario", ".tftest.hcl", ".yaml", ".yml", ".json"} {
		if base, ok := strings.CutSuffix(p, end); ok {
			return strings.TrimSuffix(base, ".scenario") + suffix
		}
	}
	return p + suffix
}

// cause leaves out what an error of the file system says about where: the
// message around it says that.
func cause(err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}

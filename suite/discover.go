package suite

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
)

// Suffix is how the names of scenario files end.
const Suffix = ".scenario.hcl"

// IsScenario reports whether a file of that name is a scenario file.
func IsScenario(name string) bool { return strings.HasSuffix(name, Suffix) }

// Discover finds the scenario files that paths name, in the order of their
// names, each once however many paths lead to it. A directory is searched
// recursively without what is hidden; no path at all is the
// working directory. Links to files are followed, links to directories only
// where they are named. An error is an *[Error]; to find nothing is none.
func (s *Source) Discover(paths []string) ([]string, error) {
	found, _, err := s.Find(paths)
	return found, err
}

// Find is Discover, and says besides what was passed over, one sentence each:
// files that a search leaves out though they look like scenario files or have
// scenarios, directories that it does not enter though they have such files, and
// directories in which nothing was found where something was elsewhere.
func (s *Source) Find(paths []string) (found, left []string, err error) {
	over := &passed{source: s}
	var empty []string
	for _, p := range orHere(paths) {
		if p == "" {
			return nil, nil, problemf("is a variable of the shell not set? Without a path the working directory is searched", "a path is empty")
		}
		p = s.system.shorten(recursive(p))
		info, err := s.system.stat(p)
		switch {
		case err != nil:
			return nil, nil, s.noSuchPath(p, err)
		case info.IsDir():
			before := len(found)
			if err := s.search(p, IsScenario, over.note, &found); err != nil {
				return nil, nil, err
			}
			if len(found) == before {
				empty = append(empty, filepath.ToSlash(p)+" has no scenario files")
			}
		case !IsScenario(p):
			return nil, nil, problemf(notScenario(p), "%s is no scenario file: their names end in %s", filepath.ToSlash(p), Suffix)
		default:
			found = append(found, filepath.ToSlash(p))
		}
	}
	if len(found) > 0 {
		over.said = append(over.said, empty...)
	}
	slices.Sort(found)
	found = s.unique(found)
	return found, over.sentences(found), nil
}

// recursive is the directory that dir/... names, as for the go command:
// directories are searched recursively anyway.
func recursive(path string) string {
	switch dir, ok := strings.CutSuffix(filepath.ToSlash(path), "..."); {
	case ok && dir == "":
		return "."
	case ok && strings.HasSuffix(dir, "/") && dir != "/":
		return strings.TrimSuffix(dir, "/")
	}
	return path
}

// notScenario says what to do about a file that is no scenario file by its name.
func notScenario(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml", ".json", ".jsonl", ".har", ".md", ".go", ".py", ".js", ".ts", ".sh":
		return "name a scenario file, or a directory"
	}
	return "rename it to " + renamed(path) + ", or name a directory"
}

func orHere(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	return paths
}

// NothingFound says where scenario files were looked for, of which there are
// none.
func NothingFound(paths []string) *Error {
	return problemf("directories are searched for *"+Suffix+"; names that begin with _ or . and node_modules are skipped",
		"no scenario files in %s", strings.Join(orHere(paths), ", "))
}

// Shorten writes a path as people read it: relative to the working directory
// where it lies inside, without detours.
func (s *Source) Shorten(path string) string { return s.system.shorten(path) }

// Search returns the files below a directory whose names are wanted, without
// what is hidden. An error is an *[Error].
func (s *Source) Search(dir string, want func(name string) bool) ([]string, error) {
	var found []string
	if err := s.search(dir, want, nil, &found); err != nil {
		return nil, err
	}
	return found, nil
}

// search adds the wanted files below a directory to found. Over is told of everything
// else that is in the directories, where it is not nil.
func (s *Source) search(dir string, want func(name string) bool, over func(dir string, e fs.DirEntry), found *[]string) error {
	entries, err := s.system.readDir(dir)
	if err != nil {
		return &Error{Problem: "cannot search " + filepath.ToSlash(dir) + ": " + cause(err).Error(), Err: err}
	}
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		switch {
		case !Hidden(name) && e.IsDir():
			if err := s.search(path, want, over, found); err != nil {
				return err
			}
		case !Hidden(name) && want(name) && !s.special(e, path):
			*found = append(*found, filepath.ToSlash(path))
		case over != nil:
			over(dir, e)
		}
	}
	return nil
}

// Hidden reports whether a search leaves out files and directories of a name.
func Hidden(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || name == "node_modules"
}

// special reports what is no file, whatever it is called: a directory, a link to one, a
// pipe from which nothing may ever come, a device.
func (s *Source) special(e fs.DirEntry, path string) bool {
	kind := e.Type()
	if kind&fs.ModeSymlink != 0 {
		info, err := s.system.stat(path)
		if err != nil {
			return false // reading it says why
		}
		kind = info.Mode()
	}
	return !kind.IsRegular()
}

// unique drops later names of a file that is in the list already.
func (s *Source) unique(files []string) []string {
	seen := make(map[string]bool, len(files))
	return slices.DeleteFunc(files, func(f string) bool {
		key := s.Real(f)
		again := seen[key]
		seen[key] = true
		return again
	})
}

func (s *Source) noSuchPath(p string, err error) error {
	shown := filepath.ToSlash(p)
	if !errors.Is(err, fs.ErrNotExist) {
		return &Error{Problem: "cannot read " + shown + ": " + cause(err).Error(), Err: err}
	}
	dir, name := filepath.Split(p)
	if dir == "" {
		dir = "."
	}
	var siblings []string
	entries, _ := s.system.readDir(dir)
	for _, e := range entries {
		siblings = append(siblings, e.Name())
	}
	hint := "name a directory or a *" + Suffix + " file; without a path the working directory is searched"
	meant := dsl.Suggest(name, siblings)
	if ending := filepath.Base(renamed(p)); slices.Contains(siblings, ending) {
		meant = ending // only the ending is another
	}
	if meant != "" {
		hint = "did you mean " + filepath.ToSlash(filepath.Join(dir, meant)) + "?"
	}
	return &Error{Problem: "there is no file or directory " + shown, Hint: hint, Err: err}
}

// renamed is a file's name with the right ending in place of its own.
func renamed(p string) string {
	p = filepath.ToSlash(p)
	for _, end := range []string{".hcl", ".scenario", ".tftest.hcl", ".yaml", ".yml", ".json"} {
		if base, ok := strings.CutSuffix(p, end); ok {
			return strings.TrimSuffix(base, ".scenario") + Suffix
		}
	}
	return p + Suffix
}

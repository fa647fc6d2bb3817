package stdlib

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func (f Files) set(args []cty.Value) (cty.Value, error) {
	written := args[0].AsString()
	pattern, err := f.resolve(written)
	if err != nil {
		return cty.NilVal, err
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return cty.NilVal, function.NewArgErrorf(0, "%q is no pattern: a bracket is not closed", written)
	}
	if strings.Count(pattern, "**") > 3 {
		return cty.NilVal, function.NewArgErrorf(0, "may have ** at most three times")
	}
	matches, err := f.match(pattern)
	if err != nil {
		return cty.NilVal, err
	}
	values := make([]cty.Value, len(matches))
	for i, m := range matches {
		values[i] = cty.StringVal(relative(f.Dir, m))
	}
	return cty.TupleVal(values), nil
}

var errStop = errors.New("stop")

// match walks the directories below the part of the pattern that is fixed, and then what
// links in them lead to.
func (f Files) match(pattern string) ([]string, error) {
	w := &walk{Files: f, pattern: strings.Split(pattern, "/")}
	err := w.below(fixedPart(w.pattern), nil)
	for err == nil && len(w.links) > 0 {
		l := w.links[0]
		w.links = w.links[1:]
		err = w.below(l.path, l.above)
	}
	if err == errStop {
		return nil, function.NewArgErrorf(0, "stands for more than %d files, or for a part of more than %d", maxFileSet, maxVisited)
	}
	slices.Sort(w.matches)
	return w.matches, err
}

// A walk looks for the files of one pattern.
type walk struct {
	Files
	pattern []string
	matches []string
	visited int
	// links are those to directories that are still to be followed.
	links []link
	// known are the real names of the matches, nil before the first link is followed.
	known map[string]bool
}

// A link leads to a directory. Above are the real names of the directories that links on
// the way to it lead to, and its own.
type link struct {
	path  string
	above []string
}

// below walks one directory. Above are the real names of what links on the way lead to.
//
//go:noinline
func (w *walk) below(start string, above []string) error {
	return fs.WalkDir(w.FS, start, func(name string, entry fs.DirEntry, err error) error {
		w.visited++
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil && above != nil:
			return fs.SkipDir // what may not be read behind a link
		case err != nil:
			return function.NewArgErrorf(0, "%s", reason(name, err))
		case w.visited > maxVisited || len(w.matches) > maxFileSet:
			return errStop
		case name != start && private(entry.Name()) && !strings.HasPrefix(w.Dir+"/", name+"/"):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type()&fs.ModeSymlink != 0 && name != start && w.directory(name, above):
		case !entry.IsDir() && matchSegments(w.pattern, strings.Split(name, "/")):
			w.matched(name, above != nil)
		}
		return nil
	})
}

// directory reports whether a link leads to a directory of the suite, and notes it where
// there may be matches in it. One that leads back to where it is would have no end.
func (w *walk) directory(name string, above []string) bool {
	if w.Real == nil {
		return false
	}
	real := w.Real(name)
	if real == "" {
		return false
	}
	if info, err := fs.Stat(w.FS, name); err != nil || !info.IsDir() {
		return false
	}
	parent := w.Real(path.Dir(name))
	back := real == "." || real == parent || strings.HasPrefix(parent, real+"/") || slices.Contains(above, real)
	if !back && leads(w.pattern, strings.Split(name, "/")) {
		w.links = append(w.links, link{name, append(slices.Clip(above), real)})
	}
	return true
}

// matched adds a file, unless another path has led to it.
func (w *walk) matched(name string, linked bool) {
	if linked {
		if w.known == nil {
			w.known = map[string]bool{}
			for _, m := range w.matches {
				w.known[w.Real(m)] = true
			}
		}
		real := w.Real(name)
		if w.known[real] {
			return
		}
		w.known[real] = true
	}
	w.matches = append(w.matches, name)
}

// leads reports whether a pattern may match something below a directory.
func leads(pattern, name []string) bool {
	if len(pattern) == 0 {
		return false
	}
	if pattern[0] == "**" || len(name) == 0 {
		return true
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && leads(pattern[1:], name[1:])
}

func fixedPart(pattern []string) string {
	fixed := 0
	for fixed < len(pattern)-1 && !strings.ContainsAny(pattern[fixed], "*?[") {
		fixed++
	}
	return path.Join(append([]string{"."}, pattern[:fixed]...)...)
}

func matchSegments(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		return matchSegments(pattern[1:], name) || len(name) > 0 && matchSegments(pattern, name[1:])
	}
	if len(name) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], name[0])
	return err == nil && ok && matchSegments(pattern[1:], name[1:])
}

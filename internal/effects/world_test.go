package effects

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A world is a small file with the blocks in question, and the files beside it.
type world struct {
	name, source string
	files        map[string][]byte
}

// provider is the kind of the world's first provider, "" where it has none.
func (w *world) provider() string {
	list, err := sites(w.source)
	if err != nil {
		return ""
	}
	for _, s := range list {
		if kind, ok := strings.CutPrefix(s.path, "provider:"); ok {
			return kind
		}
	}
	return ""
}

// An effect is one line of a table: a change of a world, and where it shows.
type effect struct {
	place  string // file and line, for messages
	world  *world
	change edit
	also   []edit // what is changed with it
	given  []edit // what is done to both files
	shows  string
}

const (
	worldSuffix = ".scenario.hcl"
	tableSuffix = ".effects"
)

// readWorlds reads all archives of a directory.
func readWorlds(t *testing.T, dir string) (list []effect) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no worlds in %s: %v", dir, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		effects, err := readArchive(filepath.Base(name), data)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, effects...)
	}
	return list
}

// readArchive reads the worlds of an archive and the effects of each. A line of
// a section that names its world takes the place of the lines of sections that
// have a pattern for it.
func readArchive(name string, data []byte) ([]effect, error) {
	archive := txtar.Parse(data)
	worlds := worldsOf(archive)
	type key struct{ world, path, attr string }
	exact := map[key]bool{}
	var list []effect
	for _, precise := range []bool{true, false} {
		line := 1 + strings.Count(string(archive.Comment), "\n")
		for _, f := range archive.Files {
			line++
			if stem, isTable := strings.CutSuffix(f.Name, tableSuffix); isTable {
				effects, err := readTable(fmt.Sprintf("%s:%%d", name), line, string(f.Data))
				if err != nil {
					return nil, err
				}
				meant, err := meantBy(stem, worlds, precise)
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", name, line-1, err)
				}
				for _, w := range meant {
					for _, e := range effects {
						k := key{w.name, e.change.path, e.change.name()}
						if precise {
							exact[k] = true
						} else if exact[k] {
							continue
						}
						e.place, e.world = fmt.Sprintf("%s (%s)", e.place, w.name), w
						list = append(list, e)
					}
				}
			}
			line += strings.Count(string(f.Data), "\n")
		}
	}
	return list, nil
}

// worldsOf are the worlds of an archive. All its other files stand beside each.
func worldsOf(archive *txtar.Archive) (worlds []*world) {
	files := map[string][]byte{}
	for _, f := range archive.Files {
		stem, isWorld := strings.CutSuffix(f.Name, worldSuffix)
		switch words := strings.Fields(stem); {
		case strings.HasSuffix(f.Name, tableSuffix):
		case !isWorld:
			files[f.Name] = f.Data
		case len(words) == 1:
			worlds = append(worlds, &world{stem, string(f.Data), files})
		default:
			for _, kind := range words[1:] {
				worlds = append(worlds, &world{words[0] + "-" + kind, strings.ReplaceAll(string(f.Data), "$KIND", kind), files})
			}
		}
	}
	return worlds
}

// meantBy are the worlds that the name of a table means by their own names, or
// by patterns.
func meantBy(names string, worlds []*world, byName bool) (meant []*world, err error) {
	for _, name := range strings.Fields(names) {
		known := false
		for _, w := range worlds {
			fits, err := path.Match(name, w.name)
			if err != nil {
				return nil, err
			}
			if known = known || fits; fits && byName == (name == w.name) {
				meant = append(meant, w)
			}
		}
		if !known {
			return nil, fmt.Errorf("no world has the name %q", name)
		}
	}
	return meant, nil
}

// readTable reads the lines of a table, whose first has a number in the file.
func readTable(place string, line int, text string) (list []effect, err error) {
	for i, text := range strings.Split(text, "\n") {
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		at := fmt.Sprintf(place, line+i)
		e, err := parseEffect(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		e.place = at
		list = append(list, e)
	}
	return list, nil
}

func parseEffect(text string) (e effect, err error) {
	i := strings.LastIndex(text, " -> ")
	if i < 0 {
		return e, fmt.Errorf("%q does not say where it shows: PATH.ATTRIBUTE = VALUE -> WHERE", text)
	}
	e.shows = text[i+len(" -> "):]
	parts := strings.Split(text[:i], " given ")
	if e.given, err = parseEdits(parts[1:]); err != nil {
		return e, err
	}
	changes, err := parseEdits(strings.Split(parts[0], " and "))
	if err != nil {
		return e, err
	}
	e.change, e.also = changes[0], changes[1:]
	return e, nil
}

func parseEdits(parts []string) (list []edit, err error) {
	for _, part := range parts {
		change, err := parseEdit(part)
		if err != nil {
			return nil, err
		}
		list = append(list, change)
	}
	return list, nil
}

// apply makes the two files that are compared. The path is that of the changed
// block, with its kind.
func (e *effect) apply() (before, after, path string, err error) {
	before = e.world.source
	for _, w := range e.given {
		if before, _, err = w.apply(before); err != nil {
			return "", "", "", err
		}
	}
	if after, path, err = e.change.apply(before); err != nil {
		return "", "", "", err
	}
	for _, also := range e.also {
		if after, _, err = also.apply(after); err != nil {
			return "", "", "", err
		}
	}
	return before, after, path, nil
}

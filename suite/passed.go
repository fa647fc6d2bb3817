package suite

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// passed is what a search for scenario files left out.
type passed struct {
	source *Source
	// said has a sentence for each that looks as if it were to be run.
	said []string
	// links are the links to directories.
	links []string
}

// lookMax is how many directories are looked into to tell whether one that is not
// searched has scenario files.
const lookMax = 1000

// note tells of one entry of a directory that was left out. A name that begins with a
// dot belongs to another tool.
func (p *passed) note(dir string, e fs.DirEntry) {
	name, kind := e.Name(), e.Type()
	if foreign(name) {
		return
	}
	path := filepath.ToSlash(filepath.Join(dir, name))
	linked := kind&fs.ModeSymlink != 0
	if linked {
		info, err := p.source.system.stat(path)
		if err != nil {
			return
		}
		kind = info.Mode().Type()
	}
	switch {
	case linked && kind.IsDir():
		p.links = append(p.links, path)
	case kind.IsDir():
		p.directory(path)
	case kind.IsRegular():
		p.file(path, name)
	case IsScenario(name):
		p.said = append(p.said, path+" is not run: it is no regular file")
	}
}

// file tells of a file whose name looks like that of a scenario file, or that has
// scenarios under a name that does not. One whose name begins with _ is there to be
// imported, unless it has a scenario.
func (p *passed) file(path, name string) {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, "~"): // the copy that an editor keeps
	case strings.HasPrefix(name, "_"):
		if IsScenario(name) && p.hasScenario(path) {
			p.said = append(p.said, path+" has scenarios and is not run: names that begin with _ are passed over")
		}
	case strings.HasSuffix(lower, Suffix) || strings.HasSuffix(lower, ".scenarios.hcl") || strings.HasSuffix(lower, ".scenario"):
		p.said = append(p.said, path+" is not run: the names of scenario files end in "+Suffix)
	case strings.Contains(lower, ".hcl") || strings.Contains(lower, ".scenario"):
		if p.hasScenario(path) {
			p.said = append(p.said, path+" has scenarios and is not run: the names of scenario files end in "+Suffix)
		}
	}
}

// directory tells of a directory whose name begins with _, if there are scenarios in it.
func (p *passed) directory(path string) {
	if slices.ContainsFunc(p.source.below(path, foreign), p.hasScenario) {
		p.said = append(p.said, path+" has scenarios and is not searched: names that begin with _ are passed over")
	}
}

// sentences are those about all that was left out, for a search that found some files:
// what a link leads to may be among them.
func (p *passed) sentences(found []string) []string {
	known := map[string]bool{}
	for _, f := range found {
		known[p.source.Real(f)] = true
	}
	for _, link := range p.links {
		if slices.ContainsFunc(p.source.below(link, Hidden), func(file string) bool { return !known[p.source.Real(file)] }) {
			p.said = append(p.said, link+" has scenario files and is not searched, as it is a link to a directory: name it to run them")
		}
	}
	slices.Sort(p.said)
	return slices.Compact(p.said)
}

// foreign reports whether a name belongs to another tool.
func foreign(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

// below are the scenario files below a directory, without those that are left out, as far
// as they are found in lookMax directories.
func (s *Source) below(dir string, without func(name string) bool) (files []string) {
	dirs := []string{dir}
	for n := 0; n < len(dirs) && n < lookMax; n++ {
		entries, err := s.system.readDir(dirs[n])
		if err != nil {
			continue
		}
		for _, e := range entries {
			path := filepath.ToSlash(filepath.Join(dirs[n], e.Name()))
			switch {
			case without(e.Name()):
			case e.IsDir():
				dirs = append(dirs, path)
			case IsScenario(e.Name()) && !s.special(e, path):
				files = append(files, path)
			}
		}
	}
	return files
}

// hasScenario reports whether a file of the suite has a scenario.
func (p *passed) hasScenario(path string) bool {
	if p.source.linkedOut(path) != nil {
		return false
	}
	source, err := p.source.read(path, dsl.MaxFileSize)
	return err == nil && beginsScenario().Match(source)
}

// beginsScenario finds the beginning of a scenario block, or of one that generates some.
var beginsScenario = pattern.New(`(?m)^\x{FEFF}?[ \t]*(scenario[ \t]+["\pL_]|dynamic[ \t]+"?scenario\b)[^\n]*\{`)

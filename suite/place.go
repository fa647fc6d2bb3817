package suite

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// A Place is a scenario, or all that one block declares, as FILE:LINE or FILE:NAME
// of a command line.
type Place struct {
	// Line is where its block begins, 0 where Name says which it is.
	Line int
	Name string
}

// is reports whether a scenario is there. The name of a block stands for all
// that for_each and matrix make of it.
func (at Place) is(p *interp.Plan) bool {
	if at.Line > 0 {
		return p.Line == at.Line
	}
	return p.Name == at.Name || strings.HasPrefix(p.Name, at.Name+"[")
}

// Pick takes places out of the paths of a command line: what is left are files
// and directories, and Places are those that were named. An error is an *[Error].
func (s *Selection) Pick(from *Source, paths []string) ([]string, error) {
	left := make([]string, len(paths))
	places, whole := map[string][]Place{}, map[string]bool{}
	for i, path := range paths {
		file, at, err := from.placeIn(path)
		if err != nil {
			return nil, err
		}
		left[i] = file
		shown := filepath.ToSlash(from.Shorten(file))
		if at == (Place{}) {
			whole[shown] = true
			continue
		}
		places[shown] = append(places[shown], at)
	}
	for file := range places {
		if whole[file] { // it is named without a place as well
			delete(places, file)
		}
	}
	if len(places) > 0 {
		s.Places = places
	}
	return left, nil
}

// placeIn divides FILE:LINE and FILE:NAME; the place of any other path is empty.
func (s *Source) placeIn(path string) (string, Place, error) {
	i := strings.Index(path, Suffix+":")
	if i < 0 {
		return path, Place{}, nil
	}
	if _, err := s.system.stat(path); err == nil {
		return path, Place{}, nil
	}
	file, what := path[:i+len(Suffix)], strings.TrimLeft(path[i+len(Suffix):], ":")
	digits, _, _ := strings.Cut(what, ":") // FILE:LINE:COLUMN
	if n, err := strconv.Atoi(digits); err == nil && n > 0 {
		line, err := s.blockAt(file, n)
		return file, Place{Line: line}, err
	}
	return file, Place{Name: what}, nil
}

// blockAt is the line in which the scenario begins that a line of a file is in.
// A file that cannot be read is told when it is loaded.
func (s *Source) blockAt(file string, line int) (int, error) {
	src, err := s.read(file, dsl.MaxFileSize)
	if err != nil {
		return line, nil
	}
	body, _ := dsl.Syntax(file, src)
	if body == nil {
		return line, nil
	}
	var begins []string
	for _, b := range body.Blocks {
		if b.Type != "scenario" && b.Type != "bench" {
			continue
		}
		at := b.Range()
		if at.Start.Line <= line && line <= at.End.Line {
			return at.Start.Line, nil
		}
		begins = append(begins, strconv.Itoa(at.Start.Line))
	}
	hint := "it has no scenario"
	switch {
	case len(begins) == 1:
		hint = "its scenario begins in line " + begins[0]
	case len(begins) > 10:
		hint = "its scenarios begin in lines " + strings.Join(begins[:10], ", ") + " and so on"
	case len(begins) > 0:
		hint = "its scenarios begin in lines " + strings.Join(begins, ", ")
	}
	return 0, problemf(hint, "line %d of %s is in no scenario", line, filepath.ToSlash(file))
}

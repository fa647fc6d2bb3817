package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// An ImportedFile is one file of a folder that is imported as a whole.
type ImportedFile struct {
	Path string
	Data []byte
}

// ImportFolder reads files of one tool as if they were one file with all that
// they hold, in their order: stubs of one WireMock scenario may stand in several
// files. What is of no format is noted and left out. The notes begin with the
// file that they are about; folder names the whole in messages. Every error is a
// *[cassette.LoadError].
func ImportFolder(folder string, files []ImportedFile, o ImportOptions) (*Imported, error) {
	j := joiner{options: o}
	for _, f := range files {
		if err := j.add(f); err != nil {
			return nil, err
		}
	}
	if j.format == nil {
		return nil, &cassette.LoadError{Path: folder, Problem: "no file of it is of a format that can be imported", Hint: "imported are files of " + strings.Join(ImportFormats(), ", ")}
	}
	out, err := j.format.imported(j.root, o)
	if err != nil {
		return nil, j.placed(folder, err)
	}
	for i, n := range out.Notes {
		out.Notes[i] = j.placedNote(folder, n)
	}
	out.Notes = append(j.notes, out.Notes...)
	return out, nil
}

// A joiner puts the values of several files into one. Their lines go on
// counting from file to file, so that each tells the file that it is in.
type joiner struct {
	options ImportOptions
	format  *importer
	root    *yaml.Node
	starts  []fileStart
	lines   int
	notes   []string
}

type fileStart struct {
	path  string
	lines int // of all files before it
}

func (j *joiner) add(f ImportedFile) error {
	if len(f.Data) > disk.SizeMax {
		return &cassette.LoadError{Path: f.Path, Problem: fmt.Sprintf("the file has more than %d MiB", disk.SizeMax>>20), Hint: "split the file"}
	}
	root := yamlnode.FromJSON(f.Data)
	format := formatOf(root, j.options.Format)
	switch {
	case !json.Valid(f.Data):
		return &cassette.LoadError{Path: f.Path, Problem: "the file is no JSON", Hint: "correct the file, or take it out of the folder"}
	case format == nil:
		j.notes = append(j.notes, f.Path+": the file is left out: it is of no format that can be imported")
		return nil
	case format.items == nil:
		return &cassette.LoadError{Path: f.Path, Problem: "files of " + format.name + " are imported one by one", Hint: "name the file in the place of the folder"}
	case j.format != nil && j.format != format:
		return &cassette.LoadError{Path: f.Path, Problem: fmt.Sprintf("the file is of the format %s, and others of the folder are of the format %s", format.name, j.format.name), Hint: "import one kind alone with --format"}
	}
	shift(root, j.lines)
	j.starts = append(j.starts, fileStart{f.Path, j.lines})
	j.lines += bytes.Count(f.Data, []byte("\n")) + 1
	if format.whole != nil {
		root = format.whole(root)
	}
	j.format = format
	if j.root == nil {
		j.root = root
	} else {
		joinUnder(j.root, root, format.items)
	}
	return nil
}

// shift moves the lines of a tree.
func shift(n *yaml.Node, lines int) {
	n.Line += lines
	for _, c := range n.Content {
		shift(c, lines)
	}
}

// joinUnder adds what another mapping holds: the items of the list that a path
// of keys leads to, and every other member as it is.
func joinUnder(n, other *yaml.Node, path []string) {
	for i := 0; i+1 < len(other.Content); i += 2 {
		key, value := other.Content[i], other.Content[i+1]
		into := yamlnode.Lookup(n, key.Value)
		switch {
		case key.Value != path[0] || into == nil:
			n.Content = append(n.Content, key, value)
		case len(path) > 1 && into.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			joinUnder(into, value, path[1:])
		case into.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode:
			into.Content = append(into.Content, value.Content...)
		default:
			// One of them is no list; the reader says so of the first it sees.
			n.Content = append([]*yaml.Node{key, value}, n.Content...)
		}
	}
}

// at is the file that a line is in, and which line it is there.
func (j *joiner) at(line int) (path string, own int) {
	for _, s := range j.starts {
		if line > s.lines {
			path, own = s.path, line-s.lines
		}
	}
	return path, own
}

func (j *joiner) placed(folder string, err error) error {
	e := loadError(err)
	e.Path = folder
	if e.Line > 0 {
		e.Path, e.Line = j.at(e.Line)
	}
	return e
}

// placedNote is a note with the file that it is about.
func (j *joiner) placedNote(folder, note string) string {
	line := 0
	if _, err := fmt.Sscanf(note, "line %d:", &line); err != nil {
		return folder + ": " + note
	}
	_, text, _ := strings.Cut(note, ": ")
	path, own := j.at(line)
	return fmt.Sprintf("%s: line %d: %s", path, own, text)
}

// loadError is the error of an import as one that has a place.
func loadError(err error) *cassette.LoadError {
	var e *cassette.LoadError
	if !errors.As(err, &e) {
		e = &cassette.LoadError{Problem: err.Error(), Err: err}
	}
	return e
}

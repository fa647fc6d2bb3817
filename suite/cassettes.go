package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette"
)

// cassettes loads the recordings of one scenario file, each once however many
// scenarios play it. A path is relative to the file and stays in the root.
func (l *Loader) cassettes(out *File) func(string) (*cassette.Cassette, error) {
	known := map[string]*cassette.Cassette{}
	return func(written string) (*cassette.Cassette, error) {
		if c := known[written]; c != nil {
			return c, nil
		}
		path, err := l.Source.Resolve(out.Path, written)
		if err != nil {
			return nil, err
		}
		if l.Live {
			out.Cassettes[written] = filepath.ToSlash(path)
			if _, err := l.Source.system.stat(path); errors.Is(err, fs.ErrNotExist) {
				return &cassette.Cassette{Path: written, Format: "scenario 1", Own: true, Whole: true}, nil
			}
		}
		c, err := l.Source.cassette(path, out.Path, written)
		if err != nil {
			return nil, err
		}
		// What a run says of it must not depend on where the command started.
		c.Path = written
		if l.Strict && !c.Whole {
			return nil, notWhole(c)
		}
		known[written] = c
		return c, nil
	}
}

// cassette loads one recording of a scenario file.
func (s *Source) cassette(path, file, written string) (*cassette.Cassette, error) {
	c, err := s.system.cassette(path)
	if errors.Is(err, fs.ErrNotExist) {
		end := ""
		if meant := s.meant(s.Root(file), file, written); meant != "" {
			end = "." + meant
		}
		return nil, fmt.Errorf("there is no file %s%s\nhint: the path is relative to the scenario file; for a program scenario exec --live %s and for a workflow scenario record %s creates it", filepath.ToSlash(path), end, file, file)
	}
	if err != nil {
		return nil, fmt.Errorf("in %w", err)
	}
	return c, nil
}

// notWhole refuses a recording that does not prove itself whole: nobody could
// say whether a part of it was lost.
func notWhole(c *cassette.Cassette) error {
	return fmt.Errorf("the format of the cassette %s, %s, cannot show whether the file is complete, as --strict-cassettes requires\n"+
		"hint: omit --strict-cassettes, or load a recording in scenario's own format, which has an end marker", c.Path, c.Format)
}

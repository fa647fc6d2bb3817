package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette"
)

// recordings loads the cassettes of one scenario file. Where the loader is
// strict it refuses those that do not prove themselves whole: nobody could say
// whether a part of them was lost.
func (l *loader) recordings(file, root string) func(string) (*cassette.Cassette, error) {
	load := cassettes(file, root)
	if !l.strict {
		return load
	}
	return func(written string) (*cassette.Cassette, error) {
		c, err := load(written)
		if err == nil && !c.Whole {
			return nil, fmt.Errorf("the cassette %s is of the format %s, which does not show whether the file is whole, and --strict-cassettes asks for that\n"+
				"hint: leave --strict-cassettes out, or load a whole recording in scenario's own format, which has an end marker", c.Path, c.Format)
		}
		return c, err
	}
}

// blanks loads the cassettes of a file that is to be run live: where one is not
// there yet it is empty. Where they lie is noted.
func (l *loader) blanks(out *loaded, load func(string) (*cassette.Cassette, error)) func(string) (*cassette.Cassette, error) {
	out.tapes = map[string]string{}
	return func(written string) (*cassette.Cassette, error) {
		path, err := besides(out.path, l.places.root(out.path), written)
		if err != nil {
			return nil, err
		}
		out.tapes[written] = filepath.ToSlash(path)
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return &cassette.Cassette{Path: written, Format: "scenario 1", Own: true, Whole: true}, nil
		}
		return load(written)
	}
}

// cassettes loads the recordings of one scenario file, each once however many
// scenarios play it. A path is relative to the file and stays in the root.
func cassettes(file, root string) func(string) (*cassette.Cassette, error) {
	known := map[string]*cassette.Cassette{}
	return func(written string) (*cassette.Cassette, error) {
		if c := known[written]; c != nil {
			return c, nil
		}
		path, err := besides(file, root, written)
		if err != nil {
			return nil, err
		}
		c, err := cassette.Load(filepath.ToSlash(path))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file %s\nhint: the path is relative to the scenario file; scenario record %s makes one", filepath.ToSlash(path), file)
		}
		if err != nil {
			return nil, fmt.Errorf("in %w", err)
		}
		// What a run says of it must not depend on where the command started.
		c.Path = written
		known[written] = c
		return c, nil
	}
}

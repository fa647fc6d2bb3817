package main

import (
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette"
)

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

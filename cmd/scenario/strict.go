package main

import (
	"fmt"

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

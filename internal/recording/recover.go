package recording

import (
	"errors"
	"io/fs"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/suite"
)

// A Recovered is a cassette whose recording had been interrupted.
type Recovered struct {
	*Cassette
	cassette.Recovery
}

// Recover puts what interrupted recordings had kept into the cassettes of the
// files, which must have been loaded live. With an error, an [*Error], it
// returns what was done before.
func Recover(files []*suite.File) ([]Recovered, error) {
	s := &Set{}
	s.gather(files)
	var done []Recovered
	for _, c := range s.list {
		rec, err := cassette.Recover(c.Path, c.names())
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return done, &Error{c, err}
		case rec.Kept > 0 || rec.Cut:
			done = append(done, Recovered{c, rec})
		}
	}
	return done, nil
}

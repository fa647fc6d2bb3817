package suite

import (
	"crypto/sha256"
	"encoding/binary"
	"regexp"
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// A Selection decides which scenarios are run. Its zero value takes all. It is
// safe for concurrent use.
type Selection struct {
	// Run, where not nil, fits the name of what is run, or file:name; Skip that
	// of what is not.
	Run, Skip *regexp.Regexp
	// Tags, where not empty, has one that the scenario has.
	Tags []string
	// Places are the scenarios of a file that are named, by its path; all of a
	// file that has none.
	Places map[string][]Place
	// Also, where not nil, has to take a scenario as well. It is called from several
	// goroutines.
	Also func(*interp.Plan) bool
	// Shard counts from 1 to Shards, which is 0 for the whole of the suite.
	Shard, Shards uint64
}

// Narrows reports whether there may be scenarios that it leaves out.
func (s *Selection) Narrows() bool {
	return s.Run != nil || s.Skip != nil || len(s.Tags) > 0 || len(s.Places) > 0 || s.Also != nil || s.Shards > 0
}

// Wants reports whether a scenario is selected, leaving shards aside.
func (s *Selection) Wants(p *interp.Plan) bool {
	return s.named(p) && fits(s.Run, p, true) && !fits(s.Skip, p, false) && s.tagged(p) && (s.Also == nil || s.Also(p))
}

// named reports whether a scenario is at a place that is named in its file.
func (s *Selection) named(p *interp.Plan) bool {
	places := s.Places[p.File]
	return len(places) == 0 || slices.ContainsFunc(places, func(at Place) bool { return at.is(p) })
}

func (s *Selection) tagged(p *interp.Plan) bool {
	return len(s.Tags) == 0 || slices.ContainsFunc(s.Tags, func(t string) bool { return slices.Contains(p.Tags, t) })
}

// fits says whether an expression fits a scenario, and otherwise where there is
// none.
func fits(re *regexp.Regexp, p *interp.Plan, otherwise bool) bool {
	if re == nil {
		return otherwise
	}
	return re.MatchString(p.Name) || re.MatchString(p.File+":"+p.Name)
}

// InShard reports whether a scenario belongs to the part that is asked for. The
// place is that of its [File], so that every machine divides the suite equally
// whatever it is called from.
func (s *Selection) InShard(place, name string) bool {
	if s.Shards == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(place + "\x00" + name))
	return binary.BigEndian.Uint64(sum[:8])%s.Shards == s.Shard-1
}

// Selects reports whether a scenario of a file is run.
func (s *Selection) Selects(f *File, p *interp.Plan) bool {
	return s.Wants(p) && s.InShard(f.Place, p.Name)
}

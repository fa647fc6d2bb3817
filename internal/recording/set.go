package recording

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/trace"
)

// Options are what is recorded, and how.
type Options struct {
	// At is when; it stands in the header of the file, which nothing compares.
	At time.Time
	// Steps, where not nil, are those that are recorded again.
	Steps []string
	// Missing keeps everything and only adds what nothing answers.
	Missing bool
	// Drifted keeps what answers its request still, and records the rest of the
	// steps again.
	Drifted bool
	// Check compares and writes nothing.
	Check bool
}

// A Set is the cassettes that one call records. The zero value has none.
type Set struct {
	options Options
	list    []*Cassette
	by      map[*interp.Plan]*Cassette
	mu      sync.Mutex
	// ends are how the runs of the scenarios ended; what was not run is not there.
	ends map[*interp.Plan]ending
	// played are the interactions that answered something, by their place in the file.
	played map[*Cassette]map[int]bool
}

// ending is how the run of a scenario ended.
type ending struct {
	status  string
	verdict interp.Verdict
}

// A Cassette is one file under recording.
type Cassette struct {
	Path string
	// Users are all scenarios that name the file, Picked those that are run.
	Users, Picked []*interp.Plan
	// Broken is why the recording cannot take the place of the file, "" while
	// it can.
	Broken string

	recorder *cassette.Recorder
	// written is what the file holds now, nil where it is as it was.
	written *cassette.Cassette
}

// An Error says which cassette cannot be recorded, and why.
type Error struct {
	Cassette *Cassette
	Err      error
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// An UnnamedError is a scenario without a cassette to record into.
type UnnamedError struct{ Plan *interp.Plan }

func (e *UnnamedError) Error() string {
	return fmt.Sprintf("scenario %q (%s:%d) names no cassette to record into", e.Plan.Name, e.Plan.File, e.Plan.Line)
}

// Open makes a recorder for every cassette of the scenarios that will be run,
// which picked are: what was recorded of all others stays as it is.
// The files must have been loaded live. An error is an [*Error] or an
// [*UnnamedError]; nothing is open then.
func (s *Set) Open(files []*suite.File, picked []*interp.Plan, o Options) error {
	s.options = o
	s.gather(files)
	for _, p := range picked {
		c := s.by[p]
		if c == nil {
			return &UnnamedError{p}
		}
		c.Picked = append(c.Picked, p)
	}
	for _, c := range s.list {
		if len(c.Picked) == 0 {
			continue
		}
		if err := s.open(c); err != nil {
			s.Close()
			return &Error{c, err}
		}
	}
	return nil
}

// gather finds the cassettes of all scenarios of the files.
func (s *Set) gather(files []*suite.File) {
	s.by = map[*interp.Plan]*Cassette{}
	byPath := map[string]*Cassette{}
	for _, f := range files {
		for _, p := range f.Plans {
			path := f.Cassettes[p.CassettePath()]
			if path == "" {
				continue
			}
			c := byPath[path]
			if c == nil {
				c = &Cassette{Path: path}
				byPath[path] = c
				s.list = append(s.list, c)
			}
			c.Users = append(c.Users, p)
			s.by[p] = c
		}
	}
}

func (s *Set) open(c *Cassette) error {
	o := cassette.RecordOptions{Provider: c.Users[0].ProviderKinds(), RecordedAt: s.options.At, Adds: s.options.Missing, Scenarios: c.names()}
	begin := cassette.NewRecorder
	if s.options.Check {
		begin = cassette.NewChecker
	}
	r, err := begin(c.Path, o)
	if err != nil {
		return err
	}
	c.recorder = r
	switch {
	case s.options.Check || s.options.Missing:
		return nil
	case s.options.Drifted:
		return r.CanReplace(func(*cassette.Interaction) bool { return false })
	}
	return r.CanReplace(s.replacedBy(c, func(p *interp.Plan) bool { return slices.Contains(c.Picked, p) }))
}

// names are those of the scenarios that name the file, each once.
func (c *Cassette) names() []string {
	var names []string
	for _, p := range c.Users {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// Recorder is what takes the calls of a scenario that was picked.
func (s *Set) Recorder(p *interp.Plan) *cassette.Recorder { return s.by[p].recorder }

// Ran notes how a scenario ended: what could not be run to its end is no
// recording, and neither is what was skipped. It is safe for concurrent use.
func (s *Set) Ran(p *interp.Plan, r *interp.Result) {
	if r.Verdict == interp.Skip {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ends == nil {
		s.ends = map[*interp.Plan]ending{}
	}
	s.ends[p] = ending{trace.Status(r.Events), r.Verdict}
	c := s.by[p]
	if s.played == nil {
		s.played = map[*Cassette]map[int]bool{}
	}
	if s.played[c] == nil {
		s.played[c] = map[int]bool{}
	}
	for _, n := range r.Played {
		s.played[c][n] = true
	}
	if r.Verdict == interp.Error {
		s.by[p].Broken = fmt.Sprintf("scenario %q could not be run to its end", p.Name)
	}
}

// replaced says what of the file goes: of the scenarios that were run all, or
// the step that was asked for. Where only what is missing is added, everything
// stays, and where what drifted is recorded again, what answered. What was recorded
// of a scenario that was not run stays, whatever kept it from running.
func (s *Set) replaced(c *Cassette) func(*cassette.Interaction) bool {
	by := s.replacedBy(c, s.ran)
	if s.options.Drifted {
		renewed := c.recorder.Renewed()
		return func(it *cassette.Interaction) bool { return by(it) && renewed(it) && !s.played[c][it.Index] }
	}
	return by
}

// ran reports whether a scenario was run.
func (s *Set) ran(p *interp.Plan) bool {
	_, ok := s.ends[p]
	return ok
}

// replacedBy is what goes once the scenarios that runs says were run. An interaction
// may be that of any scenario of its name, and without a name of any at all: it goes
// when all of them were.
func (s *Set) replacedBy(c *Cassette, runs func(*interp.Plan) bool) func(*cassette.Interaction) bool {
	return func(it *cassette.Interaction) bool {
		if s.options.Missing || s.options.Steps != nil && !slices.Contains(s.options.Steps, it.Step) {
			return false
		}
		mine := 0
		for _, p := range c.Users {
			if it.Scenario != "" && p.Name != it.Scenario {
				continue
			}
			if mine++; !runs(p) {
				return false
			}
		}
		return mine > 0
	}
}

// Close gives the files back.
func (s *Set) Close() {
	for _, c := range s.list {
		if c.recorder != nil {
			_ = c.recorder.Close() // what was to be written is
		}
	}
}

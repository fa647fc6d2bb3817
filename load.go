package scenario

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/overlay"
	"github.com/scenario-lang/scenario/suite"
)

// A Suite is the scenarios of the files that were loaded. It is immutable and
// safe for concurrent use, and holds nothing open.
type Suite struct {
	scenarios []*Scenario
}

// Load reads and compiles a scenario file of a file system, or all files below a
// directory of it, with what they import, the cassettes that they play and the
// records of their snapshots. Paths in files are relative to the file, and lead
// to nothing outside of the suite root: the nearest parent with go.mod or .git,
// else the root of the file system. An error is an [*Error].
func Load(fsys fs.FS, name string, options ...Option) (*Suite, error) {
	s := &settings{}
	for _, o := range options {
		o(s)
	}
	if s.wrong != nil {
		return nil, &Error{text: s.wrong.Error(), err: s.wrong}
	}
	if len(s.files) > 0 {
		fsys = overlay.FS{Below: fsys, Files: s.files}
	}
	if s.loader.Env == nil {
		s.loader.Placeholder = func(string) bool { return true }
	}
	s.loader.Source, s.loader.Vars, s.loader.Extensions = suite.FS(fsys), &s.vars, &s.extensions
	defer s.loader.Close()
	names, err := s.loader.Source.Discover([]string{name})
	if err == nil && len(names) == 0 {
		err = suite.NothingFound([]string{name})
	}
	if err != nil {
		return nil, &Error{text: err.Error(), err: err}
	}
	files, err := s.loader.LoadAll(context.Background(), names)
	if err != nil {
		return nil, &Error{text: err.Error(), err: err}
	}
	log := &progress{w: s.progress}
	if err := s.check(files, log); err != nil {
		return nil, err
	}
	return newSuite(files, log), nil
}

// check is an error where something is wrong with a file.
func (s *settings) check(files []*suite.File, log *progress) error {
	e := &Error{sources: map[string][]byte{}}
	var declared []string
	for _, f := range files {
		log.printf("%s: %d scenarios\n", f.Path, len(f.Plans))
		if f.Crash != "" {
			return &Error{text: "internal error: " + f.Crash}
		}
		e.Diagnostics = append(e.Diagnostics, f.Diags...)
		f.AddSources(e.sources)
		declared = append(declared, f.Variables...)
	}
	e.Diagnostics = dsl.Distinct(e.Diagnostics)
	if e.Diagnostics.HasErrors() {
		return e
	}
	if len(e.Diagnostics) > 0 {
		log.printf("%s", e)
	}
	slices.Sort(declared)
	for _, u := range s.vars.Undeclared(declared) {
		return &Error{text: fmt.Sprintf("no file declares a variable %q.%s", u.Name, dsl.DidYouMean(u.Name, declared))}
	}
	return nil
}

func newSuite(files []*suite.File, log *progress) *Suite {
	all := &Suite{}
	for _, f := range files {
		for _, p := range f.Plans {
			all.scenarios = append(all.scenarios, &Scenario{plan: p, log: log})
		}
	}
	return all
}

// Scenarios are those of the suite, in the order of the files and of their
// declarations.
func (s *Suite) Scenarios() []*Scenario { return slices.Clone(s.scenarios) }

// Scenario is the first scenario of a name, nil where there is none.
func (s *Suite) Scenario(name string) *Scenario {
	for _, x := range s.scenarios {
		if x.Name() == name {
			return x
		}
	}
	return nil
}

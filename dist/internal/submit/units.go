package submit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/suite"
)

// A Submission is a run that is made ready: its units in the order of their positions
// and the bundle of its files.
type Submission struct {
	Run    job.Run
	Units  []job.Unit
	Bundle []byte
	// weights say how long units took before, by position; nil where nobody knows.
	weights map[int]int64
	// Compiled are files that stayed compiled.
	Compiled []*suite.File
	// Kept are the values of the sensitive variables by file and name: they stay in this
	// process.
	Kept map[string]map[string]string
	// Announced says that the queue knows of the run: whoever has its id can go on.
	Announced bool
	// Known is told then, nil for nobody.
	Known func()
	// Before is what an earlier call left of the same run, nil for nothing.
	Before *job.Run
}

// Drop forgets what is in the queue by now.
func (s *Submission) Drop() { s.Units, s.Bundle, s.weights, s.Compiled = nil, nil, nil, nil }

// Options are what a run is made with.
type Options struct {
	Seed *uint64
	// Benches says that benches are run, and Choice which trials of them.
	Benches bool
	Choice  benches.Choice
	// Private are paths of files that programs of benches do not get.
	Private []string
	// Keep is how much source, in bytes, stays compiled for [Submission.Compiled].
	Keep int64
}

// Make loads what paths name in an invocation and makes a submission of it, whose run
// has no id yet.
func Make(su *harness.Invocation, paths []string, o Options) (*Submission, error) {
	l := su.Loader
	l.Reads = suite.NewReads(l.Source)
	l.Benches = o.Benches
	files := gather(l)
	files.private = o.Private
	l.Only(su.Sel)
	if !o.Benches {
		l.Room, l.Overflow = harness.NewRoom(o.Keep), func(f *harness.Loaded) {
			files.add(f.File)
			files.drop(f)
		}
	}
	if err := su.Load(paths); err != nil {
		return nil, err
	}
	s := &Submission{}
	for _, f := range su.Files {
		files.add(f.File) // what Overflow had is known already
		if !o.Benches && files.dropped[f.Path] == nil {
			s.Compiled = append(s.Compiled, f.File)
		}
	}
	jobs := su.Runner.Jobs
	if o.Benches {
		var err error
		if jobs, err = o.Choice.Choose(su); err != nil {
			return nil, err
		}
		su.Runner.Jobs = jobs
	}
	s.Run = job.Run{Version: cli.Build(), Frame: su.Frame(), Seed: o.Seed, Trials: o.Choice.Trials, Selected: job.Selected(su.Sel), Unread: su.Tells(), Environment: su.Common.Variables.Environment}
	s.Run.Sensitive, s.Kept, s.Run.Given = files.variables()
	for _, j := range jobs {
		if o.Benches {
			if err := s.bench(su, j, o); err != nil {
				return nil, err
			}
		} else {
			s.Units = append(s.Units, job.Unit{Position: len(s.Units) + 1, File: j.Plan.File, Name: j.Plan.Name, PlanHash: files.hash(j.Plan)})
		}
	}
	s.Run.Units = len(s.Units)
	if !o.Benches {
		forget(su, files)
		jobs = nil
	}
	var err error
	if s.Bundle, s.Run.Bundle, s.Run.Cwd, err = files.bundle(jobs); err != nil {
		return nil, err
	}
	if o.Benches { // who reports them compiles them once more
		for _, f := range su.Files {
			f.Plans = nil
		}
		su.Runner.Jobs = nil
	}
	return s, s.sendable()
}

// sendable refuses what messages cannot say: they are JSON, which is UTF-8, and a name
// that is not would reach the workers as another one.
func (s *Submission) sendable() error {
	refused := func(what, text, hint string) error {
		return cli.ExitAs(cli.ExitInvalid, fmt.Sprintf("%s %q is not UTF-8, and workers are told of it in UTF-8", what, text), hint)
	}
	if !utf8.ValidString(s.Run.Cwd) {
		return refused("the working directory", s.Run.Cwd, "rename it, or run this from another one")
	}
	for i := range s.Units {
		if path := s.Units[i].File; !utf8.ValidString(path) {
			return refused("the name of the file", path, "rename it")
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.Run.Given)) {
		for _, name := range slices.Sorted(maps.Keys(s.Run.Given[path])) {
			if value := s.Run.Given[path][name]; !utf8.ValidString(value) {
				return refused("the value of the variable "+name+",", value, "give it another value")
			}
		}
	}
	return nil
}

// forget drops what units were made of: of a large suite there is much of it.
func forget(su *harness.Invocation, files *gathered) {
	for _, f := range su.Files {
		if files.dropped[f.Path] != nil {
			f.Plans, f.Source, f.Imports = nil, nil, nil
		}
	}
	su.Runner.Jobs = nil
}

// bench adds the trials of a bench.
func (s *Submission) bench(su *harness.Invocation, j harness.Job, o Options) error {
	spec, _ := j.Plan.Bench()
	s.Run.Benches = append(s.Run.Benches, job.Bench{File: j.Plan.File, Name: j.Plan.Name, Part: spec.Of > 0, Exclusive: spec.Exclusive, Rate: spec.Rate})
	if spec.Exclusive != "" && !slices.Contains(s.Run.Exclusive, spec.Exclusive) {
		s.Run.Exclusive = append(s.Run.Exclusive, spec.Exclusive)
	}
	hash := j.Plan.Hash()
	if spec.Of > 0 { // a worker has the plan of all cases
		hash = s.wholeHash(su, j, o)
	}
	sums, err := benches.Sums(su, j.Plan)
	if err != nil {
		return err
	}
	took := benches.Durations(su, j.Plan)
	for _, id := range j.Plan.BenchCases() {
		for n := 1; n <= max(1, spec.Trials); n++ {
			u := job.Unit{Position: len(s.Units) + 1, File: j.Plan.File, Name: j.Plan.Name, Bench: len(s.Run.Benches), Case: id, Trial: n, Input: sums[id].Input, Rubric: sums[id].Rubric, PlanHash: hash}
			s.Units = append(s.Units, u)
			if t := took(id, n); t > 0 {
				if s.weights == nil {
					s.weights = map[int]int64{}
				}
				s.weights[u.Position] = int64(t)
			}
		}
	}
	return nil
}

// wholeHash is the hash of a bench with all of its cases.
func (s *Submission) wholeHash(su *harness.Invocation, j harness.Job, o Options) string {
	for _, f := range su.Files {
		for _, p := range f.Plans {
			if p.File == j.Plan.File && p.Name == j.Plan.Name {
				return p.WithBench(o.Choice.Trials, 0).Hash()
			}
		}
	}
	return j.Plan.Hash()
}

// order is that in which the units are queued: those that took longest come first,
// so that none of them is left at the end, and of equal ones the first.
func (s *Submission) order() []job.Unit {
	if s.weights == nil {
		return s.Units
	}
	units := slices.Clone(s.Units)
	slices.SortStableFunc(units, func(a, b job.Unit) int { return cmp.Compare(s.weights[b.Position], s.weights[a.Position]) })
	return units
}

// lane is the name of the consumer that hands out a unit.
func lane(r *job.Run, u *job.Unit) string {
	if u.Bench == 0 || r.Benches[u.Bench-1].Exclusive == "" {
		return job.Lane(0)
	}
	return job.Lane(1 + slices.Index(r.Exclusive, r.Benches[u.Bench-1].Exclusive))
}

// Named gives the submission its id, where it is to have the same one again for the
// same files and units, or another one.
func (s *Submission) Named(id string) {
	s.Run.ID = id
	for i := range s.Units {
		s.Units[i].Run = id
	}
}

package harness

import (
	"fmt"
	"os"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// A flow reports the scenarios of a large suite while later files are read, in the
// order of the files. An invalid file ends it: what comes behind is checked and not
// run, whatever was read first.
type flow struct {
	*Invocation
	// wanted, idle and positions are what Pick and PartOf say of all files.
	wanted, idle int
	positions    []int
	// invalid is the first file that has no plans, "" while there is none, and
	// behind counts the files after it.
	invalid string
	behind  int
	err     error
}

// Flow has a suite that is too large to stay compiled reported while it is read.
// It is for calls in which nothing has to be known of all files before the
// first of them is run.
func (s *Invocation) Flow() {
	s.Loader.flow = func(names []string) func(*Loaded) {
		if size(names) <= s.Keep {
			return nil
		}
		traces, err := openTraces(s.Traces)
		if err != nil { // it is said when the suite begins
			return nil
		}
		f := &flow{Invocation: s}
		s.flow, s.Runner.flows, s.Runner.traces = f, true, traces
		s.Runner.progress = &cli.Progress{}
		return f.add
	}
}

// size is the number of bytes in files.
func size(names []string) (total int64) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
		}
	}
	return total
}

// add reports the scenarios of the next file.
func (f *flow) add(file *Loaded) {
	r := f.Runner
	switch {
	case f.err != nil:
		return
	case f.invalid != "":
		f.behind++
		return
	case file.Failed():
		f.invalid = file.Path
		r.over.Store(true)
		return
	}
	jobs, wanted, idle := Pick(f.Sel, []*Loaded{file}, r.NotRun)
	for _, j := range jobs {
		f.positions = append(f.positions, f.wanted+j.position)
	}
	first := len(r.Jobs)
	r.Jobs = append(r.Jobs, jobs...)
	emit := func(i int, o *outcome, s pool.State) bool {
		more := r.emit(first+i, o, s)
		if !more {
			r.over.Store(true)
		}
		return more
	}
	if file.early == nil {
		f.turn(file, jobs, emit)
	} else {
		for i := range jobs {
			emit(i, nil, pool.NotStarted)
		}
	}
	clear(file.early) // what was reported is not needed any more, and is large with its events
	for i, p := range file.Plans {
		file.Plans[i] = p.Bare()
	}
	f.wanted, f.idle, f.err = f.wanted+wanted, f.idle+idle, r.err
}

// turn runs the scenarios of a file that waited for its turn, several at one time, and
// keeps nothing of one that was reported.
func (f *flow) turn(file *Loaded, jobs []Job, emit func(int, *outcome, pool.State) bool) {
	r := f.Runner
	plans, at := make([]*interp.Plan, 0, len(jobs)), make([]int, 0, len(jobs))
	for i, p := range file.Plans {
		if next := len(plans); next < len(jobs) && p == jobs[next].Plan {
			plans, at = append(plans, p), append(at, i)
		} else {
			file.Plans[i] = p.Bare() // not selected
		}
	}
	clear(jobs)
	pool.Ordered(len(plans), r.parallel, r.halt.C, func(i int) *outcome {
		if r.over.Load() {
			return nil
		}
		o := r.perform(plans[i])
		o.result.Plan = plans[i].Stub(r.identified())
		return o
	}, func(i int, o *outcome, s pool.State) bool {
		more := emit(i, o, s)
		file.Plans[at[i]] = plans[i].Bare()
		if s == pool.Finished { // else a worker may still have it
			plans[i] = nil
		}
		return more
	})
	if len(file.Diags) == 0 {
		file.Source, file.Imports = nil, nil
	}
}

// stopped ends a suite of which some results are written already.
func (f *flow) stopped(err error, why []report.Diagnostic) error {
	if f.invalid != "" {
		fmt.Fprintf(f.Stderr, "%s is invalid: it was not run, and neither were %s behind it\n", cli.Visible(f.invalid), cli.Plural(f.behind, "file"))
	}
	if writing := f.Outs.invalid(why); writing != nil {
		return writing
	}
	f.Runner.summary.Incomplete = true
	if writing := f.Runner.reporter.Close(f.Runner.summary); writing != nil {
		return cli.WorstError(err, writing)
	}
	if writing := f.Runner.traces.commit(); writing != nil {
		return writing
	}
	return err
}

// PartOf says which part of the suite was run, nil for all of it.
func (s *Invocation) PartOf() *report.Shard {
	if s.flow == nil {
		return PartOf(s.Sel, s.Runner.Jobs, s.Wanted)
	}
	return partAt(s.Sel, s.flow.positions, s.Wanted)
}

// partAt is the part of a suite that has scenarios at some positions.
func partAt(s *suite.Selection, positions []int, wanted int) *report.Shard {
	if s.Shards == 0 {
		return nil
	}
	return &report.Shard{Number: int(s.Shard), Of: int(s.Shards), Scenarios: wanted, Positions: append([]int{}, positions...)}
}

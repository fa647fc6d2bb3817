package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// suiteFlags are what every command that runs scenarios can be told.
type suiteFlags struct {
	selection selectionFlags
	variables variableFlags

	parallel, count      int
	failFast             bool
	timeout              time.Duration
	json, verbose, quiet bool
	color                string
	traceOut, reports    []string

	// live says that the runs are on the real clock, and scores that they are
	// benches.
	live, scores bool
}

// An invocation is one call of a command that runs scenarios: what it is told, what
// it loads, and what runs that and reports it. A command opens one, loads it,
// gives its runner what is the command's own, and lets it report.
type invocation struct {
	*app
	common *suiteFlags
	loader *loader
	sel    *suite.Selection
	outs   *outputs
	traces []traceTarget
	halt   *halt
	runner *runner
	// lists says that the scenarios are named and not run.
	lists bool

	// files are what was loaded, and wanted how many of their scenarios are
	// selected, whatever the shard.
	files  []*loaded
	wanted int
}

// open begins an invocation. Values that no run can use are refused, and reports are
// opened, before anything is loaded. The caller closes what it gets.
func (a *app) open(f *suiteFlags, l *loader) (*invocation, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	traces, err := traceTargets(f.traceOut)
	if err != nil {
		return nil, err
	}
	sel, err := f.selection.parse()
	if err != nil {
		return nil, err
	}
	if l.Vars, err = f.variables.read(a); err != nil {
		return nil, err
	}
	l.environment = f.variables.environment
	outs, err := a.outputs(f, traces)
	if err != nil {
		return nil, err
	}
	s := &invocation{app: a, common: f, loader: l, sel: sel, outs: outs, traces: traces, halt: a.watchHalt(f.timeout)}
	s.runner = &runner{
		app: a, way: interp.Interpreted, notRun: notInterpreted, compares: true, play: a.play, reporter: outs, halt: s.halt, invalid: &l.invalid, limit: f.timeout,
		parallel: f.parallel, count: f.count, failFast: f.failFast, scoring: f.scores, events: outs.events,
	}
	s.runner.writes(traces)
	return s, nil
}

// plans are the selected scenarios.
func (s *invocation) plans() []*interp.Plan {
	plans := make([]*interp.Plan, len(s.runner.jobs))
	for i, j := range s.runner.jobs {
		plans[i] = j.plan
	}
	return plans
}

// check refuses values that no run can use.
func (f *suiteFlags) check() error {
	switch {
	case f.parallel < 1:
		return usagef("", "--parallel must be at least 1, not %d", f.parallel)
	case f.count < 1:
		return usagef("", "--count must be at least 1, not %d", f.count)
	case f.timeout < 0:
		return usagef("", "--timeout cannot be negative")
	case f.verbose && f.quiet:
		return usagef("", "-v and -q contradict each other")
	}
	return nil
}

// load reads and compiles the files and gives the runner what is selected.
func (s *invocation) load(paths []string) error {
	files, err := s.app.load(s.loader, paths, s.common.parallel, s.halt, s.common.quiet)
	if err != nil {
		return s.unstarted(err, diagnosed(files)...)
	}
	s.files = files
	s.runner.summary.Partial = s.sel.Narrows()
	idle := 0
	s.runner.jobs, s.wanted, idle = pick(s.sel, files, s.runner.notRun)
	s.runner.idle = s.wanted > 0 && idle == s.wanted
	s.runner.unread = s.loader.unread
	s.learn()
	if s.wanted > 0 {
		return nil
	}
	if s.common.scores {
		err = noBench(files)
	}
	if err == nil {
		err = nothingSelected(s.sel, files)
	}
	return s.unstarted(err)
}

// learn has the output of the command hide what the files know to be secret: a
// program or a service may say it in any place.
func (s *invocation) learn() {
	if s.app.learn == nil {
		return
	}
	var values []string
	for _, j := range s.runner.jobs {
		values = append(values, j.plan.Sensitive()...)
	}
	slices.Sort(values)
	s.app.learn(slices.Compact(values))
}

// unstarted ends an invocation of which nothing ran, because of errors in files or
// of something else. Programs that read results get the errors and their last line
// all the same, except for a command line that is wrong.
func (s *invocation) unstarted(err error, why ...report.Diagnostic) error {
	if e, ok := err.(*exitError); ok && !s.lists && e.code != exitUsage {
		if writing := s.outs.unstarted(why); writing != nil {
			return writing
		}
	}
	return err
}

// report runs what was loaded, and ends the command.
func (s *invocation) report() error { return s.runner.report(s.traces) }

// close gives back what the invocation holds, and takes back reports that were not
// completed.
func (s *invocation) close() {
	s.halt.release()
	s.outs.discard()
	s.loader.Close()
}

// registerOutput adds the flags that say what is shown and written. Each is
// what -v shows.
func (f *suiteFlags) registerOutput(cmd *cobra.Command, each string) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print one JSON event per line")
	flags.StringArrayVar(&f.reports, "report", nil, "write a report to a file, or to standard output with -: `kind=path` (repeatable)")
	flags.StringArrayVar(&f.traceOut, "trace-out", nil, "write the traces of all runs to `file` as JSON Lines, or as spans:\notlp=file, chrome=file (repeatable)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show "+each)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show only what did not pass, and the summary")
	flags.StringVar(&f.color, "color", "auto", "auto, always or never")
	completeOneOf(cmd, "color", colorChoices)
}

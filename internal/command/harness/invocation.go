package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// SuiteFlags are what every command that runs scenarios can be told.
type SuiteFlags struct {
	Selection SelectionFlags
	Variables VariableFlags

	Parallel, Count      int
	FailFast             bool
	Timeout              time.Duration
	Json, Verbose, Quiet bool
	color                string
	traceOut, Reports    []string

	// Live says that the runs are on the real clock, and Scores that they are
	// benches.
	Live, Scores bool
}

// An Invocation is one call of a command that runs scenarios: what it is told, what
// it loads, and what runs that and reports it. A command opens one, loads it,
// gives its runner what is the command's own, and lets it report.
type Invocation struct {
	*cli.App
	Common *SuiteFlags
	Loader *Loader
	Sel    *suite.Selection
	Outs   *Outputs
	Traces []TraceTarget
	Halt   *cli.Halt
	Runner *Runner
	// Lists says that the scenarios are named and not run.
	Lists bool

	// Files are what was loaded, and wanted how many of their scenarios are
	// selected, whatever the shard.
	Files  []*Loaded
	Wanted int
	// flow reports the scenarios while files are read, nil where all are read
	// first.
	flow *flow
}

// Open begins an invocation. Values that no run can use are refused, and reports are
// opened, before anything is loaded. The caller closes what it gets.
func Open(a *cli.App, f *SuiteFlags, l *Loader) (*Invocation, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	traces, err := TraceTargets(f.traceOut)
	if err != nil {
		return nil, err
	}
	sel, err := f.Selection.Parse()
	if err != nil {
		return nil, err
	}
	if l.Vars, err = f.Variables.Read(a); err != nil {
		return nil, err
	}
	l.Environment, l.selects = f.Variables.Environment, sel
	outs, err := outputs(a, f, traces)
	if err != nil {
		return nil, err
	}
	patient := *a
	patient.Gone = nil // reports are written to the end, whoever reads the output
	s := &Invocation{App: a, Common: f, Loader: l, Sel: sel, Outs: outs, Traces: traces, Halt: patient.WatchHalt(f.Timeout)}
	s.Runner = &Runner{
		app: a, Way: interp.Interpreted, NotRun: NotInterpreted, Compares: true, Play: a.Play, reporter: outs, halt: s.Halt, invalid: &l.invalid, limit: f.Timeout,
		Watch: cli.StartWatch(), parallel: f.Parallel, count: f.Count, failFast: f.FailFast, scoring: f.Scores, events: outs.events, tells: outs.tells, failing: outs.failing,
	}
	s.Runner.writes(traces)
	return s, nil
}

// Plans are the selected scenarios.
func (s *Invocation) Plans() []*interp.Plan {
	plans := make([]*interp.Plan, len(s.Runner.Jobs))
	for i, j := range s.Runner.Jobs {
		plans[i] = j.Plan
	}
	return plans
}

// Written are the reports and traces that this call writes, and the files that its
// output goes to where the system tells their names.
func (s *Invocation) Written() []string {
	var paths []string
	for _, value := range s.Common.Reports {
		if _, path, _ := strings.Cut(value, "="); path != ToStdout {
			paths = append(paths, disk.Real(path))
		}
	}
	for _, t := range s.Traces {
		paths = append(paths, disk.Real(t.Path))
	}
	for _, fd := range []string{"1", "2"} {
		if path, err := os.Readlink("/proc/self/fd/" + fd); err == nil && filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// check refuses values that no run can use.
func (f *SuiteFlags) check() error {
	switch {
	case f.Timeout < 0:
		return cli.Usagef("", "--timeout cannot be negative")
	case f.Verbose && f.Quiet:
		return cli.Usagef("", "-v and -q contradict each other")
	}
	return nil
}

// Load reads and compiles the files and gives the runner what is selected.
func (s *Invocation) Load(paths []string) error {
	files, err := Load(s.App, s.Loader, paths, s.Common.Parallel, s.Halt, s.Common.Quiet)
	if err != nil {
		return s.Unstarted(err, diagnosed(files)...)
	}
	s.Files = files
	s.Runner.summary.Partial = s.Sel.Narrows()
	idle := 0
	if s.flow == nil {
		s.Runner.Jobs, s.Wanted, idle = Pick(s.Sel, files, s.Runner.NotRun)
	} else {
		s.Wanted, idle = s.flow.wanted, s.flow.idle
	}
	s.Runner.idle = s.Wanted > 0 && idle == s.Wanted
	s.Runner.unread = s.Loader.unread
	s.learn()
	s.Runner.failures.covers(s.Loader.Source, files)
	if s.Wanted > 0 {
		s.Runner.failures.tell(s)
		return nil
	}
	if s.Common.Scores {
		err = noBench(files)
	} else {
		err = s.Runner.failures.nothing(s)
	}
	switch {
	case err != nil:
	case s.Common.Scores:
		err = noBenchSelected(s.Sel, files)
	default:
		err = NothingSelected(s.Sel, files)
	}
	return s.Unstarted(err)
}

// learn has the output of the command hide what the files know to be secret: a
// program or a service may say it in any place.
func (s *Invocation) learn() {
	if s.App.Learn == nil {
		return
	}
	var values []string
	for _, j := range s.Runner.Jobs {
		values = append(values, j.Plan.Sensitive()...)
	}
	slices.Sort(values)
	s.App.Learn(slices.Compact(values))
}

// Unstarted ends an invocation of which nothing ran, because of errors in files or
// of something else. Programs that read results get the errors and their last line
// all the same, except for a command line that is wrong.
func (s *Invocation) Unstarted(err error, why ...report.Diagnostic) error {
	if s.flow != nil && len(s.Runner.Jobs) > 0 {
		return s.flow.stopped(err, why)
	}
	if e, ok := err.(*cli.ExitError); ok && !s.Lists && e.Code != cli.ExitUsage {
		if writing := s.Outs.unstarted(why); writing != nil {
			return writing
		}
	}
	return err
}

// Report runs what was loaded, and ends the command.
func (s *Invocation) Report() error { return s.Runner.report(s.Traces) }

// Close gives back what the invocation holds, and takes back reports that were not
// completed.
func (s *Invocation) Close() {
	s.Halt.Release()
	s.Outs.Discard()
	s.Runner.traces.discard()
	s.Runner.memory.close()
	s.Runner.failures.close()
	s.Loader.Close()
}

// RegisterOutput adds the flags that say what is shown and written. Each is
// what -v shows.
func (f *SuiteFlags) RegisterOutput(cmd *cobra.Command, each string) {
	flags := cmd.Flags()
	flags.BoolVar(&f.Json, "json", false, "print one JSON event per line")
	cli.Repeated(flags, &f.Reports, "report", "write a report to a file, or to standard output with -: `kind=path` (repeatable)")
	cli.Repeated(flags, &f.traceOut, "trace-out", "write the traces of all runs to `file` as JSON Lines, or as spans:\notlp=file, chrome=file (repeatable)")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "show "+each)
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "show only what did not pass, and the summary")
	flags.StringVar(&f.color, "color", "auto", "auto, always or never")
	cli.CompleteOneOf(cmd, "color", cli.ColorChoices)
	CompleteReports(cmd)
}

// hasScenario finds the beginning of a scenario block.
var hasScenario = pattern.New(`(?m)^scenario[ \t]+"`)

// noBench says why there is nothing to run, nil where files declare benches.
func noBench(files []*Loaded) error {
	if slices.ContainsFunc(files, func(f *Loaded) bool { return len(f.Plans) > 0 }) {
		return nil
	}
	for _, f := range files {
		if hasScenario().Match(f.Source) {
			return cli.ExitAs(cli.ExitNothing, "no file declares a bench", "scenario test "+cli.Visible(f.Path)+" runs the scenarios that it declares")
		}
	}
	return cli.ExitAs(cli.ExitNothing, "no file declares a bench", "a bench is a block at the top level: bench \"name\" { sut { command = [\"./agent\"] } cases = fileset(\"cases/*.json\") }")
}

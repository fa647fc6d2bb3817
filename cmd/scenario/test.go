package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/report"
)

// testFlags are what `scenario test` can be told.
type testFlags struct {
	selection selectionFlags
	variables variableFlags

	list, failFast       bool
	parallel, count      int
	seed                 uint64
	timeout              time.Duration
	json, verbose, quiet bool
	color, traceOut      string
}

func (a *app) testCommand() *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test [path…]",
		Short: "Run scenarios and check what must hold",
		Long: "Run the scenarios of the files, and of the directories searched recursively; of the\n" +
			"working directory without a path. All files are checked before the first scenario runs.\n" +
			"Results go to standard output, everything else to standard error.\n\n" +
			"Every flag but --var can be given in the environment, --trace-out as SCENARIO_TRACE_OUT.",
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.test(f, args, cmd.Flags())
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *testFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	f.selection.register(flags)
	flags.BoolVar(&f.list, "list", false, "print the selected scenarios as file:name and run nothing")
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "run `N` scenarios at one time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "skip everything after the first failure, in file order")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, in place of its own")
	flags.IntVar(&f.count, "count", 1, "run every scenario `N` times; a difference ends with 6")
	flags.DurationVar(&f.timeout, "timeout", 0, "real time that the whole call may take, such as 30s")
	f.variables.register(flags)
	flags.BoolVar(&f.json, "json", false, "print one JSON event a line")
	flags.StringVar(&f.traceOut, "trace-out", "", "write the traces of all runs to `file`, as JSON Lines")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show every scenario with its checks and what happened when")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show only what did not pass, and the summary")
	flags.StringVar(&f.color, "color", "auto", "auto, always or never")
}

func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"hcl"}, cobra.ShellCompDirectiveFilterFileExt
}

// test is the whole of `scenario test`.
func (a *app) test(f *testFlags, paths []string, flags *pflag.FlagSet) error {
	sel, err := f.check()
	if err != nil {
		return err
	}
	reporter, err := a.reporter(f)
	if err != nil {
		return err
	}
	l := &loader{}
	defer l.close()
	if l.vars, err = f.variables.read(a); err != nil {
		return err
	}
	if flags.Changed("seed") {
		l.seed = &f.seed
	}
	h := watchHalt(f.timeout)
	defer h.release()
	files, err := a.load(l, paths, f.parallel, h, f.quiet)
	if err != nil {
		return a.unstarted(f, reporter, err)
	}
	jobs, wanted := sel.pick(files)
	switch {
	case wanted == 0:
		return a.unstarted(f, reporter, sel.nothingSelected(files))
	case f.list:
		return a.list(jobs, f.json)
	case len(jobs) == 0:
		fmt.Fprintf(a.stderr, "shard %s has none of the %d selected scenarios\n", f.selection.shard, wanted)
	}
	clear(files) // plans live on in jobs alone, each until it has run
	return a.runJobs(f, jobs, reporter, h)
}

// check refuses values that no run can use.
func (f *testFlags) check() (*selection, error) {
	switch {
	case f.parallel < 1:
		return nil, usagef("", "--parallel is at least 1, not %d", f.parallel)
	case f.count < 1:
		return nil, usagef("", "--count is at least 1, not %d", f.count)
	case f.timeout < 0:
		return nil, usagef("", "--timeout cannot be negative")
	case f.verbose && f.quiet:
		return nil, usagef("", "-v and -q contradict each other")
	}
	return f.selection.parse()
}

// reporter is the format that the results are written in.
func (a *app) reporter(f *testFlags) (report.Reporter, error) {
	color, err := a.colorWanted(f.color, a.stdout)
	if err != nil {
		return nil, err
	}
	name := "text"
	if f.json {
		name = "json"
	}
	for _, format := range report.Formats() {
		if format.Name == name {
			return format.New(a.stdout, report.Options{Verbose: f.verbose, Quiet: f.quiet, Color: color}), nil
		}
	}
	return nil, fmt.Errorf("no report format %q", name)
}

// load finds, reads and compiles all files; with an error among them none is
// run.
func (a *app) load(l *loader, paths []string, workers int, h *halt, quiet bool) ([]*loaded, error) {
	names, err := discover(paths)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, nothingFound(paths)
	}
	files := l.loadAll(names, workers, h.C)
	if code := h.cause(); code != exitPassed {
		return nil, &exitError{code, "stopped while the files were being read; nothing was run", ""}
	}
	return files, l.check(a, files, quiet)
}

// unstarted ends a suite of which nothing ran. Readers of --json get their
// last line all the same, except for a command line that is wrong.
func (a *app) unstarted(f *testFlags, reporter report.Reporter, err error) error {
	if e, ok := err.(*exitError); ok && f.json && !f.list && e.code != exitUsage {
		if writing := reporter.Close(report.Summary{Incomplete: true}); writing != nil {
			return writing
		}
	}
	return err
}

// runJobs runs what was selected and writes results and traces.
func (a *app) runJobs(f *testFlags, jobs []job, reporter report.Reporter, h *halt) error {
	r := &runner{
		app: a, jobs: jobs, reporter: reporter, halt: h, progress: a.progressOn(a.stderr, len(jobs)),
		parallel: f.parallel, count: f.count, failFast: f.failFast, events: f.verbose && !f.json, limit: f.timeout,
	}
	if f.traceOut == "" {
		code, err := r.run()
		return ending(code, err)
	}
	out, err := openTrace(f.traceOut)
	if err != nil {
		return err
	}
	defer out.discard()
	r.traces = out
	code, err := r.run()
	if err == nil {
		if writing := out.commit(); writing != nil {
			err = traceError(f.traceOut, writing)
		}
	}
	return ending(code, err)
}

// ending is how a run of the suite ends the command. What is wrong with the
// output counts as an internal error: the results are not what was asked for.
func ending(code exitCode, err error) error {
	if err == nil {
		return exitWith(code)
	}
	if e, ok := err.(*exitError); ok {
		return e
	}
	return &exitError{exitInternal, err.Error(), ""}
}

// listed is one line of --list --json.
type listed struct {
	Schema string   `json:"schema"`
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Name   string   `json:"name"`
	Tags   []string `json:"tags,omitempty"`
}

// list prints the selected scenarios in the form that --run matches.
func (a *app) list(jobs []job, asJSON bool) error {
	for _, j := range jobs {
		p := j.plan
		if err := printListed(a.stdout, listed{"scenario.list/1", p.File, p.Line, p.Name, p.Tags}, asJSON); err != nil {
			return ending(exitPassed, fmt.Errorf("cannot write the list: %w", err))
		}
	}
	return nil
}

func printListed(w io.Writer, l listed, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(w, "%s:%s\n", l.File, l.Name)
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(l)
}

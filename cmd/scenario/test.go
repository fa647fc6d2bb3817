package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// testFlags are what `scenario test` can be told.
type testFlags struct {
	selection selectionFlags
	variables variableFlags

	shuffle              shuffle
	list, failFast       bool
	watch                bool
	strictCassettes      bool
	update               bool
	parallel, count      int
	seed                 uint64
	timeout              time.Duration
	json, verbose, quiet bool
	color                string
	traceOut, reports    []string

	// live says that the runs are on the real clock, and scores that they are
	// benches.
	live, scores bool
}

func (a *app) testCommand() *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test [path…]",
		Short: "Run scenarios and check what must hold",
		Long: "Run the scenarios of the files, and of the directories searched recursively; of the\n" +
			"working directory without a path. An invalid file stops the suite before any result.\n" +
			"Results go to standard output, everything else to standard error.\n\n" +
			"Kinds of --report:\n\n" + formatList() + "\n" +
			"Every flag but --var, --var-file and --update can be given in the environment,\n" +
			"--trace-out as SCENARIO_TRACE_OUT.",
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.watch {
				return a.testWatch(f, args, cmd.Flags())
			}
			return a.test(f, args, cmd.Flags(), &loader{})
		},
	}
	f.register(cmd.Flags())
	completeSelection(cmd)
	completeOneOf(cmd, "color", colorChoices)
	completeOneOf(cmd, "shuffle", []string{"on", "off"})
	return cmd
}

func (f *testFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	f.selection.register(flags)
	flags.BoolVar(&f.list, "list", false, "print the selected scenarios as file:name and run nothing")
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "run `N` scenarios at one time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "skip everything after the first failure, in file order")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, in place of its own")
	f.shuffle.register(flags)
	flags.IntVar(&f.count, "count", 1, "run every scenario `N` times; a difference ends with 6")
	flags.DurationVar(&f.timeout, "timeout", 0, "real time that the whole call may take, such as 30s")
	flags.BoolVar(&f.watch, "watch", false, "run again what a change of a file concerns, until interrupted")
	flags.BoolVar(&f.strictCassettes, "strict-cassettes", false, "refuse recordings that do not show whether they are whole")
	flags.BoolVar(&f.update, "update", false, "record the values of snapshots where nothing else fails; never in CI")
	f.variables.register(flags)
	flags.BoolVar(&f.json, "json", false, "print one JSON event a line")
	flags.StringArrayVar(&f.reports, "report", nil, "write a report to a file, or to - for standard output: `kind=path` (repeatable)")
	flags.StringArrayVar(&f.traceOut, "trace-out", nil, "write the traces of all runs to `file` as JSON Lines, or as spans:\notlp=file, chrome=file (repeatable)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show every scenario with its checks and what happened when")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show only what did not pass, and the summary")
	flags.StringVar(&f.color, "color", "auto", "auto, always or never")
}

func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"hcl"}, cobra.ShellCompDirectiveFilterFileExt
}

// test is the whole of `scenario test`.
func (a *app) test(f *testFlags, paths []string, flags *pflag.FlagSet, l *loader) error {
	l.now = startWatch().started
	l.strict = f.strictCassettes
	defer l.close()
	sel, traces, err := f.check()
	if err != nil {
		return err
	}
	if f.update {
		if err := a.mayUpdate(); err != nil {
			return err
		}
	}
	if err := f.shuffle.check(paths); err != nil {
		return err
	}
	outs, err := a.outputs(f, traces)
	if err != nil {
		return err
	}
	defer outs.discard()
	if l.vars, err = f.variables.read(a); err != nil {
		return err
	}
	l.sel = sel
	if flags.Changed("seed") {
		l.seed = &f.seed
	}
	h := a.watchHalt(f.timeout)
	defer h.release()
	r := f.runner(a, outs, h, &l.invalid)
	export := a.exporter(f.list)
	defer export.close()
	r.want(traces, export)
	f.shuffled(a, l, r)
	l.room, l.overflow = newRoom(a.keep), r.runEarly(sel)
	if f.list {
		l.overflow = forget
	}
	files, err := a.load(l, paths, f.parallel, h, f.quiet)
	if err != nil {
		return a.unstarted(f, outs, err)
	}
	jobs, wanted := sel.pick(files)
	switch {
	case wanted == 0:
		return a.unstarted(f, outs, sel.nothingSelected(files))
	case f.list:
		return a.list(jobs, f.json)
	case f.update:
		r.record = &snapshotWriter{a, &l.places, f.quiet}
		r.record.warnUnused(files)
	}
	if len(jobs) == 0 {
		fmt.Fprintf(a.stderr, "shard %s has none of the %d selected scenarios\n", f.selection.shard, wanted)
	}
	clear(files) // plans live on in jobs alone, each until it has run
	if r.shuffle.on {
		r.turns = r.shuffle.turns(len(jobs), func(i int) string { return sel.scenario(jobs[i].plan) })
	}
	r.jobs, r.unread, r.part = jobs, l.unread, sel.part(jobs, wanted)
	return r.report(traces)
}

// shuffled draws the order in which files are read and scenarios run, where it
// is not theirs. A list is not run, so it has no other.
func (f *testFlags) shuffled(a *app, l *loader, r *runner) {
	if f.list {
		return
	}
	order := f.shuffle
	order.begin(a)
	l.shuffle, r.shuffle = order, order
	r.firstBad.Store(math.MaxInt64)
}

// runner is what runs and reports the scenarios, once they are known.
func (f *testFlags) runner(a *app, outs *outputs, h *halt, invalid *atomic.Bool) *runner {
	return &runner{
		app: a, play: a.play, reporter: outs, halt: h, invalid: invalid, limit: f.timeout,
		parallel: f.parallel, count: f.count, failFast: f.failFast, events: outs.events,
	}
}

// check refuses values that no run can use.
func (f *testFlags) check() (*selection, []traceTarget, error) {
	switch {
	case f.parallel < 1:
		return nil, nil, usagef("", "--parallel is at least 1, not %d", f.parallel)
	case f.count < 1:
		return nil, nil, usagef("", "--count is at least 1, not %d", f.count)
	case f.timeout < 0:
		return nil, nil, usagef("", "--timeout cannot be negative")
	case f.verbose && f.quiet:
		return nil, nil, usagef("", "-v and -q contradict each other")
	}
	traces, err := traceTargets(f.traceOut)
	if err != nil {
		return nil, nil, err
	}
	sel, err := f.selection.parse()
	return sel, traces, err
}

// unstarted ends a suite of which nothing ran. Programs that read results get
// their last line all the same, except for a command line that is wrong.
func (a *app) unstarted(f *testFlags, outs *outputs, err error) error {
	if e, ok := err.(*exitError); ok && !f.list && e.code != exitUsage {
		if writing := outs.unstarted(); writing != nil {
			return writing
		}
	}
	return err
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

// visible is a name on one line of a terminal: what cannot be seen in it is
// written as in a regular expression.
func visible(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\x{%x}`, r)
		}
	}
	return b.String()
}

func printListed(w io.Writer, l listed, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(w, "%s:%s\n", l.File, visible(l.Name))
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(l)
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/otlp"
)

// testFlags are what `scenario test` can be told.
type testFlags struct {
	suiteFlags
	playFlags
	shuffle     shuffle
	list, watch bool
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
			"Every flag but --var, --var-file, --env and --update can be given in the environment,\n" +
			"--trace-out as SCENARIO_TRACE_OUT.",
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.watch {
				return a.testWatch(f, args, cmd.Flags())
			}
			return a.test(f, args, cmd.Flags(), a.loader())
		},
	}
	f.register(cmd)
	completeSelection(cmd)
	completeOneOf(cmd, "shuffle", []string{"on", "off"})
	return cmd
}

func (f *testFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.register(flags, "scenarios")
	f.selection.registerTags(flags)
	f.selection.registerShard(flags)
	flags.BoolVar(&f.list, "list", false, "print the selected scenarios as file:name and run nothing")
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "run `N` scenarios at a time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "skip everything after the first failure, in file order")
	f.registerSeed(flags)
	f.shuffle.register(flags)
	flags.IntVar(&f.count, "count", 1, "run every scenario `N` times; exit with code 6 if the runs differ")
	flags.DurationVar(&f.timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	flags.BoolVar(&f.watch, "watch", false, "rerun the scenarios that a changed file affects, until interrupted")
	f.registerStrict(flags)
	f.registerUpdate(flags)
	f.variables.register(flags)
	f.variables.registerEnv(flags)
	f.registerOutput(cmd, "every scenario with its checks and a timeline")
}

func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"hcl"}, cobra.ShellCompDirectiveFilterFileExt
}

// test is the whole of `scenario test`.
func (a *app) test(f *testFlags, paths []string, flags *pflag.FlagSet, l *loader) error {
	if err := f.playFlags.read(a, l, flags); err != nil {
		return err
	}
	if err := f.shuffle.check(paths); err != nil {
		return err
	}
	s, err := a.open(&f.suiteFlags, l)
	if err != nil {
		return err
	}
	defer s.close()
	if f.list {
		return s.list(paths)
	}
	r := s.runner
	export := otlp.Open(otlp.Host{Env: a.env, Warn: a.stderr, After: a.after, Version: buildVersion()})
	defer export.Close()
	r.exports(export)
	f.shuffled(l, r)
	l.only(s.sel)
	l.room, l.overflow = newRoom(a.keep), r.runEarly(l, s.sel)
	if err := s.load(paths); err != nil {
		return err
	}
	if f.update {
		r.record = &snapshotWriter{a, l.Source, f.quiet}
	}
	if err := l.unusedSnapshots(a, s.files, f.quiet); err != nil {
		return s.unstarted(err)
	}
	if len(r.jobs) == 0 {
		fmt.Fprintf(a.stderr, "shard %s contains none of the %d selected scenarios\n", f.selection.shard, s.wanted)
	}
	clear(s.files) // plans live on in jobs alone, each until it has run
	r.part = partOf(s.sel, r.jobs, s.wanted)
	if r.shuffle.on {
		r.turns = r.shuffle.turns(len(r.jobs), func(i int) string { return l.scenarioName(r.jobs[i].plan) })
	}
	return s.report()
}

// shuffled draws the order in which files are read and scenarios run, where it
// is not theirs.
func (f *testFlags) shuffled(l *loader, r *runner) {
	order := f.shuffle.drawn()
	l.shuffle, r.shuffle = order, order
	r.firstBad.Store(math.MaxInt64)
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
func (s *invocation) list(paths []string) error {
	s.lists = true
	s.loader.only(s.sel)
	s.loader.room, s.loader.overflow = newRoom(0), forget
	if err := s.load(paths); err != nil {
		return err
	}
	for _, j := range s.runner.jobs {
		p := j.plan
		if err := printListed(s.stdout, listed{"scenario.list/1", p.File, p.Line, p.Name, p.Tags}, s.common.json); err != nil {
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

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/search"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/lastfailed"
	"github.com/scenario-lang/scenario/internal/command/otlp"
)

// testFlags are what `scenario test` can be told.
type testFlags struct {
	harness.SuiteFlags
	harness.PlayFlags
	shuffle     harness.Shuffle
	cache       harness.CacheFlags
	list, watch bool
	// failed says that only what did not pass when it last ran is run, and known is
	// where --watch remembers that if there is no directory for it.
	failed bool
	known  *lastfailed.Memory
}

func testCommand(a *cli.App) *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test [path…]",
		Short: "Run scenarios and check what must hold",
		Long: "Run the scenarios of the files, and of the directories searched recursively; of the\n" +
			"working directory without a path; FILE:LINE and FILE:NAME are one scenario. An invalid\n" +
			"file stops the suite before any result. The results of a suite of more than 128 KiB\n" +
			"are written while it is read: there those of the files before an invalid one stand.\n" +
			"Results go to standard output, everything else to standard error.\n\n" +
			"Kinds of --report:\n\n" + harness.FormatList() + "\n" +
			"Every flag but --var, --var-file, --env and --update can be given in the environment,\n" +
			"--trace-out as SCENARIO_TRACE_OUT.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.watch {
				return testWatch(a, f, args, cmd.Flags())
			}
			return runTest(a, f, args, cmd.Flags(), harness.NewLoader(a))
		},
	}
	f.register(cmd)
	cli.CompleteSelection(cmd)
	cli.CompleteOneOf(cmd, "shuffle", []string{"on", "off"})
	return cmd
}

func (f *testFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.Selection.Register(flags, "scenarios")
	f.Selection.RegisterTags(flags)
	f.Selection.RegisterShard(flags)
	flags.BoolVar(&f.list, "list", false, "print the selected scenarios as file:name and run nothing")
	flags.BoolVar(&f.failed, "last-failed", false, "only scenarios that did not pass when they last ran; with --watch in the first round")
	flags.IntVar(&f.Parallel, "parallel", runtime.GOMAXPROCS(0), "run `N` scenarios at a time")
	cli.InRange(flags, "parallel", 1, cli.Unbounded)
	flags.BoolVar(&f.FailFast, "fail-fast", false, "skip everything after the first failure, in file order")
	f.RegisterSeed(flags)
	f.shuffle.Register(flags)
	flags.IntVar(&f.Count, "count", 1, "run every scenario `N` times; exit with code 6 if the runs differ")
	cli.InRange(flags, "count", 1, cli.Unbounded)
	flags.DurationVar(&f.Timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	flags.BoolVar(&f.watch, "watch", false, "rerun the scenarios that a changed file affects, until interrupted")
	f.cache.Register(flags)
	f.RegisterStrict(flags)
	f.RegisterUpdate(flags)
	f.Variables.Register(flags)
	f.Variables.RegisterEnv(flags)
	f.RegisterOutput(cmd, "every scenario with its checks and a timeline")
}

// runTest is the whole of `scenario test`.
func runTest(a *cli.App, f *testFlags, paths []string, flags *pflag.FlagSet, l *harness.Loader) error {
	if err := f.PlayFlags.Read(a, l, flags); err != nil {
		return err
	}
	if err := f.shuffle.Check(paths); err != nil {
		return err
	}
	if err := harness.WholeName(f.Selection.Run, paths); err != nil {
		return err
	}
	l.Faultless = true
	s, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Failures(&f.cache, f.failed, f.known); err != nil {
		return err
	}
	if f.list {
		return list(s, paths)
	}
	r := s.Runner
	export := otlp.Open(otlp.Host{Env: a.Env, Warn: a.Stderr, After: a.After, Version: cli.Version()})
	defer export.Close()
	r.Exports(export)
	f.shuffled(l, r)
	if !f.shuffle.On {
		if err := s.Remember(&f.cache, &f.PlayFlags); err != nil {
			return err
		}
	}
	l.Only(s.Sel)
	l.Room, l.Overflow = harness.NewRoom(a.Keep), r.RunEarly(l, s.Sel)
	if !f.Update && !f.shuffle.On && !f.failed && !f.Variables.Given() {
		s.Flow()
	}
	if err := s.Load(paths); err != nil {
		return err
	}
	if f.Update {
		r.Record = harness.SnapshotsOf(a, l.Source, f.Quiet)
	}
	if err := l.UnusedSnapshots(a, s.Files, f.Quiet); err != nil {
		return s.Unstarted(err)
	}
	if len(r.Jobs) == 0 {
		fmt.Fprintf(a.Stderr, "shard %s contains none of the %d selected scenarios\n", f.Selection.Shard, s.Wanted)
	}
	clear(s.Files) // plans live on in jobs alone, each until it has run
	r.Part = s.PartOf()
	if r.Shuffle.On {
		r.Turns = r.Shuffle.Turns(len(r.Jobs), func(i int) string { return l.ScenarioName(r.Jobs[i].Plan) })
	}
	wanted := s.Wanted
	if err := s.Report(); err != nil {
		return err
	}
	if f.Verbose && !f.Json && !f.watch && f.Selection.All() && wanted <= search.Unnoticed && !slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(filepath.Base(p), ":") }) {
		search.TellUnnoticed(a, f.Variables, paths, f.Parallel)
	}
	return nil
}

// shuffled draws the order in which files are read and scenarios run, where it
// is not theirs.
func (f *testFlags) shuffled(l *harness.Loader, r *harness.Runner) {
	order := f.shuffle.Drawn()
	l.Shuffle, r.Shuffle = order, order
	r.FirstBad.Store(math.MaxInt64)
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
func list(s *harness.Invocation, paths []string) error {
	s.Lists = true
	s.Loader.Only(s.Sel)
	s.Loader.Room, s.Loader.Overflow = harness.NewRoom(0), harness.Forget
	if err := s.Load(paths); err != nil {
		return err
	}
	for _, j := range s.Runner.Jobs {
		p := j.Plan
		if err := printListed(s.Stdout, listed{"scenario.list/1", p.File, p.Line, p.Name, p.Tags}, s.Common.Json); err != nil {
			return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write the list: %w", err))
		}
	}
	return nil
}

func printListed(w io.Writer, l listed, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(w, "%s:%s\n", l.File, cli.Visible(l.Name))
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(l)
}

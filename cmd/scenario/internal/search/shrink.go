package search

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/internal/shrink"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// shrinkFlags are what `scenario shrink` can be told.
type shrinkFlags struct {
	variables harness.VariableFlags
	run, keep string
	budget    time.Duration
}

// ShrinkCommand is `scenario shrink`.
func ShrinkCommand(a *cli.App) *cobra.Command {
	f := &shrinkFlags{}
	cmd := &cobra.Command{
		Use:   "shrink file",
		Short: "Print the smallest scenario that still fails the same way",
		Long: "Leave out of a scenario that fails what it does not need to fail: calls, events, holds,\n" +
			"outages, entries of scripts and other checks, one after the other, as long as the same\n" +
			"check fails and no other. What is left is printed as a file that imports the one with the\n" +
			"scenario, to be kept beside it. The workflow, and all else of the file, stay as they are.",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cli.CompleteFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return runShrink(a, f, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.run, "run", "", "the `name` of the scenario; the only one of the file unless given")
	flags.StringVar(&f.keep, "keep", "", "the `name` of the check, invariant or gate that has to fail still; the first one unless given")
	flags.DurationVar(&f.budget, "budget", time.Minute, "after how much `time` no further run is begun; 0 for never")
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	return cmd
}

// runShrink is the whole of `scenario shrink`.
func runShrink(a *cli.App, f *shrinkFlags, path string) error {
	if f.budget < 0 {
		return cli.Usagef("for example --budget 5m", "--budget must not be negative")
	}
	vars, err := f.variables.Read(a)
	if err != nil {
		return err
	}
	h := a.WatchHalt(0)
	defer h.Release()
	l := harness.NewLoader(a)
	defer l.Close()
	l.Vars, l.Environment = vars, f.variables.Environment
	files, err := harness.Load(a, l, []string{path}, 1, h, true)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return cli.Usagef("", "shrink takes one file, and %q are %d", path, len(files))
	}
	x := &shrinking{App: a, budget: f.budget, loader: l, halt: h, path: files[0].Path}
	name, err := f.scenarioOf(files[0])
	if err != nil {
		return err
	}
	return x.run(files[0].Source, name, f.keep)
}

// scenarioOf is the name of the scenario that is meant.
func (f *shrinkFlags) scenarioOf(file *harness.Loaded) (string, error) {
	var names []string
	for _, p := range file.Plans {
		names = append(names, p.Name)
	}
	switch {
	case f.run == "" && len(names) == 1:
		return names[0], nil
	case f.run == "":
		return "", cli.Usagef("add --run NAME", "%s has %d scenarios, and one is made smaller", cli.Visible(file.Path), len(names))
	case !slices.Contains(names, f.run):
		return "", cli.ExitAs(cli.ExitNothing, fmt.Sprintf("%s has no scenario %q.%s", cli.Visible(file.Path), f.run, dsl.DidYouMean(f.run, names)), "")
	}
	return f.run, nil
}

// A shrinking is one call of the command.
type shrinking struct {
	*cli.App
	loader *harness.Loader
	halt   *cli.Halt
	path   string
	budget time.Duration
}

// run makes a scenario smaller and prints it.
func (x *shrinking) run(source []byte, name, keep string) error {
	var over <-chan time.Time
	if x.budget > 0 {
		over = x.After(x.budget)
	}
	r, err := shrink.Scenario(source, name, keep, over, func(text []byte, name string) *interp.Result { return x.play(x.path, text, name) })
	var u *shrink.Unshrinkable
	switch {
	case errors.As(err, &u) && u.Passes:
		return cli.ExitAs(cli.ExitNothing, u.Why, u.Hint)
	case errors.As(err, &u):
		return cli.ExitAs(cli.ExitUsage, u.Why, u.Hint)
	case x.interrupted():
		return cli.ExitWith(x.halt.Cause())
	}
	text := dsl.Format(r.Written("./" + filepath.Base(x.path)))
	if why := x.shows(text, r); why != "" {
		return cli.ExitAs(cli.ExitInternal, "what was made does not fail the same way: "+why, "please report it, with the file")
	}
	if _, err := x.Stdout.Write(text); err != nil {
		return cli.ExitAs(cli.ExitInternal, "cannot write the scenario: "+err.Error(), "")
	}
	fmt.Fprintf(x.Stderr, "%s %q still fails with %d of %d parts (%d runs)\n", r.Kept.Kind, cli.Visible(r.Kept.Name), r.Left, r.Parts, r.Runs)
	if r.Cut {
		fmt.Fprintf(x.Stderr, "note: the time was over before all was tried; a --budget of more than %s tries more\n", x.budget)
	}
	return nil
}

// play compiles a text as a file of the directory, and runs a scenario of it.
func (x *shrinking) play(path string, text []byte, name string) *interp.Result {
	x.loader.Unsaved = func(p string) ([]byte, bool) { return text, x.loader.Source.Real(p) == x.loader.Source.Real(path) }
	defer func() { x.loader.Unsaved = nil }()
	file := x.loader.Load(path)
	if file.Failed() || x.interrupted() {
		return nil
	}
	for _, p := range file.Plans {
		if p.Name == name && harness.NotInterpreted(p) == "" {
			return interp.Run(p, interp.RunOptions{Done: x.halt.C})
		}
	}
	return nil
}

// shows says why the file that is printed does not fail as it should, "" where it does.
func (x *shrinking) shows(text []byte, r *shrink.Result) string {
	run := x.play(strings.TrimSuffix(x.path, suite.Suffix)+".shrunk"+suite.Suffix, text, r.Name())
	switch {
	case run == nil:
		return "it cannot be run"
	case !slices.ContainsFunc(run.Problems, func(p interp.Problem) bool { return p.Kind == r.Kept.Kind && p.Name == r.Kept.Name }):
		return "nothing of that name fails in it"
	}
	return ""
}

func (x *shrinking) interrupted() bool { return pool.Closed(x.halt.C) }

package search

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/internal/cputime"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/mutate"
	"github.com/scenario-lang/scenario/internal/mutate/program"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// mutateFlags are what `scenario mutate` can be told.
type mutateFlags struct {
	selection harness.SelectionFlags
	variables harness.VariableFlags
	only      []string
	min       float64
	explore   string
	maxK      int
	emit      string
	parallel  int
	json      bool
	reports   []string
	program   mutateExecFlags
}

// MutateCommand is `scenario mutate`.
func MutateCommand(a *cli.App) *cobra.Command {
	f := &mutateFlags{}
	cmd := &cobra.Command{
		Use:   "mutate [path…] [-- program argument…]",
		Short: "Find changes of a program that no scenario notices",
		Long: "Weaken one declaration of a program at a time, such as a retry, a deadline or a fallback,\n" +
			"and run the scenarios that read it, as they are. A mutant that makes none of them fail has\n" +
			"survived. One that none of them meets is run beside the original under injected faults,\n" +
			"to find some that show it.\n\n" +
			"With --exec it is the source of a program that is changed, one place at a time and in a copy\n" +
			"of its directory: the program that follows --, or the command of the scenario's sut block.\n" +
			"A changed program does other things than the one that you wrote: run it where it can harm\n" +
			"nothing.\n\n" +
			"Operators of --only:\n\n" + operatorList() + "\n\nOperators of --only with --exec:\n\n" + sourceOperatorList(),
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				f.program.command, args = args[n:], args[:n]
			}
			if err := f.program.check(cmd.Flags()); err != nil {
				return err
			}
			if !f.program.exec {
				if !cmd.Flags().Changed("budget") {
					f.program.budget = 0 // what is found is the same on every machine
				}
				return runMutate(a, f, args)
			}
			if !cmd.Flags().Changed("parallel") {
				f.parallel = 1
			}
			return a.Hiding(func(a *cli.App) error { return runMutateExec(a, f, args) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.Register(flags, "scenarios")
	f.selection.RegisterTags(flags)
	flags.StringSliceVar(&f.only, "only", nil, "only mutants of these `operators`")
	flags.Float64Var(&f.min, "min", 0, "fail where fewer `percent` of the mutants are killed")
	flags.StringVar(&f.explore, "explore", "2000runs", "limit for each mutant that no scenario meets, as a number of `runs` under faults; 0 for none")
	flags.IntVar(&f.maxK, "max-k", 2, "the largest number of faults in one of these runs, 1 or 2")
	flags.StringVar(&f.emit, "emit", "", "write into this `directory` scenarios that kill the mutants which no scenario meets")
	f.program.register(flags)
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "try `N` mutants at a time; 1 with --exec")
	cli.InRange(flags, "parallel", 1, cli.Unbounded)
	flags.BoolVar(&f.json, "json", false, "print one JSON object per line")
	cli.Repeated(flags, &f.reports, "report", "write a report with a case for each mutant to a file, or to standard output with -:\n`kind=path` (repeatable)")
	harness.CompleteReports(cmd, slices.DeleteFunc(harness.FormatNames(), func(kind string) bool { return kind == harness.MergeFormat })...)
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	names := slices.Concat(operatorNames(), sourceOperators())
	slices.Sort(names)
	cli.CompleteOneOf(cmd, "only", slices.Compact(names))
	return cmd
}

func operatorNames() []string {
	var names []string
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	return names
}

func operatorList() string {
	var b strings.Builder
	for _, op := range mutate.Operators() {
		fmt.Fprintf(&b, "  %-15s %s\n", op.Name, op.Summary)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func sourceOperatorList() string {
	var b strings.Builder
	for _, op := range program.Operators() {
		fmt.Fprintf(&b, "  %-15s %s\n", op.Name, op.Summary)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// options reads the flags, and refuses values that nothing can be done with.
func (f *mutateFlags) options() (o mutate.Options, err error) {
	for _, name := range f.only {
		if !slices.Contains(operatorNames(), name) {
			return o, cli.Usagef("there are "+strings.Join(operatorNames(), ", "), "unknown operator %q for --only.%s", name, dsl.DidYouMean(name, operatorNames()))
		}
	}
	switch {
	case f.maxK != 1 && f.maxK != 2:
		return o, cli.Usagef("", "--max-k must be 1 or 2, not %d", f.maxK)
	case !(f.min >= 0 && f.min <= 100):
		return o, cli.Usagef("for example --min 90", "--min must be a percentage from 0 to 100, not %g", f.min)
	}
	runs, err := strconv.Atoi(strings.TrimSuffix(f.explore, "runs"))
	if err != nil || runs < 0 {
		return o, cli.Usagef("for example --explore 500runs, or --explore 0", "--explore %q is not a number of runs", f.explore)
	}
	if runs == 0 && f.emit != "" {
		return o, cli.Usagef("give --explore some runs, or leave out --emit", "--emit writes the faults that show a mutant, and --explore 0 tries none")
	}
	return mutate.Options{Only: f.only, K: f.maxK, Runs: runs, Parallel: f.parallel}, nil
}

// runMutate is the whole of `scenario mutate`.
func runMutate(a *cli.App, f *mutateFlags, paths []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	var expired <-chan time.Time // never, where there is no limit
	if f.program.budget > 0 {
		expired = a.After(f.program.budget)
	}
	sel, err := f.selection.Parse()
	if err != nil {
		return err
	}
	vars, err := f.variables.Read(a)
	if err != nil {
		return err
	}
	began := cputime.Spent()
	h := a.WatchHalt(0)
	defer h.Release()
	open := func() *harness.Loader {
		l := harness.NewLoader(a)
		l.Vars, l.Environment = vars, f.variables.Environment
		l.Only(sel)
		return l
	}
	l := open()
	defer l.Close()
	files, err := harness.Load(a, l, paths, f.parallel, h, true)
	if err != nil {
		return err
	}
	jobs, wanted, idle := harness.Pick(sel, files, harness.NotInterpreted)
	if wanted == 0 {
		return harness.NothingSelected(sel, files)
	}
	x := &mutation{App: a, flags: f, halt: h, expired: expired, began: began, options: o, open: open, idle: wanted == idle}
	defer x.close()
	return x.run(hostsOf(files, jobs))
}

// hostsOf are the files with those of their scenarios that are run.
func hostsOf(files []*harness.Loaded, jobs []harness.Job) []*mutate.Host {
	var hosts []*mutate.Host
	for _, f := range files {
		h := &mutate.Host{File: f.File}
		for _, j := range jobs {
			if slices.Contains(f.Plans, j.Plan) && harness.NotInterpreted(j.Plan) == "" {
				h.Plans = append(h.Plans, j.Plan)
			}
		}
		if len(h.Plans) > 0 {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// A mutation is one call of the command.
type mutation struct {
	*cli.App
	flags *mutateFlags
	halt  *cli.Halt
	// expired says that the time of --budget is over; nil for never.
	expired <-chan time.Time
	// began is the processor time that the process had had when it started.
	began   time.Duration
	options mutate.Options
	open    func() *harness.Loader
	// idle says that nothing that was selected can be run here.
	idle bool
	// loaders are those that compile nothing at the moment.
	mu      sync.Mutex
	loaders []*harness.Loader
}

// read is the text of a file that expressions read.
func (x *mutation) read(path string) ([]byte, error) {
	l := x.loader()
	defer x.free(l)
	return l.Text(path)
}

// compile compiles a file where texts take the place of those of files.
func (x *mutation) compile(path string, texts map[string][]byte) *suite.File {
	l := x.loader()
	defer x.free(l)
	real := make(map[string][]byte, len(texts))
	for name, text := range texts {
		real[l.Source.Real(name)] = text
	}
	l.Unsaved = func(path string) ([]byte, bool) {
		text, ok := real[l.Source.Real(path)]
		return text, ok
	}
	return l.Load(path)
}

func (x *mutation) loader() *harness.Loader {
	x.mu.Lock()
	defer x.mu.Unlock()
	if n := len(x.loaders); n > 0 {
		l := x.loaders[n-1]
		x.loaders = x.loaders[:n-1]
		return l
	}
	return x.open()
}

func (x *mutation) free(l *harness.Loader) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.loaders = append(x.loaders, l)
}

func (x *mutation) close() {
	for _, l := range x.loaders {
		l.Close()
	}
}

// run tries all mutants, and ends the command.
func (x *mutation) run(hosts []*mutate.Host) error {
	out, quiet, err := openReports(x.App, x.flags.reports, x.flags.json, "mutants")
	if err != nil {
		return err
	}
	defer out.Discard()
	var p *cli.Progress
	done, over := make(chan struct{}), make(chan struct{})
	select {
	case <-x.expired: // whoever is scheduled first, nothing begins after it
		close(done)
	default:
		go func() {
			select {
			case <-x.halt.C:
			case <-x.expired:
			case <-over:
				return
			}
			close(done)
		}()
	}
	x.options.Compile, x.options.Read, x.options.Done = x.compile, x.read, done
	x.options.Progress = func(done, all int) {
		if p == nil {
			p = x.ProgressOn(x.Stderr, all, "mutants")
		}
		p.Show(done)
	}
	r := mutate.Run(hosts, x.options)
	close(over)
	if p != nil {
		p.Clear()
	}
	for _, b := range r.Broken {
		tell(x.App, b.Plan, explore.MessageOf(&b.Problems[0]), "test")
	}
	if err := x.emit(r); err != nil {
		return err
	}
	if err := x.report(out, r); err != nil {
		return cli.Ending(cli.ExitInternal, err)
	}
	return x.end(r, quiet)
}

// tell says that a scenario kills nothing, because it does not pass by itself. Command is the one that shows it.
func tell(a *cli.App, p *interp.Plan, message, command string) {
	fmt.Fprintf(a.Stderr, "%s:%d: %q does not pass without a mutation, so it is left out\n  %s\n", cli.Readable(p.File), p.Line, p.Name, strings.ReplaceAll(message, "\n", "\n    "))
	fmt.Fprintf(a.Stderr, "hint: scenario %s %s --run %s\n", command, cli.Readable(p.File), strconv.Quote(p.Name))
}

// below reports whether the score is less than what --min asks for.
func (x *mutation) below(r *mutate.Report) bool {
	killed, of := r.Score()
	return of == 0 && x.flags.min > 0 || float64(killed)*100 < x.flags.min*float64(of)
}

// end writes what was found out, for people where not quiet, and ends the command.
func (x *mutation) end(r *mutate.Report, quiet bool) error {
	var err error
	cpu := cputime.Spent() - x.began
	switch {
	case x.flags.json:
		err = mutate.WriteJSON(x.Stdout, r, cpu)
	case len(r.Mutants) > 0 && !quiet:
		err = mutate.WriteText(x.Stdout, r, x.options, cpu)
	}
	if err != nil {
		return cli.ExitAs(cli.ExitInternal, "cannot write results: "+err.Error(), "")
	}
	killed, of := r.Score()
	late := r.Interrupted && !pool.Closed(x.halt.C)
	if late && !x.flags.json && r.Tried() > 0 && r.Tried() < len(r.Mutants) {
		fmt.Fprintf(x.Stderr, "note: the time was over, and %d of %s were not tried; a --budget of more than %s tries more, and how many depends on the machine\n", len(r.Mutants)-r.Tried(), cli.Plural(len(r.Mutants), "mutant"), x.flags.program.budget)
	}
	switch {
	case late && r.Tried() == 0 && len(r.Broken) == 0:
		return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("nothing was tried: the budget %s ended before the first change", x.flags.program.budget), "--budget 5m gives it more time, and --budget 0 as much as it takes")
	case pool.Closed(x.halt.C):
		fmt.Fprintf(x.Stderr, "interrupted: %d of %s were tried\n", r.Tried(), cli.Plural(len(r.Mutants), "mutant"))
		return cli.ExitWith(x.halt.Cause())
	case len(r.Broken) > 0:
		return cli.ExitWith(cli.ExitFailed)
	case len(r.Mutants) == 0 || r.Scenarios == 0:
		if len(r.Mutants) == 0 || quiet {
			fmt.Fprint(x.Stderr, cli.Readable(r.NotLooked()+r.NotChanged()))
		}
		return cli.ExitAs(cli.ExitNothing, "there is nothing to weaken", "a file has mutants where its program says what it does about failures, or what its expressions decide, compute and read, or what a bench asks for, and a scenario that runs: scenario mutate --help lists what is looked at")
	case x.below(r) && of == 0:
		return cli.ExitAs(cli.ExitFailed, fmt.Sprintf("no mutant counts, so there is no score for --min %g", x.flags.min), "equivalent ones, unshown ones and those of declarations that no scenario reads do not count; --explore looks for faults that show a mutant")
	case x.below(r):
		return cli.ExitAs(cli.ExitFailed, fmt.Sprintf("%d of %d mutants are killed, less than --min %g", killed, of, x.flags.min), "")
	}
	return nil
}

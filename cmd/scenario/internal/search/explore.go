package search

import (
	"fmt"
	"math"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/internal/cputime"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// exploreFlags are what `scenario explore` can be told.
type exploreFlags struct {
	selection     harness.SelectionFlags
	variables     harness.VariableFlags
	maxK          int
	budget        string
	kinds, except []string
	address       string
	noStd, all    bool
	noModel       bool
	baseline      string
	emit          string
	parallel      int
	list, json    bool
	reports       []string
	// exec says that programs are explored, and command is what follows --, nil where
	// nothing does.
	exec    bool
	command []string
}

// ExploreCommand is `scenario explore`.
func ExploreCommand(a *cli.App) *cobra.Command {
	f := &exploreFlags{}
	cmd := &cobra.Command{
		Use:   "explore [path…] [-- program argument…]",
		Short: "Find faults that break what must always hold",
		Long: "Run every scenario again and again, each time with another fault at another point, and\n" +
			"hold each run to the invariants of its file and of " + explore.StandardRules + ". What breaks one is a\n" +
			"find. So is a call that can wait for ever. Expectations and assertions are about the run\n" +
			"without a fault and are not judged. A scenario that does not pass by itself is not\n" +
			"explored.\n\n" +
			"With --exec it is the program of each scenario that is explored, by the requests that it\n" +
			"makes: the one that follows --, or the command of its sut block. It is started once for\n" +
			"every run, on the real clock.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				f.command, args = args[n:], args[:n]
			}
			f.ofPrograms(cmd.Flags())
			return runExplore(a, f, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.Register(flags, "scenarios")
	f.selection.RegisterTags(flags)
	flags.BoolVar(&f.exec, "exec", false, "start a program for every run: what follows --, or the command of the scenario")
	flags.IntVar(&f.maxK, "max-k", explore.UsualK, "the largest number of faults in one run, 1 or 2; 1 with --exec")
	flags.StringVar(&f.budget, "budget", fmt.Sprintf("%druns", explore.UsualRuns), "limit for each scenario: a number of runs, such as 500runs, or a time, such as 60s, as with --exec")
	flags.StringSliceVar(&f.kinds, "kinds", nil, "only these `kinds` of faults, or groups of them: conn, garbled, cut, late, own; outage for faults that last, event for those of actors, wrong for\nwrong answers, cancel for cancellations, which are tried only so")
	flags.StringSliceVar(&f.except, "except", nil, "without these `kinds` of faults, outage, event, wrong, or gates such as deadlock")
	flags.StringVar(&f.address, "address", "", "only points whose address matches this `pattern`, such as pay*")
	flags.BoolVar(&f.noStd, "no-std", false, "do not hold runs to "+explore.StandardRules+", unless the file imports it")
	flags.BoolVar(&f.noModel, "no-model", false, "with --exec, do not compare the program with the workflow that describes it")
	flags.BoolVar(&f.all, "all", false, "show every least set of faults, and not one for each thing that breaks")
	flags.StringVar(&f.emit, "emit", "", "write each find into this `directory`, as a scenario that fails")
	flags.StringVar(&f.baseline, "baseline", "", "what this `file`, an earlier --json, has is known and fails nothing")
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "make `N` runs at a time; 1 with --exec")
	cli.InRange(flags, "parallel", 1, cli.Unbounded)
	flags.BoolVar(&f.list, "list", false, "print the points, what would strike them, outages and events, and explore nothing")
	flags.BoolVar(&f.json, "json", false, "print one JSON object per line")
	cli.Repeated(flags, &f.reports, "report", "write a report with a case for each scenario to a file, or to standard output with -:\n`kind=path` (repeatable)")
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	return cmd
}

// check refuses values that no search can use.
func (f *exploreFlags) check() error {
	if f.maxK != 1 && f.maxK != 2 {
		return cli.Usagef("", "--max-k must be 1 or 2, not %d", f.maxK)
	}
	if f.command != nil && !f.exec {
		return cli.Usagef("add --exec", "a program follows --, and only --exec starts one")
	}
	if f.noModel && !f.exec {
		return cli.Usagef("add --exec", "--no-model is for programs, which --exec starts")
	}
	if f.command != nil && len(f.command) == 0 {
		return cli.Usagef("for example scenario explore --exec agent.scenario.hcl -- python3 agent.py", "nothing follows --")
	}
	if f.list && f.json {
		return cli.Usagef("leave one of them out", "--list prints the points for people, and --json says what a search found")
	}
	if f.list && len(f.reports) > 0 {
		return cli.Usagef("leave one of them out", "--list searches nothing, so there is nothing for --report")
	}
	if err := f.checkEmit(); err != nil {
		return err
	}
	if _, err := path.Match(f.address, ""); err != nil {
		return cli.Usagef("* stands for any part of an address, ? for one character", "--address %q is not a pattern", f.address)
	}
	f.kinds, f.except = grouped(f.kinds), grouped(f.except)
	kinds := []string{explore.KindOutage, explore.KindEvent, explore.KindWrong, explore.KindCancel}
	for _, k := range faults.Kinds() {
		kinds = append(kinds, k.Name)
	}
	for _, k := range f.kinds {
		if !slices.Contains(kinds, k) {
			hint := "there are " + strings.Join(kinds, ", ")
			if meant := kindsOf(k); meant != "" {
				hint = fmt.Sprintf("write --kinds %s", meant)
			} else if group := dsl.Suggest(k, groupWords()); group != "" && dsl.Suggest(k, kinds) == "" {
				hint = fmt.Sprintf("for %s, write --kinds %s", group, kindsOf(group))
			}
			return cli.Usagef(hint, "unknown kind %q for --kinds.%s", k, dsl.DidYouMean(k, kinds))
		}
	}
	known := append(kinds, interp.Gates()...)
	for _, k := range f.except {
		if !slices.Contains(known, k) {
			return cli.Usagef("it takes kinds of faults, outage, event, wrong, and gates", "unknown value %q for --except.%s", k, dsl.DidYouMean(k, known))
		}
	}
	return nil
}

// grouped puts kinds in the place of their groups. Statuses are groups in tables alone:
// one kind has them all.
func grouped(words []string) []string {
	var list []string
	for _, w := range words {
		switch faults.Group(w) {
		case faults.GroupConnection, faults.GroupGarbled, faults.GroupCut, faults.GroupLate, faults.GroupOwn:
			list = append(list, strings.Split(kindsOf(w), ",")...)
		default:
			list = append(list, w)
		}
	}
	return list
}

// spoken are words of the trade for a group of faults.
var spoken = map[faults.Group][]string{
	faults.GroupHang:       {"silence", "silent", "hung", "stall"},
	faults.GroupConnection: {"connection", "network"},
	faults.GroupRateLimit:  {"rate_limit", "ratelimit", "throttle"},
	faults.GroupServer:     {"server", "500", "502", "503", "504"},
	faults.GroupClient:     {"client", "400", "401", "403", "404", "422"},
	faults.GroupGarbled:    {"malformed"},
	faults.GroupCut:        {"truncate", "truncated"},
	faults.GroupLate:       {"slow", "latency"},
}

// groupWords are all words for groups of faults, sorted.
func groupWords() []string {
	var words []string
	for g, more := range spoken {
		words = append(append(words, string(g)), more...)
	}
	slices.Sort(words)
	return words
}

// kindsOf are the kinds that a word means that is the name of none: a group of faults, as
// coverage has them, or a word for one. "" is for none.
func kindsOf(word string) string {
	group := faults.Group(strings.ToLower(word))
	for g, words := range spoken {
		if slices.Contains(words, string(group)) {
			group = g
			break
		}
	}
	var list []string
	for _, k := range faults.Kinds() {
		if k.Silent && group == faults.GroupHang || slices.Contains(k.Groups, group) {
			list = append(list, k.Name)
		}
	}
	return strings.Join(list, ",")
}

// limits reads --budget.
func (f *exploreFlags) limits() (runs int, limit time.Duration, err error) {
	const unlimited = min(1<<40, math.MaxInt)
	number, counts := strings.CutSuffix(f.budget, "runs")
	if counts {
		if runs, err = strconv.Atoi(number); err == nil && runs > 0 {
			return runs, 0, nil
		}
	} else if limit, err = dsl.ParseDuration(f.budget); err == nil && limit > 0 {
		return unlimited, limit, nil
	}
	return 0, 0, cli.Usagef("for example --budget 500runs or --budget 60s", "--budget %q is neither a number of runs nor a time", f.budget)
}

// runExplore is the whole of `scenario explore`.
func runExplore(a *cli.App, f *exploreFlags, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.exec && f.command == nil {
		if err := cli.ProgramAmong("scenario explore --exec", paths); err != nil {
			return err
		}
	}
	runs, limit, err := f.limits()
	if err != nil {
		return err
	}
	known, err := readKnown(f.baseline)
	if err != nil {
		return err
	}
	began := cputime.Spent()
	a.Dying = sut.Sweep
	h := a.WatchHalt(0)
	defer h.Release()
	l := harness.NewLoader(a)
	defer l.Close()
	jobs, wanted, idle, err := harness.Choose(a, l, &f.selection, &f.variables, paths, f.parallel, h, true, f.notRun)
	if err != nil {
		return err
	}
	x := &exploration{
		App: a, flags: f, halt: h, began: began, limit: limit, vars: l.Vars, idle: wanted == idle,
		options: explore.Options{MaxK: f.maxK, Runs: runs, Kinds: f.kinds, Except: f.except, Address: f.address, All: f.all, NoStandard: f.noStd, Parallel: f.parallel, GoOn: "a larger --budget tries more of them, --kinds and --address others first"},
		known:   known,
		emitted: emittedFiles{dir: f.emit, mark: explore.Mark},
	}
	if f.exec {
		if !slices.Contains(f.kinds, explore.KindWrong) { // what a program takes for good is for its scenario to say
			x.options.Except = append(slices.Clone(f.except), explore.KindWrong)
		}
		if err := x.programs(); err != nil {
			return err
		}
	}
	if f.list {
		return x.list(jobs)
	}
	if x.out, x.quiet, err = openReports(a, f.reports, f.json, "searches"); err != nil {
		return err
	}
	defer x.out.Discard()
	return x.run(jobs)
}

// An exploration is one call of the command.
type exploration struct {
	*cli.App
	flags *exploreFlags
	halt  *cli.Halt
	// began is the processor time that the process had had when it started.
	began   time.Duration
	limit   time.Duration
	options explore.Options
	known   knownFinds
	vars    *suite.Variables
	emitted emittedFiles
	// idle says that nothing that was selected can be explored here.
	idle    bool
	reports []*explore.Report
	// out has the reports that were asked for, and summary what ends them. quiet says
	// that one of them stands in the place of what people read.
	out     *harness.Outputs
	summary report.Summary
	quiet   bool
	// starts is how programs are started, with --exec.
	starts sut.Options
	// selected counts the scenarios, explored those of them that were to the end,
	// skipped what is not run, failed what does not pass by itself, and cut what the
	// budget ended in its first run.
	selected, explored, skipped, failed, cut int
	// forProgram is a scenario that is not explored for want of a program.
	forProgram *interp.Plan
}

// run explores all scenarios, one after the other.
func (x *exploration) run(jobs []harness.Job) error {
	x.selected = len(jobs)
	p := newExploreProgress(x.App, len(jobs))
	var unwritten error
	for _, j := range jobs {
		if pool.Closed(x.halt.C) {
			break
		}
		if why := x.flags.notRun(j.Plan); why != "" {
			x.skipped++
			if x.forProgram == nil && ofProgram(j.Plan) {
				x.forProgram = j.Plan
			}
			if err := x.reportUnrun(j, why); err != nil {
				return err
			}
			continue
		}
		r := x.one(j, p)
		p.next()
		if err := x.report(r, j); err != nil {
			return err
		}
		if !r.Pass() && !r.Interrupted {
			x.failed++
			p.Clear()
			x.tell(r, j)
			continue
		}
		x.reports = append(x.reports, r)
		if !r.Interrupted {
			x.explored++
		} else if r.Base.Interrupted && !pool.Closed(x.halt.C) {
			x.cut++
			p.Clear()
			fmt.Fprintf(x.Stderr, "%s:%d: %q is not explored: the budget %s ended in its first run, the one without a fault\n", cli.Readable(j.Plan.File), j.Plan.Line, j.Plan.Name, x.flags.budget)
		}
		if err := x.emit(r, j); err != nil && unwritten == nil {
			unwritten = err
		}
	}
	p.Clear()
	x.summary.Incomplete = pool.Closed(x.halt.C)
	if err := x.out.Close(x.summary); err != nil {
		return cli.Ending(cli.ExitInternal, err)
	}
	if ended := x.end(); unwritten == nil {
		return ended
	}
	return unwritten
}

// grace is how long after the end of its time a search may still run a program: for the last run without a fault,
// and for those that make a find again.
const grace = 3 * time.Second

// one explores a scenario.
func (x *exploration) one(j harness.Job, p *exploreProgress) *explore.Report {
	stop, last := make(chan struct{}), make(chan struct{})
	over := make(chan struct{})
	var expired <-chan time.Time
	if x.limit > 0 {
		expired = x.After(x.limit)
	}
	go func() {
		select {
		case <-x.halt.C:
		case <-expired:
		case <-over:
			return
		}
		close(stop)
		if !x.flags.exec {
			return
		}
		select {
		case <-x.halt.C:
		case <-x.After(grace):
		case <-over:
			return
		}
		close(last)
	}()
	o := x.options
	o.Done, o.Progress = stop, p.draw
	w := x.world(j.Plan, stop, last)
	o.Known = func(oracle, name, breaks string) bool {
		return x.known[knownBreak{explore.Told{File: w.File, Scenario: w.Name, Oracle: oracle, Name: name}, breaks}]
	}
	r := explore.Explore(w, o)
	close(over)
	return r
}

// tell says what is wrong with a scenario that does not pass by itself.
func (x *exploration) tell(r *explore.Report, j harness.Job) {
	fmt.Fprintf(x.Stderr, "%s:%d: %q does not pass without a fault, so it is not explored\n", cli.Readable(j.Plan.File), j.Plan.Line, j.Plan.Name)
	for _, p := range r.Base.Problems {
		fmt.Fprintf(x.Stderr, "  %s %s: %s\n", p.Kind, p.Name, strings.ReplaceAll(explore.MessageOf(&p), "\n", "\n    "))
	}
	fmt.Fprintf(x.Stderr, "hint: scenario %s %s --run %s\n", x.flags.plainly(), cli.Readable(j.Plan.File), strconv.Quote(j.Plan.Name))
}

// end writes what was found out, and ends the command.
func (x *exploration) end() error {
	points, finds := 0, 0
	for _, r := range x.reports {
		points += len(r.Points)
		if r.Unsteady != nil {
			x.failed++
		}
		for _, f := range r.Finds {
			if !f.Known {
				finds++
			}
		}
	}
	halted := pool.Closed(x.halt.C)
	if n := len(x.reports); halted && n > 0 { // what had not begun is not complete either
		x.reports[n-1].Interrupted = true
	}
	if err := x.aimed(); err != nil && points > 0 && x.cut == 0 && finds == 0 && x.failed == 0 && !halted && !x.flags.json {
		return err
	}
	var err error
	cpu := cputime.Spent() - x.began
	switch {
	case x.flags.json:
		err = explore.WriteJSON(x.Stdout, x.reports, cpu)
	case points > 0 && !x.quiet && x.cut < len(x.reports):
		err = explore.WriteText(x.Stdout, x.reports, x.options, cpu)
	}
	if err != nil {
		return cli.ExitAs(cli.ExitInternal, "cannot write results: "+err.Error(), "")
	}
	if x.skipped > 0 {
		fmt.Fprintf(x.Stderr, "%s not explored: skipped, or %s\n", cli.Plural(x.skipped, "scenario"), x.flags.other())
	}
	if x.limit > 0 {
		fmt.Fprintln(x.Stderr, "note: the budget is a time, so what was found depends on the machine")
	}
	switch {
	case halted:
		fmt.Fprintf(x.Stderr, "interrupted: %d of %s were explored to the end\n", x.explored, cli.Plural(x.selected, "scenario"))
		return cli.ExitWith(x.halt.Cause())
	case x.failed > 0 || finds > 0:
		return cli.ExitWith(cli.ExitFailed)
	case x.cut == len(x.reports) && x.cut > 0:
		return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("nothing was tried: the budget %s ended in the first run of the program", x.flags.budget), "--budget 5m gives each scenario more time; scenario exec says how long a run takes")
	case points == 0:
		return cli.ExitAs(cli.ExitNothing, "there is no point that a fault could strike", x.pointless())
	}
	return x.tried()
}

// tried refuses a search that found nothing because it tried nothing of what it was
// asked for: a gate would be green.
func (x *exploration) tried() error {
	if err := x.aimed(); err != nil {
		return err
	}
	a := explore.Sum(x.reports)
	tried, _ := a.Tried()
	switch f := x.flags; {
	case tried == 0:
		return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("nothing was tried: the budget %s ended before the first fault", f.budget), "give --budget more, such as 20000runs")
	case len(explore.Untried(x.reports)) > 0 && a.Complete() && f.address == "" && len(f.kinds)+len(f.except) == 0:
		return cli.ExitAs(cli.ExitFailed, "a tolerates block says nothing here", "name kinds that its steps can meet, in a scenario that succeeds without a fault")
	}
	return nil
}

// aimed refuses a search whose flags leave nothing to try.
func (x *exploration) aimed() error {
	for _, l := range explore.Sum(x.reports).Levels {
		if l.Sets > 0 {
			return nil
		}
	}
	if x.flags.address == "" {
		return cli.ExitAs(cli.ExitNothing, "nothing was tried: none of the kinds strikes a point", "scenario explore --list shows what strikes which point")
	}
	var addresses []string
	for _, r := range x.reports {
		for _, p := range r.Points {
			if !slices.Contains(addresses, p.Address) {
				addresses = append(addresses, p.Address)
			}
		}
	}
	return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("nothing was tried: no fault strikes a point whose address is --address %q", x.flags.address)+dsl.DidYouMean(x.flags.address, addresses), "scenario explore --list shows the points; * stands for any part of an address")
}

// list prints the points of every scenario, and what would strike them.
func (x *exploration) list(jobs []harness.Job) error {
	for _, j := range jobs {
		if x.flags.notRun(j.Plan) != "" {
			continue
		}
		if err := explore.WritePoints(x.Stdout, x.world(j.Plan, x.halt.C, x.halt.C), x.options); err != nil {
			return cli.ExitAs(cli.ExitInternal, "cannot write the list: "+err.Error(), "")
		}
	}
	return nil
}

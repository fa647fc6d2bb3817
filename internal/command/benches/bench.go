package benches

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
)

// benchFlags are what `scenario bench` can be told.
type benchFlags struct {
	harness.SuiteFlags
	resume, cache       bool
	trials, concurrency int
	baseline, state     string
	// cases selects cases by their ids, and limit the first of them; failed those
	// that did not pass in the run before.
	cases  string
	limit  int
	failed bool
	// rescore is the log whose answers are scored anew.
	rescore string
	// dry says what would be run and cost, and runs nothing.
	dry bool
}

// BenchCommand is `scenario bench`.
func BenchCommand(a *cli.App) *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench [path…]",
		Short: "Score a system over many cases",
		Long: "Run the benches of the files, one after the other: the system under test for every case,\n" +
			"on the real clock, and the rubric on its answers. A case that goes wrong is a finding\n" +
			"and never ends the run. A workflow is played from its script and cassette, as in test.\n\n" +
			"Every finished trial is recorded in a log under --state, and --resume continues from it\n" +
			"after any interruption. The command exits with code 1 if a gate failed, and with 7 if\n" +
			"not every case ran.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.Hiding(func(a *cli.App) error { return runBench(a, f, args) })
		},
	}
	f.register(cmd)
	return cmd
}

func (f *benchFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.Selection.Register(flags, "benches")
	flags.IntVar(&f.trials, "trials", 0, "run every case `N` times, overriding the bench")
	cli.InRange(flags, "trials", 1, 1000)
	flags.IntVar(&f.concurrency, "concurrency", 0, "run `N` cases at a time, overriding the bench")
	cli.InRange(flags, "concurrency", 1, 1000)
	flags.StringVar(&f.cases, "case", "", "only cases whose id matches this regular `expression`; no gate is asked")
	flags.IntVar(&f.limit, "limit", 0, "only the first `N` cases by id; no gate is asked")
	cli.InRange(flags, "limit", 1, cli.Unbounded)
	flags.BoolVar(&f.failed, "last-failed", false, "only cases that did not pass in the last run; with --resume keep those that passed")
	flags.StringVar(&f.rescore, "rescore", "", "score the answers that a log kept, a `file` or \"last\", and do not start the system under test")
	flags.BoolVar(&f.dry, "dry-run", false, "say how many trials would run and what they cost in earlier runs; run nothing")
	flags.BoolVar(&f.resume, "resume", false, "keep the results that the log has from an earlier run, and run the rest")
	flags.BoolVar(&f.cache, "cache", false, "reuse results of equal trials between runs; never timeouts or exceptions")
	flags.StringVar(&f.baseline, "baseline", "", "compare with an earlier run: its JSON report or its log, a `file`")
	flags.StringVar(&f.state, "state", "", "`directory` for logs and the cache; .scenario in the suite root by default")
	flags.DurationVar(&f.Timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	f.Variables.Register(flags)
	f.Variables.RegisterEnv(flags)
	f.RegisterOutput(cmd, "every case")
	f.Parallel, f.Count, f.SuiteFlags.Live, f.SuiteFlags.Scores = 1, 1, true, true
}

// runBench is the whole of `scenario bench`.
func runBench(a *cli.App, f *benchFlags, paths []string) error {
	if err := f.checkBench(); err != nil {
		return err
	}
	a.Memory.Spare()
	base, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	if f.rescore != "" && f.rescore != "last" { // a wrong file is said before the suite is read
		old, err := disk.Open(f.rescore)
		if err != nil {
			return noLog(f.rescore, err)
		}
		err = reported(f.rescore, old)
		old.Close()
		if err != nil {
			return err
		}
	}
	l := harness.NewLoader(a)
	l.Benches = true
	su, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return err
	}
	defer su.Close()
	if err := su.Load(paths); err != nil {
		return err
	}
	s := &benchSession{Invocation: su, flags: f, baseline: base}
	if su.Runner.Jobs, err = f.runnable(a, su.Runner.Jobs); err == nil {
		su.Runner.Jobs, err = s.selected(su.Runner.Jobs)
	}
	if err == nil && f.rescore != "" {
		su.Runner.Jobs, err = s.rescored(su.Runner.Jobs)
	}
	if err != nil {
		return su.Unstarted(err)
	}
	if missing, sources := missingPrograms(su.Runner.Jobs, a.Env); len(missing) > 0 {
		harness.WriteDiagnostics(a, missing, sources, nil, f.Quiet)
		return su.Unstarted(cli.ExitWith(cli.ExitInvalid), harness.ReportedAll(missing)...)
	}
	if f.dry {
		return s.dryRun(su.Runner.Jobs)
	}
	su.Runner.Play = s.run
	return s.Report()
}

// checkBench refuses flags that contradict each other.
func (f *benchFlags) checkBench() error {
	if f.rescore != "" && (f.resume || f.cache || f.failed) {
		return cli.Usagef("--rescore scores every kept answer; --case and --limit select some", "--rescore does not go with --resume, --cache or --last-failed")
	}
	return nil
}

// runnable gives the jobs the numbers of the command line. Benches that have
// nothing to run, as those have that scenarios simulate, are left out with a
// note; where there is no other, that is an error.
func (f *benchFlags) runnable(a *cli.App, jobs []harness.Job) ([]harness.Job, error) {
	var kept []harness.Job
	var left []string
	for _, j := range jobs {
		if why := j.Plan.Unscorable(); why != "" {
			left = append(left, fmt.Sprintf("%s:%d: %s", j.Plan.File, j.Plan.Line, why))
			continue
		}
		j.Plan = j.Plan.WithBench(f.trials, f.concurrency)
		kept = append(kept, j)
	}
	if len(kept) == 0 {
		return nil, cli.ExitAs(cli.ExitNothing, left[0], "scenarios that run it can simulate its cases: scenario test")
	}
	if len(left) > 0 && !f.Quiet {
		fmt.Fprintf(a.Stderr, "left out: %s without a sut block, for scenarios to simulate\n", benches(len(left)))
	}
	return kept, nil
}

func benches(n int) string {
	if n == 1 {
		return "1 bench"
	}
	return fmt.Sprintf("%d benches", n)
}

// A benchSession is one call of `scenario bench`.
type benchSession struct {
	*harness.Invocation
	flags    *benchFlags
	baseline *baseline
	// old are the trials of the log that is scored anew, by the bench.
	old map[string]map[caseTrial]trial
}

// run scores the system of one bench.
func (s *benchSession) run(p *interp.Plan, o interp.RunOptions) *interp.Result {
	log, err := s.openLog(p)
	if err != nil {
		return harness.Problem(p, "log", err.Error())
	}
	defer log.close()
	s.tellDropped(p, log.foresight)
	s.tellCost(p, log.foresight)
	line := s.benchProgress(p, log)
	onInterrupt, ended := s.Halt.During()
	defer ended()
	programs, first := log.programs, &unscored{over: s.flags.rescore != ""}
	host := interp.BenchHost{
		Answer: s.answers(p), Environment: programs.inherited,
		Exec: programs.exec, Digests: log.digests,
		Done: log.done, Started: line.started,
		Ended: func(id string, trial int, digest string, t trial) error {
			line.ended(t)
			if why := first.ended(&t); why != "" {
				line.Clear()
				first.tell(s.App, p, why)
			}
			if s.flags.rescore != "" {
				return nil // the log is of what the programs did as they are now
			}
			return log.add(id, trial, digest, t)
		},
		OnInterrupt: onInterrupt,
	}
	if log.begun != nil {
		host.Lost = log.lost
	}
	result := interp.RunBench(p, o, host)
	line.Clear()
	if result.Bench != nil {
		result.Bench.Kept, result.Bench.Rescored = len(log.keep), s.flags.rescore != ""
		for i := range result.Bench.Cases {
			c := &result.Bench.Cases[i]
			c.Sums = log.sums[c.ID]
		}
	}
	tellUnanswered(s.Stderr, result)
	s.baseline.compare(s.App, result)
	return result
}

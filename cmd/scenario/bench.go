package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/interp"
)

// benchFlags are what `scenario bench` can be told.
type benchFlags struct {
	suiteFlags
	resume, cache       bool
	trials, concurrency int
	baseline, state     string
}

func (a *app) benchCommand() *cobra.Command {
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
		ValidArgsFunction: completeFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.hiding(func(a *app) error { return a.bench(f, args) })
		},
	}
	f.register(cmd)
	return cmd
}

func (f *benchFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.register(flags, "benches")
	flags.IntVar(&f.trials, "trials", 0, "run every case `N` times, overriding the bench")
	flags.IntVar(&f.concurrency, "concurrency", 0, "run `N` cases at a time, overriding the bench")
	flags.BoolVar(&f.resume, "resume", false, "keep the results that the log has from an earlier run, and run the rest")
	flags.BoolVar(&f.cache, "cache", false, "reuse results of equal trials between runs; never timeouts or exceptions")
	flags.StringVar(&f.baseline, "baseline", "", "compare with the run in this JSON report `file`")
	flags.StringVar(&f.state, "state", "", "`directory` for logs and the cache; .scenario in the suite root by default")
	flags.DurationVar(&f.timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	f.variables.register(flags)
	f.variables.registerEnv(flags)
	f.registerOutput(cmd, "every case")
	f.parallel, f.count, f.suiteFlags.live, f.suiteFlags.scores = 1, 1, true, true
}

// bench is the whole of `scenario bench`.
func (a *app) bench(f *benchFlags, paths []string) error {
	if err := f.checkBench(); err != nil {
		return err
	}
	base, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	l := a.loader()
	l.Benches = true
	su, err := a.open(&f.suiteFlags, l)
	if err != nil {
		return err
	}
	defer su.close()
	if err := su.load(paths); err != nil {
		return err
	}
	if su.runner.jobs, err = f.runnable(a, su.runner.jobs); err != nil {
		return su.unstarted(err)
	}
	if missing, sources := missingPrograms(su.runner.jobs, a.env); len(missing) > 0 {
		a.writeDiagnostics(missing, sources, nil, f.quiet)
		return su.unstarted(exitWith(exitInvalid), reportedAll(missing)...)
	}
	s := &benchSession{invocation: su, flags: f, baseline: base}
	su.runner.play = s.run
	return s.report()
}

// checkBench refuses values that no run can use.
func (f *benchFlags) checkBench() error {
	switch {
	case f.trials < 0 || f.trials > 1000:
		return usagef("", "--trials must be from 1 to 1000, not %d", f.trials)
	case f.concurrency < 0 || f.concurrency > 1000:
		return usagef("", "--concurrency must be from 1 to 1000, not %d", f.concurrency)
	}
	return nil
}

// runnable gives the jobs the numbers of the command line. Benches that have
// nothing to run, as those have that scenarios simulate, are left out with a
// note; where there is no other, that is an error.
func (f *benchFlags) runnable(a *app, jobs []job) ([]job, error) {
	var kept []job
	var left []string
	for _, j := range jobs {
		if why := j.plan.Unscorable(); why != "" {
			left = append(left, fmt.Sprintf("%s:%d: %s", j.plan.File, j.plan.Line, why))
			continue
		}
		j.plan = j.plan.WithBench(f.trials, f.concurrency)
		kept = append(kept, j)
	}
	if len(kept) == 0 {
		return nil, &exitError{exitNothing, left[0], "scenarios that run it can simulate its cases: scenario test"}
	}
	if len(left) > 0 && !f.quiet {
		fmt.Fprintf(a.stderr, "left out: %s without a sut block, for scenarios to simulate\n", benches(len(left)))
	}
	return kept, nil
}

func benches(n int) string {
	if n == 1 {
		return "1 bench"
	}
	return fmt.Sprintf("%d benches", n)
}

// noBench says why there is nothing to run, nil where files declare benches.
func noBench(files []*loaded) error {
	if slices.ContainsFunc(files, func(f *loaded) bool { return len(f.Plans) > 0 }) {
		return nil
	}
	return &exitError{exitNothing, "no file declares a bench", "a bench is a block at the top level: bench \"name\" { sut { command = [\"./agent\"] } cases = fileset(\"cases/*.json\") }"}
}

// A benchSession is one call of `scenario bench`.
type benchSession struct {
	*invocation
	flags    *benchFlags
	baseline *baseline
}

// run scores the system of one bench.
func (s *benchSession) run(p *interp.Plan, o interp.RunOptions) *interp.Result {
	log, err := s.openLog(p)
	if err != nil {
		return problem(p, "log", err.Error())
	}
	defer log.close()
	line := s.benchProgress(p, log)
	onInterrupt, ended := s.halt.during()
	defer ended()
	programs := log.programs
	result := interp.RunBench(p, o, interp.BenchHost{
		Exec: programs.exec, Sum: programs.sum,
		Done: log.done, Started: line.started,
		Ended: func(id string, trial int, digest string, t trial) error {
			line.ended(t)
			return log.add(id, trial, digest, t)
		},
		OnInterrupt: onInterrupt,
	})
	line.clear()
	if result.Bench != nil {
		result.Bench.Kept = log.kept
	}
	s.baseline.compare(s.app, result)
	return result
}

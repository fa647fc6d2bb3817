package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/trace"
)

func judgeCommand(a *cli.App) *cobra.Command {
	f := &planFlags{}
	verbose := false
	cmd := &cobra.Command{
		Use:   "judge trace file",
		Short: "Judge a trace without running",
		Long: "Check the traces that test --trace-out wrote against the scenarios of a file, and print\n" +
			"what test would: every verdict follows from the scenario and its trace. Use it to try\n" +
			"a condition on a finished run. A trace of another version of the scenario is judged,\n" +
			"with a warning; scenarios without a trace are left out. What the trace hides is judged as\n" +
			"it is shown.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usagef("for example scenario judge trace.jsonl checkout"+suite.Suffix, "judge takes a trace and one file, not %d arguments", len(args))
			}
			if suite.IsScenario(args[0]) && !suite.IsScenario(args[1]) {
				return cli.Usagef("type scenario judge "+cli.Visible(args[1])+" "+cli.Visible(args[0]), "judge takes the trace first, and then the file")
			}
			return runJudge(a, f, args[0], args[1], cmd.Flags().Changed("seed"), verbose)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "only scenarios whose name or file:name matches this regular `expression`")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
	flags.BoolVarP(&verbose, "verbose", "v", false, "show passed scenarios, too, and a timeline")
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	return cmd
}

// traceMax bounds a file of traces.
const traceMax = 1 << 30

func runJudge(a *cli.App, f *planFlags, tracePath, path string, seeded, verbose bool) error {
	var out report.Reporter // made for the clock of the first trace
	var sum report.Summary
	var misfit error // of the trace
	traces := sync.OnceValues(func() (map[traced]*tracedRun, error) { return readTraces(tracePath) })
	err := eachPlan(a, f, path, seeded, func(j harness.Job) error {
		runs, err := traces()
		misfit = cmp.Or(misfit, err)
		t := runs[traced{j.Plan.Header().File, j.Plan.Name}]
		if t == nil || misfit != nil {
			return nil
		}
		if t.head.Plan != j.Plan.Header().Plan {
			fmt.Fprintf(a.Stderr, "Warning: %s has the trace of another version of scenario %q; it is judged as the file is now\n", filepath.ToSlash(tracePath), j.Plan.Name)
		}
		result, err := interp.Judge(j.Plan, t.events)
		if err != nil {
			misfit = cli.Usagef("", "%s: scenario %q: %s", filepath.ToSlash(tracePath), j.Plan.Name, err)
			return nil
		}
		sum.Add(result)
		if out == nil {
			out = report.Text(a.Stdout, report.Options{Verbose: verbose, Plain: a.Plain(), Live: result.Way == interp.Exec || result.Way == interp.Serve})
		}
		return out.Add(report.Entry{Result: result, Source: j.Source})
	})
	if err = cmp.Or(err, misfit); err != nil {
		return err
	}
	if sum.Total() == 0 {
		return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("%s has no trace of a scenario of %s", filepath.ToSlash(tracePath), filepath.ToSlash(path)), "write one with scenario test --trace-out")
	}
	if err := out.Close(sum); err != nil {
		return cli.Ending(cli.ExitPassed, err)
	}
	if sum.Failed+sum.Errored > 0 {
		return cli.ExitWith(cli.ExitFailed)
	}
	return nil
}

// traced names the scenario that a trace is of.
type traced struct{ file, scenario string }

// tracedRun is one run of a file of traces.
type tracedRun struct {
	head   trace.Header
	events []trace.Event
}

// readTraces reads the runs of a file of traces, the last of each scenario.
func readTraces(path string) (map[traced]*tracedRun, error) {
	text, err := disk.Read(path, traceMax)
	if err != nil {
		return nil, cli.Usagef("", "cannot read %s: %s", filepath.ToSlash(path), disk.Cause(err))
	}
	runs := map[traced]*tracedRun{}
	var last *tracedRun
	n := 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if head, err := trace.ReadHeader(line); err == nil {
			last = &tracedRun{head: head}
			runs[traced{head.File, head.Scenario}] = last
			continue
		}
		e, err := interp.ReadEvent(line)
		if err != nil || last == nil {
			return nil, cli.Usagef("name a file that scenario test --trace-out wrote", "line %d of %s is not a line of a trace", n, filepath.ToSlash(path))
		}
		last.events = append(last.events, e)
	}
	return runs, nil
}

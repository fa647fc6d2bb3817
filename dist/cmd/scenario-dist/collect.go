package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/submit"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
)

// collectFlags are what `scenario-dist collect` can be told.
type collectFlags struct {
	harness.SuiteFlags
	queueFlags
}

func collectCommand(a *cli.App) *cobra.Command {
	f := &collectFlags{}
	cmd := &cobra.Command{
		Use:   "collect RUN",
		Short: "Report a run of a queue, from any machine, as often as wanted",
		Long: "Wait until a run of the queue has all its results, and report and exit as submit would\n" +
			"have. A run whose submitter was killed before all units were in the queue is completed.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.Hiding(func(a *cli.App) error { return f.run(a, args) })
		},
	}
	cmd.Flags().SortFlags = false
	f.queueFlags.register(cmd.Flags())
	cmd.Flags().DurationVar(&f.Timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	f.RegisterOutput(cmd, "every scenario or case")
	f.Parallel, f.Count = 1, 1
	return cmd
}

// run is the whole of `scenario-dist collect`.
func (f *collectFlags) run(a *cli.App, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("scenario-dist status lists the runs of a queue", "collect needs the id of a run")
	}
	a.Memory.Wait() // this waits for workers, whose results are in a file
	q, err := f.queueFlags.open(a)
	if err != nil {
		return err
	}
	defer q.Close()
	l := harness.NewLoader(a)
	asked, stop := waiting(a, q)
	r, err := q.Run(asked, args[0])
	stop()
	if err != nil {
		return fmt.Errorf("cannot ask the queue for the run: %w", err)
	}
	if r == nil {
		return queue.NoRun(args[0])
	}
	dir, remove, err := stateDir("")
	if err != nil {
		return err
	}
	defer remove()
	plans := work.NewPlans(q, filepath.Join(dir, "bundles"), a.Env)
	if name := plans.Lacks(r); name != "" && r.Benches != nil {
		return cli.Usagef("set it to the value that submit had; scenarios are reported without", "the report of a bench is made with its variables, and %s%s, which is sensitive and does not travel, is not in the environment", harness.VariablePrefix, name)
	}
	f.Scores, f.Live = r.Benches != nil, r.Benches != nil
	su, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return err
	}
	defer su.Close()
	ctx, done := until(su, q)
	defer done()
	later := fmt.Sprintf("the run goes on; scenario-dist collect %s reports it", r.ID)
	if err := submit.Resume(ctx, q, r); err != nil {
		return halted(su, nil, r, later, orForgotten(ctx, q, r, err))
	}
	return finish(ctx, su, q, r, plans, nil, later)
}

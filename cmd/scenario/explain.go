package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

func explainCommand(a *cli.App) *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use:   "explain file",
		Short: "Explain why a scenario behaves as it does",
		Long: "Run the scenarios of a file and show, for every step, which policies apply to its\n" +
			"attempts, which entry or recording answered each, which rule named its failure,\n" +
			"and why there was or was not another round. It gives no verdict.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("for example scenario explain checkout"+suite.Suffix, "explain takes one file, not %d", len(args))
			}
			return runExplain(a, f, args[0], cmd.Flags().Changed("seed"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "only scenarios whose name or file:name matches this regular `expression`")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	return cmd
}

func runExplain(a *cli.App, f *planFlags, path string, seeded bool) error {
	out := a.People(a.Stdout)
	return eachPlan(a, f, path, seeded, func(j harness.Job) error {
		return interp.Explain(out, a.Play(j.Plan, interp.RunOptions{}))
	})
}

// eachPlan compiles a file and calls do for the plan of every scenario that is
// asked for.
func eachPlan(a *cli.App, f *planFlags, path string, seeded bool, do func(harness.Job) error) error {
	l := harness.NewLoader(a)
	defer l.Close()
	if seeded {
		l.Seed = &f.seed
	}
	h := a.WatchHalt(0)
	defer h.Release()
	jobs, _, _, err := harness.Choose(a, l, &harness.SelectionFlags{Run: f.run}, &f.variables, []string{path}, 1, h, false, harness.NotInterpreted)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if err := do(j); err != nil {
			return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write to the output: %w", err))
		}
	}
	return nil
}

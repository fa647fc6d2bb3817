package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

func (a *app) explainCommand() *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use:   "explain file",
		Short: "Explain why a scenario behaves as it does",
		Long: "Run the scenarios of a file and show, for every step, which policies apply to its\n" +
			"attempts, which entry or recording answered each, which rule named its failure,\n" +
			"and why there was or was not another round. It gives no verdict.",
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("for example scenario explain checkout"+suite.Suffix, "explain takes one file, not %d", len(args))
			}
			return a.explain(f, args[0], cmd.Flags().Changed("seed"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "only scenarios whose name or file:name matches this regular `expression`")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
	f.variables.register(flags)
	f.variables.registerEnv(flags)
	completeSelection(cmd)
	return cmd
}

func (a *app) explain(f *planFlags, path string, seeded bool) error {
	out := a.people(a.stdout)
	return a.eachPlan(f, path, seeded, func(j job) error {
		return interp.Explain(out, a.play(j.plan, interp.RunOptions{}))
	})
}

// eachPlan compiles a file and calls do for the plan of every scenario that is
// asked for.
func (a *app) eachPlan(f *planFlags, path string, seeded bool, do func(job) error) error {
	l := a.loader()
	defer l.Close()
	if seeded {
		l.Seed = &f.seed
	}
	h := a.watchHalt(0)
	defer h.release()
	jobs, _, _, err := a.choose(l, &selectionFlags{run: f.run}, &f.variables, []string{path}, 1, h, false, notInterpreted)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if err := do(j); err != nil {
			return ending(exitPassed, fmt.Errorf("cannot write to the output: %w", err))
		}
	}
	return nil
}

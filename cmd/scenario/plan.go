package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/suite"
)

// planFlags are what `scenario plan` can be told.
type planFlags struct {
	variables    harness.VariableFlags
	run          string
	hash, pretty bool
	seed         uint64
}

func planCommand(a *cli.App) *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use:   "plan file",
		Short: "Print what a file compiles to",
		Long: "Print the plan of every scenario of a file as canonical JSON, one per line. Equal plans\n" +
			"have equal runs; their hash ignores comments and positions in the file.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("for example scenario plan checkout"+suite.Suffix, "plan takes one file, not %d", len(args))
			}
			return runPlan(a, f, args[0], cmd.Flags().Changed("seed"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "only scenarios whose name or file:name matches this regular `expression`")
	flags.BoolVar(&f.hash, "hash", false, "print the hash and the name of every plan instead")
	flags.BoolVar(&f.pretty, "pretty", false, "indent the JSON")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	return cmd
}

func runPlan(a *cli.App, f *planFlags, path string, seeded bool) error {
	return eachPlan(a, f, path, seeded, func(j harness.Job) error {
		_, err := a.Stdout.Write(f.show(j))
		return err
	})
}

// show is what is printed of one plan.
func (f *planFlags) show(j harness.Job) []byte {
	if f.hash {
		return fmt.Appendf(nil, "%s  %s\n", j.Plan.Hash(), j.Plan.Name)
	}
	out := j.Plan.JSON()
	if f.pretty {
		var b bytes.Buffer
		if json.Indent(&b, out, "", "  ") == nil {
			out = b.Bytes()
		}
	}
	return append(bytes.TrimRight(out, "\n"), '\n')
}

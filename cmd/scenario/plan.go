package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/suite"
)

// planFlags are what `scenario plan` can be told.
type planFlags struct {
	variables    variableFlags
	run          string
	hash, pretty bool
	seed         uint64
}

func (a *app) planCommand() *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use:   "plan file",
		Short: "Print what a file compiles to",
		Long: "Print the plan of every scenario of a file as canonical JSON, one per line. Equal plans\n" +
			"have equal runs; their hash ignores comments and positions in the file.",
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("for example scenario plan checkout"+suite.Suffix, "plan takes one file, not %d", len(args))
			}
			return a.plan(f, args[0], cmd.Flags().Changed("seed"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "only scenarios whose name or file:name matches this regular `expression`")
	flags.BoolVar(&f.hash, "hash", false, "print the hash and the name of every plan instead")
	flags.BoolVar(&f.pretty, "pretty", false, "indent the JSON")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
	f.variables.register(flags)
	f.variables.registerEnv(flags)
	completeSelection(cmd)
	return cmd
}

func (a *app) plan(f *planFlags, path string, seeded bool) error {
	return a.eachPlan(f, path, seeded, func(j job) error {
		_, err := a.stdout.Write(f.show(j))
		return err
	})
}

// show is what is printed of one plan.
func (f *planFlags) show(j job) []byte {
	if f.hash {
		return fmt.Appendf(nil, "%s  %s\n", j.plan.Hash(), j.plan.Name)
	}
	out := j.plan.JSON()
	if f.pretty {
		var b bytes.Buffer
		if json.Indent(&b, out, "", "  ") == nil {
			out = b.Bytes()
		}
	}
	return append(bytes.TrimRight(out, "\n"), '\n')
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// planFlags are what `scenario plan` can be told.
type planFlags struct {
	variables    harness.VariableFlags
	run          string
	hash, pretty bool
	json         bool
	seed         uint64
}

func planCommand(a *cli.App) *cobra.Command {
	f := &planFlags{}
	cmd := &cobra.Command{
		Use:   "plan file",
		Short: "Say what a workflow comes to at worst, without running it",
		Long: "Say of the workflows of a file, without running them, when each attempt can begin, which\n" +
			"never can, what a service that falls silent does, and the worst case in time, calls and\n" +
			"money. With --json the plan of every scenario is printed as canonical JSON, one per line:\n" +
			"equal plans have equal runs, and their hash ignores comments and positions in the file.",
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
	flags.BoolVar(&f.json, "json", false, "print every plan as canonical JSON instead, one per line")
	flags.BoolVar(&f.pretty, "pretty", false, "print the JSON indented")
	flags.Uint64Var(&f.seed, "seed", 0, "the seed of every scenario, overriding its own")
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	return cmd
}

func runPlan(a *cli.App, f *planFlags, path string, seeded bool) error {
	if f.hash || f.json || f.pretty {
		return eachPlan(a, f, path, seeded, func(j harness.Job) error {
			_, err := a.Stdout.Write(f.show(j))
			return err
		})
	}
	var told []*planned
	err := eachPlan(a, f, path, seeded, func(j harness.Job) error {
		var b bytes.Buffer
		if err := interp.WriteSchedule(&b, j.Plan, a.Wrapped(a.Stdout)); err != nil {
			return err
		}
		for _, t := range told {
			if t.text == b.String() {
				t.scenarios = append(t.scenarios, j.Plan.Name)
				return nil
			}
		}
		told = append(told, &planned{b.String(), []string{j.Plan.Name}})
		return nil
	})
	if err != nil {
		return err
	}
	out := a.People(a.Stdout)
	for i, t := range told {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if _, err := fmt.Fprintf(out, "%s\n%s", t.head(), t.text); err != nil {
			return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write to the output: %w", err))
		}
	}
	return nil
}

// planned is what several scenarios come to at worst.
type planned struct {
	text      string
	scenarios []string
}

// namesMax is how many scenarios are named.
const namesMax = 3

func (p *planned) head() string {
	var names []string
	for i, name := range p.scenarios {
		if i == namesMax {
			names = append(names, fmt.Sprintf("and %d more", len(p.scenarios)-namesMax))
			break
		}
		names = append(names, strconv.Quote(name))
	}
	return "scenario " + strings.Join(names, ", ")
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

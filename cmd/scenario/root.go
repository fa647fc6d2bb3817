package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/mcp"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/programs"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/recordings"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/search"
	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/inert"
	"github.com/scenario-lang/scenario/internal/help"
)

// commands lists every command; help topics stand at the end.
func commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{
		testCommand(a),
		search.ExploreCommand(a),
		search.MutateCommand(a),
		search.ShrinkCommand(a),
		search.CoverageCommand(a),
		programs.ExecCommand(a),
		programs.ServeCommand(a),
		programs.BridgeCommand(a),
		recordings.RunCommand(a),
		recordings.RecordCommand(a),
		benches.BenchCommand(a),
		validateCommand(a),
		planCommand(a),
		explainCommand(a),
		judgeCommand(a),
		fmtCommand(a),
		initCommand(a),
		mergeCommand(a),
		recordings.ImportCommand(a),
		recordings.CassetteCommand(a),
		lspCommand(a),
		mcp.Command(a, execute, starterFiles),
		versionCommand(a),
		exitCodesTopic(),
		languageTopic(),
	}
}

func root(a *cli.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "scenario",
		Short: "Test workflows against deterministic faults and recorded answers",
		Long: "scenario runs the scenarios of .scenario.hcl files: workflows with scripted replies,\n" +
			"injected faults and recorded answers, on a virtual clock. Only run, record and exec --live\n" +
			"reach services over the network; bench, exec and explore --exec start programs.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          a.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked, _ := cmd.Flags().GetBool("version"); asked {
				return printVersion(a)
			}
			return cmd.Help()
		},
	}
	root.Flags().Bool("version", false, "print the version, as the command version does")
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(a.FlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		tellMisspelt(root, a.Env, a.Stderr)
		return flagsFromEnv(cmd.Flags(), a.Env, a.Stderr)
	}
	root.SetHelpCommand(helpCommand(a))
	root.AddCommand(commands(a)...)
	exemplify(root, "")
	return root
}

// execute runs one command line.
func execute(a *cli.App, args []string) cli.ExitCode {
	out, gone := cli.NewOutput(a.Stdout)
	a.Gone = gone
	shown, errs := inert.New(out), inert.New(a.Stderr)
	a.Stdout, a.Stderr = shown, errs
	defer func() { _ = errs.Flush() }() // there is nowhere to say that it failed
	root := root(a)
	// Nil would make cobra read the arguments of the process.
	root.SetArgs(append([]string{}, args...))
	err := root.Execute()
	_ = shown.Flush() // out has its errors
	return cli.Conclude(a.People(a.Stderr), out.Judge(err))
}

// flagsFromEnv gives every flag that was not typed the value of its variable:
// SCENARIO_TRACE_OUT for --trace-out. A variable that is empty counts as not
// set. SCENARIO_VAR_x are variables of scenarios, so --var and --var-file have
// none, and neither have --env and --update, which have to be meant. What a
// variable keeps from running is said on stderr: nobody sees it on the command
// line.
func flagsFromEnv(flags *pflag.FlagSet, env cli.Lookup, stderr io.Writer) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := variableOf(f)
		if err != nil || f.Changed || name == "" {
			return
		}
		value, _ := env(name)
		if value == "" {
			return
		}
		if bad := flags.Set(f.Name, value); bad != nil {
			err = cli.Usagef("unset it, or give it another value", "%s in the environment is %q, but --%s takes %s", name, value, f.Name, cli.Takes(f))
			return
		}
		switch f.Name {
		case "list":
			if value, _ := strconv.ParseBool(value); value {
				fmt.Fprintf(stderr, "note: %s in the environment sets --list: nothing is run\n", name)
			}
		case "run", "skip", "tag", "shard":
			fmt.Fprintf(stderr, "note: %s in the environment sets --%s %q: scenarios that it excludes are not run\n", name, f.Name, value)
		}
	})
	return err
}

// variableOf is the name of the variable that stands for a flag, "" where none
// does.
func variableOf(f *pflag.Flag) string {
	if strings.HasPrefix(f.Name, "var") || f.Name == "update" || f.Name == "env" || f.Name == "help" {
		return ""
	}
	return namedAfter(f)
}

// namedAfter is the name of a variable for a flag.
func namedAfter(f *pflag.Flag) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

func exitCodesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Exit codes:\n\n")
	for _, m := range cli.Meanings() {
		fmt.Fprintf(&b, "  %3d  %s\n", m.Code, m.Text)
	}
	b.WriteString("\nAn errored scenario could not be run to completion. At the --timeout limit, scenarios that\n" +
		"are running or have not begun count as errored; the output names them. After a\n" +
		"signal, and after the first failure under --fail-fast, they count as skipped.\n")
	b.WriteString("\nIf there are several causes, the exit code is the first that applies of 129/130/141/143, 6, 3, 4, 7, 1, 5, 0.")
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: b.String()}
}

// languageTopic is a page of help: all of the language.
func languageTopic() *cobra.Command {
	return &cobra.Command{Use: "language", Short: "All of the language on one page", Long: help.Language()}
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/mcp"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/programs"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/recordings"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/search"
	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/internal/command/cli"
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
		cli.ExitCodesTopic(),
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
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.Misplaced(cmd, args); err != nil {
			return err
		}
		if err := wordForFile(cmd, args); err != nil {
			return err
		}
		tellMisspelt(root, a.Env, a.Stderr)
		return cli.FlagsFromEnv(cmd.Flags(), a.Env, a.Stderr)
	}
	root.SetHelpCommand(helpCommand(a))
	root.AddCommand(commands(a)...)
	exemplify(root, "")
	return root
}

// execute runs one command line.
func execute(a *cli.App, args []string) cli.ExitCode { return a.Execute(root, args) }

// languageTopic is a page of help: all of the language.
func languageTopic() *cobra.Command {
	return &cobra.Command{Use: "language", Short: "All of the language on one page", Long: help.Language()}
}

package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/notify"
	"github.com/scenario-lang/scenario/interp"
)

func main() {
	cli.SurvivePipes()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.LookupEnv))
}

// run executes one command line and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, env cli.Lookup) int {
	a := &cli.App{
		Stdin: stdin, Stdout: stdout, Stderr: stderr, Env: env,
		Play: interp.RunTold, After: time.After, Notifier: notify.OnDisk, Memory: cli.TuneMemory(env), Keep: harness.KeepSource,
	}
	return int(a.Execute(root, args))
}

func root(a *cli.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "scenario-dist",
		Short: "Run scenarios and benches on many workers",
		Long: "scenario-dist runs what scenario test and scenario bench run, unit by unit on as many\n" +
			"workers as there are. A unit is a scenario, or one trial of one case of a bench. What a\n" +
			"worker leaves when it dies another one takes over; no result is lost or counted twice.\n\n" +
			"Workers execute the programs that benches name: give a queue to nobody else.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          a.NoSuchCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(a.FlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := cli.FlagsFromEnv(cmd.Flags(), a.Env, a.Stderr); err != nil {
			return err
		}
		return checkRuns(cmd, args)
	}
	root.AddCommand(runCommand(a), workerCommand(a), submitCommand(a), statusCommand(a), collectCommand(a), forgetCommand(a), versionCommand(a), queueTopic(), cli.ExitCodesTopic())
	return root
}

func versionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Stdout, cli.Version())
			return err
		},
	}
}

package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

func versionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return printVersion(a) },
	}
}

// printVersion names the version of the command, of Go and of the machine.
func printVersion(a *cli.App) error {
	_, err := fmt.Fprintf(a.Stdout, "scenario %s %s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
)

func validateCommand(a *cli.App) *cobra.Command {
	vars := &harness.VariableFlags{}
	var format string
	var strict bool
	cmd := &cobra.Command{
		Use:               "validate [path…]",
		Short:             "Check files without running them",
		Long:              "Read and compile scenario files and the cassettes that they play, and report what is wrong.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			return runValidate(a, vars, args, format, strict)
		},
	}
	vars.Register(cmd.Flags())
	vars.RegisterEnv(cmd.Flags())
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(harness.DiagnosticFormatNames(), ", "))
	cmd.Flags().BoolVar(&strict, "strict", false, harness.StrictUsage)
	cli.CompleteOneOf(cmd, "format", harness.DiagnosticFormatNames())
	return cmd
}

func runValidate(a *cli.App, vars *harness.VariableFlags, paths []string, format string, strict bool) error {
	write := harness.DiagnosticFormat(format)
	if write == nil {
		return cli.Usagef("the formats are "+strings.Join(harness.DiagnosticFormatNames(), ", "), "unknown value %q for --format.%s", format, dsl.DidYouMean(format, harness.DiagnosticFormatNames()))
	}
	l := harness.NewLoader(a)
	defer l.Close()
	l.Room, l.Overflow, l.WarningsFail = harness.NewRoom(0), harness.Forget, strict
	l.Environment = vars.Environment
	var err error
	if l.Vars, err = vars.Read(a); err != nil {
		return err
	}
	h := a.WatchHalt(0)
	defer h.Release()
	a.Diagnostics = write
	files, err := harness.Load(a, l, paths, runtime.GOMAXPROCS(0), h, false)
	if err != nil {
		return err
	}
	if format == "text" {
		fmt.Fprintln(a.Stdout, valid(len(files)))
	}
	return nil
}

func valid(n int) string {
	if n == 1 {
		return "1 file is valid"
	}
	return fmt.Sprintf("%d files are valid", n)
}

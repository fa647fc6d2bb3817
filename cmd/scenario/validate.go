package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
)

func (a *app) validateCommand() *cobra.Command {
	vars := &variableFlags{}
	var format string
	var strict bool
	cmd := &cobra.Command{
		Use:               "validate [path…]",
		Short:             "Check files without running them",
		Long:              "Read and compile scenario files and the cassettes that they play, and report what is wrong.",
		ValidArgsFunction: completeFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.validate(vars, args, format, strict)
		},
	}
	vars.register(cmd.Flags())
	vars.registerEnv(cmd.Flags())
	cmd.Flags().StringVar(&format, "format", "text", strings.Join(diagnosticFormatNames(), ", "))
	cmd.Flags().BoolVar(&strict, "strict", false, strictUsage)
	completeOneOf(cmd, "format", diagnosticFormatNames())
	return cmd
}

func (a *app) validate(vars *variableFlags, paths []string, format string, strict bool) error {
	write := diagnosticFormat(format)
	if write == nil {
		return usagef("the formats are "+strings.Join(diagnosticFormatNames(), ", "), "unknown value %q for --format.%s", format, dsl.DidYouMean(format, diagnosticFormatNames()))
	}
	l := a.loader()
	defer l.Close()
	l.room, l.overflow, l.strict = newRoom(0), forget, strict
	l.environment = vars.environment
	var err error
	if l.Vars, err = vars.read(a); err != nil {
		return err
	}
	h := a.watchHalt(0)
	defer h.release()
	a.diagnostics = write
	files, err := a.load(l, paths, runtime.GOMAXPROCS(0), h, false)
	if err != nil {
		return err
	}
	if format == "text" {
		fmt.Fprintln(a.stdout, valid(len(files)))
	}
	return nil
}

func valid(n int) string {
	if n == 1 {
		return "1 file is valid"
	}
	return fmt.Sprintf("%d files are valid", n)
}

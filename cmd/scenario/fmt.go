package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// fmtFlags are what `scenario fmt` can be told.
type fmtFlags struct{ check, diff bool }

func (a *app) fmtCommand() *cobra.Command {
	f := &fmtFlags{}
	cmd := &cobra.Command{
		Use:   "fmt [path… | -]",
		Short: "Format files",
		Long: "Format scenario files in place and print the names of those that changed. With -, format\n" +
			"standard input to standard output. A file with a syntax error is left as it is.",
		ValidArgsFunction: completeFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "-" {
				return a.fmtStdin(f)
			}
			return a.fmt(f, args)
		},
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "change nothing; exit with code 1 if a file is not formatted")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "change nothing; print what would change")
	return cmd
}

func (a *app) fmt(f *fmtFlags, paths []string) error {
	names, err := suite.Disk().Discover(paths)
	if err != nil {
		return usageOf(err)
	}
	if len(names) == 0 {
		return nothingFound(paths)
	}
	code := exitPassed
	for _, name := range names {
		src, err := disk.Read(name, dsl.MaxFileSize)
		if err != nil {
			return usagef("", "cannot read %s: %s", name, disk.Cause(err))
		}
		one, err := a.fmtFile(f, name, src)
		if err != nil {
			return err
		}
		code = worst(code, one)
	}
	return exitWith(code)
}

// fmtFile formats one file, or shows what would change.
func (a *app) fmtFile(f *fmtFlags, name string, src []byte) (exitCode, error) {
	formatted, code := a.format(name, src)
	if code != exitPassed || bytes.Equal(src, formatted) {
		return code, nil
	}
	if !f.check && !f.diff {
		if err := disk.Write(name, formatted, 0o666); err != nil {
			return exitInternal, &exitError{exitInternal, fmt.Sprintf("cannot write %s: %s", name, disk.Cause(err)), "the file is unchanged"}
		}
	}
	if f.diff {
		a.stdout.Write(diff.Diff(name, src, name+" formatted", formatted))
	} else {
		fmt.Fprintln(a.stdout, name)
	}
	if f.check {
		return exitFailed, nil
	}
	return exitPassed, nil
}

func (a *app) fmtStdin(f *fmtFlags) error {
	const name = "<stdin>"
	src, err := io.ReadAll(io.LimitReader(a.stdin, dsl.MaxFileSize+1))
	if err != nil {
		return usagef("", "cannot read standard input: %s", err)
	}
	formatted, code := a.format(name, src)
	switch {
	case code != exitPassed:
		return exitWith(code)
	case f.diff:
		a.stdout.Write(diff.Diff(name, src, name+" formatted", formatted))
	case !f.check:
		a.data().Write(formatted)
	}
	if f.check && !bytes.Equal(src, formatted) {
		return exitWith(exitFailed)
	}
	return nil
}

// format formats a text, or says on standard error why it cannot. Only syntax
// matters: what the blocks mean is validate's business.
func (a *app) format(name string, src []byte) ([]byte, exitCode) {
	_, diags := dsl.Syntax(name, src)
	if diags.HasErrors() {
		a.writeDiagnostics(diags, map[string][]byte{name: src}, nil, false)
		return src, exitInvalid
	}
	return dsl.Format(src), exitPassed
}

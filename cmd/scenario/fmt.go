package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// fmtFlags are what `scenario fmt` can be told.
type fmtFlags struct{ check, diff bool }

func fmtCommand(a *cli.App) *cobra.Command {
	f := &fmtFlags{}
	cmd := &cobra.Command{
		Use:   "fmt [path… | -]",
		Short: "Format files",
		Long: "Format scenario files in place and print the names of those that changed. With -, format\n" +
			"standard input to standard output. Blocks that cannot stand on one line are written over\n" +
			"several. A file with another syntax error is left as it is.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "-" {
				return fmtStdin(a, f)
			}
			return runFmt(a, f, args)
		},
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "change nothing; exit with code 1 if a file is not formatted")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "change nothing; print what would change")
	return cmd
}

func runFmt(a *cli.App, f *fmtFlags, paths []string) error {
	names, err := suite.Disk().Discover(paths)
	if err != nil {
		return cli.UsageOf(err)
	}
	if len(names) == 0 {
		return harness.NothingFound(paths)
	}
	code := cli.ExitPassed
	for _, name := range names {
		src, err := disk.Read(name, dsl.MaxFileSize)
		if err != nil {
			return cli.Usagef("", "cannot read %s: %s", name, disk.Cause(err))
		}
		one, err := fmtFile(a, f, name, src)
		if err != nil {
			return err
		}
		code = cli.Worst(code, one)
	}
	return cli.ExitWith(code)
}

// fmtFile formats one file, or shows what would change.
func fmtFile(a *cli.App, f *fmtFlags, name string, src []byte) (cli.ExitCode, error) {
	formatted, code := format(a, name, src)
	if code != cli.ExitPassed || bytes.Equal(src, formatted) {
		return code, nil
	}
	if !f.check && !f.diff {
		if err := disk.Write(name, formatted, 0o666); err != nil {
			return cli.ExitInternal, cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot write %s: %s", name, disk.Cause(err)), "the file is unchanged")
		}
	}
	if f.diff {
		a.Stdout.Write(diff.Diff(name, src, name+" formatted", formatted))
	} else {
		fmt.Fprintln(a.Stdout, name)
	}
	if f.check {
		return cli.ExitFailed, nil
	}
	return cli.ExitPassed, nil
}

func fmtStdin(a *cli.App, f *fmtFlags) error {
	const name = "<stdin>"
	src, err := io.ReadAll(io.LimitReader(a.Stdin, dsl.MaxFileSize+1))
	if err != nil {
		return cli.Usagef("", "cannot read standard input: %s", err)
	}
	formatted, code := format(a, name, src)
	switch {
	case code != cli.ExitPassed:
		return cli.ExitWith(code)
	case f.diff:
		a.Stdout.Write(diff.Diff(name, src, name+" formatted", formatted))
	case !f.check:
		a.Data().Write(formatted)
	}
	if f.check && !bytes.Equal(src, formatted) {
		return cli.ExitWith(cli.ExitFailed)
	}
	return nil
}

// format formats a text, or says on standard error why it cannot. Only syntax
// matters: what the blocks mean is validate's business.
func format(a *cli.App, name string, src []byte) ([]byte, cli.ExitCode) {
	_, diags := dsl.Syntax(name, src)
	if unfolded, ok := dsl.Unfolded(name, src); ok && diags.HasErrors() {
		return dsl.Format(unfolded), cli.ExitPassed
	}
	if diags.HasErrors() {
		harness.WriteDiagnostics(a, diags, map[string][]byte{name: src}, nil, false)
		return src, cli.ExitInvalid
	}
	return dsl.Format(src), cli.ExitPassed
}

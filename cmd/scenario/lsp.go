package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/lsp"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

func lspCommand(a *cli.App) *cobra.Command {
	vars := &harness.VariableFlags{}
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors: completion, diagnostics, rename",
		Long: "Speak the Language Server Protocol on standard input and output. An editor starts it;\n" +
			"docs/editors.md has the settings. Files are checked as scenario validate does.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return runLSP(a, vars) },
	}
	vars.Register(cmd.Flags())
	// Clients add it to say how they talk, and there is no other way.
	cmd.Flags().Bool("stdio", true, "talk over standard input and output")
	return cmd
}

func runLSP(a *cli.App, flags *harness.VariableFlags) error {
	vars, err := flags.Read(a)
	if err != nil {
		return err
	}
	reads := suite.NewReads(a.Source())
	err = lsp.Serve(a.Stdin, a.Data(), lsp.Options{
		Version: cli.Version(),
		Check: func(ctx context.Context, path string, open lsp.Open) hcl.Diagnostics {
			return check(a, ctx, vars, reads, path, open)
		},
		Concerns: func(path, changed string) bool {
			return slices.Contains(reads.Concerned([]string{disk.Real(changed)}), a.Source().Shorten(path))
		},
		Run: func(ctx context.Context, path, name string, open lsp.Open) (*lsp.Verdict, error) {
			return runInEditor(a, ctx, vars, path, name, open)
		},
		Explain: func(ctx context.Context, path, name string, open lsp.Open) (string, error) {
			return explainInEditor(a, ctx, vars, path, name, open)
		},
		Link:  link,
		Names: names,
		Words: map[string][]string{"scenario.allow": interp.Gates()},
		Find:  findScenarios,
		Read:  func(path string) ([]byte, error) { return disk.Read(path, dsl.MaxFileSize) },
		Wait:  a.After,
		Now:   func() time.Time { return cli.StartWatch().Started },
		Log:   a.Stderr,
	})
	if errors.Is(err, lsp.ErrNoShutdown) {
		return cli.ExitAs(cli.ExitFailed, err.Error(), "")
	}
	return err
}

// check says what `scenario validate` says of a file.
func check(a *cli.App, ctx context.Context, vars *suite.Variables, reads *suite.Reads, path string, open lsp.Open) hcl.Diagnostics {
	l := harness.NewLoader(a)
	l.Vars, l.Unsaved, l.Reads = vars, open, reads
	defer l.Close()
	f := l.LoadContext(ctx, l.Source.Shorten(path))
	if f.Crash != "" {
		start := hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos}
		f.Diags = append(f.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Internal error", Detail: "The file cannot be checked: " + f.Crash, Subject: &start})
	}
	return f.Diags
}

// link adds to a file what it imports, as far as that can be read.
func link(file *dsl.File, open lsp.Open) *dsl.File {
	linked, _ := (&suite.Loader{Source: suite.Disk(), Unsaved: open}).Link(file)
	return linked
}

// names compiles a file for what it says of its names. Nothing is read for
// that but the file.
func names(file *dsl.File, watch func(dsl.Name)) {
	interp.Compile(file, interp.Options{Watch: watch})
}

// findScenarios lists the files below a directory; one that cannot be searched
// has none.
func findScenarios(dir string) []string {
	found, _ := suite.Disk().Discover([]string{dir})
	return found
}

package harness

import (
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// said is all that the compiler says of files, each thing once, with the texts
// that it is about.
func said(files []*Loaded) (hcl.Diagnostics, map[string][]byte) {
	var diags hcl.Diagnostics
	sources := map[string][]byte{}
	for _, f := range files {
		if len(f.Diags) > 0 {
			diags = append(diags, f.Diags...)
			f.AddSources(sources)
		}
	}
	return dsl.Distinct(diags), sources
}

// outlines are those of files that have nothing but warnings.
func outlines(files []*Loaded) map[string]dsl.Outline {
	all := map[string]dsl.Outline{}
	for _, f := range files {
		maps.Copy(all, f.Outlines)
	}
	return all
}

// diagnosed are the errors among it as reports have them, in the order of
// standard error. Warnings concern files that do run, and are no results.
func diagnosed(files []*Loaded) []report.Diagnostic {
	var all []report.Diagnostic
	for _, f := range files {
		if f.Crash != "" {
			what, _, _ := strings.Cut(f.Crash, "\n")
			all = append(all, report.Diagnostic{Kind: report.CompilerCrash, File: f.Path, Summary: "Internal error", Detail: what})
		}
	}
	return append(all, ReportedAll(dsl.InOrder(said(files)))...)
}

// ReportedAll are the errors among diagnostics as reports have them.
func ReportedAll(diags hcl.Diagnostics) []report.Diagnostic {
	var all []report.Diagnostic
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			all = append(all, reported(d))
		}
	}
	return all
}

// reported is an error of the compiler as reports have it.
func reported(d *hcl.Diagnostic) report.Diagnostic {
	out := report.Diagnostic{Kind: report.InvalidFile, Summary: d.Summary, Detail: strings.TrimRight(d.Detail, "\n")}
	if _, ok := d.Extra.(*interp.CassetteError); ok {
		out.Kind = report.BadCassette
	}
	if at := d.Subject; at != nil {
		out.File, out.Line, out.Column, out.EndLine = at.Filename, at.Start.Line, at.Start.Column, at.End.Line
	}
	return out
}

// CodeOf is what diagnostics end a command with.
func CodeOf(all []report.Diagnostic) cli.ExitCode {
	code := cli.ExitPassed
	for _, d := range all {
		switch d.Kind {
		case report.CompilerCrash:
			code = cli.Worst(code, cli.ExitInternal)
		case report.BadCassette:
			code = cli.Worst(code, cli.ExitCassette)
		default:
			code = cli.Worst(code, cli.ExitInvalid)
		}
	}
	return code
}

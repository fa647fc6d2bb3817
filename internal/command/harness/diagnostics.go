package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// A diagnosticWriter writes what is wrong with files for programs.
type diagnosticWriter func(w io.Writer, diags hcl.Diagnostics)

// diagnosticFormats lists the formats of validate; text has no writer here, as
// it goes to standard error.
var diagnosticFormats = []struct {
	name  string
	write diagnosticWriter
}{
	{"text", func(io.Writer, hcl.Diagnostics) {}},
	{"json", writeJSONDiagnostics},
	{"github", writeGitHubDiagnostics},
	{"sarif", writeSARIFDiagnostics},
}

// DiagnosticFormatNames are the values of validate's --format.
func DiagnosticFormatNames() []string {
	var names []string
	for _, f := range diagnosticFormats {
		names = append(names, f.name)
	}
	return names
}

// DiagnosticFormat writes diagnostics in a format, nil where it is none.
func DiagnosticFormat(name string) diagnosticWriter {
	for _, f := range diagnosticFormats {
		if f.name == name {
			return f.write
		}
	}
	return nil
}

// WriteDiagnostics says what is wrong with files, for people on standard
// error and in the format that was asked for on standard output. Warnings are
// left out where quiet is wanted. Outlines are of files that need not be read
// again, nil for none.
func WriteDiagnostics(a *cli.App, diags hcl.Diagnostics, sources map[string][]byte, outlines map[string]dsl.Outline, quiet bool) {
	if quiet {
		diags = slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
	}
	color, _ := a.ColorWanted("auto", a.Stderr)
	dsl.WriteDiagnostics(a.People(a.Stderr), diags, sources, dsl.WriteOptions{Color: color, Width: a.Wrapped(a.Stderr), Outlines: outlines})
	if a.Diagnostics != nil {
		a.Diagnostics(a.RunnerLines(a.Stdout), diags)
	}
}

// diagnosticEvent is one line of --format json.
type diagnosticEvent struct {
	Schema   string `json:"schema"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

func eventOf(d *hcl.Diagnostic) diagnosticEvent {
	e := diagnosticEvent{Schema: "scenario.diagnostic/1", Severity: "error", Summary: d.Summary, Detail: d.Detail}
	if d.Severity != hcl.DiagError {
		e.Severity = "warning"
	}
	if d.Subject != nil {
		e.File, e.Line, e.Column = d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column
	}
	return e
}

func writeJSONDiagnostics(w io.Writer, diags hcl.Diagnostics) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, d := range diags {
		_ = enc.Encode(eventOf(d))
	}
}

// The escapes of GitHub's workflow commands: data, and properties besides.
var (
	gitHubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	gitHubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func writeGitHubDiagnostics(w io.Writer, diags hcl.Diagnostics) {
	for _, d := range diags {
		e := eventOf(d)
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", e.Severity, gitHubProperty.Replace(e.File), e.Line, e.Column, gitHubProperty.Replace(e.Summary), gitHubData.Replace(e.Detail))
	}
}

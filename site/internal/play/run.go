package play

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/overlay"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// The exit codes that `scenario test` would have.
const (
	passed  = 0
	failed  = 1
	invalid = 3
	broken  = 4
	nothing = 5
)

// A Verdict is what became of one scenario.
type Verdict struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Line    int    `json:"line"`
}

// An Answer is what the command would have said.
type Answer struct {
	Code int `json:"code"`
	// Text is its standard output, and Messages what it says of the file on
	// standard error.
	Text     string    `json:"text"`
	Messages string    `json:"messages"`
	Verdicts []Verdict `json:"verdicts"`
	// Verbose, HTML and SVG are its reports, "" where nothing ran.
	Verbose string `json:"verbose"`
	HTML    string `json:"html"`
	SVG     string `json:"svg"`
}

// source is where files are that only the editor has.
func source(files map[string]string) *suite.Source {
	return suite.FS(overlay.FS{Below: embed.FS{}, Files: files})
}

// loader reads them as `scenario test` does, with nothing of an environment.
func loader(from *suite.Source) *suite.Loader {
	return &suite.Loader{
		Source: from, Vars: &suite.Variables{},
		Env:         func(string) (string, bool) { return "", false },
		Placeholder: func(string) bool { return true },
		Lint:        interp.Unsent,
	}
}

// Run runs the scenarios of a file. It does not end before they do: who calls it
// ends what takes too long from outside.
func Run(files map[string]string, name string) Answer {
	l := loader(source(files))
	defer l.Close()
	f := l.LoadContext(context.Background(), name)
	a := Answer{Verdicts: []Verdict{}}
	if f.Crash != "" {
		a.Code, a.Messages = 6, "Error: internal error: "+f.Crash+"\n"
		return a
	}
	var said bytes.Buffer
	sources := map[string][]byte{}
	f.AddSources(sources)
	dsl.WriteDiagnostics(&said, dsl.Distinct(f.Diags), sources, dsl.WriteOptions{Outlines: f.Outlines})
	a.Messages = said.String()
	switch {
	case f.Failed():
		a.Code = codeOf(f.Diags)
	case len(f.Plans) == 0:
		a.Code = nothing
		a.Messages += "The file declares no scenario. Add one:\n\n  scenario \"name\" {\n    run = workflow.NAME\n  }\n"
	default:
		a.run(f)
	}
	return a
}

// codeOf is the exit code of a file that is wrong.
func codeOf(diags hcl.Diagnostics) int {
	code := broken
	for _, d := range diags {
		if _, cassette := d.Extra.(*interp.CassetteError); d.Severity == hcl.DiagError && !cassette {
			code = invalid
		}
	}
	return code
}

// run runs the scenarios and writes the reports.
func (a *Answer) run(f *suite.File) {
	var text, verbose, html, svg bytes.Buffer
	reports := report.Each(
		report.Text(&text, report.Options{}), report.Text(&verbose, report.Options{Verbose: true}),
		report.HTML(&html, report.Options{}), report.SVG(&svg, report.Options{}))
	var summary report.Summary
	var rows report.Rows
	ran := false
	for _, p := range f.Plans {
		e := report.Entry{Source: f.Source, Reason: p.NotRun(interp.Interpreted)}
		if e.Reason == "" {
			e.Result, ran = interp.Run(p, interp.RunOptions{}), true
		} else {
			e.Result = &interp.Result{Plan: p, Verdict: interp.Skip}
		}
		e.Result, _ = rows.Add(e.Result)
		if e.Result.Verdict == interp.Fail || e.Result.Verdict == interp.Error {
			a.Code = failed
		}
		a.Verdicts = append(a.Verdicts, Verdict{p.Name, string(e.Result.Verdict), p.Line})
		summary.Add(e.Result)
		_ = reports.Add(e) // buffers take everything
	}
	if !ran && !slices.ContainsFunc(a.Verdicts, func(v Verdict) bool { return v.Verdict != string(interp.Skip) }) {
		a.Code = nothing
	}
	_ = reports.Close(summary)
	for _, c := range summary.NeverEvaluated() {
		a.Messages += fmt.Sprintf("Warning: %s:%d: no run evaluated the invariant %q: %s\n", c.Range.Filename, c.Range.Start.Line, c.Name, c.Idle())
	}
	a.Text, a.Verbose, a.HTML, a.SVG = text.String(), verbose.String(), html.String(), svg.String()
}

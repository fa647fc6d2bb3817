package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// reportFlag is one --report as it was typed: a kind and where it goes.
type reportFlag struct {
	format report.Format
	path   string
}

// mergeFormat is the format that scenario merge reads.
const mergeFormat = "merge"

// toStdout is the path that stands for standard output.
const toStdout = "-"

// formatNamed is the format of a name, and whether there is one.
func formatNamed(name string) (report.Format, bool) {
	for _, f := range report.Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return report.Format{}, false
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// formatList is what the help says of each format.
func formatList() string {
	var b strings.Builder
	for _, f := range report.Formats() {
		fmt.Fprintf(&b, "  %-9s %s\n", f.Name, f.Summary)
	}
	return b.String()
}

// parseReports reads the values of --report and refuses those that no call can
// fulfil: an unknown kind, no path, two reports in one place, a place where
// something else is.
func parseReports(f *suiteFlags, traces []traceTarget) ([]reportFlag, error) {
	var all []reportFlag
	stdout := ""
	for _, value := range f.reports {
		name, path, ok := strings.Cut(value, "=")
		format, known := formatNamed(name)
		switch {
		case !known:
			return nil, usagef("the kinds are "+strings.Join(formatNames(), ", "), "unknown kind %q for --report.%s", name, dsl.DidYouMean(name, formatNames()))
		case !ok || path == "":
			return nil, usagef(fmt.Sprintf("for example --report %s=report.out, or %s=- for standard output", name, name), "--report %s has no path", name)
		case path == toStdout && f.json:
			return nil, usagef("write one of them to a file", "--report %s and --json both want standard output", value)
		case path == toStdout && stdout != "":
			return nil, usagef("write one of them to a file", "--report %s and --report %s both want standard output", stdout, value)
		}
		if path == toStdout {
			stdout = value
		} else if err := checkReport(format, path); err != nil {
			return nil, err
		}
		all = append(all, reportFlag{format, path})
	}
	return all, distinct(all, traces)
}

// checkReport refuses a path that would cost the user a file.
func checkReport(format report.Format, path string) error {
	shown := filepath.ToSlash(path)
	if strings.HasSuffix(shown, suite.Suffix) {
		return usagef("name another file", "--report %s=%s would write a report over a scenario file", format.Name, shown)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || format.Start == "" {
		return nil
	}
	start, err := disk.Read(path, int64(len(format.Start))-1)
	if err == nil && len(start) > 0 && string(start) != format.Start {
		return usagef("name a new file, or remove this one", "--report %s would replace %s, which is not such a report", format.Name, shown)
	}
	return nil
}

// distinct refuses two files of one name. A device takes what it is given.
func distinct(all []reportFlag, traces []traceTarget) error {
	taken := map[string]string{}
	for _, t := range traces {
		taken[disk.Real(t.path)] = "--trace-out " + filepath.ToSlash(t.path)
	}
	for _, r := range all {
		if r.path == toStdout {
			continue
		}
		if info, err := os.Stat(r.path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		this, real := fmt.Sprintf("--report %s=%s", r.format.Name, filepath.ToSlash(r.path)), disk.Real(r.path)
		if other, ok := taken[real]; ok {
			return usagef("name another file for one of them", "%s and %s name the same file", other, this)
		}
		taken[real] = this
	}
	return nil
}

// outputs are all reporters of one call. As a reporter it tells all of them.
type outputs struct {
	report.Reporter
	// machine is what programs read on standard output, nil where it is what
	// people read without asking for it.
	machine report.Reporter
	// aside are the reports beside it, in files and on standard error.
	aside []report.Reporter
	files []*reportFile
	// events says that one of them shows the events of every run.
	events bool
}

// discard takes back the files that were not completed.
func (o *outputs) discard() {
	for _, f := range o.files {
		f.file.Discard()
	}
}

// unstarted closes what programs read, for a suite of which nothing ran. People
// have read on standard error what is wrong with the files.
func (o *outputs) unstarted(why []report.Diagnostic) error {
	all := o.aside
	if o.machine != nil {
		all = append([]report.Reporter{o.machine}, all...)
	}
	r := report.Each(all...)
	for _, d := range why {
		if err := r.Invalid(d); err != nil {
			return err
		}
	}
	return r.Close(report.Summary{Incomplete: true})
}

// outputs opens every report that was asked for, before anything runs: a path
// that cannot be written is a mistake in the command line.
func (a *app) outputs(f *suiteFlags, traces []traceTarget) (*outputs, error) {
	color, err := a.colorWanted(f.color, a.stdout)
	if err != nil {
		return nil, err
	}
	reports, err := parseReports(f, traces)
	if err != nil {
		return nil, err
	}
	o := &outputs{}
	name, asked := "text", false
	if f.json {
		name = "json"
	}
	main, _ := formatNamed(name)
	opts := report.Options{Verbose: f.verbose, Quiet: f.quiet, Color: color, Live: f.live, Scores: f.scores, Wall: f.json, Width: a.width(), Plain: a.plain()}
	for _, r := range reports {
		o.events = o.events || r.format.Events
		if r.path == toStdout {
			main, name, asked = r.format, r.format.Name, true
			opts = report.Options{Verbose: f.verbose, Quiet: f.quiet, Live: f.live, Scores: f.scores, Base: a.base(r.format)}
		} else if err := o.open(a, r, f); err != nil {
			o.discard()
			return nil, err
		}
	}
	first := main.New(a.reportOn(main), opts)
	if asked || name != "text" {
		o.machine = first
	}
	o.events = o.events || name == "text" && f.verbose
	if !slices.ContainsFunc(reports, func(r reportFlag) bool { return r.format.Name == githubFormat }) {
		o.aside = append(o.aside, a.onGitHub()...)
	}
	o.Reporter = report.Each(append([]report.Reporter{first}, o.aside...)...)
	return o, nil
}

// reportOn is standard output for a report of a format.
func (a *app) reportOn(f report.Format) io.Writer {
	switch f.Name {
	case githubFormat:
		return a.runnerLines(a.stdout)
	case mergeFormat: // traces in it are compared byte by byte
		return a.data()
	}
	return a.stdout
}

// open begins one report in a file.
func (o *outputs) open(a *app, r reportFlag, f *suiteFlags) error {
	file, err := disk.Create(r.path, 0o666)
	if err != nil {
		return usagef("name a file in a directory that exists and can be written", "cannot write the %s report to %s: %s", r.format.Name, filepath.ToSlash(r.path), disk.Cause(err))
	}
	to := &reportFile{Reporter: r.format.New(file, report.Options{Base: a.base(r.format), Scores: f.scores}), file: file, flag: r}
	o.files = append(o.files, to)
	o.aside = append(o.aside, to)
	return nil
}

// A reportFile puts its file in place when the report ends.
type reportFile struct {
	report.Reporter
	file *disk.Atomic
	flag reportFlag
}

func (f *reportFile) Add(e report.Entry) error { return f.explain(f.Reporter.Add(e)) }

func (f *reportFile) Invalid(d report.Diagnostic) error { return f.explain(f.Reporter.Invalid(d)) }

func (f *reportFile) Close(s report.Summary) error {
	err := f.Reporter.Close(s)
	if err == nil {
		err = f.file.Commit()
	}
	return f.explain(err)
}

func (f *reportFile) explain(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitInternal, fmt.Sprintf("cannot write the %s report to %s: %s", f.flag.format.Name, filepath.ToSlash(f.flag.path), disk.Cause(err)), "free some space, or name another place"}
}

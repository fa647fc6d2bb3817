package harness

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// reportFlag is one --report as it was typed: a kind and where it goes.
type reportFlag struct {
	Format report.Format
	Path   string
}

// MergeFormat is the format that scenario merge reads.
const MergeFormat = "merge"

// ToStdout is the path that stands for standard output.
const ToStdout = "-"

// formatNamed is the format of a name, and whether there is one.
func formatNamed(name string) (report.Format, bool) {
	for _, f := range report.Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return report.Format{}, false
}

// FormatNames are the kinds of --report.
func FormatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// FormatList is what the help says of each format.
func FormatList() string {
	var b strings.Builder
	for _, f := range report.Formats() {
		fmt.Fprintf(&b, "  %-9s %s\n", f.Name, f.Summary)
	}
	return b.String()
}

// ParseReports reads the values of --report and refuses those that no call can
// fulfil: an unknown kind, no path, two reports in one place, a place where
// something else is.
func ParseReports(f *SuiteFlags, traces []TraceTarget) ([]reportFlag, error) {
	var all []reportFlag
	stdout := ""
	for _, value := range f.Reports {
		name, path, ok := strings.Cut(value, "=")
		several := severalIn(value)
		format, known := formatNamed(name)
		switch {
		case !known:
			if kind, file, colon := strings.Cut(value, ":"); colon && file != "" {
				if f, known := formatNamed(kind); known {
					return nil, cli.Usagef("type --report "+f.Name+"="+cli.Visible(file), "--report %s has a colon in the place of an equals sign", cli.Visible(value))
				}
			}
			if kind := kindOfPath(value); kind != "" {
				return nil, cli.Usagef("type --report "+kind+"="+cli.Visible(value), "--report %s has no kind", cli.Visible(value))
			}
			return nil, cli.Usagef("the kinds are "+strings.Join(FormatNames(), ", "), "unknown kind %q for --report.%s", name, dsl.DidYouMean(name, FormatNames()))
		case !ok || path == "":
			return nil, cli.Usagef(fmt.Sprintf("for example --report %s=report.out, or %s=- for standard output", name, name), "--report %s has no path", name)
		case several != "":
			return nil, cli.Usagef("type "+several, "--report takes one report, and %s names several", value)
		case path == ToStdout && f.Json:
			return nil, cli.Usagef("write one of them to a file", "--report %s and --json both want standard output", value)
		case path == ToStdout && stdout != "":
			return nil, cli.Usagef("write one of them to a file", "--report %s and --report %s both want standard output", stdout, value)
		}
		if path == ToStdout {
			stdout = value
		} else if err := CheckReport(format, path); err != nil {
			return nil, err
		}
		all = append(all, reportFlag{format, path})
	}
	return all, distinct(all, traces)
}

// severalIn is how several reports behind one --report are typed, "" where it has but
// one.
func severalIn(value string) string {
	flags := "--report "
	for i, part := range strings.Split(value, ",") {
		name, _, ok := strings.Cut(part, "=")
		if _, known := formatNamed(name); i > 0 && known {
			flags += " --report "
			if !ok {
				part += "=report.out"
			}
		} else if i > 0 {
			flags += ","
		}
		flags += part
	}
	if strings.Count(flags, "--report ") == 1 {
		return ""
	}
	return flags
}

// CheckReport refuses a path that would cost the user a file.
func CheckReport(format report.Format, path string) error {
	shown := filepath.ToSlash(path)
	if strings.HasSuffix(shown, suite.Suffix) {
		return cli.Usagef("name another file", "--report %s=%s would write a report over a scenario file", format.Name, shown)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || format.Start == "" {
		return nil
	}
	start, err := disk.Read(path, int64(len(format.Start))-1)
	if err == nil && len(start) > 0 && string(start) != format.Start {
		return cli.Usagef("name a new file, or remove this one", "--report %s would replace %s, which is not such a report", format.Name, shown)
	}
	return nil
}

// distinct refuses two files of one name. A device takes what it is given.
func distinct(all []reportFlag, traces []TraceTarget) error {
	taken := map[string]string{}
	for _, t := range traces {
		taken[disk.Real(t.Path)] = "--trace-out " + filepath.ToSlash(t.Path)
	}
	for _, r := range all {
		if r.Path == ToStdout {
			continue
		}
		if info, err := os.Stat(r.Path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		this, real := fmt.Sprintf("--report %s=%s", r.Format.Name, filepath.ToSlash(r.Path)), disk.Real(r.Path)
		if other, ok := taken[real]; ok {
			return cli.Usagef("name another file for one of them", "%s and %s name the same file", other, this)
		}
		taken[real] = this
	}
	return nil
}

// Outputs are all reporters of one call. As a reporter it tells all of them.
type Outputs struct {
	report.Reporter
	// machine is what programs read on standard output, nil where it is what
	// people read without asking for it.
	machine report.Reporter
	// Aside are the reports beside it, in files and on standard error.
	Aside []report.Reporter
	files []*reportFile
	// events says that one of them shows the events of every run, and failing that
	// one shows those of runs that did not pass.
	events, failing bool
	// tells says that one of them shows which parts of requests no check reads, or keeps what
	// is found of a program that was run.
	tells bool
	// hidden is a text as the command shows it, nil where it hides nothing.
	hidden func(text string) string
}

// Add reports a scenario, without the secrets in what came with it from outside: a client of
// a service chooses the name of its session.
func (o *Outputs) Add(e report.Entry) error {
	if o.hidden != nil {
		e = e.Hidden(o.hidden)
	}
	return o.Reporter.Add(e)
}

// Discard takes back the files that were not completed.
func (o *Outputs) Discard() {
	for _, f := range o.files {
		f.discard()
	}
}

// unstarted closes what programs read, for a suite of which nothing ran. People
// have read on standard error what is wrong with the files.
func (o *Outputs) unstarted(why []report.Diagnostic) error {
	if err := o.invalid(why); err != nil {
		return err
	}
	return o.programs().Close(report.Summary{Incomplete: true})
}

// invalid tells programs what is wrong with the files.
func (o *Outputs) invalid(why []report.Diagnostic) error {
	r := o.programs()
	for _, d := range why {
		if err := r.Invalid(d); err != nil {
			return err
		}
	}
	return nil
}

// programs are the reporters that programs read.
func (o *Outputs) programs() report.Reporter {
	all := o.Aside
	if o.machine != nil {
		all = append([]report.Reporter{o.machine}, all...)
	}
	return report.Each(all...)
}

// outputs opens every report that was asked for, before anything runs: a path
// that cannot be written is a mistake in the command line.
func outputs(a *cli.App, f *SuiteFlags, traces []TraceTarget) (*Outputs, error) {
	color, err := a.ColorWanted(f.color, a.Stdout)
	if err != nil {
		return nil, err
	}
	reports, err := ParseReports(f, traces)
	if err != nil {
		return nil, err
	}
	o := &Outputs{hidden: a.Hidden}
	name, asked := "text", false
	if f.Json {
		name = "json"
	}
	main, _ := formatNamed(name)
	opts := report.Options{Verbose: f.Verbose, Quiet: f.Quiet, Color: color, Live: f.Live, Scores: f.Scores, Wall: f.Json || cli.IsTerminal(a.Stdout), Width: a.Width(), Plain: a.Plain()}
	for _, r := range reports {
		o.events, o.failing = o.events || r.Format.Events, o.failing || r.Format.Failing
		if r.Path == ToStdout {
			main, name, asked = r.Format, r.Format.Name, true
			opts = report.Options{Verbose: f.Verbose, Quiet: f.Quiet, Live: f.Live, Scores: f.Scores, Base: Base(a, r.Format)}
		} else if err := o.Open(a, r, f); err != nil {
			o.Discard()
			return nil, err
		}
	}
	first := main.New(ReportOn(a, main), opts)
	if asked || name != "text" {
		o.machine = first
	}
	o.events = o.events || name == "text" && f.Verbose
	o.tells = name == "text" && f.Verbose || f.Live && slices.ContainsFunc(reports, func(r reportFlag) bool { return r.Format.Name == MergeFormat })
	if !slices.ContainsFunc(reports, func(r reportFlag) bool { return r.Format.Name == githubFormat }) {
		on := onGitHub(a)
		o.Aside, o.failing = append(o.Aside, on...), o.failing || len(on) > 0
	}
	o.Reporter = report.Each(append([]report.Reporter{first}, o.Aside...)...)
	return o, nil
}

// ReportOn is standard output for a report of a format.
func ReportOn(a *cli.App, f report.Format) io.Writer {
	switch f.Name {
	case githubFormat:
		return a.RunnerLines(a.Stdout)
	case MergeFormat: // traces in it are compared byte by byte
		return a.Data()
	}
	return a.Stdout
}

// Open begins one report in a file.
func (o *Outputs) Open(a *cli.App, r reportFlag, f *SuiteFlags) error {
	file, err := disk.CreateBelow(r.Path, 0o666)
	if err != nil {
		return cli.Usagef("name a file in a directory that can be written", "cannot write the %s report to %s: %s", r.Format.Name, filepath.ToSlash(r.Path), disk.Cause(err))
	}
	to := &reportFile{file: file, flag: r}
	to.Reporter = r.Format.New(file, report.Options{Base: Base(a, r.Format), Live: f.Live, Scores: f.Scores, Spool: to.spool, Pages: to.morePages()})
	o.files = append(o.files, to)
	a.Memory.Report()
	o.Aside = append(o.Aside, to)
	return nil
}

// kindOfPath is the kind of report that a path without one was probably meant for, by its
// name and then by how it ends; "" for what is no path.
func kindOfPath(path string) string {
	base := filepath.Base(path)
	ext := filepath.Ext(base)
	if ext == "" || strings.Contains(path, "=") {
		return ""
	}
	for _, name := range FormatNames() {
		if strings.HasPrefix(strings.ToLower(base), name+".") {
			return name
		}
	}
	return map[string]string{".xml": "junit", ".html": "html", ".json": "json", ".md": "markdown", ".svg": "svg", ".tap": "tap", ".txt": "text"}[strings.ToLower(ext)]
}

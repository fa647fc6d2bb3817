package search

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/internal/coverage"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// coverageFlags are what `scenario coverage` can be told.
type coverageFlags struct {
	selection  harness.SelectionFlags
	variables  harness.VariableFlags
	min        int
	open, json bool
	reports    []string
	parallel   int
}

// CoverageCommand is `scenario coverage`.
func CoverageCommand(a *cli.App) *cobra.Command {
	f := &coverageFlags{}
	cmd := &cobra.Command{
		Use:   "coverage [path…]",
		Short: "Show which failures a suite tests, and which it does not",
		Long: "Run every scenario, and beside it the worlds in which what struck it does not come, or goes\n" +
			"on to the end. A failure is checked where a check of the scenario reads another value\n" +
			"there, and only met where none does. The second table says what retries, breakers and\n" +
			"other policies did; what no scenario came to is listed.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return runCoverage(a, f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.Register(flags, "scenarios")
	f.selection.RegisterTags(flags)
	flags.IntVar(&f.min, "min", 0, "fail where less than `percent` of what is possible is checked")
	cli.InRange(flags, "min", 0, 100)
	flags.BoolVar(&f.open, "open", false, "print what no scenario meets, each with a script that does")
	cli.Repeated(flags, &f.reports, "report", "write a report: html=`path` is a page with the tables")
	harness.CompleteReports(cmd, "html")
	flags.BoolVar(&f.json, "json", false, "print one JSON object per line")
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "measure `N` scenarios at a time")
	cli.InRange(flags, "parallel", 1, cli.Unbounded)
	f.variables.Register(flags)
	f.variables.RegisterEnv(flags)
	cli.CompleteSelection(cmd)
	return cmd
}

// runCoverage is the whole of `scenario coverage`.
func runCoverage(a *cli.App, f *coverageFlags, paths []string) error {
	if f.open && f.json {
		return cli.Usagef("", "--open and --json are two forms of the output: give one of them")
	}
	pages, err := f.pages()
	if err != nil {
		return err
	}
	h := a.WatchHalt(0)
	defer h.Release()
	l := harness.NewLoader(a)
	defer l.Close()
	jobs, _, _, err := harness.Choose(a, l, &f.selection, &f.variables, paths, f.parallel, h, true, harness.NotInterpreted)
	if err != nil {
		return err
	}
	measured, skipped, failed := measure(a, jobs, f.parallel, h)
	if pool.Closed(h.C) {
		fmt.Fprintf(a.Stderr, "interrupted: %d of %s were measured\n", len(measured), cli.Plural(len(jobs), "scenario"))
		return cli.ExitWith(h.Cause())
	}
	tables := coverage.Tables(measured)
	if err := writeCoverage(a, f, tables, pages); err != nil {
		return err
	}
	if skipped > 0 {
		fmt.Fprintf(a.Stderr, "%s not measured: skipped, or not for the interpreter\n", cli.Plural(skipped, "scenario"))
	}
	n := coverage.CountOf(tables...)
	switch {
	case failed:
		return cli.ExitWith(cli.ExitFailed)
	case len(measured) == 0 || n.Possible() == 0:
		return cli.ExitAs(cli.ExitNothing, "there is no call that a failure could strike", "a scenario has one for every step that calls a service, and for every call of an actor")
	case n.Percent() < f.min:
		return cli.ExitAs(cli.ExitFailed, fmt.Sprintf("%d of %d possible failures are checked, which is %d %% and less than --min %d", n.Checked, n.Possible(), n.Percent(), f.min), "scenario coverage --open shows what to add")
	}
	return nil
}

// pages are the files that --report names.
func (f *coverageFlags) pages() ([]string, error) {
	var list []string
	for _, value := range f.reports {
		name, path, ok := strings.Cut(value, "=")
		switch {
		case name != "html":
			return nil, cli.Usagef("coverage has one kind of report: html", "unknown kind %q for --report", name)
		case !ok || path == "" || path == harness.ToStdout:
			return nil, cli.Usagef("for example --report html=coverage.html", "--report %s names no file", value)
		}
		if err := harness.CheckReport(report.Format{Name: name, Start: coverage.PageStart}, path); err != nil {
			return nil, err
		}
		list = append(list, path)
	}
	return list, nil
}

// measure measures all scenarios, several at a time, and returns those that pass in
// their order.
func measure(a *cli.App, jobs []harness.Job, parallel int, h *cli.Halt) (list []*coverage.Measured, skipped int, failed bool) {
	p := a.ProgressOn(a.Stderr, len(jobs), "scenarios")
	work := func(i int) *coverage.Measured {
		if harness.NotInterpreted(jobs[i].Plan) != "" {
			return nil
		}
		return coverage.Measure(jobs[i].Plan, h.C)
	}
	pool.Ordered(len(jobs), parallel, h.C, work, func(i int, m *coverage.Measured, _ pool.State) bool {
		p.Show(i + 1)
		switch {
		case m == nil:
			skipped++
		case m.Result.Interrupted:
		case m.Result.Verdict == interp.Pass:
			list = append(list, m)
		default:
			failed = true
			p.Clear()
			j := jobs[i]
			fmt.Fprintf(a.Stderr, "%s:%d: %q does not pass, so it covers nothing\nhint: scenario test %s --run %q\n", cli.Readable(j.Plan.File), j.Plan.Line, j.Plan.Name, cli.Readable(j.Plan.File), j.Plan.Name)
		}
		return true
	})
	p.Clear()
	return list, skipped, failed
}

// writeCoverage writes the tables in the forms that are asked for.
func writeCoverage(a *cli.App, f *coverageFlags, tables []*coverage.Table, pages []string) error {
	write := coverage.WriteText
	switch {
	case f.open:
		write = coverage.WriteOpen
	case f.json:
		write = coverage.WriteJSON
	}
	if err := write(a.Stdout, tables); err != nil {
		return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write to the output: %w", err))
	}
	for _, path := range pages {
		var page bytes.Buffer
		if err := coverage.WriteHTML(&page, tables); err != nil {
			return cli.ExitAs(cli.ExitInternal, "cannot write the page: "+err.Error(), "")
		}
		if err := disk.Write(path, page.Bytes(), 0o666); err != nil {
			return cli.Usagef("name a file in a directory that can be written", "cannot write the page to %s: %s", filepath.ToSlash(path), disk.Cause(err))
		}
	}
	return nil
}
